// Casts in the plane beside those of the same shapes drawn out along z in 3D, which have another implementation.
#include "support/catch.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <abut/abut.hpp>
#include <abut/d2.hpp>

#include "scenes/random.hpp"

using namespace abut;

namespace {

constexpr double kHalfTurn = 3.141592653589793;

// Moving shapes are 0.1 m long along z, the others 4 m. Sizes are those of the plane.
constexpr float kHalfMoving = 0.05f, kHalfOther = 2;

struct Both {
    ShapeStore solids;
    d2::ShapeStore planes;
    struct Shape {
        ShapeId solid;
        d2::ShapeId plane;
        const char* name;
    };

    Shape mover(scenes::Random& random, float width, float height) {
        switch (static_cast<int>(random.uniform(0, 4))) {
            case 0: return {*solids.add_box({width, height, kHalfMoving}), *planes.add_box({width, height}), "box"};
            case 1: return {*solids.add_capsule(width, height), *planes.add_capsule(width, height), "capsule"};
            case 2: return {*solids.add_sphere(width), *planes.add_circle(width), "circle"};
            default: break;
        }
        std::vector<d2::Vec2> corners;
        std::vector<Vec3> drawn_out;
        const int count = static_cast<int>(random.uniform(3, 9));
        for (int i = 0; i < count; ++i) {
            const double angle = 2 * kHalfTurn * (i + random.uniform(0, 0.8)) / count;
            const d2::Vec2 at = {float(width * std::cos(angle)), float(width * std::sin(angle))};
            corners.push_back(at);
            for (const float z : {-kHalfMoving, kHalfMoving}) drawn_out.push_back({at.x, at.y, z});
        }
        return {*solids.add_hull(drawn_out), *planes.add_polygon(corners), "polygon"};
    }

    Shape other(scenes::Random& random) {
        const int kind = static_cast<int>(random.uniform(0, 5));
        if (kind == 0)
            return {*solids.add_box({2, 0.5f, kHalfOther}, {.pose = {{0, -0.5f, 0}, {}}}),
                    *planes.add_box({2, 0.5f}, {.pose = {{0, -0.5f}, {}}}), "box"};
        if (kind == 1) return {*solids.add_halfspace({0, 1, 0}, 0), *planes.add_halfplane({0, 1}, 0), "half-plane"};
        if (kind == 2) {
            std::vector<CompoundChild> tiles;
            std::vector<d2::CompoundChild> flat;
            const auto add = [&](float x, float y, float width, float height) {
                tiles.push_back({*solids.add_box({width, height, kHalfOther}), {x, y, 0}, {}});
                flat.push_back({*planes.add_box({width, height}), {{x, y}, {}}});
            };
            for (int i = -4; i < 4; ++i) add(float(i), -0.5f, 0.5f, 0.5f);
            if (random.uniform(0, 1) < 0.5) add(4, 0, 0.5f, 3);
            return {*solids.add_compound(tiles), *planes.add_compound(flat), "tiles"};
        }
        std::vector<d2::Vec2> points;
        std::vector<Vec3> vertices;
        std::vector<MeshTriangle> triangles;
        for (int i = 0; i <= 12; ++i) {
            const d2::Vec2 at = {4 - 0.6f * float(i), kind == 3 ? 0 : float(random.uniform(-0.3, 0.3))};
            points.push_back(at);
            for (const float z : {-kHalfOther, kHalfOther}) vertices.push_back({at.x, at.y, z});
        }
        for (std::uint32_t k = 0; k < 24; k += 2)
            triangles.push_back({{k, k + 2, k + 1}}), triangles.push_back({{k + 1, k + 2, k + 3}});
        return {*solids.add_mesh(vertices, triangles), *planes.add_chain(points), kind == 3 ? "flat chain" : "chain"};
    }
};

Quat about_z(double angle) { return {0, 0, float(std::sin(angle / 2)), float(std::cos(angle / 2))}; }

}  // namespace

TEST_CASE("plane: casts are those of the shapes drawn out in 3D", "[d2][right]") {
    scenes::Random random(31);
    NarrowPhase narrow;
    d2::NarrowPhase plane;
    const std::vector<Pair> pairs = {{0, 1}};
    std::size_t hits = 0, differ = 0;
    for (int i = 0; i < 10000; ++i) {
        Both both;
        const auto width = static_cast<float>(random.uniform(0.05, 0.5)),
                   height = static_cast<float>(random.uniform(0.05, 0.5));
        const Both::Shape mover = both.mover(random, width, height), other = both.other(random);
        const bool touches = random.uniform(0, 1) < 0.5, is_round = mover.solid.kind() == ShapeKind::sphere;
        // What touches has sunk by a few hundredths, and turns only if it rolls.
        const double half = is_round ? width : mover.solid.kind() == ShapeKind::capsule ? width + height : height;
        const bool is_level = touches && other.solid.kind() != ShapeKind::mesh && mover.solid.kind() != ShapeKind::hull;
        const double from = is_level ? 0 : random.uniform(-kHalfTurn, kHalfTurn),
                     turn = touches && !is_round ? 0 : random.uniform(-1, 1);
        const d2::Vec2 start = {float(random.uniform(-1.5, 1.5)),
                                float(is_level ? half - random.uniform(0, 0.04) : random.uniform(0.9, 2))},
                       way = {float(random.uniform(-3, 3)),
                              float(is_level && random.uniform(0, 1) < 0.7 ? 0 : random.uniform(-2, 1))};
        const CastOptions options = {.target = float(random.uniform(0, 1) < 0.7 ? 0 : random.uniform(0, 0.2)),
                                     .start = static_cast<CastStart>(static_cast<int>(random.uniform(0, 3)))};

        const std::vector<Body> bodies = {{{start.x, start.y, 0}, mover.solid, about_z(from)},
                                          {{0, 0, 0}, other.solid, {}}},
                                ends = {{{start.x + way.x, start.y + way.y, 0}, mover.solid, about_z(from + turn)},
                                        bodies[1]};
        const std::vector<d2::Body> flat = {{start, d2::rotation_of(from), mover.plane}, {{0, 0}, {}, other.plane}},
                                    flat_ends = {
                                        {{start.x + way.x, start.y + way.y}, d2::rotation_of(from + turn), mover.plane},
                                        flat[1]};
        const Bodies moved = ends;
        d2::Motions motions;
        motions.ends = flat_ends;
        Casts solid;
        d2::Casts own;
        REQUIRE(narrow.cast({&both.solids, bodies, pairs}, {.ends = {&moved, 1}}, solid, options));
        REQUIRE(plane.cast({&both.planes, flat, pairs}, motions, own, options));
        hits += own.hit(0);
        const bool is_same = own.hit(0) == solid.hit(0) && std::fabs(own.time[0] - solid.time[0]) < 5e-3;
        if (!is_same && differ == 0)
            UNSCOPED_INFO(i << ": " << mover.name << " and " << other.name << ", start " << int(options.start)
                            << ": 3D " << solid.hit(0) << " at " << solid.time[0] << ", in the plane " << own.hit(0)
                            << " at " << own.time[0]);
        differ += !is_same;
    }
    CHECK(differ == 0);
    CHECK(hits > 2500);
}
