// Promise 3: whether (b, a) has (a, b)'s answers mirrored.
#pragma once

#include <algorithm>
#include <cmath>

#include "pair_answer.hpp"

namespace abut::test {

inline Vec3 negated(Vec3 v) { return {-v.x, -v.y, -v.z}; }
inline Vec3 plus(Vec3 v, Vec3 w) { return {v.x + w.x, v.y + w.y, v.z + w.z}; }
inline float largest(Vec3 v) { return std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}); }

// The same point from a's position and from b's: equal but for the roundings of the difference and the sum.
inline bool same_point(Vec3 from_a, Vec3 from_b, Vec3 b_from_a) {
    const Vec3 there = plus(from_b, b_from_a);
    const float limit = 4 * 0x1p-24f * (largest(from_a) + largest(from_b) + largest(b_from_a));
    return largest(plus(there, negated(from_a))) <= limit;
}

inline bool mirrored(const Contact& c, const Contact& other, Vec3 b_from_a) {
    return same(c.separation, other.separation) && c.feature == (other.feature << 16 | other.feature >> 16) &&
           same_point(c.position, other.position, b_from_a);
}

// Manifolds and contacts are mirrored one by one, in the same order. Pair i of `m` is pair j of `n` with its bodies
// swapped.
inline bool mirrored(const Manifolds& m, std::size_t i, const Manifolds& n, std::size_t j, Vec3 b_from_a) {
    const std::uint32_t count = m.first_manifold[i + 1] - m.first_manifold[i];
    if (n.first_manifold[j + 1] - n.first_manifold[j] != count) return false;
    for (std::uint32_t k = 0; k < count; ++k) {
        const Manifold &x = m.manifolds[m.first_manifold[i] + k], &y = n.manifolds[n.first_manifold[j] + k];
        if (x.child_a != y.child_b || x.child_b != y.child_a || !same(y.normal, negated(x.normal))) return false;
        const auto contacts = [](const Manifolds& of, const Manifold& one) {
            return std::span(of.contacts).subspan(one.first_contact, one.contact_count);
        };
        if (!std::ranges::equal(contacts(m, x), contacts(n, y),
                                [&](const Contact& c, const Contact& other) { return mirrored(c, other, b_from_a); }))
            return false;
    }
    return true;
}

// What of an answer is not mirrored.
struct Unmirrored {
    bool distance = false, normal = false, points = false, hit = false, manifolds = false, status = false;
    bool any() const { return distance || normal || points || hit || manifolds || status; }
};

inline Unmirrored unmirrored(const judge::Answers& x, std::size_t i, const judge::Answers& y, std::size_t j,
                             Vec3 b_from_a) {
    const Distances &d = x.distances, &e = y.distances;
    return {.distance = !same(d.signed_distance[i], e.signed_distance[j]),
            .normal =
                !same(e.normal[j], negated(d.normal[i])) && !(d.status[i] != Status::ok && e.normal[j] == d.normal[i]),
            .points =
                !same_point(d.point_a[i], e.point_b[j], b_from_a) || !same_point(d.point_b[i], e.point_a[j], b_from_a),
            .hit = x.overlaps.hit(i) != y.overlaps.hit(j),
            .manifolds = !mirrored(x.manifolds, i, y.manifolds, j, b_from_a),
            .status = d.status[i] != e.status[j]};
}

}  // namespace abut::test
