// Point clouds: what configurations say of them, against distances of single points in double; and a cloud is the
// compound of its balls in all other queries.
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <abut/abut.hpp>

#include "base/double_math.hpp"
#include "scenes/random.hpp"
#include "support/pair_answer.hpp"

using namespace abut;
using maths::Vec3d;

namespace {

constexpr float kRadius = 0.01f;

std::vector<Vec3> on_spheres(scenes::Random& random, std::size_t count) {
    std::vector<Vec3> points;
    while (points.size() < count) {
        const double out = random.uniform(0.6, 1.1), angle = random.uniform(0, 6.28), up = random.uniform(-0.5, 1);
        for (int i = 0; i < 25 && points.size() < count; ++i) {
            const auto d = random.direction();
            points.push_back({float(out * std::cos(angle) + 0.1 * d.x), float(up + 0.1 * d.y),
                              float(out * std::sin(angle) + 0.1 * d.z)});
        }
    }
    return points;
}

// The kind of each body of the robot: a ball (half 0), a capsule (half of its segment along y) or a box, swept by
// `radius`.
struct Part {
    Vec3d half;
    double radius;
};
double distance_from(const Part& part, const Vec3d& local) {
    const Vec3d out = {std::fabs(local.x) - part.half.x, std::fabs(local.y) - part.half.y,
                       std::fabs(local.z) - part.half.z};
    const Vec3d outside = {std::max(out.x, 0.0), std::max(out.y, 0.0), std::max(out.z, 0.0)};
    return maths::norm(outside) + std::min(std::max({out.x, out.y, out.z}), 0.0) - part.radius;
}

struct Robot {
    ShapeStore store;
    std::vector<Part> parts = {
        {{0, 0, 0}, 0.06}, {{0, 0.2, 0}, 0.04}, {{0.1, 0.05, 0.03}, 0}, {{0.02, 0.15, 0.08}, 0.01}};
    std::vector<ShapeId> bodies;
    std::vector<Pair> pairs;

    explicit Robot(std::span<const Vec3> points, const InstanceOptions& options = {}) {
        bodies = {*store.add_sphere(0.06f), *store.add_capsule(0.04f, 0.2f), *store.add_box({0.1f, 0.05f, 0.03f}),
                  *store.add_box({0.02f, 0.15f, 0.08f}, {.rounding = 0.01f}),
                  *add_point_cloud(store, points, kRadius, options)};
        for (std::uint32_t i = 0; i < 4; ++i) pairs.push_back({i, 4});
    }
};

struct Poses {
    std::vector<Vec3> positions;
    std::vector<Quat> orientations;
};
Poses random_poses(scenes::Random& random, std::size_t configurations, const Vec3& cloud) {
    Poses out;
    for (std::size_t i = 0; i < 5 * configurations; ++i) {
        const auto d = random.direction();
        const double far = random.uniform(0.2, 1.3);
        const bool is_cloud = i % 5 == 4;
        out.positions.push_back(is_cloud ? cloud : Vec3{float(far * d.x), float(far * d.y), float(far * d.z)});
        out.orientations.push_back(random.orientation());
    }
    return out;
}

// The distance of a body and the cloud, in one configuration.
double exact_distance(const Robot& robot, std::span<const Vec3> points, const Poses& poses, std::size_t first,
                      std::size_t part) {
    const auto axes = [&](std::size_t i) { return maths::rotation(maths::to_double(poses.orientations[i])); };
    const maths::Mat3 cloud = axes(first + 4), body = maths::transposed(axes(first + part));
    const Vec3d from = maths::to_double(poses.positions[first + 4]) - maths::to_double(poses.positions[first + part]);
    double least = INFINITY;
    for (const Vec3& p : points)
        least = std::min(least, distance_from(robot.parts[part], body * (from + cloud * maths::to_double(p))));
    return least - double(kRadius);
}

}  // namespace

TEST_CASE("point clouds: any_overlap misses no overlap and finds none that is not there", "[configurations]") {
    scenes::Random random(21);
    const std::vector<Vec3> points = on_spheres(random, 2000);
    const Robot robot(points);
    constexpr std::size_t kConfigurations = 200;
    const Poses poses = random_poses(random, kConfigurations, {0.01f, -0.02f, 0});
    const Configurations all = {.shapes = &robot.store,
                                .bodies = robot.bodies,
                                .pairs = robot.pairs,
                                .positions = poses.positions,
                                .orientations = poses.orientations};
    std::vector<double> exact;
    for (std::size_t c = 0; c < kConfigurations; ++c)
        for (std::size_t i = 0; i < 4; ++i) exact.push_back(exact_distance(robot, points, poses, 5 * c, i));
    for (const Isa isa : test::usable_isas()) {
        NarrowPhase narrow({.threads = 1, .isa = isa});
        AnyOverlaps any;
        LeastDistances least;
        REQUIRE(narrow.any_overlap(all, any));
        const auto asked = narrow.counters().pairs;
        REQUIRE(narrow.least_distance(all, least));
        const auto computed = narrow.counters().pairs - asked;
        std::size_t hits = 0, wrong = 0, far = 0;
        for (std::size_t c = 0; c < kConfigurations; ++c) {
            std::uint32_t first = kNoPair;
            bool is_close = false;
            for (std::uint32_t i = 0; i < 4 && first == kNoPair; ++i) {
                const double d = exact[4 * c + i];
                is_close = is_close || std::fabs(d) < 2e-6;
                if (d <= 0) first = i;
            }
            hits += first != kNoPair, wrong += !is_close && any.pair[c] != first;
            const double nearest = *std::min_element(&exact[4 * c], &exact[4 * c] + 4);
            far += !(std::fabs(double(least.signed_distance[c]) - nearest) < 2e-6);
        }
        CHECK(wrong == 0);
        CHECK(far == 0);
        CHECK(hits > kConfigurations / 4);
        CHECK(hits < kConfigurations * 3 / 4);
        CHECK(asked < kConfigurations / 20);    // pairs that were left to the queries on pairs
        CHECK(computed < 5 * kConfigurations);  // children of the nearest pair alone
    }
}

TEST_CASE("point clouds: rays, points, distances, contacts and casts of many points are those of single balls",
          "[configurations]") {
#ifdef NDEBUG
    constexpr std::size_t kPoints = 100000, kBodies = 90, kRays = 300;
#else
    constexpr std::size_t kPoints = 10000, kBodies = 30, kRays = 60;
#endif
    scenes::Random random(25);
    const std::vector<Vec3> points = on_spheres(random, kPoints);
    const std::vector<Part> parts = {{{0, 0, 0}, 0.02}, {{0, 0.04, 0}, 0.012}, {{0.03, 0.015, 0.01}, 0}};
    ShapeStore store;
    std::vector<Vec3> corners;
    for (int i = 0; i < 8; ++i)
        corners.push_back({i & 1 ? 0.03f : -0.03f, i & 2 ? 0.015f : -0.015f, i & 4 ? 0.01f : -0.01f});
    const ShapeId shapes[] = {*store.add_sphere(0.02f), *store.add_capsule(0.012f, 0.04f), *store.add_hull(corners)};
    const Body cloud = {{0.2f, -0.1f, 0.3f}, *add_point_cloud(store, points, kRadius), random.orientation()};
    const auto anywhere = [&] {
        const auto d = random.direction();
        const double out = random.uniform(0.3, 1.3);
        return Vec3{float(0.2 + out * d.x), float(out * d.y), float(0.3 + out * d.z)};
    };
    std::vector<Body> bodies, ends;
    std::vector<Pair> pairs;
    for (std::uint32_t i = 0; i < kBodies; ++i) {
        bodies.push_back({anywhere(), shapes[i % 3], random.orientation()});
        ends.push_back(bodies.back()), pairs.push_back({i, std::uint32_t(kBodies)});
        ends.back().position = anywhere();
    }
    bodies.push_back(cloud), ends.push_back(cloud);
    const Frame frame{&store, bodies, pairs};
    std::vector<Vec3d> world;
    const maths::Mat3 axes = maths::rotation(maths::to_double(cloud.orientation));
    for (const Vec3& p : points) world.push_back(maths::to_double(cloud.position) + axes * maths::to_double(p));

    // Body i on its way at time t, and the ball at p: their distance.
    const auto gap = [&](std::size_t i, double t, const Vec3d& p) {
        const Vec3d from = maths::to_double(bodies[i].position), to = maths::to_double(ends[i].position);
        const maths::Mat3 turn = maths::rotation(maths::to_double(bodies[i].orientation));
        return distance_from(parts[i % 3], maths::transposed(turn) * (p - from - (to - from) * t)) - double(kRadius);
    };
    const auto least_gap = [&](std::size_t i, double t) {
        double least = INFINITY;
        for (const Vec3d& p : world) least = std::min(least, gap(i, t, p));
        return least;
    };
    // By steps as long as the gap, which pass no time of touch.
    const auto first_time = [&](std::size_t i) {
        const Vec3d from = maths::to_double(bodies[i].position), way = maths::to_double(ends[i].position) - from;
        const double length = maths::norm(way), wide = 0.06;  // of a body and a ball
        double first = INFINITY;
        for (const Vec3d& p : world) {
            const Vec3d to = p - from;
            const double along = dot(to, way) / length;
            if (dot(to, to) - along * along > wide * wide) continue;
            for (double t = 0, d = 0; t <= std::min(first, 1.0); t += std::max(d, 1e-9) / length)
                if (d = gap(i, t, p); d <= 0) first = std::min(first, t);
        }
        return first;
    };

    const double kMargin = Settings().speculative_margin;
    NarrowPhase narrow;
    Overlaps overlaps;
    Distances distances;
    Manifolds manifolds;
    Casts casts;
    REQUIRE(narrow.overlap(frame, overlaps));
    REQUIRE(narrow.distance(frame, distances));
    REQUIRE(narrow.collide(frame, manifolds));
    const Bodies moved = ends;
    REQUIRE(narrow.cast(frame, {.ends = {&moved, 1}}, casts));
    std::size_t hits = 0, stops = 0, far = 0, missing = 0, late = 0, early = 0;
    for (std::size_t i = 0; i < kBodies; ++i) {
        const double least = least_gap(i, 0), first = first_time(i);
        far += std::fabs(double(distances.signed_distance[i]) - least) > 1e-6;
        hits += overlaps.hit(i), missing += std::fabs(least) > 1e-6 && overlaps.hit(i) != (least < 0);
        std::vector<std::uint32_t> in_contact;
        for (std::uint32_t m = manifolds.first_manifold[i]; m < manifolds.first_manifold[i + 1]; ++m)
            in_contact.push_back(manifolds.manifolds[m].child_b);
        for (std::uint32_t k = 0; k < kPoints; ++k) {
            const double d = gap(i, 0, world[k]);
            const bool is_in_contact = std::binary_search(in_contact.begin(), in_contact.end(), k);
            missing += std::fabs(d - kMargin) > 1e-6 && is_in_contact != (d < kMargin);
        }
        stops += casts.hit(i) && casts.time[i] > 0;
        late += casts.time[i] > first + 1e-6;
        early += casts.hit(i) && least_gap(i, casts.time[i]) > 1e-5;
    }
    CHECK(far == 0);
    CHECK(missing == 0);
    CHECK(late == 0);
    CHECK(early == 0);
    CHECK(hits > kBodies / 20);
    CHECK(hits < kBodies * 19 / 20);
    CHECK(stops > kBodies / 20);

    std::vector<Vec3> origins, ways;
    pairs.clear();
    for (std::uint32_t i = 0; i < kRays; ++i) {
        origins.push_back(anywhere()), pairs.push_back({i, 0});
        const Vec3d& point = world[i * kPoints / kRays];
        const Vec3 to = i % 2 == 0 ? anywhere() : Vec3{float(point.x), float(point.y), float(point.z)};
        ways.push_back({to.x - origins[i].x, to.y - origins[i].y, to.z - origins[i].z});
    }
    const Frame one{&store, {&cloud, 1}, pairs};
    RayHits rays;
    PointDistances measured;
    REQUIRE(narrow.raycast(one, {.origins = origins, .directions = ways}, rays));
    REQUIRE(narrow.measure(one, {.positions = origins}, measured));
    std::size_t met = 0, wrong = 0, away = 0;
    for (std::size_t i = 0; i < kRays; ++i) {
        const Vec3d from = maths::to_double(origins[i]), way = maths::to_double(ways[i]);
        double first = INFINITY, nearest = INFINITY;
        for (const Vec3d& p : world) {
            const Vec3d to = p - from;
            const double along = dot(to, way), squared = dot(way, way), outside = dot(to, to) - kRadius * kRadius,
                         root = along * along - squared * outside;
            nearest = std::min(nearest, maths::norm(to) - double(kRadius));
            if (outside <= 0) first = 0;
            if (outside > 0 && along > 0 && root > 0) first = std::min(first, (along - std::sqrt(root)) / squared);
        }
        met += rays.hit(i);
        wrong += std::fabs(std::min(first, 1.0) - rays.fraction[i]) > 1e-5 || rays.hit(i) != (first <= 1);
        away += std::fabs(double(measured.signed_distance[i]) - nearest) > 1e-6;
    }
    CHECK(wrong == 0);
    CHECK(away == 0);
    CHECK(met >= kRays / 2);
}

TEST_CASE("point clouds: the compound of their balls, with a scale, a rounding and a pose", "[configurations]") {
    scenes::Random random(22);
    const std::vector<Vec3> points = on_spheres(random, 300);
    const InstanceOptions options = {
        .rounding = 0.02f, .scale = {-1.5f, 1.5f, 1.5f}, .pose = {{0.1f, 0.2f, -0.3f}, random.orientation()}};
    ShapeStore store;
    const ShapeId ball = *store.add_sphere(kRadius);
    std::vector<CompoundChild> children;
    for (const Vec3& p : points) children.push_back({ball, p, {}});
    const ShapeId compound = *store.add_compound(children, options),
                  cloud = *add_point_cloud(store, points, kRadius, options);
    CHECK(store.view(cloud).children == points.size());
    CHECK(store.size() == 3);
    std::vector<std::byte> bytes(store.byte_count());
    REQUIRE(store.write(bytes) == bytes.size());
    auto copy = ShapeStore::read(bytes);
    REQUIRE(copy);
    const ShapeStore read = std::move(*copy);
    const ShapeId body = *store.add_capsule(0.1f, 0.2f);
    const ShapeId box = *store.add_box({0.2f, 0.1f, 0.3f});
    NarrowPhase narrow;
    std::size_t hits = 0;
    for (int i = 0; i < 200; ++i) {
        const auto d = random.direction();
        const std::vector<Body> bodies = {
            {{float(d.x), float(d.y), float(d.z)}, i % 2 == 0 ? body : box, random.orientation()},
            {{}, compound, {}},
            {{}, cloud, {}}};
        const std::vector<Pair> pairs = {{0, 1}, {0, 2}};
        const Frame frame{&store, bodies, pairs};
        judge::Answers answers;
        REQUIRE(narrow.overlap(frame, answers.overlaps));
        REQUIRE(narrow.distance(frame, answers.distances));
        REQUIRE(narrow.distance(frame, answers.separations, {.separation_only = true}));
        REQUIRE(narrow.collide(frame, answers.manifolds));
        CHECK(test::words_of(answers, 0) == test::words_of(answers, 1));
        hits += answers.overlaps.hit(0);
        // The store that was read has the same field.
        const std::vector<ShapeId> shapes = {compound, cloud};
        const std::vector<Pair> one = {{0, 1}};
        const std::vector<Vec3> positions = {{float(3 * d.x), float(3 * d.y), float(3 * d.z)}, {}};
        const std::vector<Quat> orientations = {bodies[0].orientation, {}};
        LeastDistances a, b;
        Configurations all = {
            .shapes = &store, .bodies = shapes, .pairs = one, .positions = positions, .orientations = orientations};
        REQUIRE(narrow.least_distance(all, a));
        all.shapes = &read;
        REQUIRE(narrow.least_distance(all, b));
        CHECK(a.signed_distance == b.signed_distance);
    }
    CHECK(hits > 8);
    CHECK(hits < 150);
}

TEST_CASE("point clouds: one narrow phase knows many of them, and sees their changes", "[configurations]") {
    scenes::Random random(24);
    const std::vector<Vec3> points = on_spheres(random, 100);
    ShapeStore store;
    NarrowPhase narrow;
    const ShapeId ball = *store.add_sphere(0.1f);
    const std::vector<Pair> pairs = {{0, 1}};
    const std::vector<Vec3> positions = {{}, {points[0].x, points[0].y + 0.4f, points[0].z}};
    const std::vector<Quat> orientations(2);
    const auto distance_of = [&](ShapeId cloud) {
        const std::vector<ShapeId> bodies = {cloud, ball};
        const Configurations all = {
            .shapes = &store, .bodies = bodies, .pairs = pairs, .positions = positions, .orientations = orientations};
        AnyOverlaps any;
        LeastDistances least;
        REQUIRE(narrow.any_overlap(all, any));
        REQUIRE(narrow.least_distance(all, least));
        CHECK((any.pair[0] == 0) == (least.signed_distance[0] <= 0));
        return least.signed_distance[0];
    };
    std::vector<ShapeId> clouds;
    std::vector<float> found;
    for (int i = 0; i < 20; ++i) {
        clouds.push_back(*add_point_cloud(store, points, 0.01f * float(i + 1)));
        found.push_back(distance_of(clouds.back()));
        CHECK(std::fabs(found.back() - (found[0] - 0.01f * float(i))) < 1e-5f);
    }
    for (int i = 0; i < 20; ++i) CHECK(distance_of(clouds[std::size_t(i)]) == found[std::size_t(i)]);
    REQUIRE(store.set_instance(clouds[0], {.rounding = 0.5f}));
    CHECK(std::fabs(distance_of(clouds[0]) - (found[0] - 0.5f)) < 1e-5f);
    CHECK(found[0] > 0);
    CHECK(found[0] < 0.5f);
}

TEST_CASE("point clouds: flat, of one point, of equal points, of radius 0, at all scales",
          "[configurations][contained]") {
    scenes::Random random(23);
    NarrowPhase narrow;
    for (const double scale : {1e-20, 1e-9, 1.0, 1e9, 1e20}) {
        for (const int kind : {0, 1, 2, 3}) {
            ShapeStore store;
            std::vector<Vec3> points;
            for (int i = 0; i < 100; ++i) {
                const auto d = random.direction();
                const auto at = [&](double x) { return float(scale * x); };
                points.push_back(kind == 0   ? Vec3{at(d.x), 0, at(d.z)}
                                 : kind == 1 ? Vec3{at(3), 0, 0}
                                 : kind == 2 ? Vec3{at(d.x), 0, 0}
                                             : Vec3{at(d.x), at(d.y), at(d.z)});
            }
            const auto radius = float(kind % 2 == 0 ? 0 : 0.05 * scale);
            const std::vector<ShapeId> bodies = {*add_point_cloud(store, points, radius),
                                                 *store.add_sphere(float(0.1 * scale))};
            const std::vector<Pair> pairs = {{0, 1}};
            const Vec3 at = points[7];
            const std::vector<Vec3> positions = {{}, at, {}, {at.x, float(0.3 * scale), at.z + float(4 * scale)}};
            const std::vector<Quat> orientations(4);
            AnyOverlaps any;
            REQUIRE(narrow.any_overlap({.shapes = &store,
                                        .bodies = bodies,
                                        .pairs = pairs,
                                        .positions = positions,
                                        .orientations = orientations},
                                       any));
            INFO(scale << " " << kind);
            CHECK(any.pair == std::vector<std::uint32_t>{0, kNoPair});
        }
    }
    ShapeStore store;
    const std::vector<Vec3> bad = {{0, 0, 0}, {0, INFINITY, 0}};
    CHECK(std::string(add_point_cloud(store, {}, 1).error().message).find("points is empty") != std::string::npos);
    CHECK(std::string(add_point_cloud(store, bad, 1).error().message).find("points[1].y") != std::string::npos);
    CHECK(std::string(add_point_cloud(store, std::span(bad).first(1), -1).error().message).find("radius") !=
          std::string::npos);
    CHECK(store.size() == 0);
    CHECK(add_point_cloud(store, std::span(bad).first(1), 1));
}
