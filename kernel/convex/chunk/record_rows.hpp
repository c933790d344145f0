// The contact records of a group's caches (at_rest.hpp, follow.hpp), as rows of words.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "convex/contract/warm_marks.hpp"
#include "convex/separation/motion_bound.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

inline constexpr int kRecordWords = (sizeof(WarmCache) - kSearchBytes) / 4;

inline std::byte* contact_record_of(const Chunk& chunk, std::uint32_t i) {
    return cache_of(chunk, i).opaque + kSearchBytes;
}

// The addresses of a group's records. Lanes outside the group share a dummy.
struct RecordRows {
    float none[kRecordWords];
    float* row[kLanes];

    RecordRows(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes) {
        if (lanes != kAllLanes) {
            std::fill_n(none, kRecordWords, 0.0f);
            for (float*& to : row) to = none;
        }
        for_each_lane(lanes,
                      [&](int lane) { row[lane] = reinterpret_cast<float*>(contact_record_of(chunk, list[lane])); });
    }
    RecordRows(const RecordRows&) = delete;
    RecordRows& operator=(const RecordRows&) = delete;

    std::uint32_t mark(int lane) const {
        std::uint32_t mark;
        std::memcpy(&mark, row[lane], sizeof mark);
        return mark;
    }
    void set_mark(int lane, std::uint32_t mark) const { std::memcpy(row[lane], &mark, sizeof mark); }
};

// Puts the deepest contact of each lane first.
ABUT_INLINE void put_deepest_first(FloatW (&separation)[kMaxContacts], IntW (&feature)[kMaxContacts],
                                   Vec3W (&point)[kMaxContacts]) {
    const auto swap_if = [](MaskW wanted, auto& a, auto& b) {
        const auto first = select(wanted, b, a);
        b = select(wanted, a, b), a = first;
    };
    ABUT_UNROLL(4)
    for (std::uint32_t k = 1; k < kMaxContacts; ++k) {
        const MaskW deeper = separation[k] < separation[0];
        swap_if(deeper, separation[0], separation[k]), swap_if(deeper, feature[0], feature[k]),
            swap_if(deeper, point[0], point[k]);
    }
}

}  // namespace abut::ABUT_ISA_NAMESPACE
