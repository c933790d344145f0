// Two convex parts of moving bodies in the plane, in double: conservative advancement [Mirtich 1996] on a fixed axis.
// The gap of two convex shapes along the normal of their distance closes no faster than the centres approach along that
// normal plus the share of the rotations.
#pragma once

#include "base/trigonometry.hpp"
#include "d2/casts/body_cast_2d.hpp"
#include "d2/convex/plane_core.hpp"

namespace abut::d2 {

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
    // Sets `out` to the core with its corners in world axes, relative to the centre of rotation at that time.
    void at(double time, CoreD& out) const {
        const RotD turn = turn_at(time);
        out.count = core.count, out.radius = core.radius, out.size = core.size, out.centre = {0, 0};
        for (std::int32_t i = 0; i < core.count; ++i) out.corners[i] = turn * core.corners[i];
    }
    // The maximum of n . x over the core at that time, relative to the centre of rotation.
    double most_along(Vec2D n, double time) const {
        const Vec2D local = turn_at(time).unrotated(n);
        double most = -HUGE_VAL;
        for (std::int32_t i = 0; i < core.count; ++i) most = std::max(most, dot(local, core.corners[i]));
        return most;
    }
};

struct Gap {
    double distance;
    Vec2D normal, point_a, point_b;  // world axes; points relative to A's position at the start
};

// Two moving convex parts.
struct ConvexCast {
    const MovingCore &a, &b;
    double target, tolerance;
    Vec2D approach = b.body->motion - a.body->motion;

    // Set if B is a half-plane: its normal and offset in its body's frame, about its centre of rotation.
    const HalfplaneRecord* plane = nullptr;

    Vec2D plane_normal(double time) const { return b.turn_at(time) * Vec2D{plane->normal_x, plane->normal_y}; }
    double plane_offset() const {
        return plane->offset - dot({plane->normal_x, plane->normal_y}, b.body->centre) + double(plane->radius);
    }

    Gap gap_at(double time) const;
    double gap_along(Vec2D n, double time) const;
    // The largest distance from B's centre of rotation of a point of B that matters; for a half-plane, out to A's
    // position.
    double reach_of_b(double time) const;
    // An upper bound on the speed at which the rotations move a point of either core.
    double turning(double time) const;
    // An upper bound on the speed at which the gap along n closes.
    double speed(Vec2D n, double time) const;
    // The first time from `time` on at which the gap is at most the target; infinite if there is none up to `latest`.
    double advance(double time, double latest, Gap& gap, bool& converged) const;
    // As advance, for cores that touch at `time`, in `gap`, and do not close: they are no hit until they have
    // separated, unless they get deeper than `depth` by more than the tolerance.
    double advance_from_touch(double time, double latest, double depth, Gap& gap, bool& converged) const;
    // The speed at which the gap along n closes at this time.
    double closing_speed(Vec2D n, double time) const;
    // True if the gap along n, which is `along` at this time, closes, and the motion takes it below the target by more
    // than the tolerance.
    bool closes_gap(Vec2D n, double along, double time) const;
    // The distances of a point (as Gap::point_a) from each core at this time.
    double distance_from_a(Vec2D point, double time) const;
    double distance_from_b(Vec2D point, double time) const;
};

}  // namespace abut::d2
