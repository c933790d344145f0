// Bodies whose shapes have poses of their own, and the same bodies composed by hand, in double.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include <abut/abut.hpp>

#include "catch.hpp"
#include "scenes/random.hpp"
#include "support/oracle/oracle.hpp"

namespace abut::test {

using oracle::Vec3d;
using scenes::Random;

inline Vec3d to_double(const Vec3& v) { return Vec3d(v); }
inline Vec3 to_float(const Vec3d& v) { return {float(v.x), float(v.y), float(v.z)}; }
inline double far(const Vec3& x, const Vec3d& y) { return length(Vec3d(x) - y); }

inline Quat product(const Quat& a, const Quat& b) {
    const double ax = a.x, ay = a.y, az = a.z, aw = a.w,
                 n = std::sqrt(double(b.x) * b.x + double(b.y) * b.y + double(b.z) * b.z + double(b.w) * b.w);
    const double bx = b.x / n, by = b.y / n, bz = b.z / n, bw = b.w / n;
    return {float(aw * bx + ax * bw + ay * bz - az * by), float(aw * by - ax * bz + ay * bw + az * bx),
            float(aw * bz + ax * by - ay * bx + az * bw), float(aw * bw - ax * bx - ay * by - az * bz)};
}

struct World {
    ShapeStore shapes;
    std::vector<ShapeId> plain, posed;  // the same shapes; posed ones have these poses
    std::vector<RelativePose> poses;
    std::vector<std::uint32_t> kind_of;  // of body i: the index of its shapes
    std::vector<Body> bodies;            // of posed shapes
    std::vector<Pair> pairs;

    // Of body i, by hand: the shape's position and orientation.
    Vec3d offset(std::uint32_t i) const {
        return oracle::rotation_of(bodies[i].orientation) * to_double(poses[kind_of[i]].position);
    }
    Quat orientation(std::uint32_t i) const { return product(bodies[i].orientation, poses[kind_of[i]].orientation); }
    Frame frame() const { return {.shapes = &shapes, .bodies = bodies, .pairs = pairs}; }
    bool is_hull(std::uint32_t i) const { return plain[kind_of[i]].kind() == ShapeKind::hull; }
    double slack(std::uint32_t i) const {
        return 1e-6 * (std::min(double(shapes.view(plain[kind_of[i]]).size), 30.0) + length(offset(i)) + 1);
    }
};

// The same bodies, composed by hand.
struct ByHand {
    std::vector<ShapeId> shapes;
    std::vector<DVec3> positions;
    std::vector<Quat> orientations;

    explicit ByHand(const World& w) {
        for (std::uint32_t i = 0; i < w.bodies.size(); ++i) {
            const Vec3d p = to_double(w.bodies[i].position) + w.offset(i);
            shapes.push_back(w.plain[w.kind_of[i]]), positions.push_back({p.x, p.y, p.z}),
                orientations.push_back(w.orientation(i));
        }
    }
    BodyColumns columns() const {
        return {.shapes = shapes, .double_positions = positions, .orientations = orientations};
    }
};

inline std::vector<Vec3> cloud(Random& random, int count, Vec3d centre) {
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i) points.push_back(to_float(centre + random.direction() * random.uniform(0.3, 0.6)));
    return points;
}

inline RelativePose some_pose(Random& random, std::size_t i) {
    RelativePose pose;
    if (i % 3 != 1) pose.position = to_float(random.direction() * random.uniform(0.1, 1.5));
    if (i % 3 != 2) pose.orientation = random.orientation();
    return pose;
}

template <class Add>
void add_both(World& w, Random& random, Add&& add) {
    const RelativePose pose = w.plain.size() % 6 == 5 ? RelativePose{} : some_pose(random, w.plain.size());
    const auto plain = add(InstanceOptions{}), posed = add(InstanceOptions{.pose = pose});
    REQUIRE((plain && posed));
    w.plain.push_back(*plain), w.posed.push_back(*posed), w.poses.push_back(pose);
}

inline void add_convex(World& w, Random& random) {
    const std::vector<Vec3> points = cloud(random, 12, {0, 0, 0}), off = cloud(random, 20, {6, -4, 3});
    add_both(w, random, [&](const InstanceOptions& o) { return w.shapes.add_sphere(0.4f, o); });
    add_both(w, random, [&](const InstanceOptions& o) { return w.shapes.add_capsule(0.2f, 0.5f, o); });
    add_both(w, random, [&](const InstanceOptions& o) { return w.shapes.add_box({0.5f, 0.3f, 0.4f}, o); });
    add_both(w, random, [&](const InstanceOptions& o) { return w.shapes.add_cylinder(0.4f, 0.3f, o); });
    add_both(w, random, [&](const InstanceOptions& o) { return w.shapes.add_cone(0.5f, 0.4f, o); });
    add_both(w, random, [&](const InstanceOptions& o) {
        return w.shapes.add_box({0.2f, 0.6f, 0.3f}, o);
    });  // without a pose
    add_both(w, random, [&](const InstanceOptions& o) { return w.shapes.add_ellipsoid({0.3f, 0.4f, 0.6f}, o); });
    add_both(w, random, [&](const InstanceOptions& o) { return w.shapes.add_hull(points, o); });
    add_both(w, random, [&](const InstanceOptions& o) { return w.shapes.add_hull(off, o); });
}

inline void add_others(World& w, Random& random) {
    std::vector<Vec3> vertices;
    std::vector<MeshTriangle> triangles;
    std::vector<float> heights;
    for (std::uint32_t i = 0; i < 36; ++i) {
        heights.push_back(float(random.uniform(-0.2, 0.2)));
        vertices.push_back({float(i / 6) - 2.5f, heights.back(), float(i % 6) - 2.5f});
        if (i < 30 && i % 6 < 5) triangles.push_back({i, i + 1, i + 7}), triangles.push_back({i, i + 7, i + 6});
    }
    const std::vector<CompoundChild> children = {{w.plain[2], {0.3f, 0, 0}, random.orientation()},
                                                 {w.posed[1], {-0.4f, 0.1f, 0}, {}}};
    add_both(w, random, [&](const InstanceOptions& o) { return w.shapes.add_halfspace({0.3f, 1, 0.2f}, -1.0f, o); });
    add_both(w, random, [&](const InstanceOptions& o) { return w.shapes.add_compound(children, o); });
    add_both(w, random,
             [&](const InstanceOptions& o) { return w.shapes.add_compound(children, o); });  // without a pose
    add_both(w, random, [&](const InstanceOptions& o) {
        return w.shapes.add_mesh(vertices, triangles, o, {.sides = MeshSides::both});
    });
    add_both(w, random, [&](const InstanceOptions& o) { return w.shapes.add_heightfield(heights, 6, 6, o); });
}

inline World make_world(std::uint64_t seed, bool convex_only = false, int count = 60) {
    World w;
    Random random(seed);
    add_convex(w, random);
    if (!convex_only) add_others(w, random);
    for (int i = 0; i < count; ++i) {
        w.kind_of.push_back(random.below(std::uint32_t(w.plain.size())));
        const Quat orientation = random.orientation();
        w.bodies.push_back(
            {to_float(random.direction() * random.uniform(0, 2)), w.posed[w.kind_of.back()], orientation});
    }
    for (std::uint32_t a = 0; a < std::uint32_t(count); ++a)
        for (std::uint32_t b = 0; b < std::uint32_t(count); b += 1 + a % 3) w.pairs.push_back({a, b});
    return w;
}

}  // namespace abut::test
