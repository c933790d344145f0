// Shapes made ready: their scale applied, degenerate forms of curved ones found, polytopes built.
#include <algorithm>
#include <cassert>

#include "support/oracle/oracle.hpp"

namespace abut::oracle {
namespace {

Vec3d product(const Vec3& v, const Vec3& scale) {
    return {double(v.x) * scale.x, double(v.y) * scale.y, double(v.z) * scale.z};
}

// Before the scale. Of a core that is a polytope, or a curved one's degenerate form.
std::vector<Vec3> core_points(const Shape& shape) {
    switch (shape.kind) {
        case ShapeKind::sphere:
        case ShapeKind::ellipsoid: return {{0, 0, 0}};
        case ShapeKind::capsule:
        case ShapeKind::cylinder:
        case ShapeKind::cone: return {{0, -shape.half_height, 0}, {0, shape.half_height, 0}};
        case ShapeKind::box: {
            std::vector<Vec3> corners;
            const Vec3 h = shape.half_extents;
            for (int i = 0; i < 8; ++i) corners.push_back({i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z});
            return corners;
        }
        default: assert(shape.kind == ShapeKind::hull); return shape.points;
    }
}

Form form_of(const Shape& shape) {
    const Vec3d radii = product(shape.half_extents, shape.scale);
    switch (shape.kind) {
        case ShapeKind::cylinder: return shape.radius > 0 ? Form::cylinder : Form::polytope;
        case ShapeKind::cone:
            return shape.radius == 0 ? Form::polytope : shape.half_height == 0 ? Form::cylinder : Form::cone;
        case ShapeKind::ellipsoid: return radii.x == radii.y && radii.y == radii.z ? Form::polytope : Form::ellipsoid;
        case ShapeKind::halfspace: return Form::halfspace;
        default: return Form::polytope;
    }
}

// Swept around the core.
double radius_of(const Shape& shape, Form form) {
    const bool round = shape.kind == ShapeKind::sphere || shape.kind == ShapeKind::capsule;
    const bool ball = shape.kind == ShapeKind::ellipsoid && form == Form::polytope;
    return (round ? double(shape.radius) : ball ? double(shape.half_extents.x) : 0.0) * shape.scale.x + shape.rounding;
}

void prepare_polytope(Solid& solid) {
    solid.core = convex_hull(core_points(solid.shape));
    if (!(solid.shape.scale == Vec3{1, 1, 1})) scale(solid.core, Vec3d(solid.shape.scale));
    Vec3d low = solid.core.vertices[0], high = low;
    for (const Vec3d& p : solid.core.vertices) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
        solid.reach = std::max(solid.reach, length(p) + solid.radius);
    }
    solid.size = std::max({high.x - low.x, high.y - low.y, high.z - low.z}) / 2 + solid.radius;
}

void prepare_halfspace(Solid& solid) {
    const Shape& s = solid.shape;
    const double len = length(Vec3d(s.normal));
    solid.curved.normal = Vec3d(s.normal) / len;
    solid.curved.offset = double(s.offset) * s.scale.x / len;
}

void prepare_curved(Solid& solid) {
    const Shape& s = solid.shape;
    Curved& core = solid.curved;
    if (solid.form == Form::ellipsoid) {
        core.radii = product(s.half_extents, s.scale);
        core.ball = rolling_ball(core.radii);
        solid.size = solid.reach = std::max({core.radii.x, core.radii.y, core.radii.z}) + solid.radius;
    } else {
        core.radius = double(s.radius) * s.scale.x, core.half_height = double(s.half_height) * s.scale.x;
        solid.size = std::max(core.radius, core.half_height) + solid.radius;
        solid.reach = std::sqrt(core.radius * core.radius + core.half_height * core.half_height) + solid.radius;
    }
    solid.core = convex_hull(inscribed_points(solid.form, core));
}

}  // namespace

Solid prepare(const Shape& shape) {
    Solid solid;
    solid.shape = shape;
    solid.form = form_of(shape);
    solid.radius = radius_of(shape, solid.form);
    switch (solid.form) {
        case Form::polytope: prepare_polytope(solid); break;
        case Form::halfspace: prepare_halfspace(solid); break;
        default: prepare_curved(solid);
    }
    return solid;
}

Solid sphere(float radius, float rounding) {
    return prepare(
        {.kind = ShapeKind::sphere, .radius = radius, .half_extents = {}, .points = {}, .rounding = rounding});
}
Solid capsule(float radius, float half_height, float rounding) {
    return prepare({.kind = ShapeKind::capsule,
                    .radius = radius,
                    .half_height = half_height,
                    .half_extents = {},
                    .points = {},
                    .rounding = rounding});
}
Solid box(Vec3 half_extents, float rounding) {
    return prepare({.kind = ShapeKind::box, .half_extents = half_extents, .points = {}, .rounding = rounding});
}
Solid hull(std::vector<Vec3> points, float rounding) {
    return prepare({.kind = ShapeKind::hull, .half_extents = {}, .points = std::move(points), .rounding = rounding});
}
Solid cylinder(float radius, float half_height, float rounding) {
    return prepare({.kind = ShapeKind::cylinder,
                    .radius = radius,
                    .half_height = half_height,
                    .half_extents = {},
                    .points = {},
                    .rounding = rounding});
}
Solid cone(float radius, float half_height, float rounding) {
    return prepare({.kind = ShapeKind::cone,
                    .radius = radius,
                    .half_height = half_height,
                    .half_extents = {},
                    .points = {},
                    .rounding = rounding});
}
Solid ellipsoid(Vec3 radii, float rounding) {
    return prepare({.kind = ShapeKind::ellipsoid, .half_extents = radii, .points = {}, .rounding = rounding});
}
Solid halfspace(Vec3 normal, float offset, float rounding) {
    return prepare({.kind = ShapeKind::halfspace,
                    .half_extents = {},
                    .points = {},
                    .rounding = rounding,
                    .normal = normal,
                    .offset = offset});
}

}  // namespace abut::oracle
