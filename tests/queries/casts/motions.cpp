// See motions.hpp.
#include "queries/casts/motions.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "scenes/random.hpp"

namespace abut::casts {
namespace {

using oracle::Rotation;
using oracle::Solid;
using oracle::Vec3d;
using scenes::Random;

constexpr int kMostSteps = 20000;

Vec3 rounded(const Vec3d& v) { return {float(v.x), float(v.y), float(v.z)}; }

Vec3d across(const Vec3d& n, Random& random) {
    for (;;) {
        const Vec3d v = random.direction(), flat = v - n * dot(v, n);
        if (length(flat) > 0.2) return normalised(flat);
    }
}

struct Draw {
    const char* name;
    double apart;      // of both sizes: how far apart the bodies start; negative: where the scene has them
    double overshoot;  // the displacement, of the way between the origins
    double aside;      // how far off the aim is, of both sizes
    double angle_a, angle_b;
};

Draw draw_motion(Random& random, bool is_plane) {
    const double aside = random.uniform(0, 1.2);
    switch (random.below(is_plane ? 6 : 8)) {
        case 0: return {"head-on", random.uniform(0.1, 3), random.uniform(0.5, 2), 0.1 * aside, 0, 0};
        case 1: return {"translation", random.uniform(0.1, 3), random.uniform(0.5, 2), aside, 0, 0};
        case 2:
            return {"rotation", random.uniform(0.1, 2), random.uniform(0.3, 2),
                    aside,      random.uniform(0, 1),   random.uniform(0, 1)};
        case 3:
            return {"spin", random.uniform(0.05, 1), random.uniform(0, 1),
                    aside,  random.uniform(2, 3.14), random.uniform(0, 3.14)};
        case 4: return {"start", -1, random.uniform(-1, 1), aside, random.uniform(0, 0.5), 0};
        case 5: return {"start at rest", -1, 0, 0, random.chance(0.5) ? random.uniform(0, 0.3) : 0.0, 0};
        case 6:
            return {"graze", random.uniform(0.1, 2), random.uniform(1.5, 3), random.uniform(0.9, 1.1),
                    0,       random.uniform(0, 0.2)};
        default:
            return {"far",
                    std::pow(10.0, random.uniform(1, 4)),
                    random.uniform(0.9, 1.1),
                    0.3 * aside,
                    random.uniform(0, 0.5),
                    0};
    }
}

double speed_of(const MotionScene& motions, std::size_t pair) {
    const scenes::Scene& scene = motions.scene;
    const Solid &a = scene.solid_a(pair), &b = scene.solid_b(pair);
    const Path path_a(scene.body_a(pair), motions.ends[2 * pair]),
        path_b(scene.body_b(pair), motions.ends[2 * pair + 1]);
    const auto apart = [&](double t) { return length(path_a.at(t).position - path_b.at(t).position); };
    const double farthest = std::max(apart(0), apart(1));
    // A half-space's points that matter are those at the other body.
    const double reach_a = a.shape.kind == ShapeKind::halfspace ? farthest + b.reach : a.reach;
    const double reach_b = b.shape.kind == ShapeKind::halfspace ? farthest + a.reach : b.reach;
    return length(path_a.displacement() - path_b.displacement()) + path_a.angle() * reach_a + path_b.angle() * reach_b;
}

}  // namespace

Quat rotated(const Quat& q, const Vec3d& axis, double angle) {
    const double s = std::sin(0.5 * angle), w = std::cos(0.5 * angle);
    const Vec3d u = axis * s, v{q.x, q.y, q.z}, xyz = u * double(q.w) + v * w + cross(u, v);
    return {float(xyz.x), float(xyz.y), float(xyz.z), float(w * q.w - dot(u, v))};
}

Path::Path(const Body& start, const Body& end)
    : position_(start.position), displacement_(Vec3d(end.position) - Vec3d(start.position)) {
    first_ = oracle::rotation_of(start.orientation);
    const auto unit = [](const Quat& q, double(&out)[4]) {
        const double norm = std::sqrt(double(q.x) * q.x + double(q.y) * q.y + double(q.z) * q.z + double(q.w) * q.w);
        out[0] = q.x / norm, out[1] = q.y / norm, out[2] = q.z / norm, out[3] = q.w / norm;
    };
    double p[4], q[4];
    unit(start.orientation, p), unit(end.orientation, q);
    // q times the conjugate of p.
    Vec3d v{q[3] * -p[0] + q[0] * p[3] - (q[1] * p[2] - q[2] * p[1]),
            q[3] * -p[1] + q[1] * p[3] - (q[2] * p[0] - q[0] * p[2]),
            q[3] * -p[2] + q[2] * p[3] - (q[0] * p[1] - q[1] * p[0])};
    double w = q[3] * p[3] + q[0] * p[0] + q[1] * p[1] + q[2] * p[2];
    if (w < 0) v = -v, w = -w;
    const double s = length(v);
    if (s < 1e-12) return;
    axis_ = v / s;
    angle_ = 2 * std::atan2(s, w);
}

oracle::Pose Path::at(double time) const {
    const double angle = angle_ * time, c = std::cos(angle), s = std::sin(angle);
    const auto turned = [&](const Vec3d& v) { return v * c + cross(axis_, v) * s + axis_ * (dot(axis_, v) * (1 - c)); };
    const Vec3d x = turned(first_ * Vec3d{1, 0, 0}), y = turned(first_ * Vec3d{0, 1, 0}),
                z = turned(first_ * Vec3d{0, 0, 1});
    return {position_ + displacement_ * time, {{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
}

MotionScene make_motions(ShapeKind a, ShapeKind b, std::size_t pairs, std::uint64_t seed, bool hard) {
    MotionScene out;
    const std::string row = fmt::format("{}-{}", to_string(a), to_string(b));
    out.scene = hard ? scenes::make_hard(a, b, pairs, seed) : scenes::make_row(row, pairs, seed);
    scenes::Scene& scene = out.scene;
    // Two bodies of its own for each pair, that of A first.
    std::vector<Body> bodies;
    std::vector<std::uint32_t> solid_of;
    for (Pair& pair : scene.pairs) {
        for (const std::uint32_t body : {pair.a, pair.b})
            bodies.push_back(scene.bodies[body]), solid_of.push_back(scene.solid_of[body]);
        pair = {std::uint32_t(bodies.size() - 2), std::uint32_t(bodies.size() - 1)};
    }
    scene.bodies = bodies, scene.solid_of = solid_of;
    out.ends.resize(bodies.size());
    out.targets.assign(pairs, 0.0f);
    for (std::size_t i = 0; i < pairs; ++i) {
        Random random(seed + 77, i);
        const Solid &solid_a = scene.solid_a(i), &solid_b = scene.solid_b(i);
        const bool a_is_plane = solid_a.shape.kind == ShapeKind::halfspace,
                   b_is_plane = solid_b.shape.kind == ShapeKind::halfspace;
        const Draw draw = draw_motion(random, a_is_plane || b_is_plane);
        out.family.push_back(draw.name);
        Body &body_a = scene.bodies[2 * i], &body_b = scene.bodies[2 * i + 1];
        const double size_a = a_is_plane ? solid_b.size : solid_a.size,
                     size_b = b_is_plane ? solid_a.size : solid_b.size;
        const double sizes = size_a + size_b;
        Vec3d between = Vec3d(body_b.position) - Vec3d(body_a.position);
        Vec3d way = length(between) > 0 ? normalised(between) : Vec3d{0, 1, 0};
        if (a_is_plane || b_is_plane)
            way = oracle::signed_distance(solid_a, oracle::pose_of(body_a), solid_b, oracle::pose_of(body_b)).normal;
        if (draw.apart > 0) body_b.position = rounded(Vec3d(body_b.position) + way * (draw.apart * sizes));
        between = Vec3d(body_b.position) - Vec3d(body_a.position);
        const double far = a_is_plane || b_is_plane ? (draw.apart + 1) * sizes : length(between);
        const Vec3d aside = across(way, random),
                    displacement = (way * far + aside * (draw.aside * sizes)) * draw.overshoot;
        const double share = random.chance(0.4) ? 1.0 : random.uniform(0, 1);
        const auto end_of = [&](const Body& body, const Vec3d& by, double angle) {
            Body end = body;
            end.position = rounded(Vec3d(body.position) + by);
            if (angle > 0) end.orientation = rotated(body.orientation, random.direction(), angle);
            if (random.chance(0.1))
                end.orientation = {-end.orientation.x, -end.orientation.y, -end.orientation.z, -end.orientation.w};
            return end;
        };
        const Vec3d by_a = displacement * share, by_b = displacement * (share - 1);
        out.ends[2 * i] = end_of(body_a, by_a, draw.angle_a);
        out.ends[2 * i + 1] = end_of(body_b, by_b, draw.angle_b);
        if (random.chance(0.3)) out.targets[i] = float(std::min(size_a, size_b) * random.uniform(0, 0.1));
    }
    return out;
}

MotionScene make_row_motions(const std::string& row, std::size_t pairs, std::uint64_t seed, double angle) {
    MotionScene out;
    out.scene = scenes::make_row(row, pairs, seed);
    scenes::Scene& scene = out.scene;
    out.ends = scene.bodies;
    out.targets.assign(pairs, 0.0f);
    out.family.assign(pairs, "row");
    for (std::size_t i = 0; i < pairs; ++i) {
        Random random(seed + 5, i);
        const Pair pair = scene.pairs[i];
        Body &a = scene.bodies[pair.a], &b = scene.bodies[pair.b];
        const double sizes = scene.solid_a(i).size + scene.solid_b(i).size;
        const Vec3d between = Vec3d(b.position) - Vec3d(a.position),
                    way = length(between) > 0 ? normalised(between) : Vec3d{0, 1, 0};
        b.position = rounded(Vec3d(b.position) + way * (sizes * random.uniform(0.2, 1)));
        const Vec3d all =
            Vec3d(b.position) - Vec3d(a.position) + across(way, random) * (0.5 * sizes * random.uniform());
        out.ends[pair.a] = a, out.ends[pair.b] = b;
        out.ends[pair.a].position = rounded(Vec3d(a.position) + all * (0.5 * random.uniform(0.5, 1.5)));
        out.ends[pair.b].position = rounded(Vec3d(b.position) - all * (0.5 * random.uniform(0.5, 1.5)));
        if (angle <= 0) continue;
        out.ends[pair.a].orientation = rotated(a.orientation, random.direction(), angle);
        out.ends[pair.b].orientation = rotated(b.orientation, random.direction(), angle);
    }
    return out;
}

std::vector<Touch> first_touches(const MotionScene& motions) {
    std::vector<Touch> touches;
    const scenes::Scene& scene = motions.scene;
    for (std::size_t i = 0; i < scene.pairs.size(); ++i) {
        const Solid &a = scene.solid_a(i), &b = scene.solid_b(i);
        const Path path_a(scene.body_a(i), motions.ends[scene.pairs[i].a]),
            path_b(scene.body_b(i), motions.ends[scene.pairs[i].b]);
        Touch touch = {
            0,
            length(path_a.displacement() - path_b.displacement()) + path_a.angle() * a.reach + path_b.angle() * b.reach,
            oracle::smaller_size(a, b)};
        Vec3d hint{0, 1, 0};
        for (int step = 0; step < kMostSteps && touch.time <= 1; ++step) {
            const oracle::Exact exact =
                oracle::signed_distance(a, path_a.at(touch.time), b, path_b.at(touch.time), &hint);
            hint = exact.normal;
            if (exact.signed_distance < 1e-5 * touch.size) break;
            touch.time += exact.signed_distance / touch.speed;
        }
        if (touch.time > 1) touch.time = 2;
        touches.push_back(touch);
    }
    return touches;
}

const char* name_of(Fault fault) {
    constexpr const char* kNames[] = {"none", "late", "missed", "early", "undecided", "status"};
    return kNames[int(fault)];
}

PairVerdict judge_pair(const MotionScene& motions, const Casts& casts, std::size_t pair, double tolerance_share) {
    const scenes::Scene& scene = motions.scene;
    const Solid &a = scene.solid_a(pair), &b = scene.solid_b(pair);
    const Path path_a(scene.body_a(pair), motions.ends[2 * pair]),
        path_b(scene.body_b(pair), motions.ends[2 * pair + 1]);
    if (casts.status[pair] != Status::ok) return {Fault::status};
    Vec3d hint{0, 1, 0};
    const auto distance = [&](double t) {
        const oracle::Exact exact = oracle::signed_distance(a, path_a.at(t), b, path_b.at(t), &hint);
        hint = exact.normal;
        return exact.signed_distance;
    };
    const double smaller = oracle::smaller_size(a, b), target = motions.targets[pair];
    const double bound = oracle::tolerance(a, b, 0), tolerance = std::max(tolerance_share * smaller, 4 * bound);
    const double speed = speed_of(motions, pair), time = casts.time[pair];
    // Coordinates are floats: what the end's pose has lost to rounding is part of the motion that the library was
    // given, but orientations are rounded on the way.
    const double coordinate = std::max(
        {length(Vec3d(scene.body_a(pair).position)), length(Vec3d(scene.body_b(pair).position)), a.reach, b.reach});
    const double rounding = 8 * 0x1p-24 * coordinate;
    if (casts.hit(pair)) {
        const double there = distance(time);
        if (there > target + tolerance + bound + rounding) return {Fault::early, there - target};
    }
    // The first time at which the bodies are surely closer than the target.
    const double level = target - 0.25 * tolerance - rounding, least = 0.05 * tolerance;
    double at = 0;
    for (int step = 0; step < kMostSteps; ++step) {
        const double there = distance(at);
        if (there - level < least) {
            if (there >= target - rounding) return {Fault::undecided};
            if (casts.hit(pair) && time <= at + rounding / std::max(speed, 1e-300)) return {};
            return {casts.hit(pair) ? Fault::late : Fault::missed, speed * (time - at)};
        }
        if (speed <= 0) return {};
        at += (there - level) / speed;
        if (at >= (casts.hit(pair) ? std::min(time, 1.0) : 1.0)) return {};
    }
    return {Fault::undecided};
}

Tally judge(const MotionScene& motions, const Casts& casts, double tolerance_share) {
    Tally tally;
    for (std::size_t pair = 0; pair < motions.scene.pairs.size(); ++pair) {
        const PairVerdict verdict = judge_pair(motions, casts, pair, tolerance_share);
        ++tally.pairs;
        tally.hits += casts.hit(pair), tally.starts += casts.hit(pair) && casts.time[pair] == 0;
        ++tally.by_fault[int(verdict.fault)];
        if (verdict.fault == Fault::none) continue;
        if (verdict.fault == Fault::undecided) {
            ++tally.undecided;
            continue;
        }
        ++tally.wrong;
        if (tally.examples.size() < 5)
            tally.examples.push_back(
                fmt::format("{} {}: {} by {:.3g}, time {:.9g}, status {}", motions.scene.name, pair,
                            name_of(verdict.fault), verdict.by, casts.time[pair], to_string(casts.status[pair])) +
                fmt::format(", {}, sizes {:.3g} {:.3g}, target {:.3g}", motions.family[pair],
                            motions.scene.solid_a(pair).size, motions.scene.solid_b(pair).size, motions.targets[pair]));
    }
    return tally;
}

}  // namespace abut::casts
