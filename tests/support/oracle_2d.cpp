// See oracle_2d.hpp.
#include "support/oracle_2d.hpp"

#include <algorithm>
#include <cmath>

namespace abut::plane {
namespace {

// Differences of coordinates are right to this part of the shapes' extent.
constexpr Real kNoise = 1e-16L;

Point unit(Point a) { return a * (1 / length(a)); }
Point point_of(d2::Vec2 v) { return {v.x, v.y}; }

bool is_equal(Point a, Point b) { return a.x == b.x && a.y == b.y; }

// Gift wrapping [Jarvis 1973]. Called before shapes rotate, while all differences are exact or nearly so.
std::vector<Point> hull_of(std::vector<Point> points) {
    const auto is_lower = [](Point a, Point b) { return std::pair(a.y, a.x) < std::pair(b.y, b.x); };
    std::sort(points.begin(), points.end(), is_lower);
    points.erase(std::unique(points.begin(), points.end(), is_equal), points.end());
    std::vector<Point> hull = {points[0]};
    while (points.size() > 1 && hull.size() <= points.size()) {
        Point next = hull.back();
        for (const Point& p : points) {
            if (is_equal(p, hull.back())) continue;
            const Point to = p - hull.back(), best = next - hull.back();
            const Real side = cross(best, to);
            if (is_equal(next, hull.back()) || side < 0 || (side == 0 && dot(to, to) > dot(best, best))) next = p;
        }
        if (is_equal(next, hull[0])) break;
        hull.push_back(next);
    }
    return hull;
}

Real distance_to_segment(Point a, Point b, Point p) {
    const Point along = b - a;
    const Real squared = dot(along, along);
    const Real t = squared > 0 ? std::clamp(dot(p - a, along) / squared, Real(0), Real(1)) : 0;
    return length(a + along * t - p);
}

struct Nearest {
    Real distance = kInfinity;
    Point normal;
};

// Corners of one against edges of the other.
void corners_to_edges(const std::vector<Point>& edges, const std::vector<Point>& corners, Real sign, Nearest& best) {
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const Point a = edges[i], along = edges[(i + 1) % edges.size()] - a;
        const Real squared = dot(along, along);
        for (const Point& p : corners) {
            const Real t = squared > 0 ? std::clamp(dot(p - a, along) / squared, Real(0), Real(1)) : 0;
            const Point between = p - (a + along * t);
            const Real distance = length(between);
            if (!(distance < best.distance)) continue;
            best.distance = distance;
            best.normal = distance > 0 ? between * (sign / distance) : Point();
        }
    }
}

// The greatest separation along an outward normal of the edges of one. A segment has both normals.
void along_edge_normals(const std::vector<Point>& edges, const std::vector<Point>& corners, Real sign, Nearest& most) {
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const Point a = edges[i], along = edges[(i + 1) % edges.size()] - a;
        if (along.x == 0 && along.y == 0) continue;
        const Point normal = unit({along.y, -along.x});
        Real least = kInfinity;
        for (const Point& p : corners) least = std::min(least, dot(normal, p - a));
        if (least > most.distance) most = {least, normal * sign};
    }
}

Real extent_of(const std::vector<Point>& corners, Point about) {
    Real most = 0;
    for (const Point& p : corners) most = std::max({most, std::fabs(p.x - about.x), std::fabs(p.y - about.y)});
    return most;
}

// Of the cores. If their Minkowski difference has an interior, its edges are along those of the two; the origin is in
// it if it is behind all of them.
Nearest core_distance(const std::vector<Point>& a, const std::vector<Point>& b) {
    Nearest depth = {-kInfinity, {}}, apart;
    along_edge_normals(a, b, 1, depth);
    along_edge_normals(b, a, -1, depth);
    const Real noise = kNoise * (extent_of(a, a[0]) + extent_of(b, a[0]));
    const bool has_edges = depth.distance > -kInfinity;
    if (has_edges && depth.distance < -noise) return depth;
    corners_to_edges(a, b, 1, apart);
    corners_to_edges(b, a, -1, apart);
    // Touching: the direction between two points that coincide is noise.
    if (apart.distance <= noise) apart.normal = depth.normal;
    return apart;
}

Answer convex_distance(const Shape& a, const Shape& b) {
    const Nearest core = core_distance(a.corners, b.corners);
    return {core.distance - a.radius - b.radius, core.normal, kInfinity, true};
}

// `plane` is A.
Answer over_plane(const Shape& plane, const Shape& b) {
    const Real least = -support(b, plane.normal * -1);
    return {least - plane.offset - plane.radius, plane.normal, kInfinity, true};
}

Answer swapped(Answer answer) {
    answer.normal = answer.normal * -1;
    return answer;
}

void take_nearer(Answer& best, const Answer& other) {
    best.decision = std::min(best.decision, other.decision);
    if (!(other.distance < best.distance)) return;
    best.distance = other.distance, best.normal = other.normal;
}

Shape segment_of_chain(const Shape& chain, std::size_t i) {
    const Point a = chain.corners[i], b = chain.corners[(i + 1) % chain.corners.size()];
    Shape made;
    made.corners = is_equal(a, b) ? std::vector<Point>{a} : std::vector<Point>{a, b};
    made.radius = chain.radius;
    return made;
}

std::size_t segment_count(const Shape& chain) { return chain.corners.size() - (chain.is_loop ? 0 : 1); }

Answer to_chain(const Shape& chain, const Shape& b) {
    Answer best;
    std::vector<std::pair<Real, Real>> decisions;  // how far the centre is from a line, and the segment's distance
    for (std::size_t i = 0; i < segment_count(chain); ++i) {
        const Shape segment = segment_of_chain(chain, i);
        if (segment.corners.size() == 1) continue;
        const Point along = segment.corners[1] - segment.corners[0];
        const Real in_front = dot(unit({along.y, -along.x}), b.centre - segment.corners[0]);
        const Answer answer = signed_distance(segment, b);
        decisions.push_back({std::fabs(in_front), answer.distance});
        if (in_front >= 0) take_nearer(best, answer);
    }
    for (const auto& [margin, distance] : decisions)
        if (distance <= best.distance) best.decision = std::min(best.decision, margin);
    return best;
}

struct Bounds {
    Point low = {kInfinity, kInfinity}, high = {-kInfinity, -kInfinity};
};
Bounds bounds_of(const Shape& s) {
    return {{-support(s, {-1, 0}), -support(s, {0, -1})}, {support(s, {1, 0}), support(s, {0, 1})}};
}

Shape with_centre(Shape shape) {
    if (shape.form == Form::halfplane) return shape;
    const Bounds b = bounds_of(shape);
    shape.centre = (b.low + b.high) * 0.5L;
    return shape;
}

Shape convex(const std::vector<Point>& points, Real radius) {
    Shape made;
    made.corners = hull_of(points), made.radius = radius;
    return with_centre(made);
}

Shape scaled(Shape shape, Real x, Real y) {
    for (Point& p : shape.corners) p = {p.x * x, p.y * y};
    // A mirror reverses the order of corners, and the direction of a chain.
    if (x * y < 0) std::reverse(shape.corners.begin(), shape.corners.end());
    shape.radius *= std::fabs(x);
    if (shape.form == Form::halfplane) {
        shape.normal = {std::copysign(Real(1), x) * shape.normal.x, std::copysign(Real(1), y) * shape.normal.y};
        shape.offset *= std::fabs(x);
    }
    for (Shape& child : shape.children) child = scaled(child, x, y);
    return shape;
}

void add_rounding(Shape& shape, Real by) {
    shape.radius += by;
    for (Shape& child : shape.children) add_rounding(child, by);
}

}  // namespace

Real length(Point a) { return std::sqrt(dot(a, a)); }

Pose pose_of(Point position, d2::Rot rotation) {
    const Real c = rotation.c, s = rotation.s, by = 1 / std::sqrt(c * c + s * s);
    return {position, c * by, s * by};
}
Pose pose_of(const d2::Pose& pose) { return pose_of(point_of(pose.position), pose.rotation); }

Point placed(const Pose& by, Point p) {
    return {by.c * p.x - by.s * p.y + by.position.x, by.s * p.x + by.c * p.y + by.position.y};
}

Shape circle(Real radius) { return convex({{0, 0}}, radius); }
Shape capsule(Real radius, Real half_height) { return convex({{0, -half_height}, {0, half_height}}, radius); }
Shape segment(Point from, Point to, Real radius) { return convex({from, to}, radius); }
Shape box(Real x, Real y) { return convex({{-x, -y}, {x, -y}, {x, y}, {-x, y}}, 0); }
Shape polygon(const std::vector<Point>& points) { return convex(points, 0); }

Shape halfplane(Point normal, Real offset) {
    Shape made;
    made.form = Form::halfplane;
    made.normal = unit(normal), made.offset = offset / length(normal);
    return made;
}

Shape chain(const std::vector<Point>& points, bool is_loop) {
    Shape made;
    made.form = Form::chain;
    made.corners = points, made.is_loop = is_loop;
    return with_centre(made);
}

Shape compound(const std::vector<std::pair<Shape, Pose>>& children) {
    Shape made;
    made.form = Form::compound;
    for (const auto& [shape, pose] : children) made.children.push_back(placed(pose, shape));
    return with_centre(made);
}

Shape instance(const Shape& shape, const d2::InstanceOptions& options) {
    Shape made = scaled(shape, options.scale.x, options.scale.y);
    add_rounding(made, options.rounding);
    return with_centre(placed(pose_of(options.pose), made));
}

Shape placed(const Pose& by, const Shape& shape) {
    Shape made = shape;
    for (Point& p : made.corners) p = placed(by, p);
    made.centre = placed(by, made.centre);
    made.normal = {by.c * shape.normal.x - by.s * shape.normal.y, by.s * shape.normal.x + by.c * shape.normal.y};
    made.offset += dot(made.normal, by.position);
    for (Shape& child : made.children) child = placed(by, child);
    return made;
}

Answer signed_distance(const Shape& a, const Shape& b) {
    const auto is_flat = [](const Shape& s) { return s.form == Form::halfplane || s.form == Form::chain; };
    if (is_flat(a) && is_flat(b)) return {kInfinity, {}, kInfinity, false};
    if (a.form == Form::chain) return to_chain(a, b);
    if (b.form == Form::chain) return swapped(to_chain(b, a));
    if (a.form == Form::compound || b.form == Form::compound) {
        Answer best;
        const Shape& whole = a.form == Form::compound ? a : b;
        for (const Shape& child : whole.children)
            take_nearer(best, &whole == &a ? signed_distance(child, b) : signed_distance(a, child));
        return best;
    }
    if (a.form == Form::halfplane) return over_plane(a, b);
    if (b.form == Form::halfplane) return swapped(over_plane(b, a));
    return convex_distance(a, b);
}

Real support(const Shape& shape, Point n) {
    if (shape.form == Form::halfplane) {
        const bool is_along = dot(n, shape.normal) > 0 && std::fabs(cross(n, shape.normal)) <= kNoise * length(n);
        return is_along ? (shape.offset + shape.radius) * length(n) : kInfinity;
    }
    Real most = -kInfinity;
    for (const Point& p : shape.corners) most = std::max(most, dot(n, p) + shape.radius * length(n));
    for (const Shape& child : shape.children) most = std::max(most, support(child, n));
    return most;
}

Real gap_along(const Shape& a, const Shape& b, Point n) { return -support(b, n * -1) - support(a, n); }

Real distance_to(const Shape& shape, Point p) {
    Real least = kInfinity;
    switch (shape.form) {
        case Form::halfplane: return dot(shape.normal, p) - shape.offset - shape.radius;
        case Form::convex: return core_distance(shape.corners, {p}).distance - shape.radius;
        case Form::chain:
            for (std::size_t i = 0; i < segment_count(shape); ++i)
                least = std::min(
                    least, distance_to_segment(shape.corners[i], shape.corners[(i + 1) % shape.corners.size()], p));
            return least - shape.radius;
        case Form::compound:
            for (const Shape& child : shape.children) least = std::min(least, distance_to(child, p));
    }
    return least;
}

bool is_on_surface(const Shape& shape, Point p, Real by) {
    const auto is_near = [&](const Shape& part) { return std::fabs(distance_to(part, p)) <= by; };
    const auto is_on = [&](const Shape& child) { return is_on_surface(child, p, by); };
    if (shape.form == Form::compound) return std::any_of(shape.children.begin(), shape.children.end(), is_on);
    if (shape.form == Form::chain) {
        for (std::size_t i = 0; i < segment_count(shape); ++i)
            if (is_near(segment_of_chain(shape, i))) return true;
        return false;
    }
    return is_near(shape);
}

Real size_of(const Shape& shape) {
    if (shape.form == Form::halfplane) return 0;
    const Bounds b = bounds_of(shape);
    return std::max(b.high.x - b.low.x, b.high.y - b.low.y) / 2;
}

}  // namespace abut::plane
