// ShapeStore: what it refuses, what its ids promise, what its records hold.
#include <abut/math.hpp>
#include <abut/narrow_phase.hpp>
#include <abut/shape_store.hpp>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/hull_checks.hpp"

using namespace abut;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity(), kMax = std::numeric_limits<float>::max();
const float kNan = std::numeric_limits<float>::quiet_NaN();

const InstanceRecord& record(const ShapeStore& store, ShapeId id) {
    return tables_of(store).kinds[std::uint32_t(id.kind())].records[id.slot()];
}

void check_refused(const Expected<ShapeId>& id, ErrorCode code, const char* field, const char* value) {
    REQUIRE_FALSE(id);
    CHECK(id.error().code == code);
    INFO(id.error().message.c_str());
    CHECK(id.error().message.contains(field));
    CHECK(id.error().message.contains(value));
}

}  // namespace

TEST_CASE("a length that is none is refused by its field and value") {
    ShapeStore store;
    const std::pair<float, const char*> bad[] = {
        {-1.5f, "-1.5"}, {kNan, "nan"}, {kInf, "inf"}, {-kInf, "-inf"}, {-1e-45f, "-1e-45"}};
    for (const auto& [value, text] : bad) {
        check_refused(store.add_sphere(value), ErrorCode::bad_shape, "radius", text);
        check_refused(store.add_capsule(value, 1), ErrorCode::bad_shape, "radius", text);
        check_refused(store.add_capsule(1, value), ErrorCode::bad_shape, "half_height", text);
        check_refused(store.add_box({value, 1, 1}), ErrorCode::bad_shape, "half_extents.x", text);
        check_refused(store.add_box({1, value, 1}), ErrorCode::bad_shape, "half_extents.y", text);
        check_refused(store.add_box({1, 1, value}), ErrorCode::bad_shape, "half_extents.z", text);
        check_refused(store.add_sphere(1, {.rounding = value}), ErrorCode::bad_shape, "rounding", text);
        check_refused(store.add_box({1, 1, 1}, {.rounding = value}), ErrorCode::bad_shape, "rounding", text);
        check_refused(store.add_cylinder(value, 1), ErrorCode::bad_shape, "radius", text);
        check_refused(store.add_cylinder(1, value), ErrorCode::bad_shape, "half_height", text);
        check_refused(store.add_cone(value, 1), ErrorCode::bad_shape, "radius", text);
        check_refused(store.add_cone(1, value), ErrorCode::bad_shape, "half_height", text);
        check_refused(store.add_ellipsoid({1, value, 1}), ErrorCode::bad_shape, "radii.y", text);
        check_refused(store.add_halfspace({0, 1, 0}, 0, {.rounding = value}), ErrorCode::bad_shape, "rounding", text);
        check_refused(store.add_halfspace({0, 1, 0}, 0, {.scale = {value, value, value}}), ErrorCode::bad_shape,
                      "scale", text);
        check_refused(store.add_cone(1, 1, {.scale = {1, value, 1}}), ErrorCode::bad_shape, "scale", text);
        const Vec3 point{};
        check_refused(store.add_hull({&point, 1}, {.rounding = value}), ErrorCode::bad_shape, "rounding", text);
        check_refused(store.add_hull({&point, 1}, {}, {.tolerance = value}), ErrorCode::bad_shape, "tolerance", text);
    }
    CHECK(store.size() == 0);
}

TEST_CASE("what has no extent where it must is refused") {
    ShapeStore store;
    check_refused(store.add_ellipsoid({1, 0, 1}), ErrorCode::bad_shape, "radii.y", "0");
    check_refused(store.add_halfspace({0, 0, 0}, 1), ErrorCode::bad_shape, "normal", "zero");
    check_refused(store.add_halfspace({0, kNan, 0}, 1), ErrorCode::bad_shape, "normal.y", "nan");
    check_refused(store.add_halfspace({0, 1, 0}, kInf), ErrorCode::bad_shape, "offset", "inf");
    check_refused(store.add_sphere(1, {.scale = {0, 0, 0}}), ErrorCode::bad_shape, "scale", "(0, 0, 0)");
    check_refused(store.add_cone(1, 1, {.scale = {1, 2, 1}}), ErrorCode::bad_shape, "cone", "(1, 2, 1)");
    CHECK(store.size() == 0);
}

TEST_CASE("a scale multiplies the shape and not its rounding") {
    ShapeStore store;
    const auto cylinder = store.add_cylinder(1, 2, {.rounding = 0.5f, .scale = {2, 2, 2}});
    const auto ellipsoid = store.add_ellipsoid({1, 2, 3}, {.rounding = 0.5f, .scale = {4, 2, 1}});
    const auto hull = store.add_hull(test::lattice(2), {.scale = {1, 2, 4}});
    REQUIRE((cylinder && ellipsoid && hull));
    CHECK((store.view(*cylinder).bounds_max == Vec3{2.5f, 4.5f, 2.5f} && store.view(*cylinder).size == 4.5f));
    CHECK((store.view(*ellipsoid).bounds_max == Vec3{4.5f, 4.5f, 3.5f} && store.view(*ellipsoid).size == 4.5f));
    CHECK((store.view(*hull).bounds_max == Vec3{1, 2, 4} && store.view(*hull).size == 2 &&
           store.view(*hull).scale == Vec3{1, 2, 4}));
    const auto plane = store.add_halfspace({0, 3, 0}, 6, {.rounding = 1});
    REQUIRE(plane);
    CHECK((store.view(*plane).normal == Vec3{0, 3, 0} && store.view(*plane).offset == 6 &&
           store.view(*plane).bounds_min.x == -kInf));
}

TEST_CASE("a size or a scale below the range is refused") {
    ShapeStore store;
    CHECK(store.add_sphere(kLeastMetres));
    CHECK(store.add_sphere(0));
    CHECK(store.add_capsule(1e-30f, 1));  // no size of its own
    check_refused(store.add_sphere(1e-28f), ErrorCode::bad_shape, "size", "1e-27");
    check_refused(store.add_ellipsoid({1e-30f, 1e-29f, 1e-30f}), ErrorCode::bad_shape, "size", "1e-27");
    const Vec3 corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const auto hull = store.add_hull(corners);
    REQUIRE(hull);
    check_refused(store.add_instance(*hull, {.scale = {1e-28f, 1e-28f, 1e-28f}}), ErrorCode::bad_shape, "size",
                  "1e-27");
    CHECK(store.add_instance(*hull, {.scale = {kMostStretch, 1, 1}}));
    check_refused(store.add_instance(*hull, {.scale = {1e20f, 1, 1e20f}}), ErrorCode::bad_shape, "scale",
                  "(1e+20, 1, 1e+20)");
    check_refused(store.add_hull(corners, {.scale = {1, 1, 1e15f}}), ErrorCode::bad_shape, "scale", "(1, 1, 1e+15)");
}

TEST_CASE("a sum past the range is refused") {
    ShapeStore store;
    CHECK(store.add_sphere(kMostMetres));
    CHECK_FALSE(store.add_sphere(kMax));
    check_refused(store.add_sphere(kMax, {.rounding = kMax}), ErrorCode::bad_shape, "rounding", "3.4028235e+38");
    check_refused(store.add_sphere(kMostMetres, {.rounding = kMostMetres}), ErrorCode::bad_shape, "rounding", "1e+27");
    CHECK_FALSE(store.add_capsule(kMax, kMax));
    CHECK_FALSE(store.add_box({kMax, kMax, 0}));
    CHECK_FALSE(store.add_box({kMax, 0, 0}, {.rounding = kMax}));
    const auto big = store.add_box({kMostMetres, 0, 0});
    REQUIRE(big);
    CHECK_FALSE(store.add_instance(*big, {.rounding = kMostMetres}));
    const Vec3 ends[] = {{-kMostMetres, 0, 0}, {kMostMetres, 0, 0}};
    const auto segment = store.add_hull(ends);
    REQUIRE(segment);
    CHECK_FALSE(store.add_instance(*segment, {.rounding = kMostMetres}));
    const Vec3 corners[] = {{-kMax, -kMax, -kMax}, {kMax, kMax, kMax}};
    check_refused(store.add_hull(corners), ErrorCode::bad_shape, "bounds", "float32");
    const Vec3 lopsided[] = {{kMax, 0, 0}, {kMax, 1e38f, 0}, {kMax, 0, 1e38f}, {-kMax, 0, 0}};
    CHECK_FALSE(store.add_hull(lopsided));
}

TEST_CASE("a hull's points are checked by index") {
    ShapeStore store;
    check_refused(store.add_hull({}), ErrorCode::bad_shape, "points", "at least 1");
    std::vector<Vec3> points(10);
    points[7].y = kNan;
    check_refused(store.add_hull(points), ErrorCode::bad_shape, "points[7]", "nan");
    points[3].z = -kInf;
    check_refused(store.add_hull(points), ErrorCode::bad_shape, "points[3]", "-inf");
}

TEST_CASE("zero lengths are shapes") {
    ShapeStore store;
    for (const auto& id :
         {store.add_sphere(0), store.add_capsule(0, 0), store.add_capsule(0, 1), store.add_box({0, 0, 0}),
          store.add_box({1, 0, 1}), store.add_sphere(-0.0f), store.add_capsule(-0.0f, -0.0f, {.rounding = -0.0f})}) {
        REQUIRE(id);
        const InstanceRecord& r = record(store, *id);
        CHECK_FALSE(
            (std::signbit(r.extent_y) || std::signbit(r.radius) || std::signbit(r.rounding) || std::signbit(r.size)));
    }
}

TEST_CASE("records and views say what was added") {
    ShapeStore store;
    const auto sphere = store.add_sphere(2, {.rounding = 0.5f}), capsule = store.add_capsule(1, 3, {.rounding = 0.25f});
    const auto box = store.add_box({1, 2, 3}, {.rounding = 0.5f});
    REQUIRE((sphere && capsule && box));

    const InstanceRecord& s = record(store, *sphere);
    CHECK((s.extent_x == 0 && s.extent_y == 0 && s.extent_z == 0 && s.radius == 2.5f && s.size == 2.5f &&
           s.bound_radius == 2.5f));
    const ShapeView sv = store.view(*sphere);
    CHECK((sv.kind == ShapeKind::sphere && sv.radius == 2 && sv.rounding == 0.5f && sv.size == 2.5f));
    CHECK((sv.bounds_min == Vec3{-2.5f, -2.5f, -2.5f} && sv.bounds_max == Vec3{2.5f, 2.5f, 2.5f}));

    const InstanceRecord& c = record(store, *capsule);
    CHECK((c.extent_x == 0 && c.extent_y == 3 && c.extent_z == 0 && c.radius == 1.25f && c.rounding == 0.25f &&
           c.size == 4.25f));
    CHECK(c.bound_radius == 4.25f);
    const ShapeView cv = store.view(*capsule);
    CHECK((cv.radius == 1 && cv.half_height == 3 && cv.bounds_max == Vec3{1.25f, 4.25f, 1.25f}));

    const InstanceRecord& b = record(store, *box);
    CHECK((b.extent_x == 1 && b.extent_y == 2 && b.extent_z == 3 && b.radius == 0.5f && b.size == 3.5f));
    CHECK((double(b.bound_radius) >= std::sqrt(14.0) + 0.5 && b.bound_radius < 4.2417f));
    const ShapeView bv = store.view(*box);
    CHECK((bv.half_extents == Vec3{1, 2, 3} && bv.radius == 0 && bv.bounds_min == Vec3{-1.5f, -2.5f, -3.5f}));
}

TEST_CASE("another instance keeps the geometry and takes its own rounding") {
    ShapeStore store;
    const auto tiny = store.add_sphere(1e-4f, {.rounding = 1e4f});
    REQUIRE(tiny);
    const auto again = store.add_instance(*tiny, {});
    REQUIRE(again);
    CHECK(record(store, *again).radius == 1e-4f);  // which a float sum had swallowed
    CHECK(store.remove(*tiny));
    CHECK(store.view(*again).radius == 1e-4f);
    const auto capsule = store.add_capsule(1, 2), box = store.add_box({1, 2, 3});
    CHECK(store.view(*store.add_instance(*capsule, {.rounding = 1})).size == 4);
    CHECK(store.view(*store.add_instance(*box, {.rounding = 1})).half_extents == Vec3{1, 2, 3});
    check_refused(store.add_instance(*box, {.rounding = -1}), ErrorCode::bad_shape, "rounding", "-1");
    CHECK(store.view(*store.add_instance(*box, {.scale = {2, 3, 1}})).bounds_max == Vec3{2, 6, 3});
    check_refused(store.add_instance(*capsule, {.scale = {2, 1, 2}}), ErrorCode::bad_shape, "scale", "(2, 1, 2)");
    CHECK(store.add_instance(*tiny, {}).error().code == ErrorCode::bad_argument);
    CHECK(store.add_instance(ShapeId{}, {}).error().code == ErrorCode::bad_argument);
}

TEST_CASE("instances share a hull until the last one goes") {
    ShapeStore store;
    const auto points = test::lattice(2);
    const auto first = store.add_hull(points, {.rounding = 0.25f});
    REQUIRE(first);
    const auto second = store.add_instance(*first, {});
    REQUIRE(second);
    const auto& tables = tables_of(store);
    const std::uint32_t place = record(store, *first).geometry;
    CHECK((record(store, *second).geometry == place && tables.hull_users[place] == 2 && tables.hulls.size() == 1));
    CHECK((record(store, *first).size == 0.75f && record(store, *second).size == 0.5f));
    CHECK((record(store, *first).extent_x == 1 && record(store, *first).radius == 0.25f));
    CHECK(store.view(*first).bounds_max == Vec3{1.25f, 1.25f, 1.25f});

    std::vector<Vec3> corners(8);
    CHECK(store.hull_vertices(*second, corners) == 8);
    for (const Vec3 p : points) CHECK(std::count(corners.begin(), corners.end(), p) == 1);
    CHECK(store.hull_vertices(*second, std::span(corners).first(3)) == 3);

    CHECK(store.remove(*first));
    CHECK_FALSE(store.remove(*first));
    CHECK_FALSE(tables.hulls[place].empty());
    CHECK(store.remove(*second));
    CHECK(tables.hulls[place].empty());
    CHECK(store.hull_vertices(*second, corners) == 0);
    const auto third = store.add_hull(points);
    REQUIRE(third);
    CHECK((record(store, *third).geometry == place && tables.hulls.size() == 1 && store.size() == 1));
}

TEST_CASE("an id goes stale with its shape and is never issued again") {
    ShapeStore store;
    std::set<std::uint32_t> seen;
    for (int i = 0; i < 300; ++i) {
        const auto id = store.add_sphere(1);
        REQUIRE(id);
        CHECK(seen.insert(id->bits()).second);
        CHECK(id->generation() != kDeadGeneration);
        CHECK(store.contains(*id));
        CHECK(store.remove(*id));
        CHECK_FALSE(store.contains(*id));
    }
    for (const std::uint32_t bits : seen) CHECK_FALSE(store.contains(ShapeId::from_bits(bits)));
    CHECK(tables_of(store).kinds[0].records.size() == 2);  // the first slot is worn out after 254
    CHECK(store.size() == 0);
}

TEST_CASE("an id that was never issued names nothing") {
    ShapeStore store;
    const auto id = store.add_sphere(1);
    CHECK(store.remove(*id));
    CHECK_FALSE(store.contains(ShapeId{}));
    CHECK_FALSE(
        store.contains(ShapeId::make(ShapeKind::sphere, 0, kDeadGeneration)));  // what a dead slot is marked with
    CHECK_FALSE(store.contains(ShapeId::make(ShapeKind::sphere, 0, 2)));
    CHECK_FALSE(store.contains(ShapeId::make(ShapeKind::box, 0, 0)));
    test::Random random(3);
    const auto box = store.add_box({1, 1, 1});
    for (int i = 0; i < 10000; ++i) {
        const auto other = ShapeId::from_bits(random.below(0xffffffffu));
        if (other == *box) continue;
        CHECK_FALSE(store.contains(other));
        CHECK_FALSE(store.remove(other));
    }
    CHECK(store.size() == 1);
}

// A column of shapes that was forgotten, or that has the wrong stride, is full of zeros.
TEST_CASE("zeros name no shape", "[contained]") {
    ShapeStore store;
    const auto first = store.add_sphere(1), second = store.add_sphere(2);
    CHECK(first->bits() != 0);
    CHECK_FALSE(store.contains(ShapeId::from_bits(0)));
    const Body bodies[] = {{{0, 0, 0}, ShapeId::from_bits(0), {}}, {{1, 0, 0}, *second, {}}};
    const Pair pairs[] = {{0, 1}, {1, 0}};
    NarrowPhase narrow;
    Overlaps out;
    REQUIRE(narrow.overlap({&store, bodies, pairs}, out));
    CHECK((out.status[0] == Status::bad_index && out.status[1] == Status::bad_index));
    CHECK(store.remove(*first));
    store.forget_removed();
    CHECK(store.add_sphere(1)->bits() != 0);
}

TEST_CASE("a kind has as many slots as an id can name") {
    ShapeStore store;
    for (std::uint32_t i = 0; i < ShapeId::kMaxSlots; ++i)
        if (!store.add_sphere(1)) FAIL("slot " << i);
    const auto one_more = store.add_sphere(1);
    check_refused(one_more, ErrorCode::limit, "sphere", "1048576");
    CHECK(store.add_box({1, 1, 1}));
    CHECK(store.remove(ShapeId::make(ShapeKind::sphere, 77, 1)));
    const auto reused = store.add_sphere(2);
    REQUIRE(reused);
    CHECK((reused->slot() == 77 && reused->generation() == 2));
}

TEST_CASE("a moved-from store is empty and works") {
    ShapeStore a;
    const auto box = a.add_box({1, 2, 3});
    ShapeStore b = std::move(a);
    CHECK((b.contains(*box) && b.size() == 1));
    CHECK((!a.contains(*box) && a.size() == 0));
    CHECK(a.add_sphere(1));
    a = std::move(b);
    CHECK((a.contains(*box) && a.size() == 1 && b.size() == 0));
    ShapeStore& self = a;
    a = std::move(self);
    CHECK(a.contains(*box));
}

TEST_CASE("a host's floating-point environment changes no bit and comes back") {
    test::Random random(5);
    const auto points = test::sphere_points(random, 100);
    ShapeStore plain, odd;
    const auto expected = plain.add_hull(points, {.rounding = 0.1f});
    REQUIRE(expected);
    std::fenv_t before;
    REQUIRE(std::fegetenv(&before) == 0);
#if defined(__SSE__)
    const unsigned sse_before = __builtin_ia32_stmxcsr();
#endif
    std::fesetround(FE_UPWARD);
#if defined(__SSE__)
    __builtin_ia32_ldmxcsr((__builtin_ia32_stmxcsr() | 0x8040) &
                           ~0x0080u);  // flush denormals; trap on invalid operations
#endif
    const auto got = odd.add_hull(points, {.rounding = 0.1f});
    const auto small = odd.add_capsule(1e-42f, 1), bad = odd.add_sphere(kNan);
    const int mode = std::fegetround();
    std::fesetenv(&before);
#if defined(__SSE__)
    __builtin_ia32_ldmxcsr(sse_before);  // which mingw-w64's fesetenv leaves alone
#endif
    CHECK(mode == FE_UPWARD);
    CHECK_FALSE(bad);
    REQUIRE((got && small));
    CHECK(odd.view(*small).radius == 1e-42f);
    const HullGeometry& g = test::geometry(plain, *expected);
    const HullGeometry& h = test::geometry(odd, *got);
    CHECK((g.columns == h.columns && g.planes == h.planes && g.loop == h.loop && g.bound_radius == h.bound_radius));
    CHECK(record(plain, *expected).bound_radius == record(odd, *got).bound_radius);
}
