// Warm starts: what a search stores for the next frame, and how the next frame uses it.
//
// A cache holds the final vertices of the search and nothing that must be trusted: any vertices can replace supports,
// and the answer is certified as always. So a stale, foreign or corrupt cache costs only time. Ids are limited to the
// valid range before use.
#pragma once

#include <abut/frame.hpp>

#include "convex/separation/gjk.hpp"
#include "convex/separation/motion_bound.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// The first part of WarmCache::opaque.
struct WarmRecord {
    std::uint32_t mark;   // kWarmTag; otherwise the cache is empty
    std::uint32_t id[4];  // vertex ids as in SimplexW: A's vertex in the low half, in the canonical order of the pair
    std::uint32_t unused[3];
};
static_assert(sizeof(WarmRecord) == sizeof(FarRecord));

inline constexpr std::uint32_t kWarmTag = 0x31747562;  // "but1"

namespace warm_detail {

ABUT_INLINE std::uint32_t in_range(const PointCore&, int, std::uint32_t) { return 0; }
ABUT_INLINE std::uint32_t in_range(const ExtentCore&, int, std::uint32_t id) { return id & 7; }
ABUT_INLINE std::uint32_t in_range(const HullCore& core, int lane, std::uint32_t id) {
    return id < core.hull[lane]->vertex_count ? id : 0;
}

}  // namespace warm_detail

// True if the cache of the chunk's pair i has vertices.
ABUT_INLINE bool is_known(const Chunk& chunk, std::uint32_t i) { return tag_of(cache_of(chunk, i)) == kWarmTag; }

template <class CoreA, class CoreB>
ABUT_INLINE WarmStartW load_warm(const Chunk& chunk, const PairW<CoreA, CoreB>& pair, const std::uint16_t* list,
                                 std::uint32_t lanes) {
    using namespace warm_detail;
    LaneArray<std::int32_t> id[4];
    for (int k = 0; k < 4; ++k) id[k] = lanes_of(IntW(0));
    for_each_lane(lanes, [&](int lane) {
        WarmRecord record;
        std::memcpy(&record, cache_of(chunk, list[lane]).opaque, sizeof record);
        for (int k = 0; k < 4; ++k) {
            const std::uint32_t a = in_range(pair.a, lane, record.id[k] & 0xffff),
                                b = in_range(pair.b, lane, record.id[k] >> 16);
            id[k][lane] = static_cast<std::int32_t>(a | b << 16);
        }
    });
    return {{load(id[0]), load(id[1]), load(id[2]), load(id[3])}};
}

// Stores vertices in the caches of `lanes`; empties the records of those in `unknown`.
ABUT_INLINE void store_vertices(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes,
                                std::uint32_t unknown, const TetrahedronW& of) {
    const LaneArray<std::int32_t> id[4] = {lanes_of(of.id[0]), lanes_of(of.id[1]), lanes_of(of.id[2]),
                                           lanes_of(of.id[3])};
    for_each_lane(lanes, [&](int lane) {
        WarmRecord record = {};
        if ((unknown >> lane & 1) == 0) {
            record.mark = kWarmTag;
            for (int k = 0; k < 4; ++k) record.id[k] = static_cast<std::uint32_t>(id[k][lane]);
        }
        std::memcpy(cache_of(chunk, list[lane]).opaque, &record, sizeof record);
    });
}

inline void store_warm(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes, const GjkResultW& found) {
    const MaskW enclosed = found.enclosed;
    const IntW last = found.simplex.id[2];
    const TetrahedronW vertices = {{select(enclosed, found.seeds.id[0], found.simplex.id[0]),
                                    select(enclosed, found.seeds.id[1], found.simplex.id[1]),
                                    select(enclosed, found.seeds.id[2], last),
                                    select(enclosed, found.seeds.id[3], last)}};
    store_vertices(chunk, list, lanes, found.uncertain.bits(), vertices);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
