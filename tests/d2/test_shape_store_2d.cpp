// d2::ShapeStore: what it refuses, what its ids promise, what it tells of its shapes.
#include <abut/d2/shapes_2d.hpp>

#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/catch.hpp"

using namespace abut::d2;
using abut::ErrorCode;
using abut::Expected;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
const float kNan = std::numeric_limits<float>::quiet_NaN();
const std::vector<Vec2> kTriangle = {{0, 0}, {2, 0}, {0, 1}};

void check_refused(const Expected<ShapeId>& id, ErrorCode code, const char* field, const char* value) {
    REQUIRE_FALSE(id);
    INFO(id.error().message.c_str());
    CHECK(id.error().code == code);
    CHECK(id.error().message.contains(field));
    CHECK(id.error().message.contains(value));
}

}  // namespace

TEST_CASE("2D: a length that is none is refused by its field and value") {
    ShapeStore store;
    const std::pair<float, const char*> bad[] = {
        {-1.5f, "-1.5"}, {kNan, "nan"}, {kInf, "inf"}, {-kInf, "-inf"}, {-1e-45f, "-1e-45"}};
    for (const auto& [value, text] : bad) {
        check_refused(store.add_circle(value), ErrorCode::bad_shape, "radius", text);
        check_refused(store.add_capsule(value, 1), ErrorCode::bad_shape, "radius", text);
        check_refused(store.add_capsule(1, value), ErrorCode::bad_shape, "half_height", text);
        check_refused(store.add_segment({}, {1, 0}, value), ErrorCode::bad_shape, "radius", text);
        check_refused(store.add_box({value, 1}), ErrorCode::bad_shape, "half_extents.x", text);
        check_refused(store.add_box({1, value}), ErrorCode::bad_shape, "half_extents.y", text);
        const InstanceOptions rounded = {.rounding = value};
        check_refused(store.add_circle(1, rounded), ErrorCode::bad_shape, "rounding", text);
        check_refused(store.add_polygon(kTriangle, rounded), ErrorCode::bad_shape, "rounding", text);
        check_refused(store.add_halfplane({0, 1}, 0, rounded), ErrorCode::bad_shape, "rounding", text);
        check_refused(store.add_chain(kTriangle, false, rounded), ErrorCode::bad_shape, "rounding", text);
    }
    CHECK(store.size() == 0);
}

TEST_CASE("2D: points are refused by their index") {
    ShapeStore store;
    check_refused(store.add_polygon({}), ErrorCode::bad_shape, "points", "empty");
    check_refused(store.add_chain({}), ErrorCode::bad_shape, "points", "empty");
    check_refused(store.add_polygon({static_cast<const Vec2*>(nullptr), 3}), ErrorCode::bad_argument, "points", "3");
    for (const auto& [value, text] : {std::pair(kNan, "nan"), std::pair(kInf, "inf"), std::pair(-2e15f, "-2e+15")}) {
        const std::vector<Vec2> points = {{0, 0}, {1, 0}, {1, value}};
        check_refused(store.add_polygon(points), ErrorCode::bad_shape, "points[2].y", text);
        check_refused(store.add_chain(points), ErrorCode::bad_shape, "points[2].y", text);
        check_refused(store.add_segment({value, 0}, {}), ErrorCode::bad_shape, "from.x", text);
        check_refused(store.add_segment({}, {value, 0}), ErrorCode::bad_shape, "to.x", text);
    }
    check_refused(store.add_halfplane({0, 0}, 1), ErrorCode::bad_shape, "normal", "zero");
    check_refused(store.add_halfplane({kNan, 0}, 1), ErrorCode::bad_shape, "normal.x", "nan");
    check_refused(store.add_halfplane({0, kInf}, 1), ErrorCode::bad_shape, "normal.y", "inf");
    check_refused(store.add_halfplane({0, 1}, kInf), ErrorCode::bad_shape, "offset", "inf");
    check_refused(store.add_halfplane({1e-10f, 0}, 1e10f), ErrorCode::bad_shape, "halfplane", "1e+15");
    const std::vector<Vec2> same(4, Vec2{1, 2});
    check_refused(store.add_chain(same), ErrorCode::bad_shape, "points", "all 4 are equal");
    check_refused(store.add_chain(same, true), ErrorCode::bad_shape, "points", "all 4 are equal");
    CHECK(store.size() == 0);
}

TEST_CASE("2D: sizes past the range are refused with the range") {
    ShapeStore store;
    check_refused(store.add_circle(2e15f), ErrorCode::bad_shape, "circle reaches 2e+15", "1e+15");
    check_refused(store.add_circle(1e-13f), ErrorCode::bad_shape, "circle's size, 1e-13", "1e-12");
    check_refused(store.add_box({1e-20f, 1e-13f}), ErrorCode::bad_shape, "box's size", "1e-12");
    check_refused(store.add_box({1, 1}, {.rounding = 1e15f}), ErrorCode::bad_shape, "box reaches", "rounding is 1e+15");
    check_refused(store.add_box({1, 1}, {.scale = {1, 3e38f}}), ErrorCode::bad_shape, "box reaches", "3e+38");
    check_refused(store.add_polygon(kTriangle, {.scale = {3e38f, 3e38f}}), ErrorCode::bad_shape, "polygon", "3e+38");
    check_refused(store.add_polygon(kTriangle, {.scale = {1e-13f, 1e-13f}}), ErrorCode::bad_shape, "size", "1e-12");
    check_refused(store.add_chain(kTriangle, false, {.scale = {1e-13f, 1e-13f}}), ErrorCode::bad_shape, "segments[0]",
                  "1e-12");
    CHECK(store.add_circle(0));
    CHECK(store.add_circle(1e-12f));
    CHECK(store.add_box({0, 0}));
    CHECK(store.add_capsule(0, 0));
    CHECK(store.add_circle(1e15f));
}

TEST_CASE("2D: a polygon of too many corners is refused with the limit") {
    ShapeStore store;
    std::vector<Vec2> points;  // on a parabola: all are corners
    for (int i = 0; i < 1025; ++i) points.push_back({float(i), float(i) * float(i)});
    check_refused(store.add_polygon(points), ErrorCode::limit, "1025", "1024");
    points.pop_back();
    const auto id = store.add_polygon(points);
    REQUIRE(id);
    CHECK(id->kind() == ShapeKind::polygon);
    CHECK(store.view(*id).corners == 1024);
}

TEST_CASE("2D: scales and poses are refused by their values") {
    ShapeStore store;
    for (const float bad : {0.0f, kNan, kInf}) {
        check_refused(store.add_box({1, 1}, {.scale = {bad, 1}}), ErrorCode::bad_shape, "scale", "finite and not 0");
        check_refused(store.add_polygon(kTriangle, {.scale = {1, bad}}), ErrorCode::bad_shape, "scale", "finite");
    }
    const InstanceOptions uneven = {.scale = {2, 3}};
    check_refused(store.add_circle(1, uneven), ErrorCode::bad_shape, "scale of a circle", "(2, 3)");
    check_refused(store.add_capsule(1, 1, uneven), ErrorCode::bad_shape, "scale of a capsule", "(2, 3)");
    check_refused(store.add_halfplane({0, 1}, 1, uneven), ErrorCode::bad_shape, "scale of a halfplane", "(2, 3)");
    CHECK(store.add_circle(1, {.scale = {2, -2}}));
    CHECK(store.add_polygon(kTriangle, uneven));
    CHECK(store.add_chain(kTriangle, false, uneven));
    const auto posed = [](Vec2 position, Rot rotation) { return InstanceOptions{.pose = {position, rotation}}; };
    check_refused(store.add_circle(1, posed({kNan, 0}, {})), ErrorCode::bad_shape, "pose.position.x", "nan");
    check_refused(store.add_circle(1, posed({0, 2e15f}, {})), ErrorCode::bad_shape, "pose.position.y", "2e+15");
    check_refused(store.add_circle(1, posed({}, {1.02f, 0})), ErrorCode::bad_shape, "pose.rotation", "1.02");
    check_refused(store.add_circle(1, posed({}, {0, 0})), ErrorCode::bad_shape, "pose.rotation", "0");
    check_refused(store.add_circle(1, posed({}, {kNan, 0})), ErrorCode::bad_shape, "pose.rotation", "nan");
    CHECK(store.add_circle(1, posed({}, {0.6f * 1.009f, 0.8f * 1.009f})));
}

TEST_CASE("2D: children of compounds are refused by their index") {
    ShapeStore store;
    const ShapeId box = *store.add_box({1, 1}), plane = *store.add_halfplane({0, 1}, 0),
                  chain = *store.add_chain(kTriangle), gone = *store.add_circle(1);
    REQUIRE(store.remove(gone));
    const auto add = [&](ShapeId second, Pose pose = {}) {
        const CompoundChild children[] = {{box, {}}, {second, pose}};
        return store.add_compound(children);
    };
    check_refused(store.add_compound({}), ErrorCode::bad_shape, "children", "empty");
    check_refused(add(gone), ErrorCode::bad_shape, "children[1].shape", "no living shape");
    check_refused(add(ShapeId()), ErrorCode::bad_shape, "children[1].shape", "no living shape");
    check_refused(add(plane), ErrorCode::bad_shape, "children[1].shape", "halfplane");
    check_refused(add(chain), ErrorCode::bad_shape, "children[1].shape", "chain");
    check_refused(add(box, {{kNan, 0}, {}}), ErrorCode::bad_shape, "children[1].pose.position.x", "nan");
    check_refused(add(box, {{0, 0}, {2, 0}}), ErrorCode::bad_shape, "children[1].pose.rotation", "2");
    check_refused(store.add_instance(gone, {}), ErrorCode::bad_argument, "original", "no living shape");
    CHECK(store.size() == 3);
}

TEST_CASE("2D: the view of a chain counts its points, equal ones too") {
    ShapeStore store;
    const std::vector<Vec2> points = {{3, 0}, {3, 0}, {0, 1}, {0, 1}, {-3, 0}};
    for (const bool is_loop : {false, true}) {
        const ShapeId id = *store.add_chain(points, is_loop);
        std::vector<Vec2> corners(store.view(id).corners);
        CHECK(store.corners(id, corners) == corners.size());
        CHECK(corners == points);
        CHECK(store.view(id).children == (is_loop ? 3 : 2));
    }
}

TEST_CASE("2D: an id of a removed shape names nothing for good") {
    ShapeStore store;
    std::set<std::uint32_t> issued;
    const ShapeId kept = *store.add_circle(3);
    for (int i = 0; i < 1000; ++i) {  // more than a slot has generations
        const ShapeId id = *store.add_circle(1);
        CHECK(issued.insert(id.bits()).second);
        CHECK(store.contains(id));
        CHECK(store.remove(id));
        CHECK_FALSE(store.contains(id));
        CHECK_FALSE(store.remove(id));
        CHECK(store.view(id).kind == ShapeKind::none);
        CHECK(store.corners(id, {}) == 0);
    }
    CHECK(store.size() == 1);
    CHECK(store.view(kept).radius == 3);
    for (const std::uint32_t bits : {0xffffffffu, 0xe0000000u, 0x90000000u}) {
        CHECK_FALSE(store.contains(ShapeId::from_bits(bits)));
        CHECK_FALSE(store.remove(ShapeId::from_bits(bits)));
    }
}

TEST_CASE("2D: a store that was moved from is empty and ready for use") {
    ShapeStore store;
    const ShapeId id = *store.add_polygon(kTriangle);
    ShapeStore other = std::move(store);
    CHECK(other.contains(id));
    CHECK(store.size() == 0);
    CHECK_FALSE(store.contains(id));
    CHECK(store.view(id).kind == ShapeKind::none);
    CHECK_FALSE(mass_properties(store, id, 1));
    CHECK(store.add_circle(1));
    other = std::move(store);
    CHECK(other.size() == 1);
}

TEST_CASE("2D: a view tells a shape's measures with scale and rounding applied") {
    ShapeStore store;
    const auto view_of = [&](const Expected<ShapeId>& id) {
        REQUIRE(id);
        return store.view(*id);
    };
    const ShapeView circle = view_of(store.add_circle(1, {.rounding = 0.5f, .scale = {-2, 2}, .pose = {{10, 0}, {}}}));
    CHECK(circle.radius == 2.5f);
    CHECK(circle.rounding == 0.5f);
    CHECK(circle.size == 2.5f);
    CHECK(circle.corners == 1);
    CHECK(circle.bounds_min == Vec2{7.5f, -2.5f});
    CHECK(circle.bounds_max == Vec2{12.5f, 2.5f});
    const ShapeView capsule = view_of(store.add_capsule(1, 2, {.pose = {{}, {0, 1}}}));
    CHECK(capsule.size == 3);
    CHECK(capsule.bounds_min == Vec2{-3, -1});
    const ShapeView box = view_of(store.add_box({1, 2}, {.rounding = 1, .scale = {2, -3}, .pose = {{1, 1}, {0, -1}}}));
    CHECK(box.kind == ShapeKind::box);
    CHECK(box.corners == 4);
    CHECK(box.bounds_min == Vec2{-6, -2});
    CHECK(box.bounds_max == Vec2{8, 4});
    const ShapeView rotated = view_of(store.add_box({1, 2}, {.pose = {{}, {0.6f, 0.8f}}}));
    CHECK(rotated.kind == ShapeKind::polygon4);
    CHECK(view_of(store.add_box({0, 2}, {})).kind == ShapeKind::box);
    CHECK(view_of(store.add_box({0, 2}, {.pose = {{}, {0.6f, 0.8f}}})).kind == ShapeKind::capsule);
    CHECK(view_of(store.add_box({0, 0}, {.pose = {{}, {0.6f, 0.8f}}})).kind == ShapeKind::circle);
    const ShapeView plane = view_of(store.add_halfplane({0, 2}, 4, {.rounding = 1}));
    CHECK(plane.radius == 1);
    CHECK(plane.size == 0);
    CHECK(plane.bounds_max == Vec2{kInf, kInf});
    const ShapeView chain = view_of(store.add_chain(kTriangle, true, {.rounding = 0.25f}));
    CHECK(chain.children == 3);
    CHECK(chain.bounds_min == Vec2{-0.25f, -0.25f});
    CHECK(chain.bounds_max == Vec2{2.25f, 1.25f});
    CHECK(chain.size == 1.25f);
    CHECK(to_string(ShapeKind::polygon8) == std::string("polygon"));
    CHECK(to_string(ShapeKind::none) == std::string("none"));
}

TEST_CASE("2D: an instance of another has its geometry and options of its own") {
    ShapeStore store;
    const ShapeId first = *store.add_polygon(kTriangle, {.rounding = 1, .scale = {2, 2}});
    REQUIRE(store.remove(*store.add_instance(first, {})));
    const ShapeId second = *store.add_instance(first, {.scale = {-1, 1}});
    REQUIRE(store.remove(first));
    Vec2 corners[3];
    REQUIRE(store.corners(second, corners) == 3);
    CHECK(corners[0] == Vec2{-2, 0});
    CHECK(corners[1] == Vec2{0, 0});
    CHECK(corners[2] == Vec2{0, 1});
    CHECK(store.view(second).radius == 0);
    CHECK(store.size() == 1);
}

TEST_CASE("2D: removing large polygons leaves the corners of the others") {
    ShapeStore store;
    const auto ring = [&](int count, float radius) {
        std::vector<Vec2> points;
        for (int i = 0; i < count; ++i) {
            const double angle = 6.283185307179586 * i / count;
            points.push_back({float(radius * std::cos(angle)), float(radius * std::sin(angle))});
        }
        return *store.add_polygon(points);
    };
    std::vector<ShapeId> ids;
    for (int i = 0; i < 20; ++i) ids.push_back(ring(9 + i, float(i + 1)));
    for (int i = 0; i < 20; i += 3) REQUIRE(store.remove(ids[std::size_t(i)]));
    const ShapeId late = ring(11, 100);
    CHECK(store.view(late).size == Approx(100).epsilon(0.05));
    for (int i = 0; i < 20; ++i) {
        if (i % 3 == 0) continue;
        const ShapeView view = store.view(ids[std::size_t(i)]);
        CHECK(view.corners == std::uint32_t(9 + i));
        CHECK(view.bounds_max.x == Approx(i + 1).epsilon(1e-6));
        CHECK(view.bounds_min.y == Approx(-(i + 1)).epsilon(0.06));
    }
}
