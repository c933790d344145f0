// The caller's own 64 bits, of instances and of compounds' children.
#include "support/catch.hpp"

#include <vector>

#include <abut/host.hpp>
#include <abut/shape_store.hpp>

using namespace abut;

TEST_CASE("user data: each instance has its own, from 0, and keeps it until it is removed", "[user data]") {
    ShapeStore store;
    const ShapeId a = *store.add_sphere(1), b = *store.add_box({1, 1, 1}), c = *store.add_instance(b, {.rounding = 1});
    for (const ShapeId id : {a, b, c}) CHECK(store.user_data(id) == 0);
    CHECK(store.set_user_data(a, ~std::uint64_t(0)));
    CHECK(store.set_user_data(b, 7));
    CHECK(store.user_data(a) == ~std::uint64_t(0));
    CHECK(store.user_data(b) == 7);
    CHECK(store.user_data(c) == 0);
    REQUIRE(store.set_instance(b, {.rounding = 0.5f}));
    CHECK(store.user_data(b) == 7);
    ShapeStore moved = std::move(store);
    CHECK(moved.user_data(b) == 7);
    CHECK(moved.remove(b));
    CHECK(moved.user_data(b) == 0);
    CHECK_FALSE(moved.set_user_data(b, 1));
    // The slot's next owner begins with 0.
    const ShapeId next = *moved.add_box({2, 2, 2});
    CHECK(next.slot() == b.slot());
    CHECK(moved.user_data(next) == 0);
    CHECK_FALSE(ShapeStore().set_user_data({}, 1));
    CHECK(ShapeStore().user_data({}) == 0);
}

TEST_CASE("user data: children of compounds, in the order of child_a, through nesting, scaling and copies",
          "[user data]") {
    ShapeStore store;
    const ShapeId ball = *store.add_sphere(1), box = *store.add_box({1, 1, 1});
    const std::vector<CompoundChild> two = {{ball, {}, {}, 11}, {box, {1, 0, 0}, {}, 12}};
    const ShapeId inner = *store.add_compound(two);
    const std::vector<CompoundChild> three = {
        {ball, {0, 5, 0}, {}, 21}, {inner, {0, 9, 0}, {}, 22}, {ball, {0, 15, 0}, {}}};
    const ShapeId outer = *store.add_compound(three),
                  copy = *store.add_instance(outer, {.rounding = 0.1f, .scale = {2, 2, 2}});
    REQUIRE(store.set_instance(outer, {.rounding = 0, .scale = {3, 3, 3}}));
    CHECK(store.remove(inner));
    const std::vector<std::uint64_t> expected = {21, 11, 12, 0};
    for (const ShapeId id : {outer, copy}) {
        std::vector<CompoundChild> children(4);
        REQUIRE(store.compound_children(id, children) == 4);
        for (std::uint32_t i = 0; i < 4; ++i) {
            CHECK(store.child_user_data(id, i) == expected[i]);
            CHECK(children[i].user_data == expected[i]);
        }
        CHECK(store.child_user_data(id, 4) == 0);
    }
    CHECK(store.child_user_data(ball, 0) == 0);
    CHECK(store.child_user_data(inner, 0) == 0);
    // The compound's own data is another thing.
    CHECK(store.user_data(outer) == 0);
    CHECK(store.set_user_data(outer, 5));
    CHECK(store.child_user_data(outer, 0) == 21);
}

TEST_CASE("user data: the library that runs says its version", "[user data]") {
    CHECK(std::string(version()) == ABUT_VERSION);
}
