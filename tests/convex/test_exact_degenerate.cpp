// The exact path where answers are known: touching, flat, concentric and coincident shapes.
#include "support/catch.hpp"
#include "support/exact_checks.hpp"

using namespace abut;
using namespace scenes;
using checks::everything;
using exact::Answer;
using maths::Vec3d;

namespace {

constexpr Quat kUpright = {};

// A depth of 0 is 0 to within this, a normal's component likewise.
constexpr double kMargin = 1e-12;

bool near(double a, double b, double margin = kMargin) { return std::fabs(a - b) <= margin; }
double along(const Vec3d& a, const Vec3d& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vec3d turned(const Quat& q, const Vec3d& v) {
    const brute::Vec r = brute::rotate(q, brute::from(v));
    return {static_cast<double>(r.x), static_cast<double>(r.y), static_cast<double>(r.z)};
}

Answer checked(const Posed& a, const Posed& b) {
    const Answer answer = exact::signed_distance(a, b);
    const checks::Verdict verdict = everything(a, b, answer);
    INFO(verdict.what << ' ' << verdict.worst << ", signed distance " << answer.signed_distance);
    CHECK(verdict.worst < 1);
    return answer;
}

// Answers with this signed distance, and this normal or (where `either` sign will do) its opposite.
void expect(const Posed& a, const Posed& b, double signed_distance, const Vec3d& normal, bool either = false) {
    const Answer answer = checked(a, b);
    CHECK(near(answer.signed_distance, signed_distance, kMargin * std::max({1.0, a.shape.size, b.shape.size})));
    const double cosine = along(answer.normal, normal);
    INFO("normal " << answer.normal.x << ' ' << answer.normal.y << ' ' << answer.normal.z);
    CHECK((either ? std::fabs(cosine) : cosine) > 1 - 1e-9);
}

void expect_square_to(const Posed& a, const Posed& b, double signed_distance, const Vec3d& axis) {
    const Answer answer = checked(a, b);
    CHECK(near(answer.signed_distance, signed_distance));
    CHECK(std::fabs(along(answer.normal, axis)) < 1e-9);
}

const Quat kAskew = {0.1826f, 0.3651f, 0.5477f, 0.7303f};
const Quat kPoses[] = {kUpright, kAskew, {0.5f, 0.5f, 0.5f, 0.5f}, {0, 0, 0.70710678f, 0.70710678f}};

}  // namespace

TEST_CASE("exact: boxes that share a face, an edge or a corner have depth 0 and a normal that parts them") {
    const Shape cube = box({1, 1, 1}), flat = box({2, 0.5f, 1});
    expect({cube, {}, kUpright}, {cube, {2, 0, 0}, kUpright}, 0, {1, 0, 0});
    expect({cube, {}, kUpright}, {cube, {0.5f, -2, 0.25f}, kUpright}, 0, {0, -1, 0});
    expect({cube, {}, kUpright}, {flat, {0.5f, 1.5f, 0.75f}, kUpright}, 0, {0, 1, 0});
    expect({cube, {1e6f, -1e6f, 1e6f}, kUpright}, {cube, {1e6f, -1e6f, 1e6f + 2}, kUpright}, 0, {0, 0, 1});
    expect_square_to({cube, {}, kUpright}, {cube, {2, 2, 0.5f}, kUpright}, 0, {0, 0, 1});  // an edge along z
    CHECK(near(checked({cube, {}, kUpright}, {cube, {2, 2, 2}, kUpright}).signed_distance, 0));
    for (const Quat& q : kPoses) {  // turned together: rounding leaves 1e-8 of gap or overlap
        const Vec3d up = turned(q, {0, 1, 0});
        const Vec3 above = {static_cast<float>(2 * up.x), static_cast<float>(2 * up.y), static_cast<float>(2 * up.z)};
        const Answer answer = checked({cube, {}, q}, {cube, above, q});
        CHECK(along(answer.normal, up) > 1 - 1e-6);
        CHECK(std::fabs(answer.signed_distance) < 1e-6);
    }
}

TEST_CASE("exact: points on, in and off a box") {
    const Shape cube = box({1, 1, 1}), point = sphere(0), ball = sphere(0.5f);
    expect({point, {1, 0.25f, 0.5f}, kUpright}, {cube, {}, kUpright}, 0, {-1, 0, 0});
    expect({point, {0.25f, 0.5f, 0}, kUpright}, {cube, {}, kUpright}, -0.5, {0, -1, 0});
    expect({point, {0.25f, 3, 0.5f}, kUpright}, {cube, {}, kUpright}, 2, {0, -1, 0});
    expect({ball, {1, 0.25f, 0.5f}, kUpright}, {cube, {}, kUpright}, -0.5, {-1, 0, 0});
    expect({ball, {1.5f, 0.25f, 0.5f}, kUpright}, {cube, {}, kUpright}, 0, {-1, 0, 0});
    expect_square_to({point, {1, 1, 0}, kUpright}, {cube, {}, kUpright}, 0, {0, 0, 1});
    CHECK(near(checked({point, {1, 1, 1}, kUpright}, {cube, {}, kUpright}).signed_distance, 0));
    CHECK(near(checked({point, {}, kUpright}, {cube, {}, kUpright}).signed_distance, -1));
}

TEST_CASE("exact: cores that are one point: +Y, whatever the orientation") {
    for (const Quat& q : kPoses) {
        const Vec3 at = {3, -5, 1e5f};
        expect({sphere(2), at, q}, {sphere(1), at, kAskew}, -3, {0, 1, 0});
        expect({sphere(0), at, q}, {sphere(0), at, q}, 0, {0, 1, 0});
        expect({box({0, 0, 0}, 1), at, q}, {capsule(0.5f, 0), at, q}, -1.5, {0, 1, 0});
    }
    expect({sphere(1), {}, kUpright}, {sphere(1), {1e-30f, 0, 0}, kUpright}, -2, {1, 0, 0});
    expect({sphere(1), {}, kUpright}, {sphere(1), {0, 0, 2}, kUpright}, 0, {0, 0, 1});
    expect({sphere(0), {}, kUpright}, {sphere(0), {0, 1e-38f, 0}, kUpright}, 1e-38, {0, 1, 0});
}

TEST_CASE("exact: cores in one line: +Y made square to it, or +X where the line is near Y") {
    const Shape rod = capsule(0.25f, 1), needle = capsule(0, 2);
    expect({rod, {}, kUpright}, {rod, {}, kUpright}, -0.5, {1, 0, 0});
    expect({rod, {}, kUpright}, {rod, {0, 1.5f, 0}, kUpright}, -0.5, {1, 0, 0});
    expect({rod, {}, kUpright}, {rod, {0, 2, 0}, kUpright}, -0.5, {1, 0, 0});  // end to end
    expect({rod, {}, kUpright}, {rod, {0, 2.5f, 0}, kUpright}, 0, {0, 1, 0});  // apart by the radii
    expect({sphere(1), {0, 0.5f, 0}, kUpright}, {rod, {}, kUpright}, -1.25, {1, 0, 0});
    expect({needle, {}, kUpright}, {needle, {0, 1, 0}, kUpright}, 0, {1, 0, 0});
    const Quat along_x = {0, 0, 0.70710678f, 0.70710678f}, along_z = {0.70710678f, 0, 0, 0.70710678f};
    expect({rod, {}, along_x}, {needle, {}, along_x}, -0.25, {0, 1, 0});
    expect({rod, {}, along_z}, {needle, {}, along_z}, -0.25, {0, 1, 0});
    for (const Quat& q : kPoses) {
        const Vec3d axis = turned(q, {0, 1, 0});
        expect_square_to({rod, {7, 8, 9}, q}, {rod, {7, 8, 9}, q}, -0.5, axis);
        const Vec3d preferred = axis.y * axis.y <= 0.75 ? Vec3d{0, 1, 0} : Vec3d{1, 0, 0};
        const double c = along(axis, preferred), s = std::sqrt(1 - c * c);
        const Vec3d square = {(preferred.x - c * axis.x) / s, (preferred.y - c * axis.y) / s,
                              (preferred.z - c * axis.z) / s};
        expect({rod, {}, q}, {rod, {}, q}, -0.5, square);
    }
}

TEST_CASE("exact: cores in one plane: its normal, towards B's centre, else up") {
    const Shape rod = capsule(0, 1), thick = capsule(0.25f, 1);
    const Quat along_x = {0, 0, 0.70710678f, 0.70710678f}, along_z = {0.70710678f, 0, 0, 0.70710678f};
    expect({rod, {}, along_x}, {rod, {}, along_z}, 0, {0, 1, 0});  // crossing in the middle
    expect({thick, {}, along_x}, {thick, {0.5f, 0, 0.5f}, along_z}, -0.5, {0, 1, 0});
    expect({rod, {}, along_x}, {rod, {1, 0, 0}, along_z}, 0, {0, 1, 0});  // a T: one ends on the other
    expect({rod, {}, along_x}, {rod, {1, 0, 1}, along_z}, 0, {0, 1, 0});  // an L: end on end
    expect({rod, {}, kUpright}, {rod, {0, 0.5f, 0}, along_x}, 0, {0, 0, 1});
    const auto triangle = make_hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
    const auto square = make_hull({{1, 0, 1}, {1, 0, -1}, {-1, 0, 1}, {-1, 0, -1}});
    expect({hull(*square), {}, kUpright}, {hull(*square), {}, kUpright}, 0, {0, 1, 0});
    expect({hull(*square), {}, kUpright}, {hull(*square), {0.5f, 0, 0.25f}, kUpright}, 0, {0, 1, 0});
    expect({hull(*square), {}, kUpright}, {hull(*square), {2, 0, 0.25f}, kUpright}, 0, {0, 1, 0});  // edge on edge
    expect({hull(*square), {}, kUpright}, {hull(*square), {2, 0, 2}, kUpright}, 0, {0, 1, 0});      // corner on corner
    expect({hull(*triangle), {}, kUpright}, {hull(*triangle), {0.25f, 0.25f, 0}, kUpright}, 0, {0, 0, 1});
    expect({rod, {0.25f, 0, 0}, along_x}, {hull(*square), {}, kUpright}, 0, {0, 1, 0});
    expect({sphere(0.5f), {0.25f, 0, 0}, kUpright}, {hull(*square, 0.25f), {}, kUpright}, -0.75, {0, 1, 0});
    expect({box({1, 0, 1}), {}, kUpright}, {hull(*square), {0.5f, 0, 0}, kUpright}, 0, {0, 1, 0});
    Random random(1);
    for (int i = 0; i < 200; ++i) {  // turned at random: coplanar to within rounding only
        const Quat q = random.orientation();
        const Answer answer = checked({hull(*square), {}, q}, {hull(*square, 0.5f), {}, q});
        CHECK(std::fabs(along(answer.normal, turned(q, {0, 1, 0}))) > 1 - 1e-12);
        CHECK(answer.normal.y > 0);
        CHECK(near(answer.signed_distance, -0.5));
    }
}

TEST_CASE("exact: polygons and segments through each other, not in one plane") {
    const auto square = make_hull({{1, 0, 1}, {1, 0, -1}, {-1, 0, 1}, {-1, 0, -1}});
    const Shape needle = capsule(0, 1);
    expect_square_to({needle, {}, kUpright}, {hull(*square), {0.5f, 0, 0}, kUpright}, -0.5, {0, 1, 0});
    expect({needle, {0, 0.75f, 0}, kUpright}, {hull(*square), {}, kUpright}, -0.25, {0, -1, 0});
    expect({needle, {0, 1, 0}, kUpright}, {hull(*square), {}, kUpright}, 0, {0, -1, 0});
    const Quat on_edge = {0.70710678f, 0, 0, 0.70710678f};
    const Answer crossed = checked({hull(*square), {}, kUpright}, {hull(*square), {0, 0, 0}, on_edge});
    CHECK(near(crossed.signed_distance, -1, 1e-6));
}

TEST_CASE("exact: identical shapes at identical poses") {
    for (const Quat& q : kPoses) {
        const Vec3 at = {100, -200, 300};
        expect({box({1, 0.25f, 0.5f}), at, q}, {box({1, 0.25f, 0.5f}), at, q}, -0.5, turned(q, {0, 1, 0}), true);
        expect({box({1, 1, 1}, 0.5f), at, q}, {box({2, 0.5f, 2}), at, q}, -2, turned(q, {0, 1, 0}), true);
        const auto tetrahedron = make_hull({{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}});
        CHECK(near(checked({hull(*tetrahedron), at, q}, {hull(*tetrahedron), at, q}).signed_distance, -2, 1e-9));
    }
}

TEST_CASE("exact: prisms face to face have witnesses in both") {
    Random random(2);
    for (const int sides : {3, 5, 8}) {
        std::vector<Vec3> points;
        for (int i = 0; i < 2 * sides; ++i) {
            const double angle = 6.283185307179586 * (i / 2) / sides;
            points.push_back(
                {static_cast<float>(std::cos(angle)), i % 2 ? 1.0f : -1.0f, static_cast<float>(std::sin(angle))});
        }
        const auto prism = make_hull(points);
        for (int i = 0; i < 30; ++i) {
            const float height = i % 3 == 0 ? 2.0f : i % 3 == 1 ? 1.9375f : 2.0625f;
            const Vec3 above = {static_cast<float>(random.in(-1, 1)), height, static_cast<float>(random.in(-1, 1))};
            const float half = static_cast<float>(random.in(0, 3.14));
            const Quat spin = {0, std::sin(half), 0, std::cos(half)};
            expect({hull(*prism), {}, kUpright}, {hull(*prism), above, spin}, height - 2.0, {0, 1, 0});
        }
    }
}

TEST_CASE("exact: slivers, and sizes far apart") {
    const auto sliver = make_hull({{-1, 0, 0}, {1, 0, 0}, {0.1f, 1e-7f, 0}, {0.2f, 0, 1e-7f}, {0, 1e-7f, 1e-7f}});
    Random random(3);
    for (int i = 0; i < 100; ++i) {
        const Vec3 step = times(random.direction(), i % 2 ? random.log_in(1e-9, 1e-6) : random.in(0, 1));
        checked({hull(*sliver), {}, random.orientation()}, {hull(*sliver), step, random.orientation()});
        checked({box({1e4f, 1e4f, 1e4f}), {}, kUpright}, {hull(*sliver), times(step, 1e4), random.orientation()});
        checked({sphere(1e4f), {}, kUpright}, {box({1e-4f, 1e-4f, 1e-4f}), times(step, 1e4), random.orientation()});
    }
    expect({box({1e4f, 1e4f, 1e4f}), {}, kUpright}, {box({1e-4f, 1e-4f, 1e-4f}), {1e4f, 0, 0}, kUpright},
           -double(1e-4f), {1, 0, 0});
}

TEST_CASE("exact: uncooked points (duplicate, interior, collinear) change nothing") {
    const auto clean =
        make_hull({{1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {1, -1, -1}, {-1, 1, 1}, {-1, 1, -1}, {-1, -1, 1}, {-1, -1, -1}});
    std::vector<Vec3> points;
    for (int x = -2; x <= 2; ++x)
        for (int y = -2; y <= 2; ++y)
            for (int z = -2; z <= 2; ++z) points.insert(points.end(), x == 2 ? 2 : 1, {0.5f * x, 0.5f * y, 0.5f * z});
    const auto grid = make_hull(points);
    Random random(4);
    for (int i = 0; i < 500; ++i) {
        const Quat q = i % 4 == 0 ? kUpright : random.orientation(), p = i % 4 == 0 ? kUpright : random.orientation();
        const Vec3 step =
            i % 4 == 0 ? Vec3{2, 0.5f * random.below(3), 0.25f} : times(random.direction(), random.in(0, 3));
        const Answer expected = exact::signed_distance({hull(*clean), {}, q}, {hull(*clean), step, p});
        const Answer answer = exact::signed_distance({hull(*grid), {}, q}, {hull(*grid), step, p});
        REQUIRE(std::fabs(expected.signed_distance - answer.signed_distance) < kMargin);
        REQUIRE(checks::invariants({hull(*grid), {}, q}, {hull(*grid), step, p}, answer).worst < 1);
    }
}
