// What every answer of the exact path has to satisfy, whatever the pair.
#pragma once

#include <algorithm>
#include <string>

#include "exact_brute.hpp"
#include "exact_scenes.hpp"

namespace checks {

using abut::Status;
using abut::exact::Answer;
using abut::exact::Posed;

// The exact path's share: a millionth of promise 1's bound.
inline double allowed(const Posed& a, const Posed& b, double signed_distance) {
    const double smaller = std::min(a.shape.size, b.shape.size), larger = std::max(a.shape.size, b.shape.size);
    return 1e-6 * (1e-5 * smaller + 1e-6 * std::max(larger, signed_distance));
}

struct Verdict {
    double worst = 0;  // as a fraction of what is allowed
    std::string what = "nothing";

    void consider(double error, double tolerance, const char* name) {
        const double fraction = error == 0 ? 0 : error / tolerance;
        if (!(fraction <= worst)) worst = fraction, what = name;
    }
    void merge(const Verdict& other) {
        if (!(other.worst <= worst)) *this = other;
    }
};

// Status, unit normal, the points' difference, and the support planes' gap along the normal. Overlapping pairs: no
// proof of depth.
inline Verdict invariants(const Posed& a, const Posed& b, const Answer& answer) {
    using brute::from;
    const brute::Cloud ca = brute::cloud_of(a, a.position), cb = brute::cloud_of(b, a.position);
    const double tolerance = allowed(a, b, answer.signed_distance);
    const brute::Vec n = from(answer.normal), pa = from(answer.point_a), pb = from(answer.point_b);
    Verdict verdict;
    verdict.consider(answer.status == Status::ok ? 0 : 1, 0, "status");
    verdict.consider(std::fabs(double(brute::norm(n) - 1)), 1e-12, "unit normal");
    // Points are as far out as A's own centre may be: their rounding goes with it.
    const double reach =
        std::max({double(brute::norm(pa)), double(brute::norm(pb)), std::fabs(answer.signed_distance)});
    const double rounding = std::max(tolerance, 1e-15 * reach);
    verdict.consider(double(brute::norm(pb - pa - n * answer.signed_distance)), rounding, "points' difference");
    verdict.consider(std::fabs(double(brute::gap_along(ca, cb, n) - answer.signed_distance)), tolerance,
                     "gap along normal");
    return verdict;
}

// The same, and both points in their shapes, and the distance against brute force. Slow: O(n^5) where the cores
// overlap.
inline Verdict everything(const Posed& a, const Posed& b, const Answer& answer) {
    using brute::from;
    Verdict verdict = invariants(a, b, answer);
    const brute::Cloud ca = brute::cloud_of(a, a.position), cb = brute::cloud_of(b, a.position);
    const double tolerance = allowed(a, b, answer.signed_distance);
    const brute::Vec n = from(answer.normal);
    verdict.consider(double(brute::outside(from(answer.point_a) - n * ca.radius, ca)), tolerance, "point a in A");
    verdict.consider(double(brute::outside(from(answer.point_b) + n * cb.radius, cb)), tolerance, "point b in B");
    if (answer.signed_distance + a.shape.radius + b.shape.radius > tolerance) {
        verdict.consider(std::fabs(double(brute::separation(ca, cb) - answer.signed_distance)), tolerance,
                         "separation");
    } else {
        const brute::Real depth = brute::overlap(ca, cb);  // none for what is flat in every way: then it touches
        const double expected = depth == -HUGE_VALL ? -a.shape.radius - b.shape.radius : double(depth);
        verdict.consider(std::fabs(expected - answer.signed_distance), tolerance, "depth");
    }
    return verdict;
}

}  // namespace checks
