// See mover.hpp.
#include "surfaces/contacts/mover.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <abut/properties.hpp>

namespace abut::ground {
namespace {

constexpr double kCircle = 6.283185307179586;
constexpr int kRimPoints = 96;  // of the polytope in a cylinder: its rim is off by 5e-4 of the radius

Expected<ShapeId> add(ShapeStore& store, const oracle::Shape& s) {
    switch (s.kind) {
        case ShapeKind::sphere: return store.add_sphere(s.radius);
        case ShapeKind::capsule: return store.add_capsule(s.radius, s.half_height);
        case ShapeKind::box: return store.add_box(s.half_extents);
        case ShapeKind::cylinder: return store.add_cylinder(s.radius, s.half_height);
        case ShapeKind::cone: return store.add_cone(s.radius, s.half_height);
        case ShapeKind::ellipsoid: return store.add_ellipsoid(s.half_extents);
        default: return store.add_hull(s.points);
    }
}

Wire wire_of(const oracle::Polytope& polytope) {
    Wire out;
    out.vertices = polytope.vertices;
    for (const oracle::Polytope::Edge& e : polytope.edges) out.edges.emplace_back(e.v0, e.v1);
    for (const oracle::Polytope::Triangle& t : polytope.triangles) {
        const Vec3d &a = out.vertices[t.v[0]], &b = out.vertices[t.v[1]], &c = out.vertices[t.v[2]];
        const Vec3d area = cross(b - a, c - a);
        const double longest = std::max({length(b - a), length(c - a), length(c - b)});
        if (length(area) < 1e-9 * longest * longest) continue;
        const Vec3d normal = normalised(area);
        const bool is_known = std::ranges::any_of(out.planes, [&](const Wire::Plane& p) {
            return dot(p.normal, normal) > 1 - 1e-14 && std::fabs(p.offset - dot(normal, a)) < 1e-9 * longest;
        });
        if (!is_known) out.planes.push_back({normal, dot(normal, a)});
    }
    return out;
}

Wire wire_of_cylinder(double radius, double half_height) {
    Wire out;
    out.planes = {{{0, 1, 0}, half_height}, {{0, -1, 0}, half_height}};
    for (std::uint32_t k = 0; k < kRimPoints; ++k) {
        const double yaw = kCircle * k / kRimPoints, next = (k + 1) % kRimPoints,
                     middle = yaw + 0.5 * kCircle / kRimPoints;
        out.vertices.push_back({radius * std::cos(yaw), -half_height, radius * std::sin(yaw)});
        out.vertices.push_back({radius * std::cos(yaw), half_height, radius * std::sin(yaw)});
        out.edges.emplace_back(2 * k, 2 * std::uint32_t(next));
        out.edges.emplace_back(2 * k + 1, 2 * std::uint32_t(next) + 1);
        out.edges.emplace_back(2 * k, 2 * k + 1);
        out.planes.push_back({{std::cos(middle), 0, std::sin(middle)}, radius * std::cos(0.5 * kCircle / kRimPoints)});
    }
    return out;
}

std::vector<Vec3> prism_points(int corners, double radius, double half_height) {
    std::vector<Vec3> out;
    for (int k = 0; k < corners; ++k) {
        const double yaw = kCircle * k / corners;
        for (const double y : {-half_height, half_height})
            out.push_back({float(radius * std::cos(yaw)), float(y), float(radius * std::sin(yaw))});
    }
    return out;
}

// On an ellipsoid, above a polygon.
std::vector<Vec3> hull_points(Random& random, double radius, double height) {
    std::vector<Vec3> out;
    const int corners = 4 + int(random.below(5)), others = 4 + int(random.below(12));
    for (int k = 0; k < corners; ++k) {
        const double yaw = kCircle * (k + random.uniform(-0.3, 0.3)) / corners;
        out.push_back({float(0.8 * radius * std::cos(yaw)), float(-0.5 * height), float(0.8 * radius * std::sin(yaw))});
    }
    for (int k = 0; k < others; ++k) {
        const Vec3d d = random.direction();
        out.push_back({float(radius * d.x), float(height * (0.15 + 0.35 * d.y)), float(radius * d.z)});
    }
    return out;
}

}  // namespace

const char* name_of(Kind kind) {
    constexpr const char* kNames[] = {"box",     "cylinder", "prism",     "hull", "plank",      "sphere",
                                      "capsule", "cone",     "ellipsoid", "rod",  "tetrahedron"};
    return kNames[int(kind)];
}

Mover make_mover(ShapeStore& store, Random& random, Kind kind, double longest) {
    Mover out;
    out.kind = kind;
    oracle::Shape& s = out.shape;
    const double half = 0.5 * longest, p = random.uniform(0.3, 1), q = random.uniform(0.3, 1);
    const std::vector<Vec3d> all_axes = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    switch (kind) {
        case Kind::box:
            s.kind = ShapeKind::box, s.half_extents = {float(half), float(half * p), float(half * q)};
            out.faces = all_axes;
            break;
        case Kind::plank:
            s.kind = ShapeKind::box, s.half_extents = {float(half), float(half * 0.1 * p), float(half * 0.35 * q)};
            out.faces = {{0, 1, 0}, {0, -1, 0}};
            break;
        case Kind::rod:
            s.kind = ShapeKind::box, s.half_extents = {float(half), float(half * 0.06 * p), float(half * 0.06 * q)};
            out.faces = {{0, 1, 0}, {0, -1, 0}};
            break;
        case Kind::cylinder:
        case Kind::cone: {
            s.kind = kind == Kind::cone ? ShapeKind::cone : ShapeKind::cylinder;
            const bool is_flat = random.chance(0.5);
            s.radius = float(is_flat ? half : half * p), s.half_height = float(is_flat ? half * q : half);
            out.faces = {{0, -1, 0}};
            if (kind == Kind::cylinder) out.faces.push_back({0, 1, 0});
            break;
        }
        case Kind::capsule:
            s.kind = ShapeKind::capsule, s.radius = float(half * 0.7 * p),
            s.half_height = float(half - double(s.radius));
            break;
        case Kind::sphere: s.kind = ShapeKind::sphere, s.radius = float(half); break;
        case Kind::ellipsoid:
            s.kind = ShapeKind::ellipsoid, s.half_extents = {float(half), float(half * p), float(half * q)};
            break;
        case Kind::prism: {
            const int corners = 5 + int(random.below(8));
            const bool is_flat = random.chance(0.5);
            s.kind = ShapeKind::hull,
            s.points = prism_points(corners, is_flat ? half : half * p, is_flat ? half * q : half);
            out.faces = {{0, 1, 0}, {0, -1, 0}};
            for (int k = 0; k < corners; ++k) {
                const double yaw = kCircle * (k + 0.5) / corners;
                if (corners <= 8) out.faces.push_back({std::cos(yaw), 0, std::sin(yaw)});
            }
            break;
        }
        case Kind::hull:
            s.kind = ShapeKind::hull, s.points = hull_points(random, half, longest * p);
            out.faces = {{0, -1, 0}};
            break;
        case Kind::tetrahedron:
            s.kind = ShapeKind::hull;
            for (int k = 0; k < 4; ++k) {
                const Vec3d d = random.direction() * half;
                s.points.push_back({float(d.x), float(d.y), float(d.z)});
            }
            break;
    }
    const Expected<ShapeId> id = add(store, s);
    if (!id) {
        std::fprintf(stderr, "abut_ground: %s\n", id.error().message.c_str());
        std::exit(2);
    }
    out.id = *id;
    const MassProperties mass = *mass_properties(store, *id);
    out.centre = {mass.centre[0], mass.centre[1], mass.centre[2]};
    out.size = double(store.view(*id).size);
    if (kind == Kind::cylinder) {
        out.wire = wire_of_cylinder(s.radius, s.half_height);
    } else if (!out.faces.empty() && kind != Kind::cone) {
        out.wire = wire_of(out.solid().core);
    }
    out.reach = out.solid().reach;
    return out;
}

}  // namespace abut::ground
