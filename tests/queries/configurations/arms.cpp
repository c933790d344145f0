#include "queries/configurations/arms.hpp"

#include <cmath>
#include <numbers>

#include "scenes/random.hpp"
#include "support/oracle/vec.hpp"

namespace abut::robots {

namespace {

using oracle::Vec3d;

constexpr int kJoints = 7, kShapesOfArm = 15;
constexpr double kPi = std::numbers::pi;

struct Quatd {
    double x = 0, y = 0, z = 0, w = 1;
};
Quatd operator*(const Quatd& p, const Quatd& q) {
    return {p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y, p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
            p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w, p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z};
}
Vec3d rotate(const Quatd& q, const Vec3d& v) {
    const Vec3d u = {q.x, q.y, q.z}, t = cross(u, v) * 2.0;
    return v + t * q.w + cross(u, t);
}
Quatd about(const Vec3d& axis, double angle) {
    const Vec3d v = axis * std::sin(angle / 2);
    return {v.x, v.y, v.z, std::cos(angle / 2)};
}

// Of a link: the joint turns about `axis` and the next one is at `length` along y. Two shapes: the link's, and the
// joint's housing.
struct Link {
    Vec3d axis;
    double length;
};
constexpr Link kLinks[kJoints] = {{{0, 1, 0}, 0.16}, {{0, 0, 1}, 0.2},  {{0, 1, 0}, 0.2}, {{0, 0, 1}, 0.2},
                                  {{0, 1, 0}, 0.2},  {{0, 0, 1}, 0.12}, {{0, 1, 0}, 0.1}};

struct Placed {
    Vec3d position;
    Quatd orientation;
};

// The base, then of each link its shape and its joint's housing.
std::vector<Placed> place_arm(const Vec3d& base, const double (&angles)[kJoints]) {
    std::vector<Placed> placed = {{base + Vec3d{0, 0.07, 0}, {}}};
    Vec3d at = base + Vec3d{0, 0.14, 0};
    Quatd turn;
    for (int j = 0; j < kJoints; ++j) {
        turn = turn * about(kLinks[j].axis, angles[j]);
        placed.push_back({at + rotate(turn, {0, 0.5 * kLinks[j].length, 0}), turn});
        at = at + rotate(turn, {0, kLinks[j].length, 0});
        placed.push_back({at, turn});
    }
    return placed;
}

std::vector<ShapeId> add_arm(ShapeStore& store, scenes::Random& random) {
    std::vector<ShapeId> shapes = {*store.add_cylinder(0.1f, 0.07f)};
    for (int j = 0; j < kJoints; ++j) {
        const auto half = float(0.5 * kLinks[j].length);
        if (j % 3 == 0) {
            shapes.push_back(*store.add_capsule(0.055f, half));
        } else if (j % 3 == 1) {
            shapes.push_back(*store.add_box({0.05f, half, 0.055f}));
        } else {
            std::vector<Vec3> points;
            for (int i = 0; i < 40; ++i) {
                const Vec3d p = random.direction();
                points.push_back({float(0.06 * p.x), float(1.2 * half * p.y), float(0.06 * p.z)});
            }
            shapes.push_back(*store.add_hull(points));
        }
        if (j == kJoints - 1)
            shapes.push_back(*store.add_box({0.06f, 0.03f, 0.02f}));
        else
            shapes.push_back(j % 2 == 0 ? *store.add_sphere(0.065f) : *store.add_cylinder(0.06f, 0.065f));
    }
    return shapes;
}

// Spheres along the links of an arm, and where each is in its link.
struct Ball {
    int link;
    Vec3d centre;
    float radius;
};
constexpr double kPlannerLinks[] = {0.14, 0.17, 0.16, 0.16, 0.16, 0.2, 0.2, 0.09, 0.11, 0.05, 0.05};
constexpr int kPlannerLinkCount = 11, kTurningLinks = 8, kBallCount = 59;

std::vector<Ball> balls_of_links(scenes::Random& random) {
    std::vector<Ball> balls;
    for (int i = 0; i < kBallCount; ++i) {
        const int link = i % kPlannerLinkCount, at = i / kPlannerLinkCount;
        const double along = kPlannerLinks[link] * (at + 0.5) / 6, x = random.uniform(-0.02, 0.02),
                     z = random.uniform(-0.02, 0.02);
        balls.push_back({link, {x, along, z}, float(random.uniform(0.04, 0.07))});
    }
    return balls;
}

// Around the arm.
ShapeId add_obstacle(ShapeStore& store, std::uint32_t i, scenes::Random& random) {
    const auto size = [&] { return float(random.uniform(0.02, 0.2)); };
    if (i % 3 == 1) return *store.add_sphere(0.05f + 0.5f * size());
    if (i % 3 == 2) return *store.add_capsule(0.05f, size());
    const float x = size(), y = size(), z = size();
    return *store.add_box({x, y, z});
}

ShapeId add_cloud(ShapeStore& store, std::span<const Placed> placed, std::uint32_t points, scenes::Random& random) {
    std::vector<Vec3> cloud;
    for (std::uint32_t i = 0; i < points; ++i) {
        const Vec3d p = placed[i % placed.size()].position + random.direction() * 0.1;
        cloud.push_back({float(p.x), float(p.y), float(p.z)});
    }
    return *add_point_cloud(store, cloud, 0.005f);
}

void put(Arms& arms, const Vec3d& position, const Quatd& q) {
    arms.positions.push_back({float(position.x), float(position.y), float(position.z)});
    arms.orientations.push_back({float(q.x), float(q.y), float(q.z), float(q.w)});
}

}  // namespace

Arms make_planner(std::size_t configurations, std::uint32_t obstacles, bool has_links, std::uint64_t seed,
                  std::size_t states, std::uint32_t points) {
    Arms arms;
    scenes::Random random(seed);
    const std::vector<Ball> balls = balls_of_links(random);
    std::vector<CompoundChild> children[kPlannerLinkCount];
    std::vector<int> link_of;
    for (const Ball& ball : balls) {
        const ShapeId shape = *arms.shapes.add_sphere(ball.radius);
        const Vec3 at = {float(ball.centre.x), float(ball.centre.y), float(ball.centre.z)};
        children[ball.link].push_back({shape, at, {}});
        if (!has_links) arms.bodies.push_back(shape), link_of.push_back(ball.link);
    }
    for (int link = 0; has_links && link < kPlannerLinkCount; ++link)
        arms.bodies.push_back(*arms.shapes.add_compound(children[link])), link_of.push_back(link);
    const auto own = std::uint32_t(arms.bodies.size());
    std::vector<Placed> placed;
    for (std::uint32_t i = 0; i < obstacles; ++i) {
        const ShapeId obstacle = add_obstacle(arms.shapes, i, random);
        const double angle = random.uniform(0, 2 * kPi), out = random.uniform(0.55, 1.1), up = random.uniform(0, 1.2);
        placed.push_back({{out * std::cos(angle), up, out * std::sin(angle)}, about(random.direction(), angle)});
        const auto& [at, q] = placed.back();
        const Vec3 position = {float(at.x), float(at.y), float(at.z)};
        if (points == 0)
            arms.obstacles.push_back({position, obstacle, {float(q.x), float(q.y), float(q.z), float(q.w)}});
    }
    if (points != 0) {
        arms.obstacles = {{{}, add_cloud(arms.shapes, placed, points, random), {}}};
        obstacles = 1;
    }
    for (std::uint32_t a = 0; a < own; ++a) {
        for (std::uint32_t k = 0; k < obstacles; ++k) arms.pairs.push_back({a, own + k});
        for (std::uint32_t b = a + 1; b < own; ++b)
            if (std::abs(link_of[b] - link_of[a]) > 4) arms.pairs.push_back({a, b});
    }
    double from[kTurningLinks] = {}, to[kTurningLinks] = {};
    for (std::size_t c = 0; c < configurations; ++c) {
        if (c % states == 0) std::copy(std::begin(to), std::end(to), from);
        for (double& angle : to)
            if (c % states == 0) angle = random.uniform(-2, 2);
        const double share = double(c % states + 1) / double(states);
        Placed links[kPlannerLinkCount];
        Placed next = {{0, 0, 0}, {}};
        for (int link = 0; link < kPlannerLinkCount; ++link) {
            const Vec3d axis = link % 2 == 0 ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
            if (link < kTurningLinks)
                next.orientation = next.orientation * about(axis, from[link] + share * (to[link] - from[link]));
            links[link] = next;
            next.position = next.position + rotate(next.orientation, {0, kPlannerLinks[link], 0});
        }
        for (const Ball& ball : balls)
            if (!has_links)
                put(arms, links[ball.link].position + rotate(links[ball.link].orientation, ball.centre), {});
        for (const Placed& link : links)
            if (has_links) put(arms, link.position, link.orientation);
    }
    return arms;
}

std::vector<Body> Arms::records(std::size_t configuration) const {
    std::vector<Body> out;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const std::size_t at = configuration * bodies.size() + i;
        out.push_back({positions[at], bodies[i], orientations[at]});
    }
    out.insert(out.end(), obstacles.begin(), obstacles.end());
    return out;
}

Arms make_arms(std::size_t configurations, Samples samples, std::uint64_t seed) {
    Arms arms;
    scenes::Random random(seed);
    for (int arm = 0; arm < 2; ++arm)
        for (const ShapeId shape : add_arm(arms.shapes, random)) arms.bodies.push_back(shape);
    for (std::uint32_t a = 0; a < 2 * kShapesOfArm; ++a) {
        for (std::uint32_t b = a + 1; b < 2 * kShapesOfArm; ++b) {
            const bool is_one_arm = a / kShapesOfArm == b / kShapesOfArm;
            if (!is_one_arm || b - a > 4) arms.pairs.push_back({a, b});
        }
    }
    double from[2][kJoints], to[2][kJoints];
    const auto draw = [&](double(&angles)[2][kJoints]) {
        for (auto& arm : angles)
            for (double& angle : arm) angle = random.uniform(-0.6 * kPi, 0.6 * kPi);
    };
    draw(from), draw(to);
    for (std::size_t c = 0; c < configurations; ++c) {
        if (samples == Samples::random) draw(from);
        const double share = samples == Samples::path ? double(c) / double(configurations) : 0;
        for (int arm = 0; arm < 2; ++arm) {
            double angles[kJoints];
            for (int j = 0; j < kJoints; ++j) angles[j] = from[arm][j] + share * (to[arm][j] - from[arm][j]);
            for (const Placed& p : place_arm({0.35 * (2 * arm - 1), 0, 0}, angles)) {
                put(arms, p.position, p.orientation);
            }
        }
    }
    return arms;
}

}  // namespace abut::robots
