// Bounds on the depth along every face of one polytope, from known points of the other one.
//
// For a face with outward normal n and offset d, and any point s of the other polytope (in the face's frame), d - n . s
// is at most the depth along n, which is d - min n . s. The points s are called seeds: those of GJK's final
// tetrahedron, and one support point.
#pragma once

#include "convex/lanes/polytope.hpp"
#include "simd/byte_table.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

inline constexpr int kMaxSeeds = 5;
inline constexpr std::uint32_t kListRoom = 4;    // beyond a list's capacity, because entries are written four at a time
inline constexpr std::uint32_t kFlagBlock = 64;  // beyond the final flag, because tables are read in blocks

// The seeds of one shape of all lanes.
struct SeedsW {
    LaneArray<float> x[kMaxSeeds], y[kMaxSeeds], z[kMaxSeeds];

    void set(int k, Vec3W p) { x[k] = lanes_of(p.x), y[k] = lanes_of(p.y), z[k] = lanes_of(p.z); }
};

// The seeds of one lane, read in place: copying them costs more.
struct Seeds {
    const SeedsW& all;
    int lane;

    Vec3W point(int k) const { return {all.x[k][lane], all.y[k][lane], all.z[k][lane]}; }
};

// The number of vectors of faces per pass over the seeds, because loading a seed costs as much as a dot product. More
// vectors do not fit the registers.
inline constexpr int kFacesAtOnce = kLanes == 8 ? 2 : 1;

// Finds the face with the least lower bound on the depth. The greatest element of the result has that face's index in
// the low bits that `index_mask` covers.
inline FloatW least_bounded_face(const Polytope& p, const Seeds& seeds, std::int32_t index_mask) {
    const IntW mask = index_mask, keep = mask ^ IntW(-1), iota = IntW::load(kIota);
    return with_planes(p, [&](auto planes) {
        FloatW best = float_of(IntW(kMostNegative));
        // Includes all padding, as in fold_dots, so that ties are the same on every ISA.
        for (std::uint32_t i = 0; i < p.hull->padded_faces; i += kFacesAtOnce * kLanes) {
            PlaneW plane[kFacesAtOnce];
            FloatW least[kFacesAtOnce];
            ABUT_UNROLL(2)
            for (int v = 0; v < kFacesAtOnce; ++v) plane[v] = planes(i + std::uint32_t(v * kLanes));
            ABUT_UNROLL(4)
            for (int k = 0; k < 4; ++k) {
                const Vec3W seed = seeds.point(k);
                ABUT_UNROLL(2)
                for (int v = 0; v < kFacesAtOnce; ++v) {
                    const FloatW along = dot(plane[v].normal, seed);
                    least[v] = k == 0 ? along : min(least[v], along);
                }
            }
            ABUT_UNROLL(2)
            for (int v = 0; v < kFacesAtOnce; ++v) {
                const IntW index = iota + IntW(static_cast<std::int32_t>(i) + v * kLanes);
                best = max(best, float_of((bits_of(least[v] - plane[v].offset) & keep) | index));
            }
        }
        return best;
    });
}

// Appends `first` + the position of each set bit to a list, and returns the list's length. Four entries are written
// without a branch, because there are seldom more and their number is unpredictable. Entries beyond the end are
// undefined.
inline std::uint32_t list_bits(std::uint64_t bits, std::uint32_t first, std::uint16_t* list, std::uint32_t count) {
    const std::uint32_t end = count + static_cast<std::uint32_t>(bit_count(bits));
    do {
        ABUT_UNROLL(4)
        for (std::uint32_t i = 0; i < kListRoom; ++i, bits &= bits - 1)
            list[count++] = static_cast<std::uint16_t>(
                first + static_cast<std::uint32_t>(lowest_bit(bits | std::uint64_t(1) << 63)));
    } while (bits != 0);
    return end;
}

// Sets the flags of several vectors of faces from `i`. Returns a bit mask of the faces without a flag.
template <Stretch stretch, int kVectors>
ABUT_INLINE std::uint64_t flag_vectors(const Polytope& p, const Seeds& seeds, FloatW limit, std::uint8_t* flags,
                                       std::uint32_t i) {
    Vec3W normal[kVectors];
    FloatW most[kVectors];
    IntW bits[kVectors];
    ABUT_UNROLL(2)
    for (int v = 0; v < kVectors; ++v) {
        const PlaneW plane = load_planes<stretch>(p, i + std::uint32_t(v * kLanes));
        normal[v] = plane.normal, most[v] = plane.offset - limit, bits[v] = 0;
    }
    ABUT_UNROLL(5)
    for (int k = kMaxSeeds - 1; k >= 0; --k) {
        const Vec3W seed = seeds.point(k);
        ABUT_UNROLL(2)
        for (int v = 0; v < kVectors; ++v) bits[v] = bits[v] + bits[v] - words_of(dot(normal[v], seed) < most[v]);
    }
    std::uint64_t open = 0;
    ABUT_UNROLL(2)
    for (int v = 0; v < kVectors; ++v) {
        bits[v].store_bytes(flags + i + v * kLanes);
        open |= std::uint64_t((bits[v] == IntW(0)).bits()) << (v * kLanes);
    }
    return open;
}

// Sets the flags (see flag_faces) of faces `first` to `end` - 1, at most 64. Returns a bit mask of the faces that no
// seed excludes.
template <Stretch stretch>
inline std::uint64_t flag_faces_among(const Polytope& p, const Seeds& seeds, FloatW limit, std::uint8_t* flags,
                                      std::uint32_t first, std::uint32_t end) {
    std::uint64_t open = 0;
    if (end - first <= kLanes)
        open = flag_vectors<stretch, 1>(p, seeds, limit, flags, first);
    else
        for (std::uint32_t i = first; i < end; i += kFacesAtOnce * kLanes)
            open |= flag_vectors<stretch, kFacesAtOnce>(p, seeds, limit, flags, i) << (i - first);
    return open & ~std::uint64_t(0) >> (64 - (end - first));
}

// Sets bit k of flags[face] if seed k's bound, and so the face's depth, exceeds `limit`; padding repeats face 0. `list`
// gets the faces that no seed excludes. Returns the number of these faces, or more than `capacity` if they do not fit.
template <Stretch stretch>
inline std::uint32_t flag_faces(const Polytope& p, const Seeds& seeds, float limit, std::uint8_t* flags,
                                std::uint16_t* list, std::uint32_t capacity) {
    std::uint32_t count = 0;
    const std::uint32_t faces = p.hull->face_count;
    for (std::uint32_t first = 0; first < faces; first += 64) {
        const std::uint64_t open =
            flag_faces_among<stretch>(p, seeds, limit, flags, first, faces - first < 64 ? faces : first + 64);
        if (open == 0) continue;  // usually none: the face with the least bound has been tried
        if (count + static_cast<std::uint32_t>(bit_count(open)) > capacity) return capacity + 1;
        count = list_bits(open, first, list, count);
    }
    return count;
}

// Lists the edges for which no single seed excludes both adjacent faces. h(n) - n . s is linear along the edge's arc on
// the Gauss map, so a seed whose bound exceeds the limit at both ends excludes the whole arc; two different seeds at
// the two ends prove nothing. Returns the number of these edges, or more than `capacity` if they do not fit.
ABUT_INLINE std::uint32_t list_edges(const Polytope& p, const std::uint8_t* flags, std::uint16_t* list,
                                     std::uint32_t capacity) {
    const HullGeometry& hull = *p.hull;
    const auto total = static_cast<std::uint32_t>(hull.edges.size());
    std::uint32_t count = 0;
    if (hull.edge_faces.empty()) {
        for (std::uint32_t i = 0; i < total && count <= capacity; ++i) {
            list[count] = static_cast<std::uint16_t>(i);
            count += (flags[hull.edges[i].f0] & flags[hull.edges[i].f1]) == 0;
        }
        return count;
    }
    const ByteTable table(flags, hull.face_count);
    const std::uint8_t *f0 = hull.edge_faces.data(), *f1 = f0 + hull.padded_edges;
    for (std::uint32_t first = 0; first < total; first += 64) {
        std::uint64_t open = table.disjoint(f0 + first, f1 + first);
        if (total - first > 32) open |= std::uint64_t(table.disjoint(f0 + first + 32, f1 + first + 32)) << 32;
        if (total - first < 64) open &= ~(~std::uint64_t(0) << (total - first));
        if (count + static_cast<std::uint32_t>(bit_count(open)) > capacity) return capacity + 1;
        count = list_bits(open, first, list, count);
    }
    return count;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
