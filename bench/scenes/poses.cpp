// Awkward poses, see poses.hpp.
#include "scenes/poses.hpp"

#include <algorithm>
#include <array>

#include "scenes/placing.hpp"
#include "scenes/turning.hpp"

namespace abut::scenes {

using oracle::Solid;
using oracle::Vec3d;

namespace {

constexpr double kHalf = 0.70710678118654752;

Vec3d axis(Random& random) {
    const double sign = random.chance(0.5) ? 1 : -1;
    constexpr Vec3d kAxes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    return kAxes[random.below(3)] * sign;
}

// A direction that the shapes of revolution like: an axis of A's or B's own, or square to both.
Vec3d own_direction(const Quat& orientation_a, const Quat& orientation_b, Random& random) {
    const Vec3d y_a = oracle::rotation_of(orientation_a).column_y(),
                y_b = oracle::rotation_of(orientation_b).column_y();
    const Vec3d common = cross(y_a, y_b);
    switch (random.below(4)) {
        case 0: return y_a;
        case 1: return -y_a;
        case 2: return y_b;
        default: return length(common) > 1e-3 ? normalised(common) : Frame3::about(y_a, {1, 0, 0}).x;
    }
}

// At an exact distance in any orientation, mostly a small one.
Poses at_distance(const Solid& a, const Solid& b, Random& random, const Quat& orientation_a,
                  const Quat& orientation_b) {
    const double wanted =
        random.chance(0.6) ? hairline(a, b, random) : random.uniform(-0.3, 0.5) * std::min(a.size, b.size);
    const Vec3d n = random.direction();
    const double along = place(a, orientation_a, b, orientation_b, n, wanted);
    return {{}, n * std::max(along, 0.0), orientation_a, orientation_b};
}

}  // namespace

Quat aligned(Random& random) {
    const std::array<Quat, 12> kTurns = {{{0, 0, 0, 1},
                                          {0, 0, 0, 1},
                                          {1, 0, 0, 0},
                                          {0, 1, 0, 0},
                                          {0, 0, 1, 0},
                                          to_float(kHalf, 0, 0, kHalf),
                                          to_float(0, kHalf, 0, kHalf),
                                          to_float(0, 0, kHalf, kHalf),
                                          to_float(0.5, 0.5, 0.5, 0.5),
                                          to_float(0.38268343236508977, 0, 0, 0.92387953251128674),
                                          to_float(0, 0, 0.38268343236508977, 0.92387953251128674),
                                          {0, 0, 0, -1}}};
    return kTurns[random.below(12)];
}

Quat turned_by_a_hair(const Quat& from, Random& random) {
    constexpr double kAngles[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7};
    const Vec3d axis = random.direction();
    return slightly_turned(from, axis * kAngles[random.below(5)]);
}

double hairline(const Solid& a, const Solid& b, Random& random) {
    constexpr double kGaps[] = {0, 0, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2};
    return kGaps[random.below(8)] * (random.chance(0.5) ? 1 : -1) * smaller_size(a, b);
}

Vec3d feature_point(const Solid& solid, const Quat& orientation, const Vec3d& outward, Random& random) {
    const oracle::Polytope& core = solid.core;
    Vec3d point = core.vertices[random.below(std::uint32_t(core.vertices.size()))];
    const std::uint32_t what = solid.form == oracle::Form::ellipsoid ? 0 : random.below(4);
    if (what == 1 && !core.edges.empty()) {
        const auto edge = core.edges[random.below(std::uint32_t(core.edges.size()))];
        const double t = random.chance(0.5) ? 0.5 : random.uniform();
        point = core.vertices[edge.v0] * (1 - t) + core.vertices[edge.v1] * t;
    } else if (what == 2 && !core.triangles.empty()) {
        const std::uint32_t* v = core.triangles[random.below(std::uint32_t(core.triangles.size()))].v;
        const double s = random.uniform(), t = random.uniform() * (1 - s);
        point = core.vertices[v[0]] * (1 - s - t) + core.vertices[v[1]] * s + core.vertices[v[2]] * t;
    }
    return oracle::rotation_of(orientation) * point + outward * solid.radius;
}

Quat negated(const Quat& q) { return {-q.x, -q.y, -q.z, -q.w}; }

Poses coincident(const Solid&, const Solid&, Random& random) {
    const Quat q = random.chance(0.5) ? aligned(random) : random.orientation();
    return {{}, {}, q, random.chance(0.7) ? q : negated(q)};
}

Poses concentric(const Solid&, const Solid&, Random& random) {
    return {{}, {}, random.orientation(), random.orientation()};
}

Poses deep(const Solid& a, const Solid& b, Random& random) {
    const double within = random.uniform(0, 0.5) * std::max(a.size, b.size);
    return {{}, random.direction() * within, random.orientation(), random.orientation()};
}

Poses resting(const Solid& a, const Solid& b, Random& random) {
    Poses p{{}, {}, aligned(random), aligned(random)};
    const Vec3d up = axis(random);
    p.position_b = up * (extent(a, p.orientation_a, up) + extent(b, p.orientation_b, -up) + hairline(a, b, random));
    for (const Vec3d& side : {Vec3d{up.y, up.z, up.x}, Vec3d{up.z, up.x, up.y}}) {
        const double touching = extent(a, p.orientation_a, side) + extent(b, p.orientation_b, -side);
        const std::uint32_t choice = random.below(4);
        if (choice == 0) p.position_b = p.position_b + side * (touching + hairline(a, b, random));
        if (choice == 1) p.position_b = p.position_b + side * (touching * random.uniform(-1.2, 1.2));
        if (choice == 2) p.position_b = p.position_b + side * (touching * 0.5);
    }
    return p;
}

Poses nearly_parallel(const Solid& a, const Solid& b, Random& random) {
    Poses p = resting(a, b, random);
    p.orientation_b = turned_by_a_hair(p.orientation_b, random);
    return p;
}

Poses features_meet(const Solid& a, const Solid& b, Random& random) {
    Poses p{{}, {}, random.orientation(), random.chance(0.3) ? Quat{} : random.orientation()};
    if (random.chance(0.3)) p.orientation_b = p.orientation_a;
    const Vec3d n = random.direction();
    const Vec3d gap = n * hairline(a, b, random), on_b = feature_point(b, p.orientation_b, -n, random);
    p.position_b = feature_point(a, p.orientation_a, n, random) - on_b + gap;
    return p;
}

Poses near_touching(const Solid& a, const Solid& b, Random& random) {
    const Quat orientation_a = random.orientation();
    return at_distance(a, b, random, orientation_a, random.orientation());
}

Poses near_touching_parallel(const Solid& a, const Solid& b, Random& random) {
    const Quat orientation_a = random.orientation();
    return at_distance(a, b, random, orientation_a, turned_by_a_hair(orientation_a, random));
}

Poses far_apart(const Solid& a, const Solid& b, Random& random) {
    constexpr double kFar[] = {3, 30, 1e3, 1e6};
    const double distance = kFar[random.below(4)] * (a.size + b.size);
    return {{}, random.direction() * distance, random.orientation(), random.orientation()};
}

Poses on_axis(const Solid& a, const Solid& b, Random& random) {
    Poses p{{}, {}, random.orientation(), {}};
    p.orientation_b = random.chance(0.3)   ? p.orientation_a
                      : random.chance(0.5) ? turned_by_a_hair(p.orientation_a, random)
                                           : random.orientation();
    const Vec3d n = own_direction(p.orientation_a, p.orientation_b, random);
    p.position_b = n * (extent(a, p.orientation_a, n) + extent(b, p.orientation_b, -n) + hairline(a, b, random));
    if (random.chance(0.5)) {
        const Vec3d side = Frame3::about(n, random.direction()).x;
        p.position_b = p.position_b + side * (extent(a, p.orientation_a, side) + extent(b, p.orientation_b, -side) +
                                              hairline(a, b, random));
    }
    return p;
}

Poses over_plane(const Solid& a, const Solid& b, Random& random) {
    Poses p{{}, {}, aligned(random), aligned(random)};
    if (random.chance(0.3)) p.orientation_b = turned_by_a_hair(p.orientation_b, random);
    if (random.chance(0.4))
        p.orientation_a = random.orientation(),
        p.orientation_b = random.chance(0.5) ? p.orientation_a : random.orientation();
    const double size = smaller_size(a, b);
    constexpr double kSides[] = {0, 0, 1, 1e3}, kFar[] = {3, 30, 1e3, 1e6};
    double wanted = hairline(a, b, random);
    if (random.chance(0.3)) wanted = random.uniform(-0.5, 0.5) * size;
    if (random.chance(0.2)) wanted = random.chance(0.5) ? -random.uniform(0, 5) * size : kFar[random.below(4)] * size;
    const oracle::Pose pose_a{{}, oracle::rotation_of(p.orientation_a)};
    const double aside = kSides[random.below(4)] * size;
    const oracle::Pose pose_b{random.direction() * aside, oracle::rotation_of(p.orientation_b)};
    const oracle::Exact exact = oracle::signed_distance(a, pose_a, b, pose_b);
    p.position_b = pose_b.position + exact.normal * (wanted - exact.signed_distance);
    return p;
}

}  // namespace abut::scenes
