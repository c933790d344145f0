// See rays.hpp.
#include "queries/rays/rays.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "scenes/random.hpp"

namespace abut::rays {
namespace {

using oracle::Solid;
using oracle::Vec3d;
using scenes::Random;

// Promised: a part of the size, or so many ulp of the largest difference of coordinates.
constexpr double kShare = 1e-5, kUlps = 8;
// Of the size: how far a body may reach beyond the plane of a hit's normal.
constexpr double kNormalShare = 1e-4;

Vec3 rounded(const Vec3d& v) { return {float(v.x), float(v.y), float(v.z)}; }
double largest(const Vec3d& v) { return std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}); }

double size_of(const Solid& solid) { return solid.shape.kind == ShapeKind::halfspace ? 1.0 : solid.size; }

double distance_at(const Solid& solid, const oracle::Pose& pose, const Vec3d& point) {
    if (solid.shape.kind != ShapeKind::halfspace) return oracle::signed_distance_to_point(solid, pose, point);
    const Vec3d normal{solid.shape.normal}, local = pose.rotation.back(point - pose.position);
    const double scale = solid.shape.scale.x;
    return dot(normal, local) / length(normal) - scale * double(solid.shape.offset) / length(normal) - solid.radius;
}

// The least of a convex function over [from, to], by golden section.
template <class F>
std::pair<double, double> least(double from, double to, const F& f) {
    constexpr double kGolden = 0.6180339887498949;
    double a = to - (to - from) * kGolden, b = from + (to - from) * kGolden, fa = f(a), fb = f(b);
    std::pair<double, double> best = {from, f(from)};
    const auto keep = [&](double t, double value) {
        if (value < best.second) best = {t, value};
    };
    keep(to, f(to));
    for (int i = 0; i < 90 && to - from > 1e-15 * std::fabs(to); ++i) {
        keep(a, fa), keep(b, fb);
        if (fa <= fb) {
            to = b, b = a, fb = fa, a = to - (to - from) * kGolden, fa = f(a);
        } else {
            from = a, a = b, fa = fb, b = from + (to - from) * kGolden, fb = f(b);
        }
    }
    return best;
}

Vec3d across(const Vec3d& n, Random& random) {
    for (;;) {
        const Vec3d v = random.direction(), flat = v - n * dot(v, n);
        if (length(flat) > 0.2) return normalised(flat);
    }
}

// A direction along one of the body's axes, a face or an edge of boxes and prisms.
Vec3d axis_of(const oracle::Pose& pose, Random& random) {
    const double sign = random.chance(0.5) ? 1 : -1;
    const std::uint32_t axis = random.below(3);
    return pose.rotation * (axis == 0 ? Vec3d{sign, 0, 0} : axis == 1 ? Vec3d{0, sign, 0} : Vec3d{0, 0, sign});
}

struct Drawn {
    const char* family;
    Vec3d origin, direction;
};

Drawn draw(const Solid& solid, const oracle::Pose& pose, bool hard, Random& random) {
    const double size = size_of(solid),
                 reach = solid.shape.kind == ShapeKind::halfspace ? 2.0 : std::max(solid.reach, 1e-30);
    const Vec3d out = random.direction();
    // A point in the body or near it: of hulls far from their origin the reach of two opposite directions.
    Vec3d centre = pose.position;
    if (solid.shape.kind == ShapeKind::hull) {
        Vec3d sum{0, 0, 0};
        for (const Vec3& p : solid.shape.points)
            sum = sum + Vec3d{double(p.x) * solid.shape.scale.x, double(p.y) * solid.shape.scale.y,
                              double(p.z) * solid.shape.scale.z};
        centre = centre + pose.rotation * (sum / double(solid.shape.points.size()));
    }
    if (solid.shape.kind == ShapeKind::halfspace) {
        const Vec3d n{solid.shape.normal};
        centre = centre + pose.rotation * (n * (double(solid.shape.scale.x) * solid.shape.offset / dot(n, n)));
    }
    const double around =
        solid.shape.kind == ShapeKind::hull || solid.shape.kind == ShapeKind::halfspace ? size : reach;
    const Vec3d target = centre + random.direction() * (around * random.uniform(0, 1.1));
    const auto from = [&](double apart) { return target + out * apart; };
    if (!hard) {
        const double apart = around * random.uniform(1.2, 4);
        switch (random.below(5)) {
            case 0: return {"ends short", from(apart), out * (-apart * random.uniform(0.3, 0.9))};
            case 1: return {"inside or behind", target, random.direction() * around};
            default: return {"aimed", from(apart), out * (-apart * random.uniform(1.2, 3))};
        }
    }
    const Vec3d axis = axis_of(pose, random);
    switch (random.below(7)) {
        case 0: {  // past the farthest point along a direction that is across the ray
            const Vec3d along = random.chance(0.5) ? axis : out, up = across(along, random);
            const double by = std::pow(10.0, random.uniform(-8, -2)) * (random.chance(0.5) ? 1 : -1);
            const double most =
                solid.shape.kind == ShapeKind::halfspace ? 0.0 : oracle::extent(solid, pose.rotation, up);
            const Vec3d top = centre + up * (most - dot(up, centre - pose.position) + by * size);
            return {"grazing", top - along * (3 * around), along * (6 * around)};
        }
        case 1: return {"along an axis", target - axis * (3 * around), axis * (6 * around)};
        case 2: {  // along a face, or in its plane
            const Vec3d up = axis_of(pose, random), along = std::fabs(dot(up, axis)) > 0.5 ? across(up, random) : axis;
            const double most =
                solid.shape.kind == ShapeKind::halfspace ? 0.0 : oracle::extent(solid, pose.rotation, up);
            const Vec3d on = pose.position + up * most + across(up, random) * (around * random.uniform(0, 0.5));
            return {"along a face", on - along * (2 * around), along * (4 * around)};
        }
        case 3: {
            const double apart = around * std::pow(10.0, random.uniform(1, 5));
            return {"far", from(apart), out * (-2 * apart)};
        }
        case 4: return {"through the centre", centre + axis * (3 * around), axis * (-6 * around)};
        case 5: return {"tiny", target, random.direction() * (around * std::pow(10.0, random.uniform(-6, -2)))};
        default: return {"from the surface", from(around * 3), out * (-6 * around)};
    }
}

}  // namespace

namespace {

RayScene rays_at(scenes::Scene scene, ShapeKind kind, std::uint64_t seed, bool hard, bool starts_inside) {
    RayScene out;
    for (std::size_t i = 0; i < scene.pairs.size(); ++i) {
        const Pair pair = scene.pairs[i];
        const std::uint32_t body = scene.solids[scene.solid_of[pair.b]].shape.kind == kind ? pair.b : pair.a;
        const Solid& solid = scene.solids[scene.solid_of[body]];
        const oracle::Pose pose = oracle::pose_of(scene.bodies[body]);
        Random random(seed + 77, i);
        Drawn drawn = draw(solid, pose, hard, random);
        while (!starts_inside && std::string(drawn.family) == "inside or behind")
            drawn = draw(solid, pose, hard, random);
        if (std::string(drawn.family) == "from the surface") {
            // Where the ray enters, to the rounding of floats.
            const auto f = [&](double t) { return distance_at(solid, pose, drawn.origin + drawn.direction * t); };
            const auto [at, low] = least(0, 1, f);
            double first = 0, last = at;
            for (int k = 0; k < 60 && low < 0; ++k) (f(0.5 * (first + last)) > 0 ? first : last) = 0.5 * (first + last);
            drawn.origin = drawn.origin + drawn.direction * last;
            drawn.direction = random.direction() * size_of(solid);
        }
        out.origins.push_back(rounded(drawn.origin));
        Vec3 direction = rounded(drawn.direction);
        if (direction == Vec3{}) direction = {1, 0, 0};
        out.directions.push_back(direction);
        out.family.push_back(drawn.family);
        out.solid_of.push_back(scene.solid_of[body]);
        out.bodies.push_back(scene.bodies[body]);
        out.pairs.push_back({std::uint32_t(i), std::uint32_t(i)});
    }
    out.shapes = std::move(scene.shapes);
    out.solids = std::move(scene.solids);
    return out;
}

}  // namespace

RayScene make_rays(ShapeKind kind, std::size_t count, std::uint64_t seed, bool hard) {
    if (hard) return rays_at(scenes::make_hard(ShapeKind::sphere, kind, count, seed), kind, seed, true, true);
    return rays_at(scenes::make_row(fmt::format("sphere-{}", to_string(kind)), count, seed, scenes::Keep::no), kind,
                   seed, false, true);
}

RayScene make_row_rays(const std::string& shape, std::size_t count, std::uint64_t seed) {
    scenes::Scene scene = scenes::make_row("sphere-" + shape, count, seed, scenes::Keep::no);
    const ShapeKind kind =
        scene.solid_b(0).shape.kind == ShapeKind::sphere ? scene.solid_a(0).shape.kind : scene.solid_b(0).shape.kind;
    return rays_at(std::move(scene), kind, seed, false, false);
}

MeshData make_ball_mesh(std::uint32_t rings, std::uint32_t sectors, double dents, std::uint64_t seed) {
    Random random(seed);
    MeshData mesh;
    mesh.vertices.push_back({0, 1, 0});
    const double pi = std::acos(-1.0);
    for (std::uint32_t r = 1; r < rings; ++r)
        for (std::uint32_t s = 0; s < sectors; ++s) {
            const double tilt = pi * r / rings, around = 2 * pi * s / sectors, radius = 1 - dents * random.uniform();
            mesh.vertices.push_back({float(radius * std::sin(tilt) * std::cos(around)), float(radius * std::cos(tilt)),
                                     float(-radius * std::sin(tilt) * std::sin(around))});
        }
    mesh.vertices.push_back({0, -1, 0});
    const auto at = [&](std::uint32_t r, std::uint32_t s) { return 1 + (r - 1) * sectors + s % sectors; };
    const auto last = std::uint32_t(mesh.vertices.size() - 1);
    for (std::uint32_t s = 0; s < sectors; ++s) {
        mesh.triangles.push_back({{0, at(1, s), at(1, s + 1)}});
        for (std::uint32_t r = 1; r + 1 < rings; ++r) {
            mesh.triangles.push_back({{at(r, s), at(r + 1, s), at(r + 1, s + 1)}});
            mesh.triangles.push_back({{at(r, s), at(r + 1, s + 1), at(r, s + 1)}});
        }
        mesh.triangles.push_back({{at(rings - 1, s), last, at(rings - 1, s + 1)}});
    }
    return mesh;
}

namespace {

RayScene make_mesh_scene(std::size_t triangles, MeshSides sides, float rounding, std::uint64_t seed) {
    const auto rings = std::uint32_t(std::max(3.0, std::sqrt(double(triangles) / 4)));
    // The dents are no deeper than the triangles are wide, as in a scan.
    const MeshData mesh = make_ball_mesh(rings, 2 * rings, 1.0 / rings, seed);
    RayScene out;
    const Expected<ShapeId> id =
        out.shapes.add_mesh(mesh.vertices, mesh.triangles, {.rounding = rounding}, {.sides = sides});
    out.bodies.push_back({{}, *id, {}});
    return out;
}

}  // namespace

RayScene make_mesh_rays(std::size_t triangles, std::size_t count, std::uint64_t seed, float rounding) {
    RayScene out = make_mesh_scene(triangles, MeshSides::front, rounding, seed);
    Random random(seed);
    out.bodies[0].orientation = random.orientation();
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3d from = random.direction() * 3, to = random.direction() * random.uniform(0, 1.1);
        out.origins.push_back(rounded(from));
        out.directions.push_back(rounded((to - from) * 2));
        out.family.push_back("mesh");
        out.pairs.push_back({std::uint32_t(i), 0});
    }
    return out;
}

RayScene make_mesh_points(std::size_t triangles, std::size_t count, std::uint64_t seed) {
    RayScene out = make_mesh_scene(triangles, MeshSides::both, 0, seed);
    Random random(seed);
    out.bodies[0].orientation = random.orientation();
    for (std::size_t i = 0; i < count; ++i) {
        const double apart = random.uniform(0.5, 1.5);
        out.origins.push_back(rounded(random.direction() * apart));
        out.pairs.push_back({std::uint32_t(i), 0});
    }
    return out;
}

double distance_at(const Line& line, double fraction) {
    return distance_at(*line.solid, line.pose, line.origin + line.direction * fraction);
}

double least_distance(const Line& line, double fraction) {
    return least(0, fraction, [&](double at) { return distance_at(line, at); }).second;
}

const char* name_of(Fault fault) {
    constexpr const char* kNames[] = {"none", "lost", "invented", "late", "normal", "inside", "status"};
    return kNames[int(fault)];
}

Verdict judge_ray(const RayScene& scene, const RayHits& hits, std::size_t ray) {
    if (hits.status[ray] != Status::ok) return {Fault::status, 0};
    const Solid& solid = scene.solid(ray);
    const oracle::Pose pose = oracle::pose_of(scene.bodies[ray]);
    const Vec3d origin{scene.origins[ray]}, direction{scene.directions[ray]};
    const double farthest = std::max(largest(origin - pose.position), largest(origin + direction - pose.position));
    const double allowed = std::max(kShare * size_of(solid), kUlps * 0x1p-24 * farthest);
    const auto f = [&](double t) { return distance_at(solid, pose, origin + direction * t); };
    const auto check_before = [&](double end, Fault fault) {
        const double low = least(0, end, f).second;
        return low < -allowed ? Verdict{fault, -low} : Verdict{};
    };
    if (!hits.hit(ray)) return check_before(1, Fault::lost);
    const double fraction = hits.fraction[ray], distance = f(fraction);
    if (!(distance <= allowed)) return {Fault::invented, distance};
    if (hits.inside[ray])
        return fraction == 0 && hits.normal[ray] == Vec3{} ? Verdict{} : Verdict{Fault::inside, fraction};
    if (const Verdict late = check_before(fraction, Fault::late); late.fault != Fault::none) return late;
    const Vec3d normal{hits.normal[ray]}, point{hits.point[ray]};
    if (std::fabs(length(normal) - 1) > 1e-6) return {Fault::normal, length(normal)};
    if (const double off = length(pose.position + point - (origin + direction * fraction)); off > allowed)
        return {Fault::invented, off};
    if (solid.shape.kind == ShapeKind::halfspace) return {};
    const double beyond = oracle::extent(solid, pose.rotation, normal) - dot(normal, point);
    return beyond > kNormalShare * size_of(solid) + allowed ? Verdict{Fault::normal, beyond} : Verdict{};
}

Tally judge(const RayScene& scene, const RayHits& hits) {
    Tally tally;
    tally.rays = scene.origins.size();
    for (std::size_t i = 0; i < tally.rays; ++i) {
        tally.hits += hits.hit(i), tally.starts += hits.inside[i];
        const Verdict verdict = judge_ray(scene, hits, i);
        if (verdict.fault == Fault::none) continue;
        ++tally.wrong;
        if (tally.examples.size() < 5)
            tally.examples.push_back(fmt::format(
                "ray {} ({}): {} by {:.3g}, size {:.3g}, rounding {:.3g}, fraction {:.9g}, {} points", i,
                scene.family[i], name_of(verdict.fault), verdict.by, scene.solid(i).size,
                double(scene.solid(i).shape.rounding), hits.fraction[i], scene.solid(i).shape.points.size()));
    }
    return tally;
}

}  // namespace abut::rays
