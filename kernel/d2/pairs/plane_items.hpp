// What rays, points and casts share: columns that may be absent, the status of a pair, the first hits.
#pragma once

#include <span>

#include "batch/sort.hpp"
#include "d2/convex/plane_exact.hpp"

namespace abut::d2 {

template <class T, class U>
void put(std::span<T> column, std::size_t i, const U& value) {
    if (!column.empty()) column[i] = T(value);
}
inline const Body* record_at(const Strided<Body>& records, std::size_t i) {
    return static_cast<const Body*>(static_cast<const void*>(records.address(i)));
}
inline Vec2D widened(DVec2 v) { return {v.x, v.y}; }
inline bool is_finite(Vec2D v) { return std::fabs(v.x) <= kMostMetres && std::fabs(v.y) <= kMostMetres; }

// The status of a pair of an item and a body.
inline Status status_of(const ShapeTables& tables, const Frame& frame, Pair pair, std::size_t items) {
    const Strided<ShapeId>& shapes = frame.bodies.columns().shapes;
    if (pair.a >= items || pair.b >= shapes.size() || !tables.lives(shapes[pair.b])) return Status::bad_index;
    return is_valid_pose(frame.bodies[pair.b]) ? Status::ok : Status::bad_pose;
}

// Of the pairs with the same Pair::a, which is below `items`, the first hit stays, at equal places that of the lowest
// pair; the others become misses.
template <class Miss>
void keep_first(const Frame& frame, std::size_t items, std::span<const double> place, std::uint8_t* hits,
                Vector<std::uint32_t>& first_of, Miss&& miss) {
    const auto pairs = static_cast<std::uint32_t>(frame.pairs.size());
    first_of.assign(items, kNoPair);
    for (std::uint32_t i = 0; i < pairs; ++i) {
        if (hits[i] == 0) continue;
        std::uint32_t& best = first_of[frame.pairs[i].a];
        if (best == kNoPair || place[i] < place[best]) best = i;
    }
    for (std::uint32_t i = 0; i < pairs; ++i) {
        if (hits[i] == 0 || first_of[frame.pairs[i].a] == i) continue;
        hits[i] = 0;
        miss(i);
    }
}

}  // namespace abut::d2
