// Mass properties in closed form: a rounded polygon is its core, a strip along each edge and a sector of a disc at each
// corner [Steiner 1840].
#include <cmath>
#include <numbers>

#include <abut/d2/shapes_2d.hpp>

#include "base/message.hpp"
#include "base/parallel/guarded_call.hpp"
#include "base/trigonometry.hpp"
#include "d2/shapes/core_cooking.hpp"

namespace abut::d2 {
namespace {

DVec2 operator+(DVec2 a, DVec2 b) { return {a.x + b.x, a.y + b.y}; }
DVec2 operator-(DVec2 a, DVec2 b) { return {a.x - b.x, a.y - b.y}; }
DVec2 operator*(DVec2 a, double s) { return {a.x * s, a.y * s}; }
double dot(DVec2 a, DVec2 b) { return a.x * b.x + a.y * b.y; }
double cross(DVec2 a, DVec2 b) { return a.x * b.y - a.y * b.x; }

// Integrals of 1, of p and of |p|^2 over an area, about a point.
struct Moments {
    double area = 0;
    DVec2 first;
    double second = 0;

    void add(const Moments& m) { area += m.area, first = first + m.first, second += m.second; }
    // The moments about another point, from which the present point is at `offset`.
    Moments moved(DVec2 offset) const {
        return {area, first + offset * area, second + 2 * dot(offset, first) + dot(offset, offset) * area};
    }
};

Moments triangle(DVec2 a, DVec2 b) {  // the triangle of the origin, a and b
    const double area = 0.5 * cross(a, b);
    return {area, (a + b) * (area / 3), area / 6 * (dot(a, a) + dot(a, b) + dot(b, b))};
}

// The strip along the edge from a to b, `radius` wide, in the direction of the normal.
Moments strip(DVec2 a, DVec2 b, DVec2 normal, double radius) {
    const double squared = dot(b - a, b - a), area = std::sqrt(squared) * radius;
    const Moments about_middle = {area, {}, area * (squared + radius * radius) / 12};
    return about_middle.moved((a + b) * 0.5 + normal * (0.5 * radius));
}

// The sector of a disc about the origin, counter-clockwise from one unit normal to the other.
Moments sector(DVec2 from, DVec2 to, double radius) {
    double angle = maths::angle_of(dot(from, to), cross(from, to));
    if (angle < 0) angle += 2 * std::numbers::pi;
    const double squared = radius * radius;
    return {0.5 * angle * squared,
            {(to.y - from.y) * (squared * radius / 3), (from.x - to.x) * (squared * radius / 3)},
            0.25 * angle * squared * squared};
}

// The moments of a core about its centre.
Moments moments_of(const Core& core) {
    Vector<DVec2> corners, normals;
    const DVec2 from_centre = core.origin - DVec2{core.centre.x, core.centre.y};
    for (const DVec2& p : core.corners)
        if (const DVec2 c = p + from_centre; corners.empty() || c != corners.back()) corners.push_back(c);
    if (corners.size() > 1 && corners.back() == corners.front()) corners.pop_back();
    const std::size_t count = corners.size();
    const double squared = core.radius * core.radius;
    if (count == 1)
        return Moments{std::numbers::pi * squared, {}, 0.5 * std::numbers::pi * squared * squared}.moved(corners[0]);
    Moments all;
    for (std::size_t i = 0; i < count; ++i) {
        const DVec2 a = corners[i], b = corners[(i + 1) % count], along = b - a;
        normals.push_back(DVec2{along.y, -along.x} * (1 / std::sqrt(dot(along, along))));
        all.add(triangle(a, b));
        all.add(strip(a, b, normals.back(), core.radius));
    }
    for (std::size_t i = 0; i < count; ++i)
        all.add(sector(normals[(i + count - 1) % count], normals[i], core.radius).moved(corners[i]));
    return all;
}

// The moments about `about`, a point in the body's frame near the shape's centre, so that cancellation costs little
// precision.
Moments moments_of(const ShapeTables& tables, ShapeId id, const DPose& pose, DVec2 about) {
    const InstanceOptions& options = tables.table(id).options[id.slot()];
    const Core core = cook_core(*tables.table(id).sources[id.slot()], options);
    Moments m = moments_of(core);
    m.first = rotated(pose, m.first);
    return m.moved(transformed(pose, {core.centre.x, core.centre.y}) - about);
}

bool is_finite(const MassProperties& p) {
    return std::isfinite(p.mass) && std::isfinite(p.center.x) && std::isfinite(p.center.y) && std::isfinite(p.inertia);
}

Expected<MassProperties> checked_properties(const ShapeTables& tables, ShapeId id, float density) {
    if (!tables.lives(id)) return bad_argument(message_of("shape names no living shape (id ", id.bits(), ")"));
    if (id.kind() == ShapeKind::halfplane)
        return Error{ErrorCode::unsupported, "a halfplane has no mass: it is infinite"};
    if (id.kind() == ShapeKind::chain) return Error{ErrorCode::unsupported, "a chain has no mass: it is a border"};
    if (!(std::isfinite(density) && density >= 0))
        return bad_argument(message_of("density must be finite and at least 0, but is ", density));
    const auto& record = tables.record<CoreRecord>(id);
    const DVec2 about = {record.centre_x, record.centre_y};
    Moments all;
    if (id.kind() == ShapeKind::compound)
        for (const Part& part : tables.parts(id).parts) all.add(moments_of(tables, part.shape, part.pose, about));
    else
        all = moments_of(tables, id, {}, about);
    MassProperties made;
    made.center = {record.centre_x, record.centre_y};
    if (!(all.area > 0)) return made;
    const DVec2 offset = all.first * (1 / all.area), centre = about + offset;
    made.mass = float(density * all.area);
    made.center = {float(centre.x), float(centre.y)};
    made.inertia = float(density * (all.second - dot(offset, offset) * all.area));
    if (is_finite(made)) return made;
    return Error{ErrorCode::limit, message_of("the mass or inertia is past float's range (density ", density, ")")};
}

}  // namespace

Expected<MassProperties> mass_properties(const ShapeStore& shapes, ShapeId shape, float density) {
    return guarded_call([&] { return checked_properties(ShapeTables::of(shapes), shape, density); });
}

}  // namespace abut::d2
