// See convex_cast_2d.hpp.
#include "d2/casts/convex_cast_2d.hpp"

#include <algorithm>

#include "d2/convex/plane_exact.hpp"

namespace abut::d2 {
namespace {

constexpr int kMostRounds = 1000, kMostSteps = 1000;
// The gap of touching parts that rotate is examined this often, so that a part that separates and returns is a hit.
constexpr double kLooks = 256;
// Corners whose heights differ by at most this part of the size count as equally far.
constexpr double kSameHeight = 1e-9;
// Bodies count as approaching if their closing speed exceeds this part of their speed: positions that a caller computes
// in floats are not exactly on a slope.
constexpr double kNormalError = 4e-6;

double distance_of_point(const MovingCore& of, Vec2D point, double time) {
    CoreD core, ball;
    of.at(time, core);
    ball.corners[0] = {0, 0}, ball.count = 1, ball.centre = {0, 0}, ball.radius = 0, ball.size = 0;
    const Vec2D offset = point - of.place_at(time);
    const CoreAnswerD answer = answer_cores(core, ball, offset, best_axis(core, ball, offset, 0),
                                            1e-3 * tolerance_of(core.size, core.size, {0, 0}));
    return answer.distance - core.radius;
}

}  // namespace

Gap ConvexCast::gap_at(double time) const {
    CoreD core_a, core_b;
    a.at(time, core_a);
    const Vec2D from_a = a.place_at(time), offset = b.place_at(time) - from_a;
    CoreAnswerD answer;
    double radius_b = 0;
    if (plane != nullptr) {
        const Vec2D n = plane_normal(time);
        radius_b = plane->radius;
        answer = answer_over_plane(core_a, n, plane_offset() - radius_b + dot(n, offset), radius_b, false).cores;
    } else {
        b.at(time, core_b);
        radius_b = core_b.radius;
        const double around = tolerance_of(core_a.size, core_b.size, {0, 0});
        answer = answer_cores(core_a, core_b, offset, best_axis(core_a, core_b, offset, 0), 1e-3 * around);
    }
    return {answer.distance - core_a.radius - radius_b, answer.normal,
            from_a + answer.point_a + core_a.radius * answer.normal,
            from_a + answer.point_b - radius_b * answer.normal};
}

// The gap along a fixed axis n, in world axes. A half-plane has only its own axis, which rotates with it.
double ConvexCast::gap_along(Vec2D n, double time) const {
    const Vec2D offset = b.place_at(time) - a.place_at(time);
    if (plane != nullptr) {
        const Vec2D out = plane_normal(time);
        return -a.most_along(-out, time) - a.core.radius - plane_offset() - dot(out, offset);
    }
    return dot(n, offset) - b.most_along(-n, time) - a.most_along(n, time) - a.core.radius - b.core.radius;
}

double ConvexCast::reach_of_b(double time) const {
    if (plane == nullptr) return b.arm;
    const Vec2D way = b.place_at(time) - a.place_at(time);
    return std::sqrt(dot(way, way)) + std::sqrt(dot(approach, approach)) + a.arm;
}

double ConvexCast::turning(double time) const {
    return std::fabs(a.body->turn) * a.arm + std::fabs(b.body->turn) * reach_of_b(time);
}

double ConvexCast::speed(Vec2D n, double time) const {
    // The axis of a half-plane rotates, and so does A's motion as seen from its points. The terms are those of
    // turning(), added one by one: adding their sum would round differently.
    const bool turns_away = plane != nullptr && b.body->turn != 0;
    return (turns_away ? std::sqrt(dot(approach, approach)) : -dot(n, approach)) + std::fabs(a.body->turn) * a.arm +
           std::fabs(b.body->turn) * reach_of_b(time);
}

double ConvexCast::advance(double time, double latest, Gap& gap, bool& converged) const {
    for (int round = 0; round < kMostRounds; ++round) {
        gap = gap_at(time);
        if (gap.distance <= target + tolerance) return time;
        const double closing = speed(gap.normal, time);
        if (!(closing > 0)) return HUGE_VAL;
        // Steps along this axis until its gap is used up.
        double along = gap.distance;
        for (int step = 0; along > target + 0.5 * tolerance; ++step) {
            time += (along - target) / closing;
            if (time > latest) return HUGE_VAL;
            along = gap_along(gap.normal, time);
            if (step == kMostSteps) break;
        }
    }
    converged = false;
    return time;
}

double ConvexCast::advance_from_touch(double time, double latest, double depth, Gap& gap, bool& converged) const {
    // Without rotations the signed distance is a convex function of time. It stays above its tangent, which does not
    // close, and cores that have separated stay apart.
    if (turning(time) == 0) return HUGE_VAL;
    const double deepest = std::min(depth, target) - tolerance;
    for (int step = 0; step < kMostSteps; ++step) {
        const double fastest = std::sqrt(dot(approach, approach)) + turning(time), closing = speed(gap.normal, time),
                     apart = std::max((target + 2 * tolerance - gap.distance) / fastest, 1 / kLooks);
        // The gap along the normal is a lower bound on the signed distance.
        const double deep = (gap.distance - deepest + 0.5 * tolerance) / closing;
        time += closing > 0 ? std::min(apart, deep) : apart;
        if (time > latest) return HUGE_VAL;
        gap = gap_at(time);
        if (gap.distance < deepest) return time;
        if (gap.distance > target + tolerance) return advance(time, latest, gap, converged);
    }
    converged = false;
    return time;
}

double ConvexCast::closing_speed(Vec2D n, double time) const {
    // Of equally far corners, the one that rises fastest counts. A half-plane's normal rotates at the same time.
    const auto rise = [&](const MovingCore& of, Vec2D along, auto&& more) {
        const RotD turn = of.turn_at(time);
        const Vec2D local = turn.unrotated(along), aside = turn.unrotated(turned(along));
        double farthest = -HUGE_VAL, most = -HUGE_VAL;
        for (std::int32_t i = 0; i < of.core.count; ++i) farthest = std::max(farthest, dot(local, of.core.corners[i]));
        for (std::int32_t i = 0; i < of.core.count; ++i)
            if (const Vec2D& corner = of.core.corners[i]; dot(local, corner) >= farthest - kSameHeight * of.core.size)
                most = std::max(most, more(turn * corner) - of.body->turn * dot(aside, corner));
        return most;
    };
    const Vec2D offset = b.place_at(time) - a.place_at(time);
    const double by_normal = plane == nullptr ? 0 : b.body->turn;
    const double of_a = rise(a, n, [&](Vec2D corner) { return by_normal * dot(turned(n), corner - offset); });
    const double of_b = plane == nullptr ? rise(b, -n, [](Vec2D) { return 0.0; }) : 0;
    return of_a + of_b - dot(n, approach);
}

bool ConvexCast::closes_gap(Vec2D n, double along, double time) const {
    const double closing = closing_speed(n, time), fastest = std::sqrt(dot(approach, approach)) + turning(time);
    return closing > kNormalError * fastest && along - closing * (1 - time) < target - tolerance;
}

double ConvexCast::distance_from_a(Vec2D point, double time) const { return distance_of_point(a, point, time); }

double ConvexCast::distance_from_b(Vec2D point, double time) const {
    if (plane == nullptr) return distance_of_point(b, point, time);
    return dot(plane_normal(time), point - b.place_at(time)) - plane_offset();
}

}  // namespace abut::d2
