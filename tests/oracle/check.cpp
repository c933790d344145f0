// Holding a claimed answer against promise 1, see oracle.hpp.
#include <algorithm>

#include "oracle/oracle.hpp"
#include "oracle/worsen.hpp"

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

Verdict check_answer(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b, const Claim& claim,
                     std::optional<double> known) {
    Verdict verdict;
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

    // Points can be no finer than float32 relative to A's position, which matters for hulls far off their body's origin.
    const double finer = allowed + 1.2e-7 * std::max(largest(claim.point_a), largest(claim.point_b));
    worsen(verdict, "points against distance and normal", length(point_b - point_a - normal * sd), finer);
    if (length(normal) > 0.5)
        worsen(verdict, "normal", std::fabs(gap_along(a, pose_a, b, pose_b, normalised(normal)) - sd), allowed);
    worsen(verdict, "point on A", std::fabs(signed_distance_to_point(a, {{}, pose_a.rotation}, point_a)), finer);
    const Pose b_from_a{pose_b.position - pose_a.position, pose_b.rotation};
    worsen(verdict, "point on B", std::fabs(signed_distance_to_point(b, b_from_a, point_b)), finer);
    return verdict;
}

}  // namespace abut::oracle
