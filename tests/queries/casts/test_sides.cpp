// From which side a body meets triangles: a choice of each cast, whatever the surface was cooked for.
#include "support/catch.hpp"

#include <utility>
#include <vector>

#include <abut/abut.hpp>

#include "scenes/random.hpp"

using namespace abut;

namespace {

// A floor at y = 0 of two triangles, cooked for the front, for both sides and, with the other winding, for the back.
struct Floors {
    ShapeStore shapes;
    std::vector<ShapeId> ids, movers;

    Floors() {
        const std::vector<Vec3> corners = {{-9, 0, -9}, {-9, 0, 9}, {9, 0, 9}, {9, 0, -9}};
        std::vector<MeshTriangle> triangles = {{{0, 1, 2}}, {{0, 2, 3}}};
        const auto front = shapes.add_mesh(corners, triangles),
                   both = shapes.add_mesh(corners, triangles, {}, {.sides = MeshSides::both});
        for (MeshTriangle& t : triangles) std::swap(t.corners[1], t.corners[2]);
        const auto back = shapes.add_mesh(corners, triangles);
        const auto ball = shapes.add_sphere(0.25f), box = shapes.add_box({0.25f, 0.5f, 0.125f});
        REQUIRE((front && both && back && ball && box));
        const CompoundChild children[] = {{*ball, {0, 0.5f, 0}, {}}, {*box, {0, -0.25f, 0}, {}}};
        const auto compound = shapes.add_compound(children);
        REQUIRE(compound);
        ids = {*front, *both, *back}, movers = {*ball, *box, *compound};
    }
};

// Bodies above and below the floor move through it, half of them rotate, and those of one path turn back.
Casts cast(const Floors& floors, std::size_t floor, const CastOptions& options, std::size_t parts) {
    scenes::Random random(7);
    std::vector<Body> bodies = {{{}, floors.ids[floor], {}}};
    std::vector<std::vector<Body>> ends(parts, bodies);
    std::vector<Pair> pairs;
    for (std::uint32_t i = 1; i <= 120; ++i) {
        const float x = float(random.uniform(-4, 4)), z = float(random.uniform(-4, 4)), y = i % 2 == 0 ? 2.0f : -2.0f;
        bodies.push_back({{x, y, z}, floors.movers[i % 3], random.orientation()});
        const Quat then = i % 4 < 2 ? random.orientation() : bodies.back().orientation;
        for (std::size_t part = 0; part < parts; ++part)
            ends[part].push_back({{x, part % 2 == 0 ? -y : y, z}, floors.movers[i % 3], then});
        pairs.push_back(i % 5 == 0 ? Pair{0, i} : Pair{i, 0});
    }
    const std::vector<Bodies> all_ends(ends.begin(), ends.end());
    NarrowPhase narrow;
    Casts casts;
    REQUIRE(narrow.cast({&floors.shapes, bodies, pairs}, {.ends = all_ends}, casts, options));
    return casts;
}

void check_same(const Casts& x, const Casts& y) {
    CHECK(x.bits == y.bits);
    CHECK(x.time == y.time);
    CHECK(x.normal == y.normal);
    CHECK(x.point_a == y.point_a);
}

}  // namespace

TEST_CASE("casts: the sides of a call have the answers of a floor cooked so", "[casts][surfaces]") {
    const Floors floors;
    for (const std::size_t parts : {std::size_t(1), std::size_t(2)})
        for (const CastStart start : {CastStart::stop, CastStart::closing_only}) {
            CastOptions options;
            options.start = start;
            const Casts front = cast(floors, 0, options, parts), both = cast(floors, 1, options, parts),
                        back = cast(floors, 2, options, parts);
            CHECK(front.hits.size() == 60);
            CHECK(back.hits.size() == 60);
            CHECK(both.hits.size() == 120);
            for (const std::size_t floor : {0, 1}) {
                options.sides = QuerySides::front;
                check_same(cast(floors, floor, options, parts), front);
                options.sides = QuerySides::both;
                check_same(cast(floors, floor, options, parts), both);
                options.sides = QuerySides::back;
                const Casts behind = cast(floors, floor, options, parts);
                CHECK(behind.bits == back.bits);
                CHECK(behind.time == back.time);
                // Those that come from below; every fifth pair has the floor first.
                for (const std::uint32_t i : behind.hits) CHECK(behind.normal[i].y == (i % 5 == 4 ? -1.0f : 1.0f));
            }
        }
}
