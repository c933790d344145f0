// Compounds in the ShapeStore: what is refused, what outlives its children, what scale, rounding and nesting mean.
#include <limits>
#include <string>
#include <vector>

#include <abut/abut.hpp>

#include "shapes/tables.hpp"
#include "support/catch.hpp"

using namespace abut;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
const float kNan = std::numeric_limits<float>::quiet_NaN();
const Quat kQuarter = {0, 0, 0.70710678f, 0.70710678f};  // about Z

void check_refused(const Expected<ShapeId>& id, const char* field, const char* value) {
    REQUIRE_FALSE(id);
    CHECK(id.error().code == ErrorCode::bad_shape);
    INFO(id.error().message.c_str());
    CHECK(id.error().message.contains(field));
    CHECK(id.error().message.contains(value));
}

Distances distances(const ShapeStore& store, const std::vector<Body>& bodies, const std::vector<Pair>& pairs) {
    NarrowPhase narrow;
    Distances d;
    REQUIRE(narrow.distance({&store, bodies, pairs, {}, {}}, d));
    return d;
}

// From a point on the X axis, 10 m off.
float from_afar(const ShapeStore& store, ShapeId compound, ShapeId point) {
    return 10.0f - distances(store, {{{0, 0, 0}, compound, {}}, {{10, 0, 0}, point, {}}}, {{0, 1}}).signed_distance[0];
}

}  // namespace

TEST_CASE("a compound that is none is refused by its child, field and value") {
    ShapeStore store;
    const ShapeId box = *store.add_box({1, 1, 1}), plane = *store.add_halfspace({0, 1, 0}, 0),
                  gone = *store.add_sphere(1);
    REQUIRE(store.remove(gone));
    const auto add = [&](CompoundChild child, const InstanceOptions& options = {}) {
        const std::vector<CompoundChild> children = {{box, {}, {}}, child};
        return store.add_compound(children, options);
    };
    check_refused(store.add_compound({}), "children", "empty");
    check_refused(add({gone, {}, {}}), "children[1].shape", std::to_string(gone.bits()).c_str());
    check_refused(add({ShapeId(), {}, {}}), "children[1].shape", "4294967295");
    check_refused(add({plane, {}, {}}), "children[1].shape", "halfspace");
    check_refused(add({box, {0, kNan, 0}, {}}), "children[1].position.y", "nan");
    check_refused(add({box, {0, 0, -kInf}, {}}), "children[1].position.z", "-inf");
    check_refused(add({box, {}, {0, 0, 0, 1.02f}}), "children[1].orientation", "1.02");
    check_refused(add({box, {}, {0, 0, 0, 0}}), "children[1].orientation", "0");
    check_refused(add({box, {}, {kNan, 0, 0, 1}}), "children[1].orientation", "nan");
    check_refused(add({box, {std::numeric_limits<float>::max(), 0, 0}, {}}), "compound", "range");
    check_refused(add({box, {}, {}}, {.rounding = -1}), "rounding", "-1");
    check_refused(add({box, {}, {0.6f, 0, 0, 0.8f}}, {.scale = {1, 2, 1}}), "scale", "(1, 2, 1)");
    check_refused(add({box, {}, {}}, {.scale = {0, 0, 0}}), "scale", "0");
    CHECK(store.size() == 2);
    CHECK(tables_of(store).compounds.size() == tables_of(store).compounds.free.size());
    std::size_t taken = 0;
    for (const ShapeId id : tables_of(store).kinds[std::uint32_t(ShapeKind::box)].ids) taken += id != ShapeId();
    CHECK(taken == 1);  // a refusal leaves nothing behind
}

TEST_CASE("a compound stays whole when its children's ids go") {
    ShapeStore store;
    const std::vector<Vec3> points = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    const ShapeId point = *store.add_sphere(0), hull = *store.add_hull(points), ball = *store.add_sphere(0.5f);
    const std::vector<CompoundChild> children = {
        {hull, {2, 0, 0}, {}}, {ball, {0, 3, 0}, {}}, {hull, {-2, 0, 0}, kQuarter}};
    const ShapeId compound = *store.add_compound(children);
    CHECK(store.size() == 4);
    REQUIRE(store.remove(hull));
    REQUIRE(store.remove(ball));
    CHECK_FALSE(store.contains(hull));
    REQUIRE(store.add_box({5, 5, 5}));  // whatever takes their place
    CHECK(from_afar(store, compound, point) == 3.0f);
    REQUIRE(store.remove(compound));
    CHECK_FALSE(store.contains(compound));
    CHECK(store.size() == 2);
    CHECK(tables_of(store).hulls.size() == tables_of(store).hulls.free.size());
    const Distances d = distances(store, {{{}, compound, {}}, {{}, point, {}}}, {{0, 1}});
    CHECK(d.status[0] == Status::bad_index);
}

TEST_CASE("equal children share an instance") {
    ShapeStore store;
    const ShapeId box = *store.add_box({1, 1, 1});
    std::vector<CompoundChild> children;
    for (int i = 0; i < 1000; ++i) children.push_back({box, {float(i), 0, 0}, {}});
    const ShapeId compound = *store.add_compound(children);
    CHECK(store.view(compound).children == 1000);
    CHECK(tables_of(store).kinds[std::uint32_t(ShapeKind::box)].records.size() == 2);
    CHECK(store.size() == 2);
}

TEST_CASE("compounds of compounds are flattened, poses composed") {
    ShapeStore store;
    const ShapeId point = *store.add_sphere(0), box = *store.add_box({1, 0.5f, 0.25f});
    const std::vector<CompoundChild> inner = {{box, {0, -2, 0}, kQuarter}, {box, {0, 0, 0}, {}}};
    const ShapeId nested = *store.add_compound(inner);
    // A quarter turn brings the inner compound's (0, -2, 0) to (2, 0, 0), and its box back to lying along X.
    const std::vector<CompoundChild> outer = {{box, {0, 5, 0}, {}}, {nested, {1, 0, 0}, kQuarter}};
    const ShapeId compound = *store.add_compound(outer);
    REQUIRE(store.remove(nested));
    REQUIRE(store.remove(box));
    const ShapeView view = store.view(compound);
    CHECK(view.kind == ShapeKind::compound);
    CHECK(view.children == 3);
    CHECK(std::fabs(from_afar(store, compound, point) - 4.0f) < 1e-5f);
    CHECK(std::fabs(view.bounds_max.x - 4.0f) < 1e-5f);
    CHECK(view.bounds_max.y == 5.5f);
    CHECK(std::fabs(view.bounds_min.y + 1.0f) < 1e-5f);
    CHECK(std::fabs(view.size - 3.25f) < 1e-5f);
}

TEST_CASE("a compound's scale is of the whole and its rounding is added") {
    ShapeStore store;
    const ShapeId point = *store.add_sphere(0), box = *store.add_box({1, 1, 1}, {.rounding = 0.5f, .scale = {2, 1, 1}});
    const std::vector<CompoundChild> children = {{box, {1, 0, 0}, {}}};
    const ShapeId plain = *store.add_compound(children),
                  scaled = *store.add_compound(children, {.rounding = 0.25f, .scale = {2, 2, 2}});
    CHECK(from_afar(store, plain, point) == 3.5f);
    CHECK(from_afar(store, scaled, point) == 7.25f);
    CHECK(store.view(scaled).scale == Vec3{2, 2, 2});
    CHECK(store.view(scaled).rounding == 0.25f);
    CHECK(store.view(scaled).size == 0.5f * 10.5f);

    SECTION("and other instances of it start afresh") {
        const ShapeId again = *store.add_instance(scaled, {.scale = {0.5f, 0.5f, 0.5f}});
        REQUIRE(store.remove(scaled));
        CHECK(from_afar(store, again, point) == 1.75f);
        CHECK(store.view(again).rounding == 0.0f);
        CHECK(store.view(again).children == 1);
    }
    SECTION("and a compound of it scales once more") {
        const std::vector<CompoundChild> outer = {{scaled, {0, 0, 0}, {}}};
        CHECK(from_afar(store, *store.add_compound(outer, {.rounding = 1, .scale = {0.5f, 0.5f, 0.5f}}), point) ==
              4.625f);
    }
}
