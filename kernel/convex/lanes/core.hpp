// Cores and their support functions. A core is a shape without its radius: a `PointCore`; an `ExtentCore` of half
// extents (0,h,0) (a segment) or (x,y,z) (a box), so that the same kernel serves both; or a `HullCore`.
//
// A vertex has an id of 16 bits, from which the point is recomputed: GJK stores ids, not points.
#pragma once

#include "base/tolerances.hpp"
#include "shapes/hull_geometry.hpp"
#include "simd/vec.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// The core of a sphere. Its orientation does not matter: the frame of such a pair has world axes (load.hpp), which
// saves the rounding of a rotation.
struct PointCore {};

ABUT_INLINE Vec3W support(const PointCore&, Vec3W, std::uint32_t, IntW& id) {
    id = IntW(0);
    return splat(0.0f);
}
ABUT_INLINE Vec3W vertex(const PointCore&, IntW) { return splat(0.0f); }
ABUT_INLINE FloatW support_value(const PointCore&, Vec3W, std::uint32_t) { return 0.0f; }

struct ExtentCore {
    Vec3W extent;  // half extents, scaled
};

// The corner farthest along `direction`; its id is the direction's three sign bits.
ABUT_INLINE Vec3W support(const ExtentCore& core, Vec3W direction, std::uint32_t, IntW& id) {
    id = (bits_of(direction.x) >> 31) | ((bits_of(direction.y) >> 31) << 1) | ((bits_of(direction.z) >> 31) << 2);
    return copysign(core.extent, direction);
}
ABUT_INLINE Vec3W vertex(const ExtentCore& core, IntW id) {
    return {copysign(core.extent.x, float_of(id << 31)), copysign(core.extent.y, float_of(id << 30)),
            copysign(core.extent.z, float_of(id << 29))};
}
// The maximum of direction . x over the core, without packing error.
ABUT_INLINE FloatW support_value(const ExtentCore& core, Vec3W direction, std::uint32_t) {
    return dot(core.extent, abs(direction));
}

// A mask of all bits of an index into a padded column.
ABUT_INLINE std::int32_t index_mask(std::uint32_t padded) {
    return static_cast<std::int32_t>(~0u >> leading_zeros(padded - 1));
}

struct HullCore {
    const HullGeometry* hull[kLanes];
    const float* columns[kLanes];  // of the hull's vertices
    const HullVertex* vertices[kLanes];
    LaneArray<std::int32_t> index_mask;               // covers every vertex index of the lane's hull
    bool large = false;                               // some lane's hull has octant lists
    std::uint32_t most_vertices = 0, most_faces = 0;  // of any lane's hull, with padding
    Vec3W scale;                                      // instance scale times the pair's

    ABUT_INLINE void set_hull(int lane, const HullGeometry& of) {
        hull[lane] = &of;
        columns[lane] = of.column_x();
        vertices[lane] = of.vertices.data();
        index_mask[lane] = ABUT_ISA_NAMESPACE::index_mask(of.padded_count);
        large |= of.octant_first[8] != 0;
        most_vertices = most_vertices < of.padded_count ? of.padded_count : most_vertices;
        most_faces = most_faces < of.padded_faces ? of.padded_faces : most_faces;
    }
};

ABUT_INLINE Vec3W vertex(const HullCore& core, IntW id) {
    const LaneArray<std::int32_t> index = lanes_of(id & IntW(0xffff));
    const float* rows[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) rows[lane] = &core.vertices[lane][index[lane]].x;
    FloatW column[4];
    transpose_records4(rows, column);
    return multiply({column[0], column[1], column[2]}, core.scale);
}

// Calls step(i) for each whole vector of `own` padded elements; `most` is the maximum of all lanes. If `most` is small,
// all lanes take the same number of steps, repeating their last vector, because a mispredicted end of the loop costs
// more.
template <class Step>
ABUT_INLINE void for_each_vector(std::uint32_t own, std::uint32_t most, Step&& step) {
    const std::uint32_t last = own - kLanes;
    if (most <= 2 * kHullPad) {
        ABUT_UNROLL(4)
        for (std::uint32_t at = 0; at < kHullPad; at += kLanes) step(at);
        if (most == kHullPad) return;
        ABUT_UNROLL(4)
        for (std::uint32_t at = kHullPad; at < 2 * kHullPad; at += kLanes) step(at < last ? at : last);
        return;
    }
    if (most <= 4 * kLanes) {
        for (std::uint32_t at = 0; at < most; at += kLanes) step(at < last ? at : last);
        return;
    }
    for (std::uint32_t at = 0; at < own; at += kLanes) step(at);
}

// The vertices that a support function searches.
struct VertexColumns {
    const float *x, *y, *z;
    std::uint32_t
        count;  // includes the padding, which is the same on every ISA, because its copies of vertices take part in ties
    const std::uint16_t* vertex;  // the index of each vertex; null if all vertices are listed in order

    ABUT_INLINE std::uint32_t vertex_at(std::uint32_t i) const { return vertex == nullptr ? i : vertex[i]; }
};

ABUT_INLINE VertexColumns all_vertices(const HullGeometry& hull) {
    return {hull.column_x(), hull.column_y(), hull.column_z(), hull.padded_count, nullptr};
}

// The sizes of the tables in which a group of hulls is searched: 16 vertices each; up to 32; any number; or, for a
// large hull, octant lists. Known lengths make the loop cheaper.
enum class Among { few, some, all, lists };

// All vertices of a hull or, if it is large, those of the direction's octant.
ABUT_INLINE VertexColumns vertices_along(const HullGeometry& hull, float dx, float dy, float dz) {
    const std::uint32_t all = hull.octant_first[8];
    if (all == 0) return all_vertices(hull);
    const auto bits = [](float d) {
        std::uint32_t word;
        std::memcpy(&word, &d, sizeof word);
        return word >> 31;
    };
    const std::uint32_t octant = bits(dx) | bits(dy) << 1 | bits(dz) << 2, first = hull.octant_first[octant];
    const float* const x = hull.octant_columns.data() + first;
    return {x, x + all, x + 2 * std::size_t(all), hull.octant_first[octant + 1] - first,
            hull.octant_vertex.data() + first};
}

template <Among kAmong>
ABUT_INLINE VertexColumns columns_along(const HullCore& core, int lane, float dx, float dy, float dz) {
    if constexpr (kAmong == Among::lists) return vertices_along(*core.hull[lane], dx, dy, dz);
    const float* const x = core.columns[lane];
    const std::uint32_t padded = kAmong == Among::few ? kHullPad : core.hull[lane]->padded_count;
    return {x, x + padded, x + 2 * std::size_t(padded), padded, nullptr};
}
// The number of entries beyond which no lane reads.
template <Among kAmong>
ABUT_INLINE std::uint32_t most_of(const HullCore& core, const VertexColumns& columns) {
    switch (kAmong) {
        case Among::few: return kHullPad;
        case Among::some: return 2 * kHullPad;
        case Among::all: return core.most_vertices;
        default: return columns.count;
    }
}

// Folds the dots of a direction with the vertices, by `fold`, into a vector of partial results. Some dots are folded
// twice if `most` exceeds the lane's own count.
template <class Fold>
ABUT_INLINE FloatW fold_dots(const VertexColumns& columns, std::uint32_t most, float dx, float dy, float dz,
                             FloatW start, Fold&& fold) {
    const FloatW x = dx, y = dy, z = dz;
    const float *px = columns.x, *py = columns.y, *pz = columns.z;
    FloatW result = start;
    for_each_vector(columns.count, most, [&](std::uint32_t i) {
        result = fold(result, x * FloatW::load(px + i) + y * FloatW::load(py + i) + z * FloatW::load(pz + i), i);
    });
    return result;
}
template <class Fold>
ABUT_INLINE FloatW fold_dots(const VertexColumns& columns, float dx, float dy, float dz, FloatW start, Fold&& fold) {
    return fold_dots(columns, columns.count, dx, dy, dz, start, fold);
}

inline constexpr std::int32_t kMostNegative = static_cast<std::int32_t>(0xff7fffff);  // -FLT_MAX
alignas(64) inline constexpr std::int32_t kIota[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

// The greatest dot products, one for the vertices that each lane reads. Their low mantissa bits, those in `mask`, hold
// the vertex's position in the columns. `value`: the same maxima without positions.
ABUT_INLINE FloatW packed_most(const VertexColumns& columns, std::uint32_t most, float dx, float dy, float dz,
                               IntW mask, FloatW& value) {
    const IntW keep = mask ^ IntW(-1), iota = IntW::load(kIota);
    return fold_dots(columns, most, dx, dy, dz, float_of(IntW(kMostNegative)),
                     [&](FloatW so_far, FloatW d, std::uint32_t i) {
        value = max(value, d);
        return max(so_far, float_of((bits_of(d) & keep) | (iota + IntW(static_cast<std::int32_t>(i)))));
    });
}

ABUT_INLINE FloatW packed_most(const VertexColumns& columns, std::uint32_t most, float dx, float dy, float dz,
                               IntW mask) {
    FloatW value = float_of(IntW(kMostNegative));
    return packed_most(columns, most, dx, dy, dz, mask, value);
}

// The lanes whose supports are searched: the active lanes, one by one; or all lanes in straight-line code, because a
// step from lane to lane costs as much as a vector of a table.
enum class Visit { active, all };

ABUT_INLINE bool is_nearly_full(std::uint32_t active) { return 4 * bit_count(active) >= 3 * kLanes; }
template <Visit kVisit, class F>
ABUT_INLINE void visit_lanes(std::uint32_t active, F&& f) {
    if constexpr (kVisit == Visit::active) return for_each_lane(active, f);
    ABUT_UNROLL(16)
    for (int lane = 0; lane < kLanes; ++lane) f(lane);
}

// The tables and method of a search.
template <Among kAmong, Visit kVisit = Visit::active>
struct TablesOf {
    static constexpr Among among = kAmong;
    static constexpr Visit visit = kVisit;
};

// Packed argmax: each lane's hull is read kLanes vertices at a time, then one transposed reduction serves all lanes.
// The result may fall short of the true support by 2^(log2 N - 23) of the hull's radius, N being the number of vertices
// read. Therefore `support_value` certifies results. `value`: that of support_value, if requested.
template <class Tables, bool kWithValue>
ABUT_INLINE Vec3W support_among(const HullCore& core, Vec3W direction, std::uint32_t active, IntW& id, FloatW& value) {
    constexpr Among kAmong = Tables::among;
    constexpr bool kLists = kAmong == Among::lists;
    const Vec3W local = multiply(direction, core.scale);
    const LaneArray<float> x = lanes_of(local.x), y = lanes_of(local.y), z = lanes_of(local.z);
    const FloatW lowest = float_of(IntW(kMostNegative));
    FloatW best[kLanes], values[kWithValue ? kLanes : 1];
    LaneArray<std::int32_t> masks = core.index_mask;
    VertexColumns columns[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) best[lane] = lowest;
    if constexpr (kWithValue)
        for (int lane = 0; lane < kLanes; ++lane) values[lane] = lowest;
    visit_lanes<Tables::visit>(active, [&](int lane) {
        columns[lane] = columns_along<kAmong>(core, lane, x[lane], y[lane], z[lane]);
        if (kLists) masks[lane] = index_mask(columns[lane].count);
        const IntW mask = kAmong == Among::few ? std::int32_t(kHullPad - 1) : masks[lane];
        const std::uint32_t most = most_of<kAmong>(core, columns[lane]);
        if constexpr (kWithValue)
            best[lane] = packed_most(columns[lane], most, x[lane], y[lane], z[lane], mask, values[lane]);
        else
            best[lane] = packed_most(columns[lane], most, x[lane], y[lane], z[lane], mask);
    });
    if constexpr (kWithValue) value = reduce_max_each(values);
    id = bits_of(reduce_max_each(best)) & load(masks) & IntW(static_cast<std::int32_t>(0xffff));
    // Inactive lanes hold the low bits of -FLT_MAX: set them to vertex 0.
    id = select(MaskW::from_bits(active), id, IntW(0));
    if (kLists) {
        LaneArray<std::int32_t> vertices = lanes_of(id);
        for_each_lane(active, [&](int lane) {
            vertices[lane] = static_cast<std::int32_t>(columns[lane].vertex_at(std::uint32_t(vertices[lane])));
        });
        id = load(vertices);
    }
    return vertex(core, id);
}
// Calls f(tables) with the tables and method that suit the group. The functions are separate, because a single function
// for all would cost small hulls 10%, in registers.
template <class F>
ABUT_INLINE auto with_tables(const HullCore& core, std::uint32_t active, F&& f) {
    if (core.most_vertices <= 2 * kHullPad) {
        const bool few = core.most_vertices == kHullPad;
        if (is_nearly_full(active))
            return few ? f(TablesOf<Among::few, Visit::all>()) : f(TablesOf<Among::some, Visit::all>());
        return few ? f(TablesOf<Among::few>()) : f(TablesOf<Among::some>());
    }
    return core.large ? f(TablesOf<Among::lists>()) : f(TablesOf<Among::all>());
}

template <class Tables>
ABUT_NOINLINE Vec3W support_out_of_line(const HullCore& core, Vec3W direction, std::uint32_t active, IntW& id) {
    FloatW none;
    return support_among<Tables, false>(core, direction, active, id, none);
}
inline Vec3W support(const HullCore& core, Vec3W direction, std::uint32_t active, IntW& id) {
    return with_tables(core, active,
                       [&](auto tables) { return support_out_of_line<decltype(tables)>(core, direction, active, id); });
}

// Support and support_value in one search. Out of line: see with_tables.
template <class Tables>
ABUT_NOINLINE Vec3W support_and_value_out_of_line(const HullCore& core, Vec3W direction, std::uint32_t active, IntW& id,
                                                  FloatW& value) {
    return support_among<Tables, true>(core, direction, active, id, value);
}
inline Vec3W support_and_value(const HullCore& core, Vec3W direction, std::uint32_t active, IntW& id, FloatW& value) {
    return with_tables(core, active, [&](auto tables) {
        return support_and_value_out_of_line<decltype(tables)>(core, direction, active, id, value);
    });
}
template <class Core>
ABUT_INLINE Vec3W support_and_value(const Core& core, Vec3W direction, std::uint32_t active, IntW& id, FloatW& value) {
    value = support_value(core, direction, active);
    return support(core, direction, active, id);
}

// An upper bound on the error of a packed support height, for a unit direction: the part of a dot product with a vertex
// that the mask covers.
template <class Core>
ABUT_INLINE FloatW packing_error(const Core&) {
    return 0.0f;
}
ABUT_INLINE FloatW packing_error(const HullCore& core) {
    const FloatW mask = float_of(load(core.index_mask) | IntW(0x4b000000)) - FloatW(8388608.0f);  // converted to float
    return mask * FloatW(kLongestVertex * 0x1p-23f);
}

template <Among kAmong, Visit kVisit>
ABUT_INLINE FloatW support_value_among(const HullCore& core, Vec3W direction, std::uint32_t active) {
    const Vec3W local = multiply(direction, core.scale);
    const LaneArray<float> x = lanes_of(local.x), y = lanes_of(local.y), z = lanes_of(local.z);
    const FloatW lowest = float_of(IntW(kMostNegative));
    FloatW best[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) best[lane] = lowest;
    visit_lanes<kVisit>(active, [&](int lane) {
        const VertexColumns columns = columns_along<kAmong>(core, lane, x[lane], y[lane], z[lane]);
        best[lane] = fold_dots(columns, most_of<kAmong>(core, columns), x[lane], y[lane], z[lane], lowest,
                               [](FloatW so_far, FloatW d, std::uint32_t) { return max(so_far, d); });
    });
    return reduce_max_each(best);
}
template <class Tables>
ABUT_NOINLINE FloatW support_value_apart(const HullCore& core, Vec3W direction, std::uint32_t active) {
    return support_value_among<Tables::among, Tables::visit>(core, direction, active);
}
inline FloatW support_value(const HullCore& core, Vec3W direction, std::uint32_t active) {
    return with_tables(core, active,
                       [&](auto tables) { return support_value_apart<decltype(tables)>(core, direction, active); });
}

}  // namespace abut::ABUT_ISA_NAMESPACE
