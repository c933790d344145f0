// What a call in the plane refuses, with a message that names the argument; and which hits of rays and casts count.
#include "support/catch.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <abut/d2.hpp>

using namespace abut;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity(), kNaN = std::numeric_limits<float>::quiet_NaN();

struct Scene {
    d2::ShapeStore shapes;
    std::vector<d2::Body> bodies = {{{0, 0}, {}, *shapes.add_circle(0.5f)},
                                    {{3, 0}, {}, *shapes.add_box({0.5f, 0.5f})},
                                    {{6, 0}, {}, *shapes.add_box({0.5f, 0.5f})}},
                          ends = {{{4, 0}, {}, {}}, {{3, 0}, {}, {}}, {{6, 0}, {}, {}}};
    std::vector<Pair> pairs = {{0, 2}, {0, 1}};
    std::vector<d2::Vec2> origins = {{0, 0}}, directions = {{10, 0}};
    d2::NarrowPhase narrow;

    d2::Frame frame() const { return {&shapes, bodies, pairs}; }
    d2::Rays rays() const {
        d2::Rays out;
        out.origins = origins, out.directions = directions;
        return out;
    }
    d2::Motions motions() const {
        d2::Motions out;
        out.ends = ends;
        return out;
    }
};

void check_refused(const CallResult& result, ErrorCode code, const std::string& names) {
    CAPTURE(names);
    REQUIRE_FALSE(result);
    CHECK(result.error().code == code);
    CHECK(std::string(result.error().message).find(names) != std::string::npos);
}

}  // namespace

TEST_CASE("plane: contained: a refused frame names its argument", "[d2][contained]") {
    Scene scene;
    d2::Overlaps out;
    const auto refuses = [&](const d2::Frame& frame, ErrorCode code, const char* names) {
        check_refused(scene.narrow.overlap(frame, out), code, names);
    };
    d2::Frame frame = scene.frame();
    frame.shapes = nullptr;
    refuses(frame, ErrorCode::bad_argument, "shapes");
    const std::vector<d2::ShapeId> ids = {scene.bodies[0].shape, scene.bodies[1].shape};
    const std::vector<d2::Vec2> places(2), few(1);
    const std::vector<d2::DVec2> doubles(2);
    const std::vector<d2::Rot> rotations(2);
    const std::vector<float> angles(2);
    frame = scene.frame(), frame.bodies = d2::BodyColumns{.shapes = ids, .positions = places};
    refuses(frame, ErrorCode::bad_argument, "rotations");
    frame.bodies = d2::BodyColumns{.shapes = ids, .positions = places, .rotations = rotations, .angles = angles};
    refuses(frame, ErrorCode::bad_argument, "angles");
    frame.bodies =
        d2::BodyColumns{.shapes = ids, .positions = places, .double_positions = doubles, .rotations = rotations};
    refuses(frame, ErrorCode::bad_argument, "double_positions");
    frame.bodies = d2::BodyColumns{.shapes = ids, .positions = few, .rotations = rotations};
    refuses(frame, ErrorCode::bad_size, "positions");
    const std::vector<float> one_margin = {0.1f};
    frame = scene.frame(), frame.margins = one_margin;
    refuses(frame, ErrorCode::bad_size, "margins");
    for (const float bad : {-0.1f, kInfinity, kNaN}) {
        const std::vector<float> margins = {0.1f, bad};
        frame.margins = margins;
        refuses(frame, ErrorCode::bad_argument, "margins[1]");
    }
}

TEST_CASE("plane: contained: refused options of distances, rays and points name their argument", "[d2][contained]") {
    Scene scene;
    d2::Distances distances;
    d2::RayHits hits;
    d2::PointDistances points;
    const std::vector<float> few = {1}, negative = {1, -1};
    for (const float bad : {-1.0f, kNaN})
        check_refused(scene.narrow.distance(scene.frame(), distances, {.max_distance = bad}), ErrorCode::bad_argument,
                      "max_distance");
    check_refused(scene.narrow.distance(scene.frame(), distances, {.max_distances = few}), ErrorCode::bad_size,
                  "max_distances");
    check_refused(scene.narrow.distance(scene.frame(), distances, {.max_distances = negative}), ErrorCode::bad_argument,
                  "max_distances[1]");

    const auto refuses = [&](const d2::Rays& rays, ErrorCode code, const char* names) {
        check_refused(scene.narrow.raycast(scene.frame(), rays, hits), code, names);
    };
    const std::vector<d2::DVec2> doubles(1);
    const std::vector<float> length(1, 1.0f);
    d2::Rays rays = scene.rays();
    rays.origins = {};
    refuses(rays, ErrorCode::bad_argument, "origins");
    rays = scene.rays(), rays.double_origins = doubles;
    refuses(rays, ErrorCode::bad_argument, "origins");
    const std::vector<d2::Vec2> two(2, d2::Vec2{1, 0});
    rays = scene.rays(), rays.directions = two;
    refuses(rays, ErrorCode::bad_size, "origins");
    rays.origins = two, rays.lengths = length;
    refuses(rays, ErrorCode::bad_size, "lengths");
    RayOptions front;
    front.sides = QuerySides::front;
    check_refused(scene.narrow.raycast(scene.frame(), scene.rays(), hits, front), ErrorCode::bad_argument, "sides");

    d2::Points at;
    at.positions = scene.origins, at.double_positions = doubles;
    check_refused(scene.narrow.measure(scene.frame(), at, points), ErrorCode::bad_argument, "positions");
    at.double_positions = {};
    PointOptions near;
    near.max_distance = -1;
    check_refused(scene.narrow.measure(scene.frame(), at, points, near), ErrorCode::bad_argument, "max_distance");
}

TEST_CASE("plane: contained: refused casts name their argument", "[d2][contained]") {
    Scene scene;
    d2::Casts out;
    const auto refuses =
        [&](const d2::Motions& motions, const CastOptions& options, ErrorCode code, const char* names) {
        check_refused(scene.narrow.cast(scene.frame(), motions, out, options), code, names);
    };
    const std::vector<d2::Body> two(2);
    const std::vector<d2::Vec2> centers(2);
    d2::Motions motions;
    motions.ends = two;
    refuses(motions, {}, ErrorCode::bad_size, "ends has 2");
    motions = scene.motions(), motions.centers = centers;
    refuses(motions, {}, ErrorCode::bad_size, "centers");
    const std::vector<float> few = {0.5f};
    for (const float bad : {-0.1f, kInfinity, kNaN}) {
        const std::vector<float> last_is_bad = {0.5f, bad};
        refuses(scene.motions(), {.target = bad}, ErrorCode::bad_argument, "target");
        refuses(scene.motions(), {.targets = last_is_bad}, ErrorCode::bad_argument, "targets[1]");
        refuses(scene.motions(), {.latest = last_is_bad}, ErrorCode::bad_argument, "latest[1]");
        refuses(scene.motions(), {.tolerance = bad}, ErrorCode::bad_argument, "tolerance");
    }
    const std::vector<float> late = {0.5f, 1.5f};
    refuses(scene.motions(), {.latest = late}, ErrorCode::bad_argument, "latest[1]");
    refuses(scene.motions(), {.targets = few}, ErrorCode::bad_size, "targets");
    refuses(scene.motions(), {.latest = few}, ErrorCode::bad_size, "latest");
    refuses(scene.motions(), {.sides = QuerySides::both}, ErrorCode::bad_argument, "sides");
}

TEST_CASE("plane: of the hits of one ray or body the first counts, the others are misses", "[d2][right]") {
    Scene scene;
    RayOptions first_of_ray;
    first_of_ray.reduction = RayReduction::first_of_ray;
    d2::RayHits hits;
    REQUIRE(scene.narrow.raycast(scene.frame(), scene.rays(), hits, first_of_ray));
    CHECK_FALSE(hits.hit(0));
    CHECK(hits.fraction[0] == 1);
    CHECK(hits.point[0] == d2::Vec2{0, 0});
    CHECK(hits.normal[0] == d2::Vec2{0, 0});
    CHECK(hits.status[0] == Status::ok);
    CHECK(hits.hit(1));
    CHECK(std::fabs(hits.fraction[1] - 0.25) < 1e-7);
    CHECK(hits.hits == std::vector<std::uint32_t>{1});

    CastOptions first_of_body;
    first_of_body.reduction = CastReduction::first_of_body;
    scene.ends[0].position.x = 8;
    d2::Casts casts;
    REQUIRE(scene.narrow.cast(scene.frame(), scene.motions(), casts, first_of_body));
    CHECK_FALSE(casts.hit(0));
    CHECK(casts.time[0] == 1);
    CHECK(std::isinf(casts.signed_distance[0]));
    CHECK(casts.hit(1));
    CHECK(std::fabs(casts.time[1] - 0.25) < 1e-4);
}
