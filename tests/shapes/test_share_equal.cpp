// ShapeStore::share_equal: equal geometry is in memory once, and nothing else changes.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <abut/abut.hpp>

#include "shapes/tables.hpp"
#include "store/equal_geometry.hpp"
#include "support/count.hpp"
#include "support/mesh_checks.hpp"

using namespace abut;
using namespace abut::test;

namespace {

std::vector<Vec3> cloud(std::uint64_t seed, int count) {
    Random random(seed);
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i) {
        const Vec3 d = random.direction();
        points.push_back({0.5f * d.x, 0.4f * d.y, 0.3f * d.z});
    }
    return points;
}

std::size_t hulls_of(const ShapeStore& store) {
    std::size_t hulls = 0;
    for (const HullGeometry& hull : tables_of(store).hulls) hulls += !hull.empty();
    return hulls;
}

std::vector<std::byte> bytes_of(const ShapeStore& store) {
    std::vector<std::byte> bytes(store.byte_count());
    REQUIRE(store.write(bytes) == bytes.size());
    return bytes;
}

ShapeStore sharing() {
    ShapeStore store;
    REQUIRE(store.share_equal());
    return store;
}

ShapeId taken(const Expected<ShapeId>& id) {
    if (!id) FAIL(id.error().message.c_str());
    return *id;
}

}  // namespace

TEST_CASE("share equal: hulls of equal points are one, with ids, scales and user data of their own",
          "[store][sharing]") {
    ShapeStore store = sharing();
    const std::vector<Vec3> points = cloud(1, 40);
    const auto cooked = cook_hull(points);
    REQUIRE(cooked);
    const ShapeId first = taken(store.add_hull(points)),
                  second = taken(store.add_hull(points, {.rounding = 0.1f, .scale = {1, 2, 3}})),
                  third = taken(store.add_hull(*cooked));
    CHECK((first != second && second != third && store.size() == 3));
    CHECK(hulls_of(store) == 1);
    CHECK((store.view(second).scale == Vec3{1, 2, 3} && store.view(second).rounding == 0.1f &&
           store.view(third).rounding == 0));
    CHECK((store.set_user_data(second, 5) && store.user_data(first) == 0));
    CHECK(taken(store.add_hull(cloud(2, 40))) != first);
    CHECK(hulls_of(store) == 2);
    REQUIRE((store.remove(first) && store.remove(second)));
    CHECK(hulls_of(store) == 2);
    CHECK(store.view(third).hull.vertices == cooked->report().vertices);
    REQUIRE(store.remove(third));
    CHECK(hulls_of(store) == 1);
    const ShapeId again = taken(store.add_hull(points));
    CHECK((hulls_of(store) == 2 && store.contains(again)));
}

TEST_CASE("share equal: hulls with another report or another source are others", "[store][sharing]") {
    ShapeStore store = sharing();
    std::vector<Vec3> points = cloud(1, 40);
    REQUIRE(store.add_hull(points));
    points.push_back({});  // within: the same vertices, but a point is dropped
    REQUIRE(store.add_hull(points));
    CHECK(hulls_of(store) == 2);
    REQUIRE(store.add_hull(points, {}, {.max_vertices = 12}));
    CHECK(hulls_of(store) == 3);
}

TEST_CASE("share equal: a plate that its scale has cooked again", "[store][sharing]") {
    ShapeStore store = sharing();
    std::vector<Vec3> plate = cloud(3, 200);
    for (Vec3& p : plate) p.y *= 1e-7f;
    const ShapeId tall = taken(store.add_hull(plate, {.scale = {1, 1000, 1}})), flat = taken(store.add_hull(plate)),
                  other = taken(store.add_hull(plate, {.scale = {1, 1000, 1}}));
    CHECK(hulls_of(store) == 2);  // as given, and cooked for the scale
    CHECK(store.view(tall).hull.vertices == store.view(other).hull.vertices);
    CHECK((store.remove(tall) && store.remove(other)));
    CHECK(hulls_of(store) == 1);
    CHECK(store.remove(flat));
    CHECK(hulls_of(store) == 0);
    REQUIRE(store.add_hull(plate));
    CHECK(hulls_of(store) == 1);
}

TEST_CASE("share equal: the same input is not cooked again while its geometry lives", "[store][sharing]") {
    ShapeStore store = sharing();
    EqualGeometry& equal = *tables_of(store).equal;
    const auto index_of = [&](ShapeId id) { return tables_of(store).record(id).geometry; };
    const std::vector<Vec3> points = cloud(1, 40);
    std::vector<ShapeId> ids = {taken(store.add_hull(points)), taken(store.add_hull(points)),
                                taken(store.add_hull(points, {}, {.max_vertices = 12}))};
    CHECK((equal.cooked_hulls.size() == 2 && index_of(ids[0]) == index_of(ids[1]) &&
           index_of(ids[0]) != index_of(ids[2])));
    // Wrong entries show that they are used.
    for (auto& [hash, cooked] : equal.cooked_hulls) cooked.made = index_of(ids[2]);
    ids.push_back(taken(store.add_hull(points)));
    CHECK(index_of(ids[3]) == index_of(ids[2]));
    for (auto& [hash, cooked] : equal.cooked_hulls)
        if (cooked.input[0] == 0) cooked.made = index_of(ids[0]);
    for (const ShapeId id : ids) REQUIRE(store.remove(id));
    CHECK((equal.cooked_hulls.empty() && equal.inputs_of_hulls.empty()));

    const TestMesh torus = torus_mesh(12, 8);
    const ShapeId a = added(store, torus), b = added(store, torus),
                  both = added(store, torus, {}, {.sides = MeshSides::both});
    CHECK((equal.cooked_meshes.size() == 2 && surface(store, a).mesh == surface(store, b).mesh));
    for (auto& [hash, cooked] : equal.cooked_meshes) cooked.made = tables_of(store).meshes[index_of(both)];
    CHECK(surface(store, added(store, torus)).mesh == surface(store, both).mesh);
    const std::span<const Vec3> null(static_cast<const Vec3*>(nullptr), 3);
    CHECK(store.add_mesh(null, torus.triangles).error().code == ErrorCode::bad_argument);
    ShapeStore other = sharing();
    REQUIRE(other.remove(added(other, torus)));
    CHECK((tables_of(other).equal->cooked_meshes.empty() && tables_of(other).equal->inputs_of_meshes.empty()));
}

TEST_CASE("share equal: meshes and height fields", "[store][sharing]") {
    ShapeStore store = sharing();
    const TestMesh torus = torus_mesh(12, 8);
    const ShapeId a = added(store, torus), b = added(store, torus, {.scale = {-1, 1, 1}});
    CHECK(surface(store, a).mesh == surface(store, b).mesh);
    const std::vector<std::uint32_t> values(torus.triangles.size(), 7);
    const ShapeId with_values = added(store, torus, {}, {.user_values = values}),
                  both = added(store, torus, {}, {.sides = MeshSides::both});
    CHECK((surface(store, with_values).mesh != surface(store, a).mesh &&
           surface(store, both).mesh != surface(store, a).mesh));
    std::vector<float> heights(12);
    heights[5] = NAN;
    const std::vector<std::uint8_t> cells = {0, 1, 2, 0, 0, 0};
    const auto field = [&](std::span<const std::uint8_t> flags) {
        return taken(store.add_heightfield(heights, 3, 4, {}, {.cells = flags}));
    };
    const ShapeId plain = field({}), plain_again = field({}), holed = field(cells), holed_again = field(cells);
    CHECK((surface(store, plain).field == surface(store, plain_again).field &&
           surface(store, holed).field == surface(store, holed_again).field));
    CHECK(surface(store, plain).field != surface(store, holed).field);
    const MeshGeometry* const kept = surface(store, a).mesh;
    REQUIRE(store.remove(a));
    CHECK(surface(store, added(store, torus)).mesh == kept);
    for (const ShapeId id : {plain, plain_again, holed, holed_again}) REQUIRE(store.remove(id));
    CHECK(store.view(field(cells)).heightfield.hole_cells == 1);
}

TEST_CASE("share equal: equal triangles with other user values are another mesh, however they are added",
          "[store][sharing]") {
    Random random(41);
    const TestMesh torus = torus_mesh(9, 7);
    const std::size_t count = torus.triangles.size();
    const auto draw = [&] { return std::uint32_t(random.between(0, 4e9)); };
    for (int round = 0; round < 12; ++round) {
        std::vector<std::vector<std::uint32_t>> values(1, std::vector<std::uint32_t>(count));
        for (std::uint32_t& value : values[0]) value = round % 2 == 0 ? draw() : 7;
        // Another value of one triangle: the first, the last or any; two values exchanged; all others; none.
        for (const std::size_t at : {std::size_t(0), count - 1, std::size_t(random.between(0, double(count) - 0.01))}) {
            values.push_back(values[0]);
            values.back()[at] ^= 1u << (round % 32);
        }
        values.push_back(values[1]);
        std::swap(values.back()[0], values.back()[1]);
        if (values.back() == values[1]) values.pop_back();
        values.emplace_back(count, 0u);
        values.emplace_back();
        const auto distinct = [&](std::size_t i) {
            return std::find(values.begin(), values.end(), values[i]) - values.begin();
        };
        for (const bool shares_first : {true, false}) {
            ShapeStore store;
            if (shares_first) REQUIRE(store.share_equal());
            std::vector<ShapeId> ids;
            std::vector<std::size_t> of;
            const auto add = [&](std::size_t i, bool is_cooked) {
                const MeshOptions options = {.user_values = values[i]};
                if (is_cooked) {
                    const auto cooked = cook_mesh(torus.vertices, torus.triangles, options);
                    REQUIRE(cooked);
                    ids.push_back(taken(store.add_mesh(*cooked)));
                } else {
                    ids.push_back(added(store, torus, {}, options));
                }
                of.push_back(i);
            };
            // Without sharing each is added once, so that no two are equal.
            for (std::size_t i = 0; i < values.size(); ++i)
                if (std::size_t(distinct(i)) == i) add(i, (std::size_t(round) + i) % 2 == 0);
            if (!shares_first) REQUIRE(store.share_equal());
            for (std::size_t i = 0; i < values.size(); ++i) add(i, false), add(i, true);
            test::Count wrong;
            for (std::size_t k = 0; k < ids.size(); ++k) {
                for (std::uint32_t t = 0; t < count; ++t)
                    wrong += store.triangle_user_value(ids[k], t) != (values[of[k]].empty() ? 0 : values[of[k]][t]);
                for (std::size_t l = 0; l < k; ++l)
                    wrong += (surface(store, ids[k]).mesh == surface(store, ids[l]).mesh) !=
                             (distinct(of[k]) == distinct(of[l]));
            }
            CHECK(wrong == 0);
            // Those of a snapshot, too.
            const auto read = ShapeStore::read(bytes_of(store));
            REQUIRE(read);
            for (std::size_t k = 0; k < ids.size(); ++k)
                for (std::uint32_t t = 0; t < count; ++t)
                    wrong += read->triangle_user_value(ids[k], t) != (values[of[k]].empty() ? 0 : values[of[k]][t]);
            CHECK(wrong == 0);
        }
    }
}

TEST_CASE("share equal: what is in the store already is shared, and off is off", "[store][sharing]") {
    ShapeStore store;
    const std::vector<Vec3> points = cloud(1, 30);
    const TestMesh torus = torus_mesh(12, 8);
    REQUIRE((store.add_hull(points) && store.add_hull(points)));
    const ShapeId mesh = added(store, torus);
    CHECK(hulls_of(store) == 2);
    REQUIRE(store.share_equal());
    REQUIRE(store.add_hull(points));
    CHECK((hulls_of(store) == 2 && surface(store, added(store, torus)).mesh == surface(store, mesh).mesh));
    REQUIRE(store.share_equal(false));
    REQUIRE(store.add_hull(points));
    CHECK((hulls_of(store) == 3 && surface(store, added(store, torus)).mesh != surface(store, mesh).mesh));
}

TEST_CASE("share equal: answers and a snapshot are those of instances", "[store][sharing]") {
    ShapeStore shared = sharing(), apart, instances;
    const std::vector<Vec3> points = cloud(4, 30);
    std::vector<Body> in_shared, in_apart;
    Random random(2);
    const ShapeId original = taken(instances.add_hull(points));
    for (int i = 0; i < 20; ++i) {
        const Vec3 at = {float(random.between(-1, 1)), float(random.between(-1, 1)), float(random.between(-1, 1))};
        const InstanceOptions options = {.scale = {1, 1 + 0.1f * float(i), 1}};
        in_shared.push_back({at, taken(shared.add_hull(points, options)), {}});
        in_apart.push_back({at, taken(apart.add_hull(points, options)), {}});
        if (i == 0)
            REQUIRE(instances.set_instance(original, options));
        else
            REQUIRE(instances.add_instance(original, options));
    }
    std::vector<Pair> pairs;
    for (std::uint32_t i = 0; i < 20; ++i)
        for (std::uint32_t k = 0; k < i; ++k) pairs.push_back({k, i});
    NarrowPhase narrow;
    Distances a, b;
    REQUIRE(narrow.distance({&shared, in_shared, pairs}, a));
    REQUIRE(narrow.distance({&apart, in_apart, pairs}, b));
    CHECK((a.signed_distance == b.signed_distance && a.normal == b.normal));
    CHECK(bytes_of(shared) == bytes_of(instances));
    CHECK(bytes_of(shared).size() < bytes_of(apart).size());
    const auto read = ShapeStore::read(bytes_of(shared));
    REQUIRE(read);
    CHECK(hulls_of(*read) == 1);
}
