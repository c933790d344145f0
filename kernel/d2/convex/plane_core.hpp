// Cores and rotations in double, one pair at a time.
#pragma once

#include <cmath>
#include <cstdint>

#include "d2/convex/plane_edges.hpp"
#include "d2/shapes/tables_2d.hpp"

namespace abut::d2 {

using Vec2D = Vec2Of<double>;
using EdgeD = EdgeOf<double>;
using AxisD = AxisOf<double>;

inline Vec2 narrowed(Vec2D v) { return {static_cast<float>(v.x), static_cast<float>(v.y)}; }

struct RotD {
    double c = 1, s = 0;
    RotD() = default;
    RotD(double cosine, double sine) : c(cosine), s(sine) {}
    // Unit, of the bits that the caller gave.
    explicit RotD(Rot r) {
        const double by = 1.0 / std::sqrt(double(r.c) * r.c + double(r.s) * r.s);
        c = r.c * by, s = r.s * by;
    }
    Vec2D operator*(Vec2D v) const { return {c * v.x - s * v.y, s * v.x + c * v.y}; }
    Vec2D unrotated(Vec2D v) const { return {c * v.x + s * v.y, c * v.y - s * v.x}; }
};

inline RotD operator*(const RotD& a, const RotD& b) { return {a.c * b.c - a.s * b.s, a.s * b.c + a.c * b.s}; }
inline RotD inverse(const RotD& r) { return {r.c, -r.s}; }

// A core, its corners counter-clockwise and relative to its centre.
struct CoreD {
    Vec2D corners[kMostCorners];
    std::int32_t count = 1;
    Vec2D centre;  // in the body's frame
    double radius, size;

    bool has_edges() const { return count > 1; }
    std::int32_t next(std::int32_t i) const { return i + 1 == count ? 0 : i + 1; }
    double along(Vec2D n, std::int32_t i) const { return dot(n, corners[i]); }
    EdgeD edge(std::int32_t i) const {
        const Vec2D from = corners[i], to = corners[next(i)], way = to - from;
        const double length = std::sqrt(dot(way, way)), by = length > 0 ? 1.0 / length : 0.0;
        return {from, to, {way.y * by, -way.x * by}, i, next(i)};
    }
    // The edge whose normal is nearest to `n`; of a point the point.
    EdgeD edge_along(Vec2D n) const {
        if (!has_edges()) return {corners[0], corners[0], n, 0, 0};
        EdgeD best = edge(0);
        for (std::int32_t i = 1; i < count; ++i)
            if (const EdgeD one = edge(i); dot(one.normal, n) > dot(best.normal, n)) best = one;
        return best;
    }
    void load(const ShapeTables& tables, ShapeId id);
};

using CoreAnswerD = CoreAnswerOf<double>;
using ContactsD = ContactsOf<double>;

// `b` in A's axes, relative to its own centre; `offset`: from A's centre to B's. `slack`: as QueryParameters.
AxisD best_axis(const CoreD& a, const CoreD& b, Vec2D offset, double slack);
// The signed distance along the best axis of two cores. `deepest_first`: for contacts, cores that are apart are answered
// along the axis, too, unless two corners are nearest.
CoreAnswerD answer_cores(const CoreD& a, const CoreD& b, Vec2D offset, const AxisD& axis, double tolerance,
                         bool deepest_first = false);
// `separation`: with radii. `edges`: as make_contacts has it.
ContactsD contacts_of(const CoreAnswerD& answer, double radius_a, double radius_b, double separation, double tolerance,
                      int edges);

// Half of promise 1's bound, for shapes of these sizes and this offset.
double tolerance_of(double size_a, double size_b, Vec2D offset);

}  // namespace abut::d2
