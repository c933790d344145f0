// The optional columns of rays in the plane: lengths, and origins in double.
#include "support/catch.hpp"

#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include <abut/d2.hpp>

using namespace abut;

namespace {

// Targets at (4, 0) whose surface is at x = 3.5 for rays along the x axis: of kinds that rays meet in lanes, and of
// kinds that they meet one by one.
struct Targets {
    d2::ShapeStore shapes;
    std::vector<d2::Body> bodies;

    Targets() {
        const std::vector<d2::Vec2> corners = {{-0.5f, -1}, {0.5f, -1}, {0.5f, 1}, {-0.5f, 1}};
        const std::vector<d2::Vec2> upwards = {{-0.5f, 1}, {-0.5f, 0.1f}, {-0.5f, -1}};  // the front is on the right
        const std::vector<d2::CompoundChild> child = {{*shapes.add_box({0.5f, 1}), {}}};
        for (const d2::ShapeId id : {*shapes.add_circle(0.5f), *shapes.add_capsule(0.5f, 1), *shapes.add_box({0.5f, 1}),
                                     *shapes.add_polygon(corners), *shapes.add_halfplane({-1, 0}, 0.5f),
                                     *shapes.add_chain(upwards), *shapes.add_compound(child)})
            bodies.push_back({{4, 0}, {}, id});
    }

    // One ray for all targets.
    d2::RayHits cast(d2::DVec2 origin, d2::Vec2 direction, std::optional<float> length = {}) const {
        std::vector<Pair> pairs;
        for (std::uint32_t i = 0; i < bodies.size(); ++i) pairs.push_back({0, i});
        d2::Rays rays;
        rays.double_origins = Strided<d2::DVec2>(&origin, 1), rays.directions = Strided<d2::Vec2>(&direction, 1);
        if (length) rays.lengths = Strided<float>(&*length, 1);
        d2::NarrowPhase narrow;
        d2::RayHits hits;
        REQUIRE(narrow.raycast({&shapes, bodies, pairs}, rays, hits));
        return hits;
    }
};

}  // namespace

TEST_CASE("plane: a ray ends at its length, whatever its direction's", "[d2][right]") {
    const Targets targets;
    for (const float size : {1e-3f, 0.3f, 7.0f, 1e3f}) {
        const d2::RayHits far = targets.cast({0, 0}, {size, 0}, 5.0f), near = targets.cast({0, 0}, {size, 0}, 3.49f);
        for (std::size_t i = 0; i < targets.bodies.size(); ++i) {
            CAPTURE(size, i);
            CHECK(far.hit(i));
            CHECK(std::fabs(far.fraction[i] - 3.5 / 5) < 1e-7);
            CHECK_FALSE(near.hit(i));
            CHECK(near.fraction[i] == 1);
            CHECK(near.status[i] == Status::ok);
        }
    }
}

TEST_CASE("plane: a ray without a length of its own has a bad pose", "[d2][contained]") {
    const Targets targets;
    constexpr float kInfinity = std::numeric_limits<float>::infinity(), kNaN = std::numeric_limits<float>::quiet_NaN();
    for (const float length : {0.0f, -1.0f, kInfinity, -kInfinity, kNaN, std::numeric_limits<float>::max()}) {
        const d2::RayHits hits = targets.cast({0, 0}, {1, 0}, length);
        for (std::size_t i = 0; i < targets.bodies.size(); ++i) {
            CAPTURE(length, i);
            CHECK(hits.status[i] == Status::bad_pose);
            CHECK_FALSE(hits.hit(i));
            CHECK(hits.fraction[i] == 0);
        }
    }
}

TEST_CASE("plane: an origin in double keeps its digits", "[d2][far]") {
    const Targets targets;
    const double origin = 3.4999999;  // as a float 3.5
    const d2::RayHits hits = targets.cast({origin, 0}, {1e-6f, 0});
    for (std::size_t i = 0; i < targets.bodies.size(); ++i) {
        CAPTURE(i);
        CHECK(hits.hit(i));
        CHECK(std::fabs(hits.fraction[i] - (3.5 - origin) / double(1e-6f)) < 1e-3);
    }
}
