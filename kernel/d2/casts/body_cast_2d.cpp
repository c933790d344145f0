// See body_cast_2d.hpp. Conservative advancement [Mirtich 1996] on a fixed axis: the gap of two convex shapes along the
// normal of their distance closes no faster than the centres approach along it plus what the rotations add.
#include "d2/casts/body_cast_2d.hpp"

#include "base/trigonometry.hpp"
#include "d2/convex/plane_exact.hpp"

namespace abut::d2 {
namespace {

constexpr int kMostRounds = 1000, kMostSteps = 1000;

// A convex part of a moving body.
struct MovingCore {
    const MovingD* body;
    CoreD core;      // in the body's frame, relative to the centre of rotation
    double arm = 0;  // the largest distance of a point of the core from the centre of rotation

    MovingCore(const ShapeTables& tables, const MovingD& of, const PlacedD& in_body) : body(&of) {
        place(tables, in_body, core);
        for (std::int32_t i = 0; i < core.count; ++i) {
            core.corners[i] = core.corners[i] - of.centre;
            arm = std::max(arm, std::sqrt(dot(core.corners[i], core.corners[i])));
        }
    }
    RotD turn_at(double time) const {
        const maths::SineCosine of = maths::sine_cosine(body->angle + time * body->turn);
        return {of.cosine, of.sine};
    }
    Vec2D place_at(double time) const { return body->start + time * body->motion; }
    // With its corners in world axes, relative to the centre of rotation at that time.
    void at(double time, CoreD& out) const {
        const RotD turn = turn_at(time);
        out.count = core.count, out.radius = core.radius, out.size = core.size, out.centre = {0, 0};
        for (std::int32_t i = 0; i < core.count; ++i) out.corners[i] = turn * core.corners[i];
    }
    // The largest n . x of its core at that time, relative to the centre of rotation.
    double most_along(Vec2D n, double time) const {
        const Vec2D local = turn_at(time).unrotated(n);
        double most = -HUGE_VAL;
        for (std::int32_t i = 0; i < core.count; ++i) most = std::max(most, dot(local, core.corners[i]));
        return most;
    }
};

struct Gap {
    double distance;
    Vec2D normal, point_a, point_b;
};

struct ConvexCast {
    const MovingCore &a, &b;
    double target, tolerance;
    Vec2D approach = b.body->motion - a.body->motion;

    // With B a half-plane: its normal and offset in its body's frame, about its centre of rotation.
    const HalfplaneRecord* plane = nullptr;

    Vec2D plane_normal(double time) const { return b.turn_at(time) * Vec2D{plane->normal_x, plane->normal_y}; }
    double plane_offset() const {
        return plane->offset - dot({plane->normal_x, plane->normal_y}, b.body->centre) + double(plane->radius);
    }

    Gap gap_at(double time) const;
    double gap_along(Vec2D n, double time) const;
    // The most by which the gap along n closes in a unit of time.
    double speed(Vec2D n) const {
        const double of_b = plane != nullptr ? 0 : std::fabs(b.body->turn) * b.arm;
        return -dot(n, approach) + std::fabs(a.body->turn) * a.arm + of_b;
    }
    // The first time from `time` on at which the gap is at most the target; infinite if there is none up to `latest`.
    double advance(double time, double latest, Gap& gap, bool& converged) const;
    bool closes(const Gap& gap, double time) const;
};

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

// Along a fixed axis n, in world axes. A half-plane has its own axis only, which turns with it.
double ConvexCast::gap_along(Vec2D n, double time) const {
    const Vec2D offset = b.place_at(time) - a.place_at(time);
    if (plane != nullptr) {
        const Vec2D out = plane_normal(time);
        return -a.most_along(-out, time) - a.core.radius - plane_offset() - dot(out, offset);
    }
    return dot(n, offset) - b.most_along(-n, time) - a.most_along(n, time) - a.core.radius - b.core.radius;
}

double ConvexCast::advance(double time, double latest, Gap& gap, bool& converged) const {
    for (int round = 0; round < kMostRounds; ++round) {
        gap = gap_at(time);
        if (gap.distance <= target + tolerance) return time;
        double closing = speed(gap.normal);
        if (plane != nullptr) {
            // The plane's axis turns: so does what its points see of A's way, out to where A is.
            const Vec2D way = b.place_at(time) - a.place_at(time);
            const double reach = std::sqrt(dot(way, way)) + std::sqrt(dot(approach, approach)) + a.arm;
            closing =
                std::sqrt(dot(approach, approach)) + std::fabs(a.body->turn) * a.arm + std::fabs(b.body->turn) * reach;
            if (b.body->turn == 0) closing = speed(gap.normal);
        }
        if (!(closing > 0)) return HUGE_VAL;
        // Steps along this axis, until its gap is used up.
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

// Whether the points that touch approach each other, and the motion takes them below the target by more than the
// tolerance.
bool ConvexCast::closes(const Gap& gap, double time) const {
    const auto velocity = [&](const MovingCore& of, Vec2D point) {
        return of.body->motion + of.body->turn * turned(point - of.place_at(time));
    };
    const double closing = -dot(gap.normal, velocity(b, gap.point_b) - velocity(a, gap.point_a));
    return closing > 0 && gap.distance - closing * (1 - time) < target - tolerance;
}

// --- Bodies ---

BoxD2 swept_box(const ShapeTables& tables, const MovingD& of, const MovingD& seen_from) {
    // A ball about the centre of rotation holds the body whatever its angle; it moves along a line.
    BoxD2 local = PlacedD{of.shape, {0, 0}, {}, of.parts}.bounds_in(tables, {{}, {0, 0}, {}});
    double reach = 0;
    for (const double x : {local.low.x, local.high.x})
        for (const double y : {local.low.y, local.high.y}) {
            const Vec2D from = Vec2D{x, y} - of.centre;
            reach = std::max(reach, std::sqrt(dot(from, from)));
        }
    BoxD2 box;
    // In the frame of the other body, which turns, the line is an arc: a ball about its centre of rotation holds it.
    const Vec2D from = of.start - seen_from.start, to = from + of.motion - seen_from.motion;
    if (seen_from.turn == 0) {
        const maths::SineCosine angle = maths::sine_cosine(seen_from.angle);
        const RotD turn(angle.cosine, angle.sine);
        box.add(seen_from.centre + turn.unrotated(from), reach), box.add(seen_from.centre + turn.unrotated(to), reach);
    } else {
        const double far = std::sqrt(std::max(dot(from, from), dot(to, to)));
        box.add(seen_from.centre, far + reach);
    }
    return box;
}

struct BodyCast {
    const ShapeTables& tables;
    const MovingD &a, &b;
    const CastParameters& asked;
    Vec2D centre_a = {0, 0}, centre_b = {0, 0};  // of the bounds, at the start, in the other body's frame
    double bound = 0;                            // of walk_near_parts
    double latest = asked.latest;
    CastHitD best = {};
    std::uint32_t visited = 0;  // pairs of parts

    void visit(const PlacedD& of_a, std::uint32_t i, const PlacedD& of_b, std::uint32_t k);
    double first_hit(const ConvexCast& cast, Gap& gap, bool& converged) const;
    bool takes_part(const PlacedD& segment, Vec2D centre) const {
        CoreD core;
        place(tables, segment, core);
        return dot(core.edge(0).normal, centre - core.corners[0]) >= 0;
    }
};

double BodyCast::first_hit(const ConvexCast& cast, Gap& gap, bool& converged) const {
    gap = cast.gap_at(0);
    if (gap.distance > asked.target + asked.tolerance) return cast.advance(0, latest, gap, converged);
    if (asked.start == CastStart::stop || cast.closes(gap, 0)) return 0;
    if (asked.start == CastStart::ignore) return HUGE_VAL;
    // Not a hit until it has separated, unless it gets deeper.
    const double deepest = std::min(gap.distance, asked.target) - asked.tolerance;
    const double speed =
        std::sqrt(dot(cast.approach, cast.approach)) + std::fabs(a.turn) * cast.a.arm + std::fabs(b.turn) * cast.b.arm;
    if (!(speed > 0)) return HUGE_VAL;
    double time = 0;
    for (int step = 0; step < kMostSteps; ++step) {
        time += std::max(asked.target + 2 * asked.tolerance - gap.distance, 0.5 * asked.tolerance) / speed;
        if (time > latest) return HUGE_VAL;
        gap = cast.gap_at(time);
        if (gap.distance < deepest) return time;
        if (gap.distance > asked.target + asked.tolerance) return cast.advance(time, latest, gap, converged);
    }
    converged = false;
    return time;
}

void BodyCast::visit(const PlacedD& of_a, std::uint32_t i, const PlacedD& of_b, std::uint32_t k) {
    if (a.shape.kind() == ShapeKind::chain && !takes_part(of_a, centre_b)) return;
    if (b.shape.kind() == ShapeKind::chain && !takes_part(of_b, centre_a)) return;
    if (++visited > asked.max_child_pairs && (a.parts != nullptr || b.parts != nullptr)) {
        best.has_room = false, bound = -HUGE_VAL;  // ends the walk
        return;
    }
    const MovingCore core_a(tables, a, of_a), core_b(tables, b, of_b);
    ConvexCast cast = {core_a, core_b, asked.target, asked.tolerance};
    if (of_b.shape.kind() == ShapeKind::halfplane) cast.plane = &tables.record<HalfplaneRecord>(of_b.shape);
    Gap gap;
    bool converged = true;
    const double time = first_hit(cast, gap, converged);
    if (!(time <= latest)) return;
    const std::uint32_t child_a = a.parts != nullptr ? a.parts->numbers[i] : 0,
                        child_b = b.parts != nullptr ? b.parts->numbers[k] : 0;
    const bool is_first = !best.is_hit || time < best.time || (time == best.time && gap.distance < best.distance);
    if (!is_first) return;
    best = {true, time, converged, true, gap.distance, gap.normal, gap.point_a, gap.point_b, {0, 0}, child_a, child_b};
    latest = time;
}

}  // namespace

PlacedD MovingD::at(double time) const {
    const maths::SineCosine of = maths::sine_cosine(angle + time * turn);
    const RotD rotation(of.cosine, of.sine);
    return {shape, start + time * motion - rotation * centre, rotation, parts};
}

CastHitD cast_bodies(const ShapeTables& tables, const MovingD& a, const MovingD& b, const CastParameters& asked) {
    BodyCast cast = {tables, a, b, asked};
    cast.bound = asked.target + asked.tolerance;
    const PlacedD whole_a = {a.shape, {0, 0}, {}, a.parts}, whole_b = {b.shape, {0, 0}, {}, b.parts};
    const auto centre_in = [&](const MovingD& of, const PlacedD& whole, const MovingD& other) {
        if (of.shape.kind() == ShapeKind::halfplane) return Vec2D{0, 0};
        const BoxD2 box = whole.bounds_in(tables, {{}, {0, 0}, {}});
        const PlacedD placed = of.at(0), frame = other.at(0);
        return frame.turn.unrotated(placed.position + placed.turn * (0.5 * (box.low + box.high)) - frame.position);
    };
    cast.centre_a = centre_in(a, whole_a, b), cast.centre_b = centre_in(b, whole_b, a);
    if (a.parts == nullptr && b.parts == nullptr) {
        cast.visit(whole_a, 0, whole_b, 0);
        return cast.best;
    }
    const bool is_plane = b.shape.kind() == ShapeKind::halfplane;
    const BoxD2 all = {{-HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, HUGE_VAL}};
    const BoxD2 of_b = is_plane || a.parts == nullptr ? all : swept_box(tables, b, a),
                of_a = b.parts == nullptr ? all : swept_box(tables, a, b);
    const auto with = [&](const PlacedD& other, std::uint32_t k) {
        if (a.parts == nullptr) return cast.visit(whole_a, 0, other, k);
        walk_near_parts(*a.parts, of_b, cast.bound, [&](std::uint32_t i) { cast.visit(whole_a.part(i), i, other, k); });
    };
    if (b.parts == nullptr)
        with(whole_b, 0);
    else
        walk_near_parts(*b.parts, of_a, cast.bound, [&](std::uint32_t k) { with(whole_b.part(k), k); });
    return cast.best;
}

}  // namespace abut::d2
