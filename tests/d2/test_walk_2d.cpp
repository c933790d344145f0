// A character in the plane that walks by casts alone (CastStart::closing_only): never deep in the level, never through
// it, and never stopped by a joint.
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <abut/d2.hpp>

#include "scenes/random.hpp"

using namespace abut;

namespace {

#ifdef NDEBUG
constexpr int kSteps = 10000;
#else
constexpr int kSteps = 1000;
#endif
constexpr double kHalfWidth = 12;  // of the levels, between two walls

// Chains have their front on the right.
d2::ShapeId add_chain(d2::ShapeStore& shapes, double hills) {
    std::vector<d2::Vec2> points = {{kHalfWidth, 8}};
    for (double x = kHalfWidth; x >= -kHalfWidth; x -= 0.5)
        points.push_back({float(x), float(hills * std::sin(x) + (hills > 0 && x < -4 ? 0.3 : 0))});
    points.push_back({-kHalfWidth, 8});
    return *shapes.add_chain(points);
}

d2::ShapeId add_tiles(d2::ShapeStore& shapes) {
    std::vector<d2::CompoundChild> children;
    for (int i = -12; i <= 12; ++i)
        children.push_back({*shapes.add_box({0.5f, 0.5f}), {{float(i), i == 3 ? -0.3f : -0.5f}, {}}});  // a kerb
    for (const float x : {-12.5f, 12.5f}) children.push_back({*shapes.add_box({0.5f, 5}), {{x, 0}, {}}});
    children.push_back({*shapes.add_box({2, 0.1f}), {{-5, 0.3f}, d2::rotation_of(0.3)}});  // a ramp
    return *shapes.add_compound(children);
}

class Walker {
public:
    Walker(const d2::ShapeStore& shapes, d2::ShapeId body, d2::ShapeId level, d2::Vec2 at)
        : shapes_(shapes), bodies_{{at, {}, body}, {{0, 0}, {}, level}} {}

    d2::Vec2 at() const { return bodies_[0].position; }

    // Walks and falls for a step; what is left of a way goes on along what was hit.
    void step(double speed) {
        constexpr double kStep = 1 / 60.0;
        falling_ -= 9.81 * kStep;
        double x = speed * kStep, y = falling_ * kStep;
        for (int i = 0; i < 5 && std::fabs(x) + std::fabs(y) > 1e-9; ++i) {
            std::vector<d2::Body> ends = bodies_;
            ends[0].position = {float(at().x + x), float(at().y + y)};
            d2::Motions motions;
            motions.ends = ends;
            REQUIRE(narrow_.cast({&shapes_, bodies_, pairs_}, motions, casts_, {.start = CastStart::closing_only}));
            REQUIRE(casts_.status[0] == Status::ok);
            const double time = casts_.hit(0) ? casts_.time[0] : 1;
            bodies_[0].position = {float(at().x + time * x), float(at().y + time * y)};
            if (!casts_.hit(0)) return;
            x *= 1 - time, y *= 1 - time;
            const d2::Vec2 n = casts_.normal[0];
            const double into = std::max(x * n.x + y * n.y, 0.0), fall = std::max(speed * n.x + falling_ * n.y, 0.0);
            x -= into * n.x, y -= into * n.y, falling_ -= fall * n.y;
        }
    }
    double depth() {
        REQUIRE(narrow_.distance({&shapes_, bodies_, pairs_}, distances_));
        return -distances_.signed_distance[0];
    }

private:
    const d2::ShapeStore& shapes_;
    std::vector<d2::Body> bodies_;
    std::vector<Pair> pairs_ = {{0, 1}};
    d2::NarrowPhase narrow_;
    d2::Casts casts_;
    d2::Distances distances_;
    double falling_ = 0;
};

}  // namespace

TEST_CASE("plane: a character walks through levels, never deep in them, through them or caught at joints",
          "[d2][steady]") {
    d2::ShapeStore shapes;
    const d2::ShapeId flat = add_chain(shapes, 0), levels[] = {flat, add_chain(shapes, 0.4), add_tiles(shapes)},
                      movers[] = {*shapes.add_circle(0.3f), *shapes.add_capsule(0.3f, 0.4f),
                                  *shapes.add_box({0.3f, 0.5f}), *shapes.add_box({0.3f, 0.5f}, {.rounding = 0.05f})};
    for (const d2::ShapeId level : levels)
        for (const d2::ShapeId mover : movers) {
            CAPTURE(int(level.kind()), int(mover.kind()));
            scenes::Random random(5);
            Walker walker(shapes, mover, level, {0.25f, 2});
            double deepest = 0, low = 0, high = 0, least = 0, most = 0, speed = 3;
            for (int i = 0; i < kSteps; ++i) {
                if (i % 137 == 136) speed = random.uniform(-4, 4);
                walker.step(speed);
                const d2::Vec2 at = walker.at();
                deepest = std::max(deepest, walker.depth());
                low = std::min(low, double(at.y)), high = std::max(high, double(at.y));
                least = std::min(least, double(at.x)), most = std::max(most, double(at.x));
            }
            CHECK(deepest < 1e-4 * 0.75);  // 1e-4 of the size, and the rounding of steps
            CHECK(low > -1);
            CHECK(high < 4);
            CHECK(std::max(-least, most) < kHalfWidth);
            if (level == flat && kSteps > 5000) CHECK(most - least > 2 * kHalfWidth - 1.5);  // from wall to wall
        }
}
