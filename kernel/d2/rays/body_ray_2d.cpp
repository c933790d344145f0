// See body_ray_2d.hpp. A ray enters a convex core by the last edge whose line it enters [Cyrus and Beck 1978]. It
// enters a swept core by the first of the edges, moved outwards, and of the circles about the corners.
#include "d2/rays/body_ray_2d.hpp"

#include "d2/parts/part_walk.hpp"

namespace abut::d2 {
namespace {

// The distance at which a ray crosses a line from the front; infinite beyond the ray's length.
double cross_line(const RayD& ray, Vec2D normal, double offset) {
    const double speed = dot(normal, ray.direction), height = dot(normal, ray.origin) - offset;
    if (!(speed < 0) || height < 0) return HUGE_VAL;
    const double at = height / -speed;
    return at <= ray.length ? at : HUGE_VAL;
}

// The distance at which a ray from outside enters a circle.
double meet_circle(const RayD& ray, Vec2D centre, double radius) {
    const Vec2D from = ray.origin - centre;
    const double along = dot(from, ray.direction), past = dot(from, turned(ray.direction));
    if (along > 0 || std::fabs(past) > radius) return HUGE_VAL;
    const double at = -along - std::sqrt(std::max(0.0, (radius - past) * (radius + past)));
    return at >= 0 && at <= ray.length ? at : at < 0 && -along >= 0 ? 0.0 : HUGE_VAL;
}

void keep_nearer(RayHitD& best, double at, Vec2D normal) {
    if (at < best.at) best.at = at, best.normal = normal;
}

// For rays that start outside, and for cores without an inside.
RayHitD meet_edges(const CoreD& core, const RayD& ray) {
    RayHitD best;
    // A ray that touches a corner within rounding meets it.
    const double slack = 1e-12 * core.size;
    for (std::int32_t i = 0; core.has_edges() && i < core.count; ++i) {
        const EdgeD edge = core.edge(i);
        if (edge.normal.x == 0 && edge.normal.y == 0) continue;
        const double at = cross_line(ray, edge.normal, dot(edge.normal, edge.corner0) + core.radius);
        if (!(at < best.at)) continue;
        const Vec2D along = turned(edge.normal), way = ray.origin + at * ray.direction - edge.corner0;
        const double place = dot(along, way), width = dot(along, edge.corner1 - edge.corner0);
        if (place >= -slack && place <= width + slack) keep_nearer(best, at, edge.normal);
    }
    for (std::int32_t i = 0; i < core.count; ++i) {
        const double at = meet_circle(ray, core.corners[i], std::max(core.radius, slack));
        if (!(at < best.at)) continue;
        const Vec2D way = ray.origin + at * ray.direction - core.corners[i];
        const double distance = std::sqrt(dot(way, way));
        // If the ray runs along a line, it meets the line's end, whose normal is opposite to the ray.
        keep_nearer(best, at, core.radius > 0 && distance > 0 ? (1 / distance) * way : -ray.direction);
    }
    return best;
}

// The signed distance of a point and a core without its radius, the point of the core and the outward normal.
PointDistanceD measure_core(const CoreD& core, Vec2D point) {
    PointDistanceD inside, outside;
    inside.distance = -HUGE_VAL;
    double least = HUGE_VAL;
    for (std::int32_t i = 0; core.has_edges() && i < core.count; ++i) {
        const EdgeD edge = core.edge(i);
        const Vec2D from = point - edge.corner0, along = turned(edge.normal);
        const double height = dot(edge.normal, from);
        if (edge.normal.x == 0 && edge.normal.y == 0) continue;
        const double width = dot(along, edge.corner1 - edge.corner0),
                     place = std::min(std::max(dot(along, from), 0.0), width);
        const Vec2D nearest = edge.corner0 + place * along, way = point - nearest;
        if (height > inside.distance) inside = {height, edge.normal, point - height * edge.normal, 0};
        const double squared = dot(way, way);
        if (!(squared < least)) continue;
        least = squared, outside.distance = std::sqrt(squared), outside.nearest = nearest;
        // On an edge the normal is the edge's own; rounding would rotate a computed one.
        outside.normal = place > 0 && place < width ? edge.normal
                         : squared > 0              ? (1 / outside.distance) * way
                                                    : edge.normal;
    }
    // A segment has no inside.
    if (core.count > 2 && inside.distance <= 0) return inside;
    if (least < HUGE_VAL) return outside;
    const Vec2D way = point - core.corners[0];
    const double distance = std::sqrt(dot(way, way));
    return {distance, distance > 0 ? (1 / distance) * way : Vec2D{1, 0}, core.corners[0], 0};
}

RayHitD meet_convex(const ShapeTables& tables, ShapeId shape, RayD ray) {
    if (shape.kind() == ShapeKind::halfplane) {
        const auto& plane = tables.record<HalfplaneRecord>(shape);
        const Vec2D normal = {plane.normal_x, plane.normal_y};
        const double offset = plane.offset + double(plane.radius);
        RayHitD hit;
        if (dot(normal, ray.origin) <= offset)
            hit.at = 0, hit.starts_inside = true;
        else
            keep_nearer(hit, cross_line(ray, normal, offset), normal);
        return hit;
    }
    CoreD core;
    core.load(tables, shape);
    ray.origin = ray.origin - core.centre;
    if (measure_core(core, ray.origin).distance <= core.radius) {
        RayHitD hit;
        hit.at = 0, hit.starts_inside = true;
        return hit;
    }
    return meet_edges(core, ray);
}

// Meets a segment of a chain from its front. Both ends are included, so that no ray passes between two segments.
RayHitD meet_segment(const ShapeTables& tables, ShapeId shape, RayD ray) {
    CoreD core;
    core.load(tables, shape);
    ray.origin = ray.origin - core.centre;
    const EdgeD edge = core.edge(0);
    if (dot(edge.normal, ray.origin - edge.corner0) < 0 || dot(edge.normal, ray.direction) >= 0) return {};
    if (core.radius > 0 && measure_core(core, ray.origin).distance <= core.radius) {
        RayHitD hit;
        hit.at = 0, hit.starts_inside = true;
        return hit;
    }
    return meet_edges(core, ray);
}

// The distance at which a ray enters a box; 0 if it starts inside.
double enter_box(const RayD& ray, const BoxD2& box) {
    double enter = 0, leave = ray.length;
    const auto slab = [&](double origin, double direction, double low, double high) {
        if (direction == 0) {
            if (origin < low || origin > high) leave = -HUGE_VAL;
            return;
        }
        const double first = (low - origin) / direction, last = (high - origin) / direction;
        enter = std::max(enter, std::min(first, last)), leave = std::min(leave, std::max(first, last));
    };
    slab(ray.origin.x, ray.direction.x, box.low.x, box.high.x);
    slab(ray.origin.y, ray.direction.y, box.low.y, box.high.y);
    const double slack = 1e-9 * (std::fabs(enter) + std::fabs(ray.origin.x) + std::fabs(ray.origin.y));
    return enter <= leave + slack ? enter : HUGE_VAL;
}

}  // namespace

RayHitD meet_shape(const ShapeTables& tables, ShapeId shape, const RayD& ray) {
    if (!is_of_parts(shape.kind())) return meet_convex(tables, shape, ray);
    const PartsGeometry& parts = tables.parts(shape);
    const bool is_chain = shape.kind() == ShapeKind::chain;
    RayHitD best;
    double bound = ray.length;
    walk_parts(
        parts, bound, [&](const BoxD2& box) { return enter_box(ray, box); },
        [&](std::uint32_t i) {
        const Part& part = parts.parts[i];
        const RotD turn(part.pose.c, part.pose.s);
        const Vec2D at = {part.pose.position.x, part.pose.position.y};
        const RayD local = {turn.unrotated(ray.origin - at), turn.unrotated(ray.direction), ray.length};
        RayHitD hit = is_chain ? meet_segment(tables, part.shape, local) : meet_convex(tables, part.shape, local);
        hit.normal = turn * hit.normal, hit.child = parts.numbers[i];
        const bool is_first = hit.at < best.at || (hit.at == best.at && hit.child < best.child);
        if (!(hit.at <= ray.length) || !is_first) return;
        best = hit, bound = hit.at;
        });
    return best;
}

PointDistanceD measure_shape(const ShapeTables& tables, ShapeId shape, Vec2D point, double bound) {
    if (shape.kind() == ShapeKind::halfplane) {
        const auto& plane = tables.record<HalfplaneRecord>(shape);
        const Vec2D normal = {plane.normal_x, plane.normal_y};
        const double distance = dot(normal, point) - plane.offset - double(plane.radius);
        return {distance, normal, point - distance * normal, 0};
    }
    if (!is_of_parts(shape.kind())) {
        CoreD core;
        core.load(tables, shape);
        PointDistanceD out = measure_core(core, point - core.centre);
        out.nearest = out.nearest + core.centre + core.radius * out.normal;
        out.distance -= core.radius;
        return out;
    }
    const PartsGeometry& parts = tables.parts(shape);
    const bool is_chain = shape.kind() == ShapeKind::chain;
    PointDistanceD best;
    const BoxD2 box = {point, point};
    walk_near_parts(parts, box, bound, [&](std::uint32_t i) {
        const Part& part = parts.parts[i];
        const RotD turn(part.pose.c, part.pose.s);
        const Vec2D at = {part.pose.position.x, part.pose.position.y}, local = turn.unrotated(point - at);
        if (is_chain) {
            CoreD core;
            core.load(tables, part.shape);
            if (dot(core.edge(0).normal, local - core.centre - core.corners[0]) < 0) return;
        }
        PointDistanceD one = measure_shape(tables, part.shape, local, bound);
        one.child = parts.numbers[i];
        if (one.distance > bound || one.distance > best.distance ||
            (one.distance == best.distance && one.child > best.child))
            return;
        one.normal = turn * one.normal, one.nearest = at + turn * one.nearest;
        best = one, bound = one.distance;
    });
    return best;
}

}  // namespace abut::d2
