// The distance of a convex set from the origin: GJK in double [Gilbert, Johnson, Keerthi 1988], ended by van den
// Bergen's lower bound [1999]. Doubles round here; convex/exact/ computes on a grid instead.
#pragma once

#include <cstdint>

#include "base/double_math.hpp"

namespace abut::maths {

// Up to three points of the set, and the newest one.
class GjkSimplex {
public:
    // `on_set`: see GjkLimits.
    explicit GjkSimplex(bool on_set) : on_set_(on_set) {}
    // Adds a point and finds the point of the simplex nearest to the origin. Keeps only the points whose hull contains
    // that nearest point; `newest` is one of them. False if the origin is in the tetrahedron.
    bool add(const Vec3d& newest, Vec3d& nearest) {
        Nearest found(newest);
        if (count_ == 1) found = on_segment(0, newest);
        if (count_ == 2) found = on_triangle(0, 1, newest);
        if (count_ == 3 && !on_faces(newest, found)) return false;
        keep(found, newest);
        nearest = found.point;
        return true;
    }

private:
    // The nearest point of a feature. The feature's vertices are the newest point and up to two others.
    struct Nearest {
        explicit Nearest(const Vec3d& at, int one = -1, int other = -1) : point(at), first(one), second(other) {}
        Vec3d point;
        int first, second;
    };

    Nearest on_segment(int i, const Vec3d& newest) const {
        const Vec3d edge = at_[i] - newest;
        const double length = dot(edge, edge), along = -dot(newest, edge);
        if (!(along > 0) || !(length > 0)) return Nearest(newest);
        return Nearest(newest + edge * min(1, along / length), i);
    }
    Nearest on_triangle(int i, int k, const Vec3d& newest) const {
        const Vec3d to_p = at_[i] - newest, to_q = at_[k] - newest, area = cross(to_p, to_q);
        const double whole = dot(area, area);
        // The barycentric weights of p and q, times `whole`. Differences of products of dot products would have no
        // correct digit in a needle of 1e-7.
        const double of_p = -dot(cross(newest, to_q), area), of_q = -dot(cross(to_p, newest), area);
        if (whole > 0 && of_p > 0 && of_q > 0 && of_p + of_q < whole)
            return Nearest(
                on_set_ ? newest + to_p * (of_p / whole) + to_q * (of_q / whole) : area * (dot(area, newest) / whole),
                i, k);
        const Nearest one = on_segment(i, newest), other = on_segment(k, newest);
        return dot(one.point, one.point) < dot(other.point, other.point) ? one : other;
    }
    bool on_faces(const Vec3d& newest, Nearest& out) const {
        double least = INFINITY;
        for (int k = 0; k < 3; ++k) {
            const int next = (k + 1) % 3;
            const Vec3d normal = cross(at_[k] - newest, at_[next] - newest);
            if (dot(normal, at_[(k + 2) % 3] - newest) * dot(normal, newest) < 0)
                continue;  // the origin is on the inner side
            const Nearest nearest = on_triangle(k, next, newest);
            if (const double length = dot(nearest.point, nearest.point); length < least) least = length, out = nearest;
        }
        return least < INFINITY;
    }
    void keep(const Nearest& found, const Vec3d& newest) {
        const Vec3d one = at_[found.first < 0 ? 0 : found.first], other = at_[found.second < 0 ? 0 : found.second];
        count_ = 0;
        if (found.first >= 0) at_[count_++] = one;
        if (found.second >= 0) at_[count_++] = other;
        at_[count_++] = newest;
    }

    Vec3d at_[3] = {};
    int count_ = 0;
    bool on_set_;
};

struct GjkLimits {
    double share;              // GJK ends if the distance is known to this share of its square
    double beyond = INFINITY;  // GJK ends once the distance is proved to be larger
    double enough = 0;         // GJK ends once the distance is proved to be at most this
    int steps = 64;            // the largest number of steps
    // True: rounding moves the nearest point along a needle only, so that the point stays on the set and its distance
    // is an upper bound. False: rounding may move the point off the set, but the direction is more accurate.
    bool on_set = true;
};

enum class GjkEnd : std::uint8_t {
    nearest,  // the nearest point, or one near enough
    stalled,  // rounding stalled the search, or it needs more steps
    beyond,
    overlap,
};

// `v`: on input an estimate of the direction from the origin to the set, of any length; on output the nearest point
// found, unless the result is `beyond`. support(d): the farthest point of the set along d.
template <class Support>
GjkEnd gjk(Vec3d& v, const GjkLimits& limits, const Support& support) {
    GjkSimplex simplex(limits.on_set);
    for (int step = 0; step < limits.steps; ++step) {
        const double length = dot(v, v);
        if (!(length > 0)) return GjkEnd::overlap;
        if (step != 0 && length <= limits.enough * limits.enough) return GjkEnd::nearest;
        const Vec3d point = support(-v);
        const double least = dot(v, point);
        if (least > 0 && least * least > limits.beyond * limits.beyond * length) return GjkEnd::beyond;
        if (step != 0 && length - least <= limits.share * length) return GjkEnd::nearest;
        Vec3d next;
        if (!simplex.add(point, next)) return GjkEnd::overlap;
        if (step != 0 && !(dot(next, next) < length)) break;
        v = next;
    }
    return GjkEnd::stalled;
}

}  // namespace abut::maths
