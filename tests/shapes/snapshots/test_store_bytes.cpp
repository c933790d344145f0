// ShapeStore as bytes: the same ids and answers, and no bytes that do harm.
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include <abut/abut.hpp>

#include "bytes.hpp"

using namespace abut;
using test::Bytes;
using test::bytes_of;

namespace {

std::vector<Vec3> cloud(std::mt19937& random, int count) {
    std::normal_distribution<float> normal;
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i) {
        const float x = normal(random), y = normal(random), z = normal(random);
        points.push_back({0.5f * x, 0.5f * y, 0.5f * z});
    }
    return points;
}

struct World {
    ShapeStore store;
    std::vector<ShapeId> ids;
    ShapeId removed;

    ShapeId add(Expected<ShapeId> id) {
        REQUIRE(id);
        ids.push_back(*id);
        return *id;
    }
};

// Every kind that bytes can hold, instances, removed slots, and a hull that its scale had cooked again.
World make_world() {
    std::mt19937 random(7);
    World w;
    ShapeStore& s = w.store;
    w.removed = *s.add_sphere(9);
    const ShapeId sphere = w.add(s.add_sphere(0.4f));
    w.add(s.add_capsule(0.2f, 0.3f, {0.05f, {2, 2, 2}}));
    const ShapeId box = w.add(s.add_box({0.3f, 0.4f, 0.2f}, {0.1f, {1, 2, 3}}));
    w.add(s.add_cylinder(0.3f, 0.3f));
    w.add(s.add_cone(0.3f, 0.4f));
    w.add(s.add_ellipsoid({0.3f, 0.5f, 0.2f}, {0.01f}));
    w.add(s.add_halfspace({0, 2, 0}, 0.1f, {0.05f}));
    const ShapeId hull = w.add(s.add_hull(cloud(random, 30)));
    w.add(s.add_instance(hull, {0.02f, {1, 0.5f, 2}}));
    std::vector<Vec3> plate = cloud(random, 200);
    for (Vec3& p : plate) p.y *= 1e-7f;
    const ShapeId flat = w.add(s.add_hull(plate));
    w.add(s.add_instance(flat, {0, {1, 1000, 1}}));
    const std::vector<Vec3> corners = {{0, 0, 0}, {1, 0, 0}, {1, 0.1f, 1}, {0, 0, 1}};
    const std::vector<MeshTriangle> triangles = {{{0, 2, 1}}, {{0, 3, 2}}};
    const std::uint32_t values[] = {5, 6};
    MeshOptions options;
    options.user_values = values;
    const ShapeId mesh = w.add(s.add_mesh(corners, triangles, {}, options));
    w.add(s.add_instance(mesh, {0.01f, {2, 1, -1}}));
    const float heights[] = {0, 0.1f, 0.2f, 0, std::numeric_limits<float>::quiet_NaN(), 0.1f, 0, 0, 0.3f};
    w.add(s.add_heightfield(heights, 3, 3, {}, {0.5f, 0.25f, MeshSides::both}));
    const std::uint8_t cells[] = {kCellOtherDiagonal, 0, kCellHole, kCellOtherDiagonal};
    w.add(s.add_heightfield(heights, 3, 3, {}, {.cells = cells}));
    const CompoundChild children[] = {
        {sphere, {0.5f, 0, 0}, {}, 11}, {hull, {0, 1, 0}, {0, 0.6f, 0, 0.8f}, 12}, {sphere, {-0.5f, 0, 0}, {}, 13}};
    const ShapeId compound = w.add(s.add_compound(children, {0.01f, {1.5f, 1.5f, 1.5f}}));
    const CompoundChild nested[] = {{compound, {0, 0, 1}, {}, 0}, {box, {}, {}, 14}};
    w.add(s.add_compound(nested));
    s.set_user_data(box, 77);
    REQUIRE(s.remove(w.removed));
    return w;
}

Bytes answers(const ShapeStore& store, const std::vector<ShapeId>& ids) {
    std::vector<Body> bodies;
    std::vector<Pair> pairs;
    for (std::uint32_t i = 0; i < ids.size(); ++i) {
        bodies.push_back(
            {{0.3f * float(i % 3), 0.2f * float(i % 4), 0.1f * float(i)}, ids[i], {0.1f, 0.7f, 0.1f, 0.7f}});
        for (std::uint32_t k = 0; k < i; ++k) pairs.push_back({k, i});
    }
    Frame frame;
    frame.shapes = &store, frame.bodies = bodies, frame.pairs = pairs;
    NarrowPhase narrow;
    Distances d;
    Manifolds m;
    REQUIRE(narrow.distance(frame, d));
    REQUIRE(narrow.collide(frame, m));
    Bytes all;
    const auto add = [&](const auto& column) {
        const auto bytes = std::as_bytes(std::span(column));
        all.insert(all.end(), bytes.begin(), bytes.end());
    };
    add(d.signed_distance), add(d.normal), add(d.point_a), add(d.point_b), add(d.status);
    add(m.manifolds), add(m.contacts), add(m.triangles), add(m.status);
    return all;
}

}  // namespace

TEST_CASE("store bytes: ids, user data and answers come back", "[store][bytes]") {
    const World world = make_world();
    const Bytes bytes = bytes_of(world.store);
    ShapeStore read = test::taken(ShapeStore::read(bytes));
    CHECK(read.size() == world.store.size());
    CHECK(bytes_of(read) == bytes);
    CHECK(answers(read, world.ids) == answers(world.store, world.ids));
    for (const ShapeId id : world.ids) {
        CHECK(read.contains(id));
        CHECK(read.user_data(id) == world.store.user_data(id));
        const ShapeView a = read.view(id), b = world.store.view(id);
        CHECK((a.kind == b.kind && a.scale == b.scale && a.rounding == b.rounding && a.bounds_min == b.bounds_min &&
               a.bounds_max == b.bounds_max));
        CHECK((a.hull.vertices == b.hull.vertices && a.mesh.triangles == b.mesh.triangles && a.children == b.children));
    }
    CHECK(!read.contains(world.removed));
    const ShapeId compound = world.ids[world.ids.size() - 2];
    CHECK(read.child_user_data(compound, 2) == 13);
    CHECK(bytes_of(make_world().store) == bytes);
}

TEST_CASE("store bytes: flags of cells are kept, in a version of their own", "[store][bytes]") {
    const auto version = [](const Bytes& bytes) { return unsigned(bytes[8]); };
    const std::vector<float> heights(12);
    const std::vector<std::uint8_t> mixed = {0, 1, 2, 3, 0, 2}, other = {2}, each(6, 2);
    const auto bytes_with = [&](std::span<const std::uint8_t> cells, bool is_posed = false) {
        ShapeStore store;
        REQUIRE(store.add_heightfield(heights, 3, 4, {.pose = {{0, is_posed ? 1.0f : 0.0f, 0}, {}}}, {.cells = cells}));
        REQUIRE(store.add_heightfield(heights, 3, 4));
        return bytes_of(store);
    };
    CHECK((version(bytes_with({})) == 1 && version(bytes_with({}, true)) == 2 && version(bytes_with(mixed)) == 3));
    CHECK(bytes_with(std::vector<std::uint8_t>(6)) == bytes_with({}));
    CHECK(bytes_with(other) == bytes_with(each));
    for (const auto& cells : {mixed, other}) {
        for (const bool is_posed : {false, true}) {
            const Bytes bytes = bytes_with(cells, is_posed);
            const ShapeStore read = test::taken(ShapeStore::read(bytes));
            CHECK(bytes_of(read) == bytes);
            std::vector<std::uint8_t> flags(6);
            CHECK(read.field_cells(ShapeId::make(ShapeKind::heightfield, 0, 1), flags) == 6);
            CHECK(flags == (cells.size() == 1 ? each : cells));
            CHECK(read.view(ShapeId::make(ShapeKind::heightfield, 1, 1)).heightfield.other_diagonals == 0);
        }
    }
}

TEST_CASE("store bytes: the copy goes on as the store does", "[store][bytes]") {
    World world = make_world();
    ShapeStore read = test::taken(ShapeStore::read(bytes_of(world.store)));
    for (ShapeStore* store : {&world.store, &read}) {
        CHECK(store->remove(world.ids[3]));
        CHECK(store->set_instance(world.ids.back(), {0.1f, {2, 2, 2}}));
        CHECK(!store->remove(world.removed));
    }
    CHECK(*read.add_sphere(1) == *world.store.add_sphere(1));  // in the slot of the one that was removed
    CHECK(*read.add_cylinder(1, 1) == *world.store.add_cylinder(1, 1));
    CHECK(bytes_of(read) == bytes_of(world.store));
    for (const ShapeId id : world.ids) CHECK(read.remove(id) == world.store.remove(id));
    CHECK(read.size() == 2);
}

TEST_CASE("store bytes: an empty store, too little room", "[store][bytes]") {
    const ShapeStore empty;
    const Bytes bytes = bytes_of(empty);
    ShapeStore read = test::taken(ShapeStore::read(bytes));
    CHECK(read.size() == 0);
    CHECK(read.add_sphere(1));
    Bytes small(bytes.size() - 1);
    CHECK(empty.write(small) == 0);
    CHECK(empty.write({}) == 0);
    CHECK(ShapeStore::read({static_cast<const std::byte*>(nullptr), 3}).error().code == ErrorCode::bad_argument);
}

TEST_CASE("store bytes: a compound's own instances are each in one list, once", "[store][bytes][contained]") {
    const World world = make_world();
    std::vector<CompoundChild> children(3);
    REQUIRE(world.store.compound_children(world.ids[world.ids.size() - 2], children) == 3);
    const auto word_at = [](const Bytes& bytes, std::size_t at) {
        std::uint32_t word = 0;
        for (std::size_t i = 0; i < 4; ++i) word |= std::uint32_t(bytes[at + i]) << 8 * i;
        return word;
    };
    // Two of them, as the first and the third child are equal.
    Bytes bytes = bytes_of(world.store);
    std::size_t list = 0;
    for (std::size_t at = 24; at + 12 <= bytes.size(); ++at)
        if (word_at(bytes, at) == 2 && word_at(bytes, at + 4) == children[0].shape.bits() &&
            word_at(bytes, at + 8) == children[1].shape.bits())
            list = at;
    REQUIRE(list > 0);
    // In the list, and in the part that has the second one.
    for (std::size_t at = list + 8; at + 4 <= list + 400; ++at)
        if (word_at(bytes, at) == children[1].shape.bits())
            std::copy_n(bytes.begin() + std::ptrdiff_t(list + 4), 4, bytes.begin() + std::ptrdiff_t(at));
    test::seal(bytes);
    CHECK_FALSE(ShapeStore::read(bytes));
}

TEST_CASE("store bytes: changed bytes are refused, or make a store that answers", "[store][bytes][contained]") {
    const World world = make_world();
    const Bytes good = bytes_of(world.store);
    for (const std::size_t size :
         {std::size_t(0), std::size_t(7), std::size_t(23), std::size_t(24), good.size() / 2, good.size() - 1})
        CHECK_FALSE(ShapeStore::read({good.data(), size}));
    std::mt19937 random(3);
    int refused = 0, accepted = 0;
    for (int round = 0; round < 4000; ++round) {
        Bytes bytes = good;
        const std::size_t at = 24 + random() % (bytes.size() - 24);
        const int what = round % 4;
        if (what == 0) bytes[at] = std::byte(random() & 0xff);
        if (what == 1) bytes[at] ^= std::byte(1u << random() % 8);
        if (what == 2)
            for (std::size_t i = at; i < std::min(at + 4, bytes.size()); ++i) bytes[i] = std::byte(0xff);
        if (what == 3)
            bytes.erase(bytes.begin() + std::ptrdiff_t(at),
                        bytes.begin() + std::ptrdiff_t(std::min(at + 4, bytes.size())));
        if (round % 50 == 0 && bytes != good) CHECK_FALSE(ShapeStore::read(bytes));  // by its checksum
        test::seal(bytes);
        auto loaded = ShapeStore::read(bytes);
        if (!loaded) {
            CHECK((loaded.error().code == ErrorCode::bad_shape || loaded.error().code == ErrorCode::bad_argument));
            CHECK(std::string_view(loaded.error().message).size() > 20);
            ++refused;
            continue;
        }
        ++accepted;
        ShapeStore read = std::move(*loaded);
        answers(read, world.ids);
        for (const ShapeId id : world.ids) read.remove(id);
        CHECK(read.add_sphere(1));
    }
    CHECK(refused > 1000);
    CHECK(accepted > 200);
}
