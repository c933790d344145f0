// Chains and compounds: their parts, joints, trees and frames.
#include <abut/d2/shapes_2d.hpp>

#include <cmath>
#include <vector>

#include "d2/shapes/core_corners.hpp"
#include "d2/shapes/tables_2d.hpp"
#include "support/catch.hpp"

using namespace abut::d2;

namespace {

const PartsGeometry& parts_of(const ShapeStore& store, ShapeId id) { return ShapeTables::of(store).parts(id); }

// The corners of a part in its parent's frame.
std::vector<DVec2> corners_of(const ShapeStore& store, ShapeId id, std::size_t part) {
    const Part& p = parts_of(store, id).parts[part];
    std::vector<DVec2> corners;
    for_each_corner(ShapeTables::of(store), p.shape, [&](DVec2 c) { corners.push_back(transformed(p.pose, c)); });
    return corners;
}

void check_near(DVec2 p, double x, double y, double by = 1e-6) {
    CHECK(p.x == Approx(x).margin(by));
    CHECK(p.y == Approx(y).margin(by));
}

// The front is on the right of a segment, seen from its first corner.
double in_front(const ShapeStore& store, ShapeId chain, std::size_t part, Vec2 point) {
    const auto& r = ShapeTables::of(store).record<CapsuleRecord>(parts_of(store, chain).parts[part].shape);
    return r.normal_x * (point.x - r.centre_x) + r.normal_y * (point.y - r.centre_y);
}

// Every part's box is in a leaf, and within the boxes above it.
void check_tree(const ShapeStore& store, ShapeId id) {
    const PartsGeometry& parts = parts_of(store, id);
    std::vector<int> seen(parts.parts.size());
    for (const abut::CompoundNode& node : parts.nodes) {
        for (std::uint32_t i = 0; i < node.count; ++i) {
            CHECK((node.low[2][i] == 0 && node.high[2][i] == 0));
            if ((node.item[i] & abut::CompoundNode::kInner) != 0) {
                const auto& below = parts.nodes[node.item[i] & ~abut::CompoundNode::kInner];
                for (std::uint32_t k = 0; k < below.count; ++k)
                    for (int axis = 0; axis < 2; ++axis)
                        CHECK((below.low[axis][k] >= node.low[axis][i] && below.high[axis][k] <= node.high[axis][i]));
                continue;
            }
            ++seen[node.item[i]];
            const Part& part = parts.parts[node.item[i]];
            const auto box = bounds_in_frame(ShapeTables::of(store), part.shape, part.pose);
            CHECK((node.low[0][i] <= box.low.x && node.high[0][i] >= box.high.x));
            CHECK((node.low[1][i] <= box.low.y && node.high[1][i] >= box.high.y));
        }
    }
    for (const int times : seen) CHECK(times == 1);
}

}  // namespace

TEST_CASE("2D: a chain has a segment for each pair of different points, and knows its neighbours") {
    ShapeStore store;
    const std::vector<Vec2> points = {{0, 0}, {1, 0}, {1, 0}, {2, 1}, {3, 1}, {3, 1}};
    const ShapeId open = *store.add_chain(points, false, {.rounding = 0.5f});
    const PartsGeometry& parts = parts_of(store, open);
    REQUIRE(parts.parts.size() == 3);
    CHECK(std::vector<std::uint32_t>(parts.numbers.begin(), parts.numbers.end()) ==
          std::vector<std::uint32_t>{0, 2, 3});
    CHECK((parts.joints[0].before == kNoSegment && parts.joints[0].after == 1));
    CHECK((parts.joints[1].before == 0 && parts.joints[1].after == 2));
    CHECK((parts.joints[2].before == 1 && parts.joints[2].after == kNoSegment));
    const auto ends = corners_of(store, open, 1);
    check_near(ends[0], 1, 0), check_near(ends[1], 2, 1);
    CHECK(ShapeTables::of(store).record<CapsuleRecord>(parts.parts[1].shape).radius == 0.5f);
    CHECK(in_front(store, open, 0, {0.5f, -1}) > 0);
    check_tree(store, open);
    std::vector<Vec2> copied(6);
    CHECK(store.corners(open, copied) == 6);
    CHECK(copied == points);
}

TEST_CASE("2D: a loop is closed, once") {
    ShapeStore store;
    std::vector<Vec2> points = {{0, 0}, {2, 0}, {2, 2}, {0, 2}};
    for (const bool repeats_first : {false, true}) {
        if (repeats_first) points.push_back(points[0]);
        const ShapeId loop = *store.add_chain(points, true);
        const PartsGeometry& parts = parts_of(store, loop);
        REQUIRE(parts.parts.size() == 4);
        for (std::uint32_t i = 0; i < 4; ++i) {
            CHECK((parts.joints[i].before == (i + 3) % 4 && parts.joints[i].after == (i + 1) % 4));
            CHECK(parts.numbers[i] == i);
            CHECK(in_front(store, loop, i, {1, 1}) < 0);  // counter-clockwise: the front is outside
        }
        check_near(corners_of(store, loop, 3)[1], 0, 0);
    }
    const Vec2 two[] = {{0, 0}, {1, 0}};
    const PartsGeometry& there_and_back = parts_of(store, *store.add_chain(two, true));
    REQUIRE(there_and_back.parts.size() == 2);
    CHECK((there_and_back.joints[0].before == 1 && there_and_back.joints[0].after == 1));
}

TEST_CASE("2D: the front of a mirrored chain stays the front") {
    ShapeStore store;
    const std::vector<Vec2> points = {{0, 0}, {1, 0}, {2, 1}};
    const ShapeId plain = *store.add_chain(points), mirrored = *store.add_chain(points, false, {.scale = {-1, 1}}),
                  half_turn = *store.add_chain(points, false, {.scale = {-1, -1}});
    CHECK(in_front(store, plain, 0, {0.5f, -1}) > 0);
    CHECK(in_front(store, mirrored, 0, {-0.5f, -1}) > 0);
    CHECK(in_front(store, half_turn, 0, {-0.5f, 1}) > 0);
    const auto ends = corners_of(store, mirrored, 1);
    check_near(ends[0], -2, 1), check_near(ends[1], -1, 0);
    CHECK((parts_of(store, mirrored).joints[0].before == 1 && parts_of(store, mirrored).joints[0].after == kNoSegment));
    CHECK(parts_of(store, mirrored).numbers[0] == 0);
}

TEST_CASE("2D: parts belong to their parent") {
    ShapeStore store;
    const std::vector<Vec2> points = {{0, 0}, {1, 0}, {2, 1}};
    const ShapeId chain = *store.add_chain(points), box = *store.add_box({1, 1});
    const CompoundChild child = {box, {}};
    const ShapeId compound = *store.add_compound({&child, 1});
    CHECK(store.size() == 3);
    const ShapeId segment = parts_of(store, chain).parts[1].shape, own = parts_of(store, compound).parts[0].shape;
    for (const ShapeId part : {segment, own}) {
        CHECK(store.contains(part));
        CHECK_FALSE(store.remove(part));
    }
    CHECK(store.remove(box));
    CHECK(store.view(compound).bounds_max == Vec2{1, 1});
    CHECK(store.remove(chain));
    CHECK(store.remove(compound));
    CHECK_FALSE(store.contains(segment));
    CHECK_FALSE(store.contains(own));
    CHECK(store.size() == 0);
}

TEST_CASE("2D: children that are compounds become children in their order") {
    ShapeStore store;
    const ShapeId wheel = *store.add_circle(0.5f, {.pose = {{0, 1}, {}}}),
                  bar = *store.add_segment({-1, 0}, {1, 0}, 0.1f);
    const CompoundChild inner[] = {{wheel, {{2, 0}, {}}}, {bar, {{0, 0}, {0, 1}}}};
    const ShapeId pair = *store.add_compound(inner, {.rounding = 0.25f, .scale = {2, 2}, .pose = {{0, 10}, {}}});
    const CompoundChild outer[] = {{bar, {}}, {pair, {{100, 0}, {0, 1}}}, {wheel, {}}};
    const ShapeId whole = *store.add_compound(outer);
    REQUIRE(parts_of(store, whole).parts.size() == 4);
    CHECK(store.view(whole).children == 4);
    // The wheel is at (2, 1), scaled (4, 2), posed (4, 12), and in the outer one (100 - 12, 4).
    check_near(corners_of(store, whole, 1)[0], 88, 4);
    CHECK(store.view(parts_of(store, whole).parts[1].shape).radius == 1.25f);
    const auto ends = corners_of(store, whole, 2);  // (0, -1) and (0, 1), scaled and posed: (0, 8), (0, 12)
    check_near(ends[0], 92, 0), check_near(ends[1], 88, 0);
    check_near(corners_of(store, whole, 3)[0], 0, 1);
    check_tree(store, whole);
    CompoundChild out[9];
    REQUIRE(store.compound_children(whole, out) == 4);
    CHECK(out[3].shape == parts_of(store, whole).parts[3].shape);
    CHECK(store.compound_children(whole, {out, 2}) == 2);
    CHECK(store.compound_children(wheel, out) == 0);
    const ShapeId again = *store.add_instance(pair, {});
    check_near(corners_of(store, again, 0)[0], 2, 1);
    CHECK(store.view(parts_of(store, again).parts[0].shape).radius == 0.5f);
}

TEST_CASE("2D: a compound's scale and mirror apply to every child as a whole") {
    ShapeStore store;
    const std::vector<Vec2> triangle = {{0, 0}, {2, 0}, {0, 1}};
    const ShapeId shape = *store.add_polygon(triangle);
    const auto posed = [&](Rot rotation) { return CompoundChild{shape, {{3, 1}, rotation}}; };
    // Of a point of the child, by hand: rotate, move, scale.
    const auto check_child = [&](Rot rotation, Vec2 scale) {
        const CompoundChild child = posed(rotation);
        const auto id = store.add_compound({&child, 1}, {.scale = scale});
        REQUIRE(id);
        const auto corners = corners_of(store, *id, 0);
        REQUIRE(corners.size() == 3);
        for (const Vec2 p : triangle) {
            const double x = scale.x * (double(rotation.c) * p.x - double(rotation.s) * p.y + 3),
                         y = scale.y * (double(rotation.s) * p.x + double(rotation.c) * p.y + 1);
            double nearest = 1e9;
            for (const DVec2 c : corners) nearest = std::min(nearest, std::hypot(c.x - x, c.y - y));
            CHECK(nearest < 1e-5);
        }
    };
    for (const Vec2 scale : {Vec2{2, 2}, Vec2{-2, 2}, Vec2{2, -2}, Vec2{-2, -2}}) {
        check_child({0.6f, 0.8f}, scale);
        check_child({0, 1}, scale);
    }
    for (const Rot rotation : {Rot{1, 0}, Rot{0, 1}, Rot{-1, 0}, Rot{0, -1}, Rot{-4.37e-8f, 1}}) {
        check_child(rotation, {2, 3});
        check_child(rotation, {-2, 3});
        check_child(rotation, {2, -3});
    }
    const auto check_refused = [&](CompoundChild child, const char* text) {
        const auto id = store.add_compound({&child, 1}, {.scale = {2, 3}});
        REQUIRE_FALSE(id);
        INFO(id.error().message.c_str());
        CHECK(id.error().message.contains("children[0]"));
        CHECK(id.error().message.contains(text));
    };
    check_refused(posed({0.6f, 0.8f}), "right angles");
    check_refused({*store.add_circle(1), {}}, "scale of a circle");
    check_refused({*store.add_polygon(triangle, {.rounding = 1}), {}}, "rounding");
    // What was refused left no part behind.
    const ShapeId box = *store.add_box({1, 1}), circle = *store.add_circle(1);
    const CompoundChild second_is_bad[] = {{box, {}}, {circle, {}}};
    CHECK_FALSE(store.add_compound(second_is_bad, {.scale = {2, 3}}));
    CHECK(store.add_box({1, 1})->slot() == box.slot() + 1);
}

TEST_CASE("2D: the tree of many parts has each part once") {
    ShapeStore store;
    std::vector<Vec2> points;
    for (int i = 0; i < 1000; ++i) points.push_back({float(i), std::sin(float(i))});
    check_tree(store, *store.add_chain(points, true, {.rounding = 0.01f, .pose = {{1, 2}, {0.6f, 0.8f}}}));
}
