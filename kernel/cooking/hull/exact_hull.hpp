// Convex hulls of grid points with exact predicates: no input makes them inconsistent.
#pragma once

#include <span>

#include "base/memory.hpp"
#include "cooking/cooking_types.hpp"

namespace abut::cooking {

// The hull of grid[subset]: consistently oriented and convex without any tolerance. Neighbours may be coplanar, but no
// triangle is degenerate. Empty if all points lie in one plane. Points are added farthest first, until the rest are at
// most `ignored` grid steps above the planes of the hull; 0 adds all.
Mesh exact_hull(std::span<const Vec3d> grid, std::span<const std::uint32_t> subset, double ignored = 0.0);

// The hull of at most `most_corners` (4 or more) of `extreme`, which are the corners of their common hull. Each step
// adds the corner farthest above a plane of the hull so far.
Mesh farthest_hull(std::span<const Vec3d> grid, std::span<const std::uint32_t> extreme, std::uint32_t most_corners);

// The corners of the hull of plane points, counter-clockwise [Andrew 1979]; the points are ascending. turns_left(p, q,
// r) is strict. Returns fewer than three points unchanged.
template <class Point, class TurnsLeft>
Vector<Point> chain_hull(const Vector<Point>& ascending, TurnsLeft turns_left) {
    if (ascending.size() < 3) return ascending;
    Vector<Point> chain;
    const auto walk = [&](auto first, auto last) {
        const std::size_t base = chain.size();
        for (; first != last; ++first) {
            while (chain.size() >= base + 2 && !turns_left(chain[chain.size() - 2], chain.back(), *first))
                chain.pop_back();
            chain.push_back(*first);
        }
        chain.pop_back();  // the other walk starts with this point
    };
    walk(ascending.begin(), ascending.end());
    walk(ascending.rbegin(), ascending.rend());
    return chain;
}

// The corners of the hull of plane grid points (z is ignored), counter-clockwise, collinear points left out; as indices
// into grid. One index where all points coincide, two where all are collinear.
Indices exact_polygon(std::span<const Vec3d> grid, std::span<const std::uint32_t> subset);

}  // namespace abut::cooking
