// Convex hulls of grid points with exact predicates: no input makes them inconsistent.
#pragma once

#include <span>

#include "cooking/cooking_types.hpp"
#include "host/memory.hpp"

namespace abut::cooking {

// The hull of grid[subset]: consistently oriented, convex without any tolerance; coplanar neighbours occur, degenerate triangles do
// not. Empty where all points lie in one plane. Points that are no more than `ignored` above the planes of the hull of the others
// are left out, the farthest being taken in first; at 0 nothing is.
Mesh exact_hull(std::span<const Vec3d> grid, std::span<const std::uint32_t> subset, double ignored = 0.0);

// The hull of at most so many (4 at least) of `extreme`, which are corners of the hull of them all: at each step the one farthest above
// a plane of the hull so far comes in.
Mesh farthest_hull(std::span<const Vec3d> grid, std::span<const std::uint32_t> extreme, std::uint32_t most_corners);

// The corners of the hull of plane points in ascending order, counter-clockwise [Andrew 1979]; turns_left(p, q, r): strictly. All where they are
// less than three.
template <class Point, class TurnsLeft>
Vector<Point> chain_hull(const Vector<Point>& ascending, TurnsLeft turns_left) {
    if (ascending.size() < 3) return ascending;
    Vector<Point> chain;
    const auto walk = [&](auto first, auto last) {
        const std::size_t base = chain.size();
        for (; first != last; ++first) {
            while (chain.size() >= base + 2 && !turns_left(chain[chain.size() - 2], chain.back(), *first)) chain.pop_back();
            chain.push_back(*first);
        }
        chain.pop_back();  // the other walk starts there
    };
    walk(ascending.begin(), ascending.end());
    walk(ascending.rbegin(), ascending.rend());
    return chain;
}

// The corners of the hull of plane grid points (z is ignored), counter-clockwise, collinear points left out; as indices into grid.
// One index where all points coincide, two where all are collinear.
Indices exact_polygon(std::span<const Vec3d> grid, std::span<const std::uint32_t> subset);

}  // namespace abut::cooking
