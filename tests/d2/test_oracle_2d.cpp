// The oracle of the plane against answers by hand and against a sweep over directions; the families that it judges; and
// the records of the store against the shapes that the oracle makes of the same arguments.
#include "support/oracle_2d.hpp"

#include <abut/d2/shapes_2d.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <vector>

#include "d2/shapes/core_corners.hpp"
#include "d2/shapes/tables_2d.hpp"
#include "support/catch.hpp"
#include "support/families_2d.hpp"

using namespace abut::plane;
using abut::d2::ShapeKind;

namespace {

Pose at(Real x, Real y, Real angle = 0) { return {{x, y}, std::cos(angle), std::sin(angle)}; }

void check_answer(const Shape& a, const Shape& b, double distance, Point normal) {
    const Answer answer = signed_distance(a, b), back = signed_distance(b, a);
    CHECK(answer.is_supported);
    CHECK(double(answer.distance) == Approx(distance).margin(1e-15));
    CHECK(double(back.distance) == Approx(distance).margin(1e-15));
    CHECK(double(length(answer.normal - normal)) < 1e-15);
    CHECK(double(length(back.normal + normal)) < 1e-15);
}

// The signed distance of convex shapes is the greatest gap along any direction: a sweep, then steps towards it.
Real swept_distance(const Shape& a, const Shape& b) {
    const auto gap = [&](Real angle) { return gap_along(a, b, {std::cos(angle), std::sin(angle)}); };
    constexpr int kSteps = 720;
    constexpr Real kStep = 2 * 3.14159265358979323846L / kSteps;
    std::vector<std::pair<Real, Real>> tops;
    for (int i = 0; i < kSteps; ++i) tops.push_back({gap(kStep * i), kStep * i});
    std::partial_sort(tops.begin(), tops.begin() + 12, tops.end(), std::greater<>());
    Real most = -kInfinity;
    for (int i = 0; i < 12; ++i) {
        Real angle = tops[std::size_t(i)].second, best = tops[std::size_t(i)].first;
        for (Real step = kStep; step > 1e-12L; step *= 0.7L)
            for (const Real to : {angle - step, angle + step})
                if (const Real g = gap(to); g > best) best = g, angle = to;
        most = std::max(most, best);
    }
    return most;
}

// The part of the store's shape as its record has it.
Shape recorded(const abut::d2::ShapeTables& tables, abut::d2::ShapeId id, const abut::d2::DPose& pose) {
    if (id.kind() == ShapeKind::halfplane) {
        const auto& r = tables.record<abut::d2::HalfplaneRecord>(id);
        Shape made = halfplane({r.normal_x, r.normal_y}, r.offset);
        made.radius = r.radius;
        return made;
    }
    std::vector<Point> corners;
    abut::d2::for_each_corner(tables, id, [&](abut::d2::DVec2 p) { corners.push_back({p.x, p.y}); });
    Shape made = polygon(corners);
    made.radius = tables.record<abut::d2::CoreRecord>(id).radius;
    return placed({{pose.position.x, pose.position.y}, pose.c, pose.s}, made);
}

void check_equal(const Shape& from_record, const Shape& from_oracle, Real by) {
    if (from_oracle.form == Form::halfplane) {
        CHECK(double(length(from_record.normal - from_oracle.normal)) < 1e-15);
        CHECK(double(std::fabs(from_record.offset - from_oracle.offset)) < 1e-12);
        CHECK(double(from_record.radius) == double(from_oracle.radius));
        return;
    }
    for (int i = 0; i < 64; ++i) {
        const Real angle = 0.1L * Real(i);
        const Point n = {std::cos(angle), std::sin(angle)};
        if (!(std::fabs(support(from_record, n) - support(from_oracle, n)) <= by))
            FAIL("support " << double(support(from_record, n)) << " and " << double(support(from_oracle, n)));
    }
}

}  // namespace

TEST_CASE("2D oracle: answers by hand") {
    const Shape ball = circle(1), square = box(1, 1), bar = segment({-2, 0}, {2, 0}, 0);
    check_answer(ball, placed(at(3, 4), ball), 3, {0.6L, 0.8L});
    check_answer(square, placed(at(4, 5), ball), 4, {0.6L, 0.8L});
    check_answer(square, placed(at(0.5L, 0), square), -1.5, {1, 0});
    check_answer(square, placed(at(3, 0, std::acos(-1.0L) / 4), square), 2 - std::sqrt(2.0), {1, 0});
    check_answer(bar, placed(at(5, 0), bar), 1, {1, 0});                       // collinear
    check_answer(bar, placed(at(0, 0.25L), capsule(0.5L, 2)), -2.25, {0, 1});  // crossing
    check_answer(bar, placed(at(0, 0), circle(0.5L)), -0.5, signed_distance(bar, circle(0.5L)).normal);
    check_answer(polygon({{0, 0}}), polygon({{3, 4}, {3, 4}}), 5, {0.6L, 0.8L});
    check_answer(polygon({{0, 0}, {1, 1}, {2, 2}}), placed(at(0, 2), circle(0)), std::sqrt(2.0),
                 {-std::sqrt(0.5L), std::sqrt(0.5L)});
    const Shape ground = instance(halfplane({0, 2}, 4), {.rounding = 0.5f});
    check_answer(ground, placed(at(7, 4), ball), 0.5, {0, 1});
    const Shape pair = compound({{ball, at(-5, 0)}, {square, at(6, 0)}});
    check_answer(pair, placed(at(0, 0), ball), 3, {1, 0});
    CHECK_FALSE(signed_distance(ground, ground).is_supported);
}

TEST_CASE("2D oracle: a segment of a chain takes part if the centre is in front of it") {
    const Shape ground = chain({{2, 0}, {0, 0}, {-2, 0}}, false), ball = circle(1);  // the front is above
    check_answer(ground, placed(at(0, 3), ball), 2, {0, 1});
    check_answer(ground, placed(at(1, 0), ball), -1, signed_distance(ground, placed(at(1, 0), ball)).normal);
    CHECK(signed_distance(ground, placed(at(0, -0.5L), ball)).distance == kInfinity);
    CHECK(double(signed_distance(ground, placed(at(0, -0.5L), ball)).decision) == Approx(0.5));
    // The centre is that of the bounds, not the body's origin.
    const Shape high = polygon({{-1, 1}, {1, 1}, {0, 3}});
    CHECK(double(signed_distance(ground, placed(at(0, -1.5L), high)).distance) == Approx(-0.5));
    const Shape hole = chain({{0, 0}, {0, 4}, {4, 4}, {4, 0}}, true);  // clockwise: the front is inside
    check_answer(hole, placed(at(2, 1.5L), ball), 0.5, {0, 1});
    const Shape mirrored = instance(ground, {.scale = {-1, 1}});
    check_answer(mirrored, placed(at(0, 3), ball), 2, {0, 1});
}

TEST_CASE("2D oracle: points on surfaces, and gaps") {
    const Shape rounded = instance(box(1, 1), {.rounding = 0.5f});
    CHECK(is_on_surface(rounded, {1.5L, 0.3L}, 1e-15L));
    CHECK(is_on_surface(rounded, {1 + 0.3L, 1 + 0.4L}, 1e-15L));
    CHECK_FALSE(is_on_surface(rounded, {1.4L, 0.3L}, 1e-3L));
    CHECK(double(distance_to(rounded, {0, 0})) == Approx(-1.5));
    CHECK(is_on_surface(chain({{0, 0}, {1, 0}, {1, 1}}, false), {1, 0.5L}, 1e-15L));
    CHECK_FALSE(is_on_surface(chain({{0, 0}, {1, 0}, {1, 1}}, false), {0.5L, 0.5L}, 0.3L));
    CHECK(is_on_surface(chain({{0, 0}, {1, 0}, {1, 1}}, true), {0.5L, 0.5L}, 1e-15L));
    CHECK(double(gap_along(rounded, placed(at(4, 0), circle(1)), {1, 0})) == Approx(1.5));
    CHECK(gap_along(rounded, halfplane({0, 1}, 0), {1, 0}) == -kInfinity);
    CHECK(double(gap_along(halfplane({0, 1}, 1), placed(at(0, 5), rounded), {0, 1})) == Approx(2.5));
}

TEST_CASE("2D oracle: the signed distance is the greatest gap along any direction") {
    for (const Family family :
         {Family::mixed, Family::touching, Family::nearly_parallel, Family::slivers, Family::concentric,
          Family::collinear, Family::zero_lengths, Family::rounded, Family::instances, Family::large_polygons}) {
        INFO(to_string(family));
        for (const HardPair& pair : hard_pairs(family, 40, 1)) {
            const auto [a, b] = placed_pair(pair);
            const Real exact = signed_distance(a, b).distance, swept = swept_distance(a, b);
            const Real size = size_of(a) + size_of(b) + std::fabs(exact);
            CHECK(double(exact - swept) >= -1e-9 * double(size));
            CHECK(double(exact - swept) <= 1e-6 * double(size));
        }
    }
}

TEST_CASE("2D oracle: every family has pairs apart and overlapping that the store accepts") {
    std::set<ShapeKind> kinds;
    for (int f = 0; f < kFamilies; ++f) {
        const Family family = Family(f);
        INFO(to_string(family));
        std::size_t apart = 0, overlapping = 0, near_by = 0;
        for (const HardPair& pair : hard_pairs(family, 300, 7)) {
            abut::d2::ShapeStore store;
            const auto a = add_to(store, pair.a), b = add_to(store, pair.b);
            INFO(a.error().message.c_str() << b.error().message.c_str());
            REQUIRE(a);
            REQUIRE(b);
            kinds.insert({a->kind(), b->kind()});
            const auto [placed_a, placed_b] = placed_pair(pair);
            const Answer answer = signed_distance(placed_a, placed_b);
            CHECK(answer.is_supported);
            const Real size = std::max(size_of(placed_a), size_of(placed_b));
            (answer.distance > 0 ? apart : overlapping) += 1;
            near_by += std::fabs(answer.distance) < 1e-3L * size;
            if (family == Family::touching && answer.distance < 1e-3L) CHECK(double(answer.distance) < 1e-18);
        }
        CHECK(apart >= (family == Family::concentric ? 0 : 20));
        CHECK(overlapping >= 20);
        if (family != Family::compounds) CHECK(near_by >= 5);
    }
    CHECK(kinds.size() == 9);
    const auto first = hard_pairs(Family::mixed, 3, 5), again = hard_pairs(Family::mixed, 3, 5);
    CHECK(first[2].position_b == again[2].position_b);
    CHECK(hard_pairs(Family::mixed, 3, 6)[2].position_b != again[2].position_b);
}

TEST_CASE("2D oracle: the families draw the same shapes whatever the compiler") {
    std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
    const auto add = [&](float x) { hash = (hash ^ std::bit_cast<std::uint32_t>(x)) * 0x100000001b3u; };
    for (int f = 0; f < kFamilies; ++f) {
        for (const HardPair& pair : hard_pairs(Family(f), 20, 3)) {
            for (const ShapeSpec* spec : {&pair.a, &pair.b}) {
                for (const abut::d2::Vec2 p : spec->points) add(p.x), add(p.y);
                for (const float x : {spec->half_extents.x, spec->half_extents.y, spec->radius, spec->offset,
                                      spec->options.rounding, spec->options.scale.x, spec->options.scale.y})
                    add(x);
            }
        }
    }
    CHECK(hash == 0x18305447aa986904u);
}

TEST_CASE("2D: the records of the store are the shapes that its arguments mean") {
    for (int f = 0; f < kFamilies; ++f) {
        INFO(to_string(Family(f)));
        for (const HardPair& pair : hard_pairs(Family(f), 150, 11)) {
            for (const ShapeSpec* spec : {&pair.a, &pair.b}) {
                abut::d2::ShapeStore store;
                const auto id = add_to(store, *spec);
                REQUIRE(id);
                const auto& tables = abut::d2::ShapeTables::of(store);
                const Shape shape = shape_of(*spec);
                const Real by = shape.form == Form::halfplane ? 0 : 4e-7L * (size_of(shape) + length(shape.centre));
                if (id->kind() == ShapeKind::compound) {
                    std::vector<Shape> leaves;
                    const auto flatten = [&](const Shape& s, const auto& self) -> void {
                        if (s.form != Form::compound) return leaves.push_back(s);
                        for (const Shape& child : s.children) self(child, self);
                    };
                    flatten(shape, flatten);
                    const auto& parts = tables.parts(*id).parts;
                    REQUIRE(parts.size() == leaves.size());
                    for (std::size_t i = 0; i < leaves.size(); ++i)
                        check_equal(recorded(tables, parts[i].shape, parts[i].pose), leaves[i], by);
                } else if (id->kind() == ShapeKind::chain) {
                    Shape whole;
                    whole.form = Form::compound;
                    for (const auto& part : tables.parts(*id).parts)
                        whole.children.push_back(recorded(tables, part.shape, part.pose));
                    check_equal(whole, shape, by);
                } else {
                    check_equal(recorded(tables, *id, {}), shape, by);
                }
                if (shape.form == Form::halfplane) continue;
                const auto view = store.view(*id);
                CHECK(std::fabs(view.size - size_of(shape)) <= by);
                CHECK(std::fabs(view.bounds_max.x - support(shape, {1, 0})) <= by);
                CHECK(std::fabs(view.bounds_min.y + support(shape, {0, -1})) <= by);
            }
        }
    }
}
