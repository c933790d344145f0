// Stacks and their exact patches, see patch_checks.hpp.
#include "patch_checks.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "pair_answer.hpp"
#include "scenes/placing.hpp"
#include "scenes/random.hpp"
#include "stack_shapes.hpp"
#include "support/oracle/planar.hpp"

namespace abut::test {
namespace {

using oracle::Loop;
using oracle::Shape;
using oracle::Vec2d;
using oracle::Vec3d;
using scenes::Random;

constexpr double kPi = std::numbers::pi;
constexpr std::size_t kKept = 6;  // failures

double half_height(const Shape& shape) {
    if (shape.kind == ShapeKind::box) return double(shape.half_extents.y);
    if (shape.kind == ShapeKind::cylinder) return double(shape.half_height);
    double most = 0;
    for (const Vec3& p : shape.points) most = std::max(most, std::fabs(double(p.y)) * double(shape.scale.y));
    return most;
}

Quat times(const Quat& p, const Quat& q) {
    return {p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y, p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
            p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w, p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z};
}

struct Lying {
    double x = 0, z = 0, gap = 0, yaw = 0;
    Quat world;
};

Lying lie(StackFamily family, Random& random, double smaller) {
    Lying lying;
    if (family == StackFamily::lattice || family == StackFamily::turned) {
        constexpr double gaps[6] = {0, 0x1p-7, -0x1p-7, 1e-3, -1e-3, 1e-4};
        lying.gap = gaps[random.below(6)];
        if (random.chance(0.5)) lying.x = on_lattice(random, 0.125, -4, 4);
        if (random.chance(0.5)) lying.z = on_lattice(random, 0.125, -4, 4);
        lying.yaw = random.chance(0.5) ? 0 : on_lattice(random, kPi / 12, 0, 23);
        if (family == StackFamily::turned) lying.world = random.orientation();
        return lying;
    }
    lying.gap = smaller * random.uniform(-0.01, 0.015);
    lying.x = random.chance(0.3) ? 0 : random.uniform(-0.6, 0.6),
    lying.z = random.chance(0.3) ? 0 : random.uniform(-0.6, 0.6);
    lying.yaw = random.chance(0.3) ? on_lattice(random, kPi / 12, 0, 23) : random.uniform(0, 2 * kPi);
    if (random.chance(0.5)) lying.world = random.orientation();
    return lying;
}

// The face that looks along +-Y, in the shape's own frame. Empty where points that are below the others by less than
// promise 1's bound of the shape leave its plane by more than half of the pair's: what their face is then is the
// shape's own affair.
std::vector<Vec3d> face_of(const oracle::Solid& solid, double sign, double bound) {
    const Shape& s = solid.shape;
    std::vector<Vec3d> corners;
    if (s.kind == ShapeKind::box) {
        for (const double x : {-1.0, 1.0})
            for (const double z : {-1.0, 1.0})
                corners.push_back({x * double(s.half_extents.x) * double(s.scale.x),
                                   sign * double(s.half_extents.y) * double(s.scale.y),
                                   z * double(s.half_extents.z) * double(s.scale.z)});
        return corners;
    }
    if (s.kind == ShapeKind::cylinder) {
        for (int i = 0; i < 64; ++i)
            corners.push_back({double(s.radius) * std::cos(2 * kPi * i / 64), sign * double(s.half_height),
                               double(s.radius) * std::sin(2 * kPi * i / 64)});
        return corners;
    }
    double most = -1e300;
    for (const Vec3& p : s.points) most = std::max(most, sign * double(p.y) * double(s.scale.y));
    double least = most;
    for (const Vec3& p : s.points) {
        const Vec3d corner{double(p.x) * double(s.scale.x), double(p.y) * double(s.scale.y),
                           double(p.z) * double(s.scale.z)};
        if (sign * corner.y < 0.9 * most) continue;  // of the other face
        least = std::min(least, sign * corner.y);
        corners.push_back(corner);
    }
    if (most - least > 0.75 * bound) return {};
    return corners;
}

struct View {
    Vec3d normal, u, v;
    explicit View(const Vec3d& n) : normal(n) {
        u = oracle::normalised(cross(n, std::fabs(n.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0}));
        v = cross(n, u);
    }
    Vec2d operator()(const Vec3d& p) const { return {dot(u, p), dot(v, p)}; }
};

// A face as seen along the contact normal: its outline and the height of its plane.
struct Seen {
    Loop loop;
    Vec3d on, normal;
    const View& view;

    Seen(const oracle::Solid& solid, const oracle::Pose& pose, double sign, const View& along, double bound)
        : view(along) {
        Loop points;
        double most = -1e300;
        normal = pose.rotation * Vec3d{0, sign, 0};
        for (const Vec3d& p : face_of(solid, sign, bound)) {
            const Vec3d at = pose.rotation * p + pose.position;
            points.push_back(view(at));
            if (dot(normal, at) > most) most = dot(normal, at), on = at;
        }
        loop = oracle::convex_loop(points);
    }
    double height(const Vec2d& p) const {
        const Vec3d base = view.u * p.u + view.v * p.v;
        return dot(normal, on - base) / dot(normal, view.normal);
    }
};

// The contacts' area over that of the best four of the exact patch; 2 where there is nothing to ask.
double span_of(const Stacks& stacks, std::size_t pair, const Vec3& normal, std::span<const Contact> contacts) {
    const scenes::Scene& scene = stacks.scene;
    const oracle::Solid &a = scene.solid_a(pair), &b = scene.solid_b(pair);
    const oracle::Pose pose_a{{}, oracle::rotation_of(scene.body_a(pair).orientation)};
    const oracle::Pose pose_b{Vec3d(scene.body_b(pair).position) - Vec3d(scene.body_a(pair).position),
                              oracle::rotation_of(scene.body_b(pair).orientation)};
    const View view{oracle::normalised(Vec3d(normal))};
    const double sign_a = stacks.a_is_upper[pair] ? -1 : 1;
    if (dot(view.normal, pose_a.rotation * Vec3d{0, sign_a, 0}) < 0.9998) return 2;  // another face's, or an edge's
    const double smaller = oracle::smaller_size(a, b), bound = scene.tolerance(pair),
                 slack = oracle::contact_slack(a, b);
    const Seen on_a(a, pose_a, sign_a, view, bound), on_b(b, pose_b, -sign_a, view, bound);
    if (on_a.loop.empty() || on_b.loop.empty()) return 2;
    const Loop patch = oracle::convex_loop(oracle::clipped(on_a.loop, on_b.loop));
    Loop within;
    std::vector<double> separation;
    for (const Vec2d& corner : patch)
        if (const double s = on_b.height(corner) - on_a.height(corner); s <= double(scene.margins[pair]) - bound)
            within.push_back(corner), separation.push_back(s);
    if (within.size() < 3 || within.size() != patch.size()) return 2;
    const double least = *std::ranges::min_element(separation);
    std::vector<std::size_t> deepest;
    for (std::size_t i = 0; i < within.size(); ++i)
        if (separation[i] <= least + slack + bound) deepest.push_back(i);
    // What is hardly wider than what makes two points one has its ends.
    const double best = oracle::largest_quadrilateral(within, deepest);
    if (best < 0.03 * smaller * oracle::diameter(within) ||
        best < 0.1 * std::min(oracle::area(on_a.loop), oracle::area(on_b.loop)) * 0.1)
        return 2;
    Loop reported;
    for (const Contact& c : contacts) reported.push_back(view(Vec3d(c.position)));
    return oracle::area(oracle::convex_loop(reported)) / best;
}

}  // namespace

const char* to_string(StackFamily family) {
    constexpr const char* names[] = {"lattice", "turned", "partial", "bumps", "scaled", "cones", "rims"};
    return names[int(family)];
}

namespace {

Quat turn_about(const Vec3d& axis, double angle) {
    const double s = std::sin(angle / 2);
    return {float(axis.x * s), float(axis.y * s), float(axis.z * s), float(std::cos(angle / 2))};
}

// B is brought to a distance along a direction: what meets is left to the shapes.
Stacks make_meetings(StackFamily family, std::size_t pairs, std::uint64_t seed) {
    Stacks stacks;
    stacks.has_patches = false;
    scenes::Scene& scene = stacks.scene;
    scene.name = std::string("stacks, ") + to_string(family);
    for (std::size_t i = 0; i < pairs; ++i) {
        Random random(seed, i);
        const bool is_cones = family == StackFamily::cones;
        const std::uint32_t a = scene.add_solid(is_cones ? flat_cone(random) : round_shape(random)),
                            b = scene.add_solid(anything(random));
        const double smaller = oracle::smaller_size(scene.solids[a], scene.solids[b]);
        Quat turn_a, turn_b = random.orientation();
        Vec3d towards = random.direction();
        if (is_cones) {
            const double tilt = random.chance(0.3) ? 0 : random.uniform(0, 0.3) * std::pow(10, random.uniform(-6, 0));
            const Quat lying = random.chance(0.3)   ? turn_about({0, 0, 1}, kPi / 2)
                               : random.chance(0.3) ? turn_about({0, 0, 1}, kPi)
                                                    : Quat{0, 0, 0, 1};
            turn_b =
                times(turn_about(oracle::normalised(Vec3d{random.uniform(-1, 1), 0, random.uniform(0.1, 1)}), tilt),
                      times(turn_about({0, 1, 0}, random.chance(0.5) ? 0 : random.uniform(0, 2 * kPi)), lying));
            const double off = random.chance(0.4) ? 0 : random.uniform(0, 1.2);
            towards = oracle::normalised(Vec3d{off * random.uniform(-1, 1), 1, off * random.uniform(-1, 1)});
            if (random.chance(0.3)) {  // the same elsewhere
                const Quat world = random.orientation();
                turn_a = world, turn_b = times(world, turn_b), towards = oracle::rotation_of(world) * towards;
            }
        } else {
            turn_a = random.orientation();
            if (random.chance(0.3))
                turn_b = random.chance(0.5) ? turn_a : times(turn_a, turn_about({0, 0, 1}, kPi / 2));
            if (random.chance(0.3))
                towards = oracle::rotation_of(turn_a) *
                          oracle::normalised(Vec3d{random.uniform(-1, 1), double(random.below(3)) - 1, 0.2});
        }
        constexpr double gaps[4] = {0, 1e-3, -1e-3, -1e-2};
        const double wanted = smaller * (random.chance(0.4)   ? gaps[random.below(4)]
                                         : random.chance(0.6) ? random.uniform(-0.03, 0.02)
                                                              : random.uniform(-1, 0));
        double far = scenes::place(scene.solids[a], turn_a, scene.solids[b], turn_b, towards, wanted);
        if (far < 0) far = 0.5 * smaller;
        const bool b_first = random.chance(0.5), swapped = random.chance(0.5);
        std::uint32_t body[2];
        for (int k = 0; k < 2; ++k) {
            const int which = b_first ? 1 - k : k;
            body[which] =
                scene.add_body(which == 1 ? b : a, which == 1 ? towards * far : Vec3d{}, which == 1 ? turn_b : turn_a);
        }
        scene.add_pair(body[swapped ? 1 : 0], body[swapped ? 0 : 1], to_string(family));
        stacks.a_is_upper.push_back(swapped);
        scene.margins.push_back(float(0.02 * smaller));
    }
    scene.compute_reference();
    return stacks;
}

}  // namespace

Stacks make_stacks(StackFamily family, std::size_t pairs, std::uint64_t seed) {
    if (family == StackFamily::cones || family == StackFamily::rims) return make_meetings(family, pairs, seed);
    Stacks stacks;
    scenes::Scene& scene = stacks.scene;
    scene.name = std::string("stacks, ") + to_string(family);
    for (std::size_t i = 0; i < pairs; ++i) {
        Random random(seed, i);
        Shape shape[2];
        for (Shape& s : shape) {
            const bool is_lattice = family == StackFamily::lattice || family == StackFamily::turned;
            s = is_lattice                       ? lattice_shape(random)
                : family == StackFamily::partial ? any_shape(random)
                : random.chance(0.7)             ? bumpy_shape(random)
                                                 : lattice_shape(random);
            if (family == StackFamily::scaled && s.kind == ShapeKind::hull)
                for (float* const axis : {&s.scale.x, &s.scale.y, &s.scale.z})
                    *axis = float(std::pow(10, random.uniform(-1.5, 1.5)));
        }
        const std::uint32_t solid[2] = {scene.add_solid(shape[0]), scene.add_solid(shape[1])};
        const oracle::Solid &lower = scene.solids[solid[0]], &upper = scene.solids[solid[1]];
        const double smaller = oracle::smaller_size(lower, upper);
        Lying lying = lie(family, random, smaller);
        if (family == StackFamily::scaled) lying.x *= smaller, lying.z *= smaller;
        const Vec3d up = oracle::rotation_of(lying.world) *
                         Vec3d{lying.x, half_height(shape[0]) + half_height(shape[1]) + lying.gap, lying.z};
        const Quat yaw{0, float(std::sin(lying.yaw / 2)), 0, float(std::cos(lying.yaw / 2))};
        const bool upper_first = random.chance(0.5);
        std::uint32_t body[2];
        for (int k = 0; k < 2; ++k) {
            const int which = upper_first ? 1 - k : k;
            body[which] = scene.add_body(solid[which], which == 1 ? up : Vec3d{},
                                         which == 1 ? times(lying.world, yaw) : lying.world);
        }
        const bool a_is_upper = random.chance(0.5);
        scene.add_pair(body[a_is_upper ? 1 : 0], body[a_is_upper ? 0 : 1], to_string(family));
        stacks.a_is_upper.push_back(a_is_upper);
        scene.margins.push_back(float(0.02 * smaller));
    }
    scene.compute_reference();
    return stacks;
}

StackReport judge_stacks(const Stacks& stacks, const Manifolds& manifolds) {
    StackReport report;
    const scenes::Scene& scene = stacks.scene;
    report.pairs = scene.pairs.size();
    const judge::Report judged = judge::judge_manifolds(scene, manifolds, 0.02f);
    report.wrong = judged.wrong;
    for (const judge::Failure& f : judged.failures) report.failures.push_back(f.why + "\n" + scene.query_line(f.pair));
    for (std::size_t i = 0; stacks.has_patches && i < scene.pairs.size(); ++i) {
        const auto contacts = contacts_of(manifolds, i);
        if (contacts.empty()) continue;
        const double span = span_of(stacks, i, manifolds.manifolds[manifolds.first_manifold[i]].normal, contacts);
        if (span > 1.5) continue;
        ++report.patches;
        report.least = std::min(report.least, span);
        if (span >= oracle::kLeastShare) continue;
        ++report.narrower;
        if (report.failures.size() < 2 * kKept)
            report.failures.push_back(std::to_string(contacts.size()) + " contacts span " + std::to_string(span) +
                                      "\n" + scene.query_line(i));
    }
    return report;
}

}  // namespace abut::test
