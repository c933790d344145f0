// Building a scene's three views of the same pairs: the store's, the caller's and the oracle's.
#include "scenes/scene.hpp"

#include <cstdio>
#include <cstdlib>

#include "scenes/placing.hpp"

namespace abut::scenes {
namespace {

Expected<ShapeId> add(ShapeStore& store, const oracle::Shape& shape) {
    const InstanceOptions options{.rounding = shape.rounding, .scale = shape.scale};
    switch (shape.kind) {
        case ShapeKind::sphere: return store.add_sphere(shape.radius, options);
        case ShapeKind::capsule: return store.add_capsule(shape.radius, shape.half_height, options);
        case ShapeKind::box: return store.add_box(shape.half_extents, options);
        case ShapeKind::cylinder: return store.add_cylinder(shape.radius, shape.half_height, options);
        case ShapeKind::cone: return store.add_cone(shape.radius, shape.half_height, options);
        case ShapeKind::ellipsoid: return store.add_ellipsoid(shape.half_extents, options);
        case ShapeKind::halfspace: return store.add_halfspace(shape.normal, shape.offset, options);
        default: return store.add_hull(shape.points, options);
    }
}

}  // namespace

oracle::Verdict Scene::check(std::size_t pair, const oracle::Claim& claim) const {
    return oracle::check_answer(solid_a(pair), oracle::pose_of(body_a(pair)), solid_b(pair),
                                oracle::pose_of(body_b(pair)), claim, reference[pair]);
}

oracle::ManifoldVerdict Scene::check_manifold(std::size_t pair, float margin, const Vec3& normal,
                                              std::span<const Contact> contacts) const {
    return oracle::check_manifold(solid_a(pair), oracle::pose_of(body_a(pair)), solid_b(pair),
                                  oracle::pose_of(body_b(pair)), margin, normal, contacts, reference[pair]);
}

std::string Scene::query_line(std::size_t pair) const {
    return oracle::query_line(name + "/" + std::to_string(pair), solid_a(pair).shape, body_a(pair), solid_b(pair).shape,
                              body_b(pair));
}

std::uint32_t Scene::add_solid(const oracle::Shape& shape) {
    const Expected<ShapeId> id = add(shapes, shape);
    if (!id) {
        std::fprintf(stderr, "%s: %s\n", name.c_str(), id.error().message.c_str());
        std::exit(1);
    }
    ids.push_back(*id);
    solids.push_back(oracle::prepare(shape));
    return std::uint32_t(solids.size() - 1);
}

std::uint32_t Scene::add_body(std::uint32_t solid, const oracle::Vec3d& position, const Quat& orientation) {
    bodies.push_back({{float(position.x), float(position.y), float(position.z)}, ids[solid], orientation});
    solid_of.push_back(solid);
    return std::uint32_t(bodies.size() - 1);
}

void Scene::add_pair(std::uint32_t a, std::uint32_t b, const char* what_family) {
    pairs.push_back({a, b});
    family.push_back(what_family);
}

void Scene::resize(std::size_t pair_count) {
    bodies.resize(2 * pair_count), solid_of.resize(2 * pair_count), pairs.resize(pair_count),
        family.resize(pair_count, "");
}

void Scene::set_pair(std::size_t pair, std::uint32_t solid_a, const oracle::Vec3d& position_a,
                     const Quat& orientation_a, std::uint32_t solid_b, const oracle::Vec3d& position_b,
                     const Quat& orientation_b, const char* what_family) {
    const auto body = [&](std::uint32_t solid, const oracle::Vec3d& p, const Quat& q) {
        return Body{{float(p.x), float(p.y), float(p.z)}, ids[solid], q};
    };
    bodies[2 * pair] = body(solid_a, position_a, orientation_a);
    bodies[2 * pair + 1] = body(solid_b, position_b, orientation_b);
    solid_of[2 * pair] = solid_a, solid_of[2 * pair + 1] = solid_b;
    pairs[pair] = {std::uint32_t(2 * pair), std::uint32_t(2 * pair + 1)};
    family[pair] = what_family;
}

Scene scaled(const Scene& scene, float factor) {
    Scene out;
    out.name = scene.name;
    const auto times = [factor](Vec3& v) { v.x *= factor, v.y *= factor, v.z *= factor; };
    for (const oracle::Solid& solid : scene.solids) {
        oracle::Shape shape = solid.shape;
        shape.radius *= factor, shape.half_height *= factor, shape.rounding *= factor, shape.offset *= factor;
        times(shape.half_extents);
        for (Vec3& p : shape.points) times(p);
        out.add_solid(shape);
    }
    out.bodies = scene.bodies, out.solid_of = scene.solid_of, out.pairs = scene.pairs, out.family = scene.family;
    for (std::size_t i = 0; i < out.bodies.size(); ++i) {
        times(out.bodies[i].position);
        out.bodies[i].shape = out.ids[out.solid_of[i]];
    }
    for (const float margin : scene.margins) out.margins.push_back(margin * factor);
    for (const double distance : scene.reference) out.reference.push_back(distance * factor);
    return out;
}

void Scene::compute_reference() {
    reference.resize(pairs.size());
    on_all_cores(pairs.size(), [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i)
            reference[i] =
                oracle::signed_distance(solid_a(i), oracle::pose_of(body_a(i)), solid_b(i), oracle::pose_of(body_b(i)))
                    .signed_distance;
    });
}

}  // namespace abut::scenes
