// A d2::ShapeStore without memory: a call fails as a whole.
#include <abut/d2/shapes_2d.hpp>

#include <algorithm>
#include <vector>

#include "support/catch.hpp"
#include "support/failing_memory.hpp"

using namespace abut::d2;

TEST_CASE("2D: a store without memory for a shape stays as it was") {
    std::vector<Vec2> ring;
    for (int i = 0; i < 12; ++i) ring.push_back({float(i), float(i * i)});
    ShapeStore store;
    std::vector<ShapeId> ids;
    const auto prepare = [&] {
        store = ShapeStore();
        ids = {*store.add_box({1, 1}), *store.add_polygon(ring)};
    };
    const auto judge = [&](const abut::Expected<ShapeId>& id) {
        REQUIRE_FALSE(id);
        CHECK(id.error().code == abut::ErrorCode::out_of_memory);
        CHECK(store.size() == 2);
        CHECK(store.view(ids[1]).corners == 12);
        // Neither a slot nor a corner is left behind.
        CHECK(std::max(store.add_box({1, 1})->slot(), store.add_box({1, 1})->slot()) == 2);
        CHECK(store.view(*store.add_polygon(ring)).size == store.view(ids[1]).size);
    };
    using abut::test::for_each_failure;
    CHECK(for_each_failure(
              prepare, [&] { return store.add_polygon(ring); }, judge) > 5);
    CHECK(for_each_failure(
              prepare, [&] { return store.add_chain(ring, true); }, judge) > 20);
    const auto add_compound = [&] {
        const CompoundChild children[] = {{ids[0], {}}, {ids[1], {}}, {ids[0], {}}};
        return store.add_compound(children);
    };
    CHECK(for_each_failure(prepare, add_compound, judge) > 10);
}
