// Holding a claimed answer against promise 1, see oracle.hpp.
#include <algorithm>

#include "support/oracle/oracle.hpp"
#include "support/oracle/worsen.hpp"

namespace abut::oracle {
namespace {

constexpr double kUnitTolerance = 1e-6;  // of |normal| - 1: a few roundings of float32

}  // namespace

double smaller_size(const Solid& a, const Solid& b) {
    const bool plane = a.form == Form::halfspace || b.form == Form::halfspace;
    return plane ? std::max(a.size, b.size) : std::min(a.size, b.size);
}

double tolerance(const Solid& a, const Solid& b, double exact_signed_distance) {
    return 1e-5 * smaller_size(a, b) + 1e-6 * std::max({a.size, b.size, exact_signed_distance});
}

// Points can be no finer than float32 relative to A's position, which matters for hulls far off their body's origin.
// Where the pair was computed in the other order they have been relative to B's position before.
double point_rounding(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b, double farthest,
                      const std::optional<Vec3d>& origin) {
    const bool swapped = origin || a.shape.kind >= b.shape.kind;
    return 1.2e-7 * std::max(farthest, swapped ? largest(pose_b.position - origin.value_or(pose_a.position)) : 0.0);
}

Verdict check_answer(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b, const Claim& claim,
                     std::optional<double> known, std::optional<Vec3d> origin) {
    Verdict verdict;
    const Vec3d from = origin.value_or(pose_a.position);
    const Vec3d normal(claim.normal), point_a(claim.point_a), point_b(claim.point_b);
    verdict.exact = known ? *known : signed_distance(a, pose_a, b, pose_b, &normal).signed_distance;
    const double exact = verdict.exact, sd = claim.signed_distance;
    verdict.tolerance = tolerance(a, b, exact);
    if (!std::isfinite(sd) || !finite(claim.normal) || !finite(claim.point_a) || !finite(claim.point_b)) {
        verdict.worst = verdict.distance_error = kInfinity, verdict.what = "not finite";
        return verdict;
    }
    const double allowed = verdict.tolerance;
    worsen(verdict, "signed distance", std::fabs(sd - exact), allowed);
    verdict.distance_error = verdict.worst;
    verdict.wrong_sign = std::fabs(exact) > allowed && (sd <= 0) != (exact <= 0);
    worsen(verdict, "unit normal", std::fabs(length(normal) - 1), kUnitTolerance);

    const double finer = allowed + point_rounding(a, pose_a, b, pose_b,
                                                  std::max(largest(claim.point_a), largest(claim.point_b)), origin);
    // Both points are rounded, in each of their coordinates.
    worsen(verdict, "points against distance and normal", length(point_b - point_a - normal * sd),
           allowed + 1.75 * (finer - allowed));
    if (length(normal) > 0.5) {
        verdict.lower = gap_along(a, pose_a, b, pose_b, normalised(normal));
        worsen(verdict, "normal", std::fabs(verdict.lower - sd), allowed);
    }
    // ... and across the surface they add up by the normal's.
    const double across = allowed + sum_of_coordinates(normal) * (finer - allowed);
    const double off_a = signed_distance_to_point(a, {pose_a.position - from, pose_a.rotation}, point_a);
    worsen(verdict, "point on A", std::fabs(off_a), across);
    const double off_b = signed_distance_to_point(b, {pose_b.position - from, pose_b.rotation}, point_b);
    worsen(verdict, "point on B", std::fabs(off_b), across);
    verdict.upper = length(point_b - point_a) + std::max(off_a, 0.0) + std::max(off_b, 0.0);
    return verdict;
}

}  // namespace abut::oracle
