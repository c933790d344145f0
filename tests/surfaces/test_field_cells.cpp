// Cells of a height field: holes and the other diagonal. The field is the mesh of its triangles, in its surface and in
// every answer.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include <abut/abut.hpp>

#include "support/mesh_checks.hpp"

using namespace abut;
using namespace abut::test;

namespace {

struct Field {
    std::uint32_t rows, columns;
    std::vector<float> heights;
    std::vector<std::uint8_t> cells;
    TestMesh mesh;                       // two triangles for each cell, also where there are holes
    std::vector<MeshTriangle> present;   // those that are there
    std::vector<std::uint32_t> numbers;  // their numbers in the field
};

// By the table of cooking.hpp, not by the library's code.
Field make_field(Random& random, std::uint32_t rows, std::uint32_t columns, double height, double missing_samples) {
    Field field{rows, columns, {}, {}, {}, {}, {}};
    field.mesh =
        grid_mesh(rows - 1, columns - 1, 0.5f, [&](float, float) { return float(height * random.between(-1, 1)); });
    for (const Vec3 v : field.mesh.vertices) field.heights.push_back(random.unit() < missing_samples ? NAN : v.y);
    for (std::uint32_t cell = 0; cell < (rows - 1) * (columns - 1); ++cell) {
        const std::uint32_t a = cell / (columns - 1) * columns + cell % (columns - 1), b = a + columns;
        const bool is_hole = random.below(8) == 0, is_other = random.below(2) == 0;
        field.cells.push_back(std::uint8_t((is_hole ? kCellHole : 0) | (is_other ? kCellOtherDiagonal : 0)));
        if (is_other)
            field.mesh.triangles[2 * cell] = {{a, b, a + 1}}, field.mesh.triangles[2 * cell + 1] = {{b, b + 1, a + 1}};
        for (std::uint32_t i = 2 * cell; i < 2 * cell + 2; ++i) {
            const MeshTriangle& t = field.mesh.triangles[i];
            if (is_hole ||
                std::any_of(t.corners, t.corners + 3, [&](std::uint32_t c) { return std::isnan(field.heights[c]); }))
                continue;
            field.present.push_back(t);
            field.numbers.push_back(i);
        }
    }
    return field;
}

ShapeId add_field(ShapeStore& store, const Field& field, const InstanceOptions& options = {},
                  MeshSides sides = MeshSides::front) {
    const auto id =
        store.add_heightfield(field.heights, field.rows, field.columns, options, {0.5f, 0.5f, sides, field.cells});
    if (!id) FAIL(id.error().message.c_str());
    return *id;
}

ShapeId add_twin(ShapeStore& store, const Field& field, const InstanceOptions& options = {},
                 MeshSides sides = MeshSides::front) {
    return added(store, {field.mesh.vertices, field.present}, options, {.sides = sides});
}

// Bodies about a field, pair by pair with the field and with its mesh.
struct Twins {
    ShapeStore store;
    std::vector<Body> bodies;  // the field, the mesh, then bodies
    std::vector<Pair> with_field, with_mesh;

    Frame frame(const std::vector<Pair>& pairs) const { return {&store, bodies, pairs}; }
};

Twins make_twins(Random& random, const Field& field, std::uint32_t count, const InstanceOptions& options,
                 MeshSides sides) {
    Twins twins;
    ShapeStore& store = twins.store;
    twins.bodies = {{{}, add_field(store, field, options, sides), {}},
                    {{}, add_twin(store, field, options, sides), {}}};
    std::vector<Vec3> points;
    for (int i = 0; i < 20; ++i) {
        const Vec3 d = random.direction();
        points.push_back({0.4f * d.x, 0.3f * d.y, 0.2f * d.z});
    }
    const std::vector<ShapeId> shapes = {*store.add_sphere(0.3f),         *store.add_box({0.4f, 0.2f, 0.3f}),
                                         *store.add_capsule(0.15f, 0.3f), *store.add_hull(points),
                                         *store.add_cylinder(0.2f, 0.3f), *store.add_ellipsoid({0.3f, 0.2f, 0.4f})};
    for (std::uint32_t i = 0; i < count; ++i) {
        const Vec3 axis = random.direction();
        const auto angle = float(random.between(0, 3));
        const Quat q = {axis.x * std::sin(angle), axis.y * std::sin(angle), axis.z * std::sin(angle), std::cos(angle)};
        const Vec3 at = {float(random.between(0, 0.5 * (field.columns - 1))), float(random.between(-0.2, 0.8)),
                         float(random.between(0, 0.5 * (field.rows - 1)))};
        twins.bodies.push_back({{at.x * options.scale.x, at.y, at.z * options.scale.z}, shapes[i % shapes.size()], q});
        twins.with_field.push_back({std::uint32_t(twins.bodies.size() - 1), 0});
        twins.with_mesh.push_back({std::uint32_t(twins.bodies.size() - 1), 1});
    }
    return twins;
}

bool are_near(double a, double b, double most = 2e-5) { return a == b || std::fabs(a - b) <= most; }

template <class Check>
void for_all_fields(std::uint32_t bodies, Check&& check) {
    Random random(17);
    for (const InstanceOptions& options :
         {InstanceOptions{}, InstanceOptions{.scale = {1.5f, 2, -1}}, InstanceOptions{.rounding = 0.02f}}) {
        for (const MeshSides sides : {MeshSides::front, MeshSides::both}) {
            const Field field = make_field(random, 12, 9, 0.15, 0.03);
            check(field, make_twins(random, field, bodies, options, sides), random);
        }
    }
}

}  // namespace

TEST_CASE("field cells: the surface is that of the mesh of the triangles", "[surfaces]") {
    Random random(6);
    for (const auto& [rows, columns] : {std::pair{2u, 2u}, {2u, 30u}, {17u, 18u}, {70u, 45u}}) {
        Field field = make_field(random, rows, columns, 1, rows > 2 ? 0.05 : 0);
        if (rows == 2 && columns == 2) {
            field.cells = {kCellOtherDiagonal}, field.mesh.triangles = {{{0, 2, 1}}, {{2, 3, 1}}};
            field.present = field.mesh.triangles, field.numbers = {0, 1};
        }
        ShapeStore store;
        const InstanceOptions options = {.scale = {1, 2, -1}};
        const Surface f = surface(store, add_field(store, field, options)),
                      m = surface(store, add_twin(store, field, options));
        check_against_input(f, field.mesh);
        std::map<std::array<Point, 3>, std::uint32_t> of_mesh;
        const auto key = [](const SurfaceTriangle& t) {
            return rotated({point(t.corners.at[0]), point(t.corners.at[1]), point(t.corners.at[2])});
        };
        for (std::uint32_t i = 0; i < m.triangle_count(); ++i) of_mesh[key(triangle_at(m, i))] = i;
        std::vector<std::uint32_t> there;
        for (std::uint32_t i = 0; i < f.triangle_count(); ++i) {
            if (!has_triangle(f, i)) continue;
            there.push_back(i);
            const SurfaceTriangle a = triangle_at(f, i), b = triangle_at(m, of_mesh.at(key(a)));
            for (int k = 0; k < 3; ++k) {
                int j = 0;
                while (!(b.corners.at[j] == a.corners.at[k])) ++j;
                CHECK((a.neighbour[k] == kNoTriangle) == (b.neighbour[j] == kNoTriangle));
            }
        }
        CHECK(there == field.numbers);
    }
}

TEST_CASE("field cells: overlaps and distances are those of the mesh", "[surfaces]") {
    std::size_t hits = 0, misses = 0;
    for_all_fields(500, [&](const Field&, const Twins& twins, Random&) {
        NarrowPhase narrow;
        Distances f, m;
        Overlaps overlaps_f, overlaps_m;
        REQUIRE(narrow.distance(twins.frame(twins.with_field), f));
        REQUIRE(narrow.distance(twins.frame(twins.with_mesh), m));
        REQUIRE(narrow.overlap(twins.frame(twins.with_field), overlaps_f));
        REQUIRE(narrow.overlap(twins.frame(twins.with_mesh), overlaps_m));
        for (std::size_t i = 0; i < twins.with_field.size(); ++i) {
            CHECK(are_near(f.signed_distance[i], m.signed_distance[i]));
            if (!are_near(f.signed_distance[i], 0)) CHECK(overlaps_f.hit(i) == overlaps_m.hit(i));
            ++(overlaps_f.hit(i) ? hits : misses);
        }
    });
    CAPTURE(hits, misses);
    CHECK((hits > 500 && misses > 500));
}

TEST_CASE("field cells: contacts are those of the mesh", "[surfaces]") {
    std::size_t with_contacts = 0, different = 0;
    for_all_fields(500, [&](const Field& field, const Twins& twins, Random&) {
        NarrowPhase narrow;
        Manifolds f, m;
        REQUIRE(narrow.collide(twins.frame(twins.with_field), f));
        REQUIRE(narrow.collide(twins.frame(twins.with_mesh), m));
        const auto deepest = [](const Manifolds& all, std::size_t pair) {
            float least = INFINITY;
            for (std::uint32_t i = all.first_manifold[pair]; i < all.first_manifold[pair + 1]; ++i)
                for (std::uint32_t k = 0; k < all.manifolds[i].contact_count; ++k)
                    least = std::min(least, all.contacts[all.manifolds[i].first_contact + k].separation);
            return least;
        };
        for (std::size_t i = 0; i < twins.with_field.size(); ++i) {
            with_contacts += f.first_manifold[i] != f.first_manifold[i + 1];
            different += !are_near(deepest(f, i), deepest(m, i), 1e-4);
        }
        for (const std::uint32_t triangle : f.triangles)
            CHECK(std::binary_search(field.numbers.begin(), field.numbers.end(), triangle));
    });
    CAPTURE(with_contacts, different);
    CHECK(with_contacts > 500);
    CHECK(different * 200 < with_contacts);  // ties of rounding
}

TEST_CASE("field cells: rays hit what they hit of the mesh, and pass through holes", "[surfaces][rays]") {
    std::size_t hits = 0, misses = 0;
    for_all_fields(1, [&](const Field& field, const Twins& twins, Random& random) {
        std::vector<Vec3> origins, directions;
        std::vector<Pair> with_field, with_mesh;
        const Vec3 scale = twins.store.view(twins.bodies[0].shape).scale;
        for (std::uint32_t i = 0; i < 1000; ++i) {
            const Vec3 d = random.direction();
            origins.push_back({float(random.between(0, 4)) * scale.x, 1.5f, float(random.between(0, 5.5)) * scale.z});
            directions.push_back({d.x, -3, d.z});
            with_field.push_back({i, 0}), with_mesh.push_back({i, 1});
        }
        NarrowPhase narrow;
        RayHits f, m;
        REQUIRE(narrow.raycast(twins.frame(with_field), {.origins = origins, .directions = directions}, f));
        REQUIRE(narrow.raycast(twins.frame(with_mesh), {.origins = origins, .directions = directions}, m));
        for (std::size_t i = 0; i < 1000; ++i) {
            REQUIRE(f.hit(i) == m.hit(i));
            ++(f.hit(i) ? hits : misses);
            if (!f.hit(i)) continue;
            CHECK(are_near(f.fraction[i], m.fraction[i], 1e-6));
            CHECK(field.numbers[m.child[i]] == f.child[i]);
        }
    });
    CAPTURE(hits, misses);
    CHECK((hits > 2000 && misses > 500));
}

TEST_CASE("field cells: casts meet what they meet of the mesh", "[surfaces][casts]") {
    std::size_t hits = 0, misses = 0;
    for_all_fields(150, [&](const Field&, const Twins& twins, Random&) {
        std::vector<Body> start = twins.bodies, ends = twins.bodies;
        for (std::size_t i = 2; i < start.size(); ++i) start[i].position.y += 1.5f, ends[i].position.y -= 1.5f;
        const auto cast = [&](const std::vector<Pair>& pairs) {
            NarrowPhase narrow;
            Casts casts;
            const Bodies end = ends;
            REQUIRE(narrow.cast({&twins.store, start, pairs}, Motions{.ends = {&end, 1}}, casts));
            return casts;
        };
        const Casts f = cast(twins.with_field), m = cast(twins.with_mesh);
        for (std::size_t i = 0; i < twins.with_field.size(); ++i) {
            CHECK(f.hit(i) == m.hit(i));
            CHECK(are_near(f.time[i], m.time[i]));
            ++(f.hit(i) ? hits : misses);
        }
    });
    CAPTURE(hits, misses);
    CHECK((hits > 400 && misses > 10));
}

TEST_CASE("field cells: a body over flat ground with both diagonals has the contacts of one plane", "[surfaces]") {
    Random random(3);
    std::vector<std::uint8_t> cells(64);
    for (std::uint8_t& flags : cells) flags = random.below(2) == 0 ? kCellOtherDiagonal : 0;
    ShapeStore store;
    const auto id = store.add_heightfield(std::vector<float>(81), 9, 9, {}, {.cells = cells});
    REQUIRE(id);
    const std::vector<Body> bodies = {{{3.7f, 0.49f, 4.2f}, *store.add_box({1.3f, 0.5f, 0.9f}), {}}, {{}, *id, {}}};
    NarrowPhase narrow;
    Manifolds m;
    REQUIRE(narrow.collide({&store, bodies, std::vector<Pair>{{0, 1}}}, m));
    REQUIRE((m.manifolds.size() == 1 && m.contacts.size() == 4));
    for (const Contact& contact : m.contacts) CHECK(contact.separation == Approx(-0.01).margin(1e-5));
}

TEST_CASE("field cells: a ball over the hole of flat ground meets its rim", "[surfaces]") {
    std::vector<std::uint8_t> cells(64);
    cells[3 * 8 + 4] = kCellHole;
    ShapeStore store;
    const auto id = store.add_heightfield(std::vector<float>(81), 9, 9, {}, {.cells = cells});
    REQUIRE(id);
    const std::vector<Body> bodies = {{{4.5f, 0.1f, 3.5f}, *store.add_sphere(0.55f), {}},
                                      {{}, *id, {}},
                                      {{4.5f, 0.1f, 3.5f}, *store.add_sphere(0.45f), {}}};
    NarrowPhase narrow;
    Distances d;
    REQUIRE(narrow.distance({&store, bodies, std::vector<Pair>{{0, 1}, {2, 1}}}, d));
    const double rim = std::hypot(0.5, 0.1);
    CHECK(d.signed_distance[0] == Approx(rim - 0.55).margin(1e-5));
    CHECK(d.signed_distance[1] == Approx(rim - 0.45).margin(1e-5));
    Manifolds m;
    REQUIRE(narrow.collide({&store, bodies, std::vector<Pair>{{0, 1}, {2, 1}}}, m));
    CHECK((m.first_manifold[1] > 0 && m.first_manifold[2] == m.first_manifold[1]));
}

TEST_CASE("field cells: flags are read back, and counted", "[surfaces]") {
    ShapeStore store;
    const std::vector<float> heights(12);
    const std::vector<std::uint8_t> some = {0, 1, 2, 3, 0, 2}, other(6, kCellOtherDiagonal);
    const auto flags_of = [&](const Expected<ShapeId>& id) {
        REQUIRE(id);
        std::vector<std::uint8_t> flags(6, 99);
        CHECK(store.field_cells(*id, flags) == 6);
        return flags;
    };
    const auto mixed = store.add_heightfield(heights, 3, 4, {}, {.cells = some});
    CHECK(flags_of(mixed) == some);
    const HeightfieldReport report = store.view(*mixed).heightfield;
    CHECK((report.hole_cells == 2 && report.other_diagonals == 3 && report.triangles == 8 && report.holes == 0));
    const auto plain = store.add_heightfield(heights, 3, 4),
               each = store.add_heightfield(heights, 3, 4, {}, {.cells = other});
    CHECK(flags_of(plain) == std::vector<std::uint8_t>(6));
    CHECK(flags_of(each) == other);
    const auto all = store.add_heightfield(heights, 3, 4, {}, {.cells = std::span(other).first(1)});
    CHECK(flags_of(all) == other);
    CHECK(store.view(*all).heightfield.other_diagonals == 6);
    CHECK(store.view(*all).heightfield.bytes == store.view(*plain).heightfield.bytes);
    std::uint8_t first[2] = {};
    CHECK(store.field_cells(*mixed, first) == 2);
    CHECK(first[1] == 1);
    CHECK(store.field_cells(*store.add_sphere(1), first) == 0);
    CHECK(store.field_cells(*mixed, {}) == 0);
}

TEST_CASE("field cells: flags that are none, or of other cells, are refused", "[surfaces][contained]") {
    ShapeStore store;
    const std::vector<float> heights(12);
    const auto add = [&](const std::vector<std::uint8_t>& cells) {
        return store.add_heightfield(heights, 3, 4, {}, {.cells = cells});
    };
    check_refused(add(std::vector<std::uint8_t>(12)), "cells has 12 flags, but the field has 6 cells");
    check_refused(add(std::vector<std::uint8_t>(5)), "cells has 5 flags, but the field has 6 cells");
    check_refused(add({0, 0, 0, 0, 4, 0}), "cells[4] is 4, expected 0, 1 (hole), 2 (other diagonal) or 3");
    check_refused(add({255}), "cells[0] is 255");
    check_refused(add({kCellHole}), "heights has no triangle");
    check_refused(store.add_heightfield(heights, 3, 4, {}, {.cells = {static_cast<const std::uint8_t*>(nullptr), 6}}),
                  "cells is null, with a count of 6");
    CHECK(store.size() == 0);
}
