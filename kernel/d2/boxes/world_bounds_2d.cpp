// Boxes of bodies and of their motions, in double, rounded outwards once.
//
// A point at distance r from the centre of rotation is beyond the line between its ends by at most r (1 - cos(angle /
// 2)), and by at most 2 r after a full rotation: a sinusoid is farthest from the line between two of its points near
// its peak. The point also stays in the circle of radius r about that centre.
#include <abut/d2/broad_phase_2d.hpp>

#include <numbers>

#include "base/message.hpp"
#include "base/parallel/fp_environment.hpp"
#include "base/rounding.hpp"
#include "base/trigonometry.hpp"
#include "batch/frame_checks.hpp"
#include "d2/convex/plane_exact.hpp"
#include "d2/parts/part_walk.hpp"
#include "d2/shapes/body_checks.hpp"

namespace abut::d2 {
namespace {

constexpr Bounds kNoBox = {{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};
// Rotations are floats, the angles between them are exact: the error of a cosine and a sine.
constexpr double kRotationError = 1e-7;

void unite(BoxD2& box, const BoxD2& other) { box.add(other.low), box.add(other.high); }

BoxD2 halfplane_box(const ShapeTables& tables, const PlacedD& body) {
    BoxD2 box = body.bounds_in(tables, {});
    const auto& plane = tables.record<HalfplaneRecord>(body.shape);
    const Vec2D normal = body.turn * Vec2D{plane.normal_x, plane.normal_y};
    const double front = plane.offset + plane.radius + dot(normal, body.position);
    if (normal.y == 0) (normal.x > 0 ? box.high.x : box.low.x) = normal.x > 0 ? front : -front;
    if (normal.x == 0) (normal.y > 0 ? box.high.y : box.low.y) = normal.y > 0 ? front : -front;
    return box;
}

// The box of body i with a shape. False if the body has no box.
bool find_box(const ShapeTables& tables, const Bodies& bodies, std::size_t i, ShapeId shape, DVec2 origin, BoxD2& box) {
    Body body = bodies[i];
    body.shape = shape;
    if (!tables.lives(shape) || !is_valid_pose(body)) return false;
    const DVec2 at = bodies.position(i);
    const PlacedD placed = placed_body(tables, body, {at.x - origin.x, at.y - origin.y});
    if (shape.kind() == ShapeKind::halfplane)
        box = halfplane_box(tables, placed);
    else if (placed.parts == nullptr)
        box = placed.bounds_in(tables, {});
    else
        for (std::uint32_t part = 0; part < placed.parts->parts.size(); ++part)
            unite(box, placed.part(part).bounds_in(tables, {}));
    return true;
}

Bounds rounded_outwards(const BoxD2& box) {
    return {{round_down(box.low.x), round_down(box.low.y), 0}, {round_up(box.high.x), round_up(box.high.y), 0}};
}

double rise_of(const Bodies& start, const Bodies& end, std::size_t i) {
    const Strided<float>&from = start.columns().angles, &to = end.columns().angles;
    const RotD between = inverse(RotD(start[i].rotation)) * RotD(end[i].rotation);
    const double turn =
        std::fabs(from.empty() || to.empty() ? maths::angle_of(between.c, between.s) : double(to[i]) - from[i]);
    if (turn == 0) return 0;
    return (turn < 2 * std::numbers::pi ? 1 - maths::sine_cosine(turn / 2).cosine : 2) + kRotationError;
}

// The centre of rotation.
Vec2D pivot_of(const Bodies& bodies, std::size_t i, Vec2 center, DVec2 origin) {
    const DVec2 at = bodies.position(i);
    return Vec2D{at.x - origin.x, at.y - origin.y} + RotD(bodies[i].rotation) * Vec2D{center.x, center.y};
}

CallResult check(const char* name, const Bodies& bodies, DVec2 origin, std::span<Bounds> bounds) {
    if (const CallResult r = check_bodies(name, bodies); !r) return r;
    if (!std::isfinite(origin.x) || !std::isfinite(origin.y)) return bad_argument("d2: the origin is not finite");
    return check_size("d2: bounds", bounds, bodies.size(), false);
}

}  // namespace

CallResult world_bounds(const ShapeStore& shapes, const Bodies& bodies, std::span<Bounds> bounds, const DVec2& origin) {
    if (const CallResult r = check("d2::world_bounds: bodies", bodies, origin, bounds); !r) return r;
    const FpEnvironment environment;
    const ShapeTables& tables = ShapeTables::of(shapes);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        BoxD2 box;
        const ShapeId shape = bodies.columns().shapes[i];
        bounds[i] = find_box(tables, bodies, i, shape, origin, box) ? rounded_outwards(box) : kNoBox;
    }
    return {};
}

CallResult swept_bounds(const ShapeStore& shapes, const Bodies& start, const Bodies& end, std::span<Bounds> bounds,
                        const DVec2& origin, Strided<Vec2> centers) {
    if (const CallResult r = check("d2::swept_bounds: start", start, origin, bounds); !r) return r;
    if (const CallResult r = check_bodies("d2::swept_bounds: end", end); !r) return r;
    if (end.size() < start.size())
        return Error{ErrorCode::bad_size,
                     message_of("d2::swept_bounds: end has ", end.size(), " bodies, start has ", start.size())};
    if (const CallResult r = check_column("d2::swept_bounds: centers", centers, start.size()); !r) return r;
    const FpEnvironment environment;
    const ShapeTables& tables = ShapeTables::of(shapes);
    for (std::size_t i = 0; i < start.size(); ++i) {
        const ShapeId shape = start.columns().shapes[i];
        BoxD2 box, last;
        bounds[i] = kNoBox;
        if (!find_box(tables, start, i, shape, origin, box) || !find_box(tables, end, i, shape, origin, last)) continue;
        const double rise = rise_of(start, end, i);
        const Vec2 center = centers.empty() ? Vec2() : centers[i];
        const Vec2D from = pivot_of(start, i, center, origin), to = pivot_of(end, i, center, origin);
        const double x = std::max(box.high.x - from.x, from.x - box.low.x),
                     y = std::max(box.high.y - from.y, from.y - box.low.y), reach = std::sqrt(x * x + y * y);
        unite(box, last);
        if (rise > 0) {
            const double radius = reach + kRotationError * (reach + std::fabs(center.x) + std::fabs(center.y));
            BoxD2 circles;
            circles.add(from, radius), circles.add(to, radius);
            box.add(box.low, rise * reach), box.add(box.high, rise * reach);
            box.low = {std::max(box.low.x, circles.low.x), std::max(box.low.y, circles.low.y)};
            box.high = {std::min(box.high.x, circles.high.x), std::min(box.high.y, circles.high.y)};
        }
        bounds[i] = rounded_outwards(box);
    }
    return {};
}

}  // namespace abut::d2
