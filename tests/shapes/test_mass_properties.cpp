// Mass, centre and inertia: closed forms, quadratures of the tests' own, and sampling by the oracle's signed distance.
#include <abut/properties.hpp>

#include <cmath>
#include <limits>
#include <vector>

#include "support/catch.hpp"
#include "support/hull_checks.hpp"
#include "support/oracle/oracle.hpp"

using namespace abut;
using test::Random;

namespace {

constexpr double kPi = 3.14159265358979323846;

MassProperties mass_of(const ShapeStore& store, ShapeId id, double density = 1) {
    const auto p = mass_properties(store, id, density);
    REQUIRE(p);
    return *p;
}

// Of the shape that `add` adds to a store.
template <class Add>
MassProperties mass_of(Add add) {
    ShapeStore store;
    const auto id = add(store);
    REQUIRE(id);
    return mass_of(store, *id);
}

bool is_near(double a, double b, double relative, double scale) { return std::abs(a - b) <= relative * scale; }

// To within `relative` of the largest moment, and of `length` for the centre.
void check_near(const MassProperties& a, const MassProperties& b, double relative, double length) {
    CAPTURE(a.volume, b.volume, a.ixx, b.ixx, a.iyy, b.iyy, a.izz, b.izz, a.ixy, b.ixy, a.ixz, b.ixz, a.iyz, b.iyz,
            relative);
    CHECK(is_near(a.volume, b.volume, relative, b.volume));
    CHECK(is_near(a.mass, b.mass, relative, b.mass));
    for (int i = 0; i < 3; ++i) CHECK(is_near(a.centre[i], b.centre[i], relative, length));
    const double most = std::max({b.ixx, b.iyy, b.izz});
    CHECK((is_near(a.ixx, b.ixx, relative, most) && is_near(a.iyy, b.iyy, relative, most) &&
           is_near(a.izz, b.izz, relative, most)));
    CHECK((is_near(a.ixy, b.ixy, relative, most) && is_near(a.ixz, b.ixz, relative, most) &&
           is_near(a.iyz, b.iyz, relative, most)));
}

MassProperties expected(double volume, double ixx, double iyy, double izz, double height = 0) {
    MassProperties p;
    p.volume = p.mass = volume;
    p.ixx = ixx, p.iyy = iyy, p.izz = izz;
    p.centre[1] = height;
    return p;
}

// Simpson's rule.
template <class F>
double integral(double from, double to, F f) {
    const int n = 4000;
    const double h = (to - from) / n;
    double sum = f(from) + f(to);
    for (int i = 1; i < n; ++i) sum += (i % 2 == 0 ? 2 : 4) * f(from + i * h);
    return sum * h / 3;
}

// A body of revolution about Y by slices: radius and y for t in [0, pi], with dy/dt.
template <class Outline>
MassProperties revolved(Outline outline) {
    const auto moment = [&](int radius_power, int y_power) {
        return kPi * integral(0, kPi, [&](double t) {
                   const auto [radius, y, rise] = outline(t);
                   return std::pow(radius, radius_power) * std::pow(y, y_power) * rise;
               });
    };
    const double volume = moment(2, 0), along = moment(4, 0) / 2, height = moment(2, 1) / volume;
    const double across = along / 2 + moment(2, 2) - volume * height * height;
    return expected(volume, across, along, across, height);
}

struct Slice {
    double radius, y, rise;
};

// A box swept by a ball, by slices along z: rectangles swept by discs.
MassProperties rounded_box(double a, double b, double c, double r) {
    const auto area = [&](double d) { return 4 * a * b + 4 * (a + b) * d + kPi * d * d; };
    const auto square = [&](double x, double y, double d) {  // of the coordinate along x
        const double strips = 4 * y * (std::pow(x + d, 3) - x * x * x) / 3 + 4 * d * x * x * x / 3;
        return 4 * x * x * x * y / 3 + strips + kPi * d * d * x * x + 8 * x * d * d * d / 3 + kPi * std::pow(d, 4) / 4;
    };
    const auto through = [&](auto slice) {  // both caps, and the middle
        const double caps = 2 * integral(0, kPi / 2, [&](double t) {
                                return slice(r * std::cos(t), c + r * std::sin(t)) * r * std::cos(t);
                            });
        return caps + 2 * integral(0, c, [&](double z) { return slice(r, z); });
    };
    const double volume = through([&](double d, double) { return area(d); });
    const double xx = through([&](double d, double) { return square(a, b, d); }),
                 yy = through([&](double d, double) { return square(b, a, d); });
    const double zz = through([&](double d, double z) { return area(d) * z * z; });
    return expected(volume, yy + zz, xx + zz, xx + yy);
}

// By points in the cells of a grid that covers the solid.
MassProperties sampled(const oracle::Solid& solid, Random& random, int side) {
    const double reach = solid.reach, cell = 2 * reach / side;
    const oracle::Solid point = oracle::sphere(0);
    double n = 0, s[3] = {}, q[6] = {};
    for (int i = 0; i < side * side * side; ++i) {
        const auto at = [&](int k) { return -reach + (k % side + random.unit()) * cell; };
        const Vec3 p = {float(at(i)), float(at(i / side)), float(at(i / side / side))};
        if (oracle::signed_distance(solid, {}, point, oracle::Pose{oracle::Vec3d(p), {}}).signed_distance > 0) continue;
        const double x = p.x, y = p.y, z = p.z, products[6] = {x * x, y * y, z * z, x * y, x * z, y * z};
        n += 1, s[0] += x, s[1] += y, s[2] += z;
        for (int k = 0; k < 6; ++k) q[k] += products[k];
    }
    MassProperties p;
    const double v = cell * cell * cell;
    p.volume = p.mass = n * v;
    for (int k = 0; k < 3; ++k) p.centre[k] = s[k] / n;
    const auto about = [&](int k, int a, int b) { return v * (q[k] - n * p.centre[a] * p.centre[b]); };
    p.ixx = about(1, 1, 1) + about(2, 2, 2), p.iyy = about(0, 0, 0) + about(2, 2, 2),
    p.izz = about(0, 0, 0) + about(1, 1, 1);
    p.ixy = -about(3, 0, 1), p.ixz = -about(4, 0, 2), p.iyz = -about(5, 1, 2);
    return p;
}

std::vector<Vec3> lopsided(Random& random, int count) {
    std::vector<Vec3> points;
    while (int(points.size()) < count) {
        const Vec3 d = random.direction();
        const auto stretch = float(random.between(0.5, 1.5));
        points.push_back({d.x * stretch, 0.4f * d.y, d.z});
    }
    return points;
}

}  // namespace

TEST_CASE("masses of simple shapes are those of the textbook") {
    const double b = 4.0 / 3 * kPi * 8;
    check_near(mass_of([](auto& s) { return s.add_sphere(2); }), expected(b, b * 1.6, b * 1.6, b * 1.6), 1e-12, 1);
    check_near(mass_of([](auto& s) {
                   return s.add_box({1, 2, 3});
               }),
               expected(48, 48 * 13 / 3.0, 48 * 10 / 3.0, 48 * 5 / 3.0), 1e-12, 1);
    const double y = kPi * 4 * 6;
    check_near(mass_of([](auto& s) { return s.add_cylinder(2, 3); }), expected(y, y * (1 + 3), y * 2, y * (1 + 3)),
               1e-12, 1);
    const double c = y / 3, across = 3.0 / 80 * (4 * 4 + 36);  // a cone's centre is a quarter of its height up
    check_near(mass_of([](auto& s) { return s.add_cone(2, 3); }), expected(c, c * across, c * 1.2, c * across, -1.5),
               1e-12, 3);
    const double e = 4.0 / 3 * kPi * 6;
    check_near(mass_of([](auto& s) {
                   return s.add_ellipsoid({1, 2, 3});
               }),
               expected(e, e * 13 / 5, e * 10 / 5, e * 5 / 5), 1e-12, 1);
    // A cylinder of height 6 and two half balls, whose centres are 3/8 of the radius off.
    const double end = 2.0 / 3 * kPi * 8, at = 3 + 0.75;
    const double capsule = y * 4 + 2 * (end * (8.0 / 5 - 9.0 / 16) + end * at * at);
    check_near(mass_of([](auto& s) { return s.add_capsule(2, 3); }),
               expected(y + 2 * end, capsule, y * 2 + 2 * end * 1.6, capsule), 1e-12, 1);
}

TEST_CASE("a rounded box has the mass of its slices, however flat it is") {
    for (const auto& [half, r] : {std::pair(Vec3{1, 2, 3}, 0.5f),
                                  {{1, 0.25f, 3}, 2.0f},
                                  {{1, 0, 3}, 0.125f},
                                  {{0, 0, 2}, 1.0f},
                                  {{0, 0, 0}, 1.0f}}) {
        const auto box =
            mass_of([sides = half, rounding = r](auto& s) { return s.add_box(sides, {.rounding = rounding}); });
        check_near(box, rounded_box(half.x, half.y, half.z, r), 1e-11, 1);
    }
}

TEST_CASE("rounded cylinders and cones have the mass of their outline") {
    const double radius = 0.75, half = 0.5, r = 0.25;
    const auto rim = [&](double t, double about, double at) {
        return Slice{about + r * std::sin(t), at - r * std::cos(t), r * std::sin(t)};
    };
    // The sides that are straight are added by themselves: Simpson's rule wants no kinks.
    const auto add = [&](const MassProperties& a, const MassProperties& b) {
        MassProperties p = expected(a.volume + b.volume, 0, a.iyy + b.iyy, 0);
        p.centre[1] = (a.volume * a.centre[1] + b.volume * b.centre[1]) / p.volume;
        const auto off = [&](const MassProperties& q) {
            return q.volume * (q.centre[1] - p.centre[1]) * (q.centre[1] - p.centre[1]);
        };
        p.ixx = p.izz = a.ixx + off(a) + b.ixx + off(b);
        return p;
    };
    const auto part = [](auto outline, double from, double to) {
        return revolved([=](double t) {
            Slice s = outline(from + t * (to - from) / kPi);
            s.rise *= (to - from) / kPi;
            return s;
        });
    };
    const auto straight = [&](double a, double b, double out, double up) {
        return part([=](double t) { return Slice{a + (b - a) * t + out, -half + 2 * half * t + up, 2 * half}; }, 0, 1);
    };
    const auto bottom = part([&](double t) { return rim(t, radius, -half); }, 0, kPi / 2);
    const auto top = part([&](double t) { return rim(t, radius, half); }, kPi / 2, kPi);
    const auto cylinder = mass_of([](auto& s) { return s.add_cylinder(0.75f, 0.5f, {.rounding = 0.25f}); });
    check_near(cylinder, add(add(bottom, straight(radius, radius, r, 0)), top), 1e-11, 1);

    const double lean = std::atan2(radius, 2 * half);
    const auto base = part([&](double t) { return rim(t, radius, -half); }, 0, kPi / 2 + lean);
    const auto apex = part([&](double t) { return rim(t, 0, half); }, kPi / 2 + lean, kPi);
    const auto cone = mass_of([](auto& s) { return s.add_cone(0.75f, 0.5f, {.rounding = 0.25f}); });
    check_near(cone, add(add(base, straight(radius, 0, r * std::cos(lean), r * std::sin(lean))), apex), 1e-11, 1);
}

TEST_CASE("a rounded ellipsoid has the mass of its outline") {
    for (const auto& [across, half, r] : {std::tuple(1.0f, 1.0f, 0.5f),
                                          {1.0f, 2.0f, 0.5f},
                                          {2.0f, 0.25f, 0.125f},
                                          {0.01f, 1.0f, 0.5f},
                                          {1.0f, 0.001f, 0.25f}}) {
        CAPTURE(across, half, r);
        // By an angle in which needles and discs are smooth: between that of the unit circle and that of the normal.
        const auto outline = [&, a = double(across), b = double(half), d = double(r)](double angle) {
            const double by = std::sqrt(a / b), q = std::hypot(std::cos(angle), by * std::sin(angle));
            const double t = std::atan2(by * std::sin(angle), std::cos(angle)), turn = by / (q * q);
            const double n = std::hypot(std::sin(t) / a, std::cos(t) / b), x = a * std::sin(t), y = -b * std::cos(t);
            const double slope = std::cos(t) * std::sin(t) * (1 / (a * a) - 1 / (b * b));  // n dn/dt
            const double rise = b * std::sin(t) + d * (std::sin(t) / (b * n) + std::cos(t) / b * slope / (n * n * n));
            return Slice{x + d * std::sin(t) / (a * n), y - d * std::cos(t) / (b * n), rise * turn};
        };
        const auto add = [radii = Vec3{across, half, across}, rounding = r](auto& s) {
            return s.add_ellipsoid(radii, {.rounding = rounding});
        };
        check_near(mass_of(add), revolved(outline), 1e-9, 1);
    }
    const auto ball = mass_of([](auto& s) { return s.add_ellipsoid({2, 2, 2}, {.rounding = 1}); });
    check_near(ball, mass_of([](auto& s) { return s.add_sphere(3); }), 1e-11, 1);
    const auto turned = mass_of([](auto& s) { return s.add_ellipsoid({3, 1, 2}, {.rounding = 1}); });
    const auto other = mass_of([](auto& s) { return s.add_ellipsoid({2, 3, 1}, {.rounding = 1}); });
    CHECK((is_near(turned.ixx, other.iyy, 1e-11, other.iyy) && is_near(turned.iyy, other.izz, 1e-11, other.izz)));
}

TEST_CASE("a hull's mass is exact wherever it lies") {
    const std::vector<Vec3> tetrahedron = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (const Vec3 at : {Vec3{0, 0, 0}, Vec3{100, -64, 32}, Vec3{1024, 4096, -2048}}) {
        std::vector<Vec3> points = tetrahedron;
        for (Vec3& p : points) p = {p.x + at.x, p.y + at.y, p.z + at.z};
        const auto p = mass_of([&](auto& s) { return s.add_hull(points); });
        const double far = 1e-7 * (1 + std::abs(at.y));  // vertices are relative to a float centre
        CHECK(is_near(p.volume, 1.0 / 6, 1e-6, 1));
        const double centre[3] = {at.x + 0.25, at.y + 0.25, at.z + 0.25};
        for (int i = 0; i < 3; ++i) CHECK(is_near(p.centre[i], centre[i], far, 1));
        CHECK((is_near(p.ixx, 1.0 / 80, 1e-6, 1) && is_near(p.izz, 1.0 / 80, 1e-6, 1) &&
               is_near(p.ixy, 1.0 / 480, 1e-6, 1)));
    }
    const auto cube = mass_of([](auto& s) {
        return s.add_hull(test::lattice(2), {.rounding = 0.5f, .scale = {2, 4, 6}});
    });
    auto box = rounded_box(1, 2, 3, 0.5);
    box.centre[0] = 1, box.centre[1] = 2, box.centre[2] = 3;
    check_near(cube, box, 1e-6, 1);
}

TEST_CASE("a rounded hull's mass is that of the hull of its surface") {
    Random random(41);
    for (int i = 0; i < 12; ++i) {
        const float r = 0.25f, by = r / 1.902113f;  // an icosphere's radius
        std::vector<Vec3> points = lopsided(random, i < 3 ? 2 + i : 5),
                          around;  // segments, triangles, tetrahedra, more
        for (const Vec3 p : points)
            for (const Vec3 d : test::icosphere(3)) around.push_back({p.x + by * d.x, p.y + by * d.y, p.z + by * d.z});
        const auto rounded = mass_of([&](auto& s) { return s.add_hull(points, {.rounding = r}); });
        const auto surface = mass_of([&](auto& s) { return s.add_hull(around); });
        CAPTURE(i);
        check_near(surface, rounded, 0.01, 1);
    }
}

TEST_CASE("a prism and a cylinder, a segment and a capsule, a point and a ball are alike") {
    for (const float r : {0.0f, 0.5f}) {
        const auto prism = mass_of([&](auto& s) { return s.add_hull(test::prism(1000, 0.75), {.rounding = r}); });
        check_near(prism, mass_of([&](auto& s) { return s.add_cylinder(1, 0.75f, {.rounding = r}); }), 3e-5, 1);
        const auto pyramid = mass_of([&](auto& s) { return s.add_hull(test::cone(1000), {.rounding = r}); });
        check_near(pyramid, mass_of([&](auto& s) { return s.add_cone(1, 1, {.rounding = r}); }), 3e-5, 1);
    }
    const Vec3 ends[] = {{0, -2, 0}, {0, 2, 0}};
    const auto capsule = mass_of([](auto& s) { return s.add_capsule(0.5f, 2, {.rounding = 0.25f}); });
    check_near(mass_of([&](auto& s) { return s.add_hull(ends, {.rounding = 0.75f}); }), capsule, 1e-12, 1);
    const auto ball = mass_of([](auto& s) { return s.add_sphere(0.75f); });
    check_near(
        mass_of([&](auto& s) {
            return s.add_hull({ends, 1}, {.rounding = 0.75f});
        }),
        [&] {
        auto moved = ball;
        moved.centre[1] = -2;
        return moved;
        }(),
        1e-12, 1);
    check_near(mass_of([](auto& s) { return s.add_box({0, 2, 0}, {.rounding = 0.75f}); }), capsule, 1e-12, 1);
}

TEST_CASE("sampling agrees with every kind, scaled and rounded") {
    Random random(7);
    ShapeStore store;
    const auto check = [&](const Expected<ShapeId>& id, const oracle::Shape& shape, int side) {
        REQUIRE(id);
        CAPTURE(to_string(id->kind()), shape.rounding);
        check_near(sampled(oracle::prepare(shape), random, side), mass_of(store, *id), 0.02, 1);
    };
    for (const float r : {0.0f, 0.25f}) {
        const Vec3 even = {1.5f, 1.5f, 1.5f}, odd = {1.5f, 0.75f, 1.25f};
        const auto points = lopsided(random, 12);
        const InstanceOptions whole{.rounding = r, .scale = even}, each{.rounding = r, .scale = odd};
        using oracle::Shape;
        check(
            store.add_sphere(0.5f, whole),
            {.kind = ShapeKind::sphere, .radius = 0.5f, .half_extents = {}, .points = {}, .rounding = r, .scale = even},
            28);
        check(store.add_capsule(0.5f, 0.5f, whole),
              {.kind = ShapeKind::capsule,
               .radius = 0.5f,
               .half_height = 0.5f,
               .half_extents = {},
               .points = {},
               .rounding = r,
               .scale = even},
              36);
        check(store.add_box({0.5f, 0.75f, 1}, each),
              {.kind = ShapeKind::box, .half_extents = {0.5f, 0.75f, 1}, .points = {}, .rounding = r, .scale = odd},
              36);
        check(store.add_hull(points, each),
              {.kind = ShapeKind::hull, .half_extents = {}, .points = points, .rounding = r, .scale = odd}, 72);
        check(store.add_cylinder(0.5f, 0.75f, whole),
              {.kind = ShapeKind::cylinder,
               .radius = 0.5f,
               .half_height = 0.75f,
               .half_extents = {},
               .points = {},
               .rounding = r,
               .scale = even},
              30);
        check(store.add_cone(0.75f, 0.75f, whole),
              {.kind = ShapeKind::cone,
               .radius = 0.75f,
               .half_height = 0.75f,
               .half_extents = {},
               .points = {},
               .rounding = r,
               .scale = even},
              36);
        check(
            store.add_ellipsoid({0.5f, 0.75f, 1}, each),
            {.kind = ShapeKind::ellipsoid, .half_extents = {0.5f, 0.75f, 1}, .points = {}, .rounding = r, .scale = odd},
            30);
    }
}

TEST_CASE("mass goes with the cube of the scale and inertia with its fifth power") {
    Random random(3);
    const auto points = lopsided(random, 40);
    for (const float by : {1e-4f, 4.0f, 1e4f}) {
        ShapeStore store;
        const auto a = mass_of(store, *store.add_hull(points, {.rounding = 0.5f}), 3);
        const auto b = mass_of(store, *store.add_hull(points, {.rounding = 0.5f * by, .scale = {by, by, by}}), 3);
        const double s = by, five = std::pow(s, 5);
        CHECK(is_near(b.volume, a.volume * s * s * s, 1e-6, b.volume));
        CHECK(b.mass == 3 * b.volume);
        CHECK((is_near(b.ixx, a.ixx * five, 1e-6, b.ixx) && is_near(b.ixy, a.ixy * five, 1e-6, b.ixx)));
        for (int i = 0; i < 3; ++i) CHECK(is_near(b.centre[i], a.centre[i] * s, 1e-6, s));
    }
}

TEST_CASE("a compound's mass is the sum of its children's") {
    ShapeStore store;
    const auto half = store.add_box({1, 0.5f, 1}), cone = store.add_cone(1, 1, {.rounding = 0.25f});
    // A cube of two halves, one of them turned by a quarter about Y.
    const CompoundChild halves[] = {{*half, {4, 0.5f, 0}, {}},
                                    {*half, {4, -0.5f, 0}, {0, 0.70710678f, 0, 0.70710678f}}};
    auto cube = expected(8, 8 * 2 / 3.0, 8 * 2 / 3.0, 8 * 2 / 3.0);
    cube.centre[0] = 4;
    check_near(mass_of(store, *store.add_compound(halves)), cube, 1e-7, 4);
    // A cone lying along X: its inertia is the upright one's, turned.
    const CompoundChild lying[] = {{*cone, {1, 2, 3}, {0, 0, -0.70710678f, 0.70710678f}}};
    const auto upright = mass_of(store, *cone), lies = mass_of(store, *store.add_compound(lying));
    CHECK((is_near(lies.ixx, upright.iyy, 1e-6, upright.iyy) && is_near(lies.iyy, upright.ixx, 1e-6, upright.ixx)));
    CHECK((is_near(lies.centre[0], 1 + upright.centre[1], 1e-6, 1) && is_near(lies.centre[2], 3, 1e-6, 1)));
    // Scaled and rounded as a whole, each child is.
    const auto grown = mass_of(store, *store.add_compound(lying, {.rounding = 0.5f, .scale = {2, 2, 2}}));
    const auto alone = mass_of(store, *store.add_cone(2, 2, {.rounding = 1.0f}));
    CHECK((is_near(grown.volume, alone.volume, 1e-6, alone.volume) && is_near(grown.ixx, alone.iyy, 1e-6, alone.iyy)));
    const CompoundChild twice[] = {{*half, {}, {}}, {*half, {}, {}}};
    CHECK(is_near(mass_of(store, *store.add_compound(twice)).volume, 8, 1e-12, 8));  // what overlaps counts twice
}

TEST_CASE("flat shapes have no mass, and what has none for other reasons an error") {
    ShapeStore store;
    const Vec3 square[] = {{1, 1, 0}, {3, 1, 0}, {3, 1, 2}, {1, 1, 2}};
    const auto flat = mass_of(store, *store.add_hull(square));
    CHECK((flat.volume == 0 && flat.mass == 0 && flat.ixx == 0 && flat.centre[0] == 2 && flat.centre[1] == 1 &&
           flat.centre[2] == 1));
    for (const auto& id : {store.add_sphere(0), store.add_capsule(0, 1), store.add_box({1, 0, 1}),
                           store.add_cylinder(1, 0), store.add_cone(0, 1)})
        CHECK(mass_of(store, *id).volume == 0);
    // A plate of 2 by 2: its thickness, half a cylinder along each side, and a ball.
    CHECK(is_near(mass_of(store, *store.add_hull(square, {.rounding = 0.5f})).volume, 4 + 8 * kPi / 8 + kPi / 6, 1e-6,
                  1));
    const auto plane = store.add_halfspace({0, 1, 0}, 0), ball = store.add_sphere(1);
    CHECK(mass_properties(store, *plane).error().code == ErrorCode::unsupported);
    CHECK(mass_properties(store, ShapeId{}).error().code == ErrorCode::bad_argument);
    for (const double density : {-1.0, double(NAN), double(INFINITY)})
        CHECK(mass_properties(store, *ball, density).error().code == ErrorCode::bad_argument);
    const auto huge = store.add_sphere(1e27f);
    CHECK(mass_of(store, *huge).mass > 4e81);
    CHECK(mass_properties(store, *huge, 1e300).error().code == ErrorCode::limit);
    CHECK(mass_of(store, *ball, 0).mass == 0);
}
