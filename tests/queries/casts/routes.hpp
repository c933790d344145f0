// Bodies made of rods (segments swept by spheres) on paths of several parts, about centres of rotation of their own:
// poses and distances in double, by closed forms, and the first time at which a distance is small. Nothing is taken
// from the library.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include <abut/abut.hpp>

#include "queries/casts/motions.hpp"
#include "scenes/random.hpp"
#include "support/catch.hpp"

namespace abut::casts {

using oracle::Vec3d;
using scenes::Random;

inline Vec3 to_float(const Vec3d& v) { return {float(v.x), float(v.y), float(v.z)}; }

// The poses of a body at time 0 and at the end of each part, all parts taking the same time. `centre`: of rotation, in
// the body's frame.
class Route {
public:
    Route(const std::vector<Body>& poses, Vec3 centre) : centre_(centre) {
        for (std::size_t part = 0; part + 1 < poses.size(); ++part) {
            rotations_.emplace_back(poses[part], poses[part + 1]);
            const auto at = [&](const Body& body) {
                return Vec3d(body.position) + oracle::rotation_of(body.orientation) * centre_;
            };
            from_.push_back(at(poses[part])), to_.push_back(at(poses[part + 1]));
        }
    }
    oracle::Pose at(double time) const {
        const double parts = double(from_.size());
        const std::size_t part = std::min(std::size_t(time * parts), from_.size() - 1);
        const double share = time * parts - double(part);
        const oracle::Rotation rotation = rotations_[part].at(share).rotation;
        return {from_[part] + (to_[part] - from_[part]) * share - rotation * centre_, rotation};
    }
    // An upper bound on the speeds of points within `reach` of the body's position, per unit of time of the whole path.
    double speed(double reach) const {
        double most = 0;
        for (std::size_t part = 0; part < from_.size(); ++part)
            most =
                std::max(most, length(to_[part] - from_[part]) + rotations_[part].angle() * (reach + length(centre_)));
        return most * double(from_.size());
    }

private:
    Vec3d centre_;
    std::vector<Path> rotations_;
    std::vector<Vec3d> from_, to_;
};

// A segment in a body's frame, swept by a sphere. A ball has equal ends.
struct Rod {
    Vec3d from, to;
    double radius = 0;

    double reach() const { return std::max(length(from), length(to)) + radius; }
};
inline double reach_of(const std::vector<Rod>& rods) {
    double most = 0;
    for (const Rod& rod : rods) most = std::max(most, rod.reach());
    return most;
}

inline double distance_to_segment(const Vec3d& p, const Vec3d& a, const Vec3d& b) {
    const Vec3d way = b - a;
    const double squared = dot(way, way), share = squared > 0 ? std::clamp(dot(p - a, way) / squared, 0.0, 1.0) : 0;
    return length(p - (a + way * share));
}
// The distance of two segments: of their ends, or where both common feet are within them.
inline double segment_distance(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
    double least = std::min({distance_to_segment(a, c, d), distance_to_segment(b, c, d), distance_to_segment(c, a, b),
                             distance_to_segment(d, a, b)});
    const Vec3d u = b - a, v = d - c, w = a - c;
    const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w), by = uu * vv - uv * uv;
    if (!(by > 1e-12 * uu * vv)) return least;
    const double s = (uv * vw - vv * uw) / by, t = (uu * vw - uv * uw) / by;
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) least = std::min(least, length(w + u * s - v * t));
    return least;
}
inline Vec3d placed(const oracle::Pose& pose, const Vec3d& point) { return pose.position + pose.rotation * point; }
inline double rod_distance(const Rod& a, const oracle::Pose& pose_a, const Rod& b, const oracle::Pose& pose_b) {
    return segment_distance(placed(pose_a, a.from), placed(pose_a, a.to), placed(pose_b, b.from),
                            placed(pose_b, b.to)) -
           a.radius - b.radius;
}
inline double distance_of(const std::vector<Rod>& a, const oracle::Pose& pose_a, const std::vector<Rod>& b,
                          const oracle::Pose& pose_b) {
    double least = INFINITY;
    for (const Rod& rod_a : a)
        for (const Rod& rod_b : b) least = std::min(least, rod_distance(rod_a, pose_a, rod_b, pose_b));
    return least;
}

// The first time in [from, latest] at which a distance that changes at `speed` at most is `level` or less, to 1e-7 m; 2
// if there is none.
inline double first_time(const std::function<double(double)>& distance, double level, double speed, double from,
                         double latest) {
    for (double time = from; time <= latest;) {
        const double above = distance(time) - level;
        if (above <= 1e-7) return time;
        if (speed <= 0) break;
        time += above / speed;
    }
    return 2;
}

// How the library is told of a body of rods.
enum class Wrap : std::uint8_t { plain, posed, compound, posed_compound };

struct RodBody {
    ShapeId shape;
    std::vector<Rod> rods;
};

inline RodBody make_rods(ShapeStore& shapes, Random& random, Wrap wrap) {
    const auto pose = [&](double least, double most) {
        const double apart = random.uniform(least, most);
        RelativePose out;
        out.position = to_float(random.direction() * apart);
        out.orientation = random.orientation();
        return out;
    };
    const auto place = [](const RelativePose& at, const Vec3d& p) {
        return Vec3d(at.position) + oracle::rotation_of(at.orientation) * p;
    };
    const auto add = [&](const RelativePose& at, bool is_posed) {
        const float radius = float(random.uniform(0.05, 0.2)),
                    half = random.chance(0.3) ? 0.0f : float(random.uniform(0.1, 0.6));
        const InstanceOptions options = {.pose = is_posed ? at : RelativePose{}};
        const auto id = half > 0 ? shapes.add_capsule(radius, half, options) : shapes.add_sphere(radius, options);
        REQUIRE(id);
        return RodBody{*id, {{place(at, {0, -double(half), 0}), place(at, {0, double(half), 0}), radius}}};
    };
    if (wrap == Wrap::plain) return add({}, false);
    if (wrap == Wrap::posed) return add(pose(0.2, 1.5), true);
    std::vector<CompoundChild> children;
    RodBody out;
    for (std::uint32_t i = 0; i < 2 + random.below(3); ++i) {
        const RelativePose at = pose(0.1, 1);
        const RodBody one = add(at, false);
        children.push_back({one.shape, at.position, at.orientation});
        out.rods.push_back(one.rods[0]);
    }
    const RelativePose whole = wrap == Wrap::posed_compound ? pose(0.2, 1) : RelativePose{};
    const auto id = shapes.add_compound(children, {.pose = whole});
    REQUIRE(id);
    for (Rod& rod : out.rods) rod.from = place(whole, rod.from), rod.to = place(whole, rod.to);
    out.shape = *id;
    return out;
}

// Pairs of rods on paths: pair i is of bodies 2 i and 2 i + 1.
struct RodScene {
    ShapeStore shapes;
    std::vector<std::vector<Rod>> rods;    // by body
    std::vector<std::vector<Body>> poses;  // by part of the path, by body; the first ones are at time 0
    std::vector<Vec3> centres;
    std::vector<Pair> pairs;

    Frame frame() const { return {.shapes = &shapes, .bodies = poses[0], .pairs = pairs}; }
    std::vector<Bodies> ends() const {
        std::vector<Bodies> all;
        for (std::size_t part = 1; part < poses.size(); ++part) all.emplace_back(poses[part]);
        return all;
    }
    Route route(std::uint32_t body) const {
        std::vector<Body> of;
        for (const std::vector<Body>& at : poses) of.push_back(at[body]);
        return {of, centres[body]};
    }
};

// Paths that begin `apart` metres from each other, and whose bodies come close at random. Every other body has a centre
// of rotation of its own.
inline RodScene make_rod_scene(std::uint32_t pairs, std::size_t parts, std::uint64_t seed, double apart) {
    RodScene scene;
    Random random(seed);
    scene.poses.resize(parts + 1);
    constexpr Wrap kWraps[] = {Wrap::plain, Wrap::posed, Wrap::compound, Wrap::posed_compound};
    for (std::uint32_t i = 0; i < 2 * pairs; ++i) {
        const RodBody made = make_rods(scene.shapes, random, kWraps[random.below(4)]);
        scene.rods.push_back(made.rods);
        scene.centres.push_back(random.chance(0.5) ? to_float(random.direction() * 0.7) : Vec3{});
        const Vec3d to_other = i % 2 == 0 ? Vec3d{apart, 0, 0} : Vec3d{};
        Quat orientation = random.orientation();
        for (std::size_t part = 0; part <= parts; ++part) {
            const double far = part == 0 ? 0.3 : 1.2;
            const Vec3d at = (part == 0 ? to_other : Vec3d{}) + random.direction() * far;
            scene.poses[part].push_back({to_float(at), made.shape, orientation});
            const Vec3d axis = random.direction();
            const double angle = random.chance(0.2) ? 0 : random.uniform(0.2, 2);
            orientation = rotated(orientation, axis, angle);
        }
        if (i % 2 == 1) scene.pairs.push_back(random.chance(0.5) ? Pair{i - 1, i} : Pair{i, i - 1});
    }
    return scene;
}

}  // namespace abut::casts
