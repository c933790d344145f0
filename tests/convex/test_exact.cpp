// The exact path against brute force: pairs of every kind, ordinary, near contact and hostile.
#include "support/catch.hpp"
#include "support/exact_checks.hpp"

#include <cstring>
#include <ctime>
#include <numbers>

#include "shapes/tables.hpp"

using namespace abut;
using namespace scenes;
using checks::Verdict;
using exact::Answer;

namespace {

// A pair and the hulls it refers to.
struct Scene {
    std::unique_ptr<HullGeometry> hulls[2];
    Posed a, b;
};

Shape random_shape(Random& random, ShapeKind kind, double size, int most_vertices,
                   std::unique_ptr<HullGeometry>& geometry) {
    const auto part = [&] { return static_cast<float>(random.chance(0.1) ? 0 : size * random.unit()); };
    const auto all = static_cast<float>(size);
    const float rounding = random.chance(0.3) ? 0.2f * part() : 0;
    switch (kind) {
        case ShapeKind::sphere: return sphere(random.chance(0.1) ? 0 : all);
        case ShapeKind::capsule: return capsule(part(), all);
        case ShapeKind::box: return box({part(), all, part()}, rounding);
        default: break;
    }
    const int dimension = random.chance(0.75) ? 3 : random.below(4);
    const int count = dimension == 0 ? 1 : dimension == 1 ? 2 : 3 + random.below(most_vertices - 2);
    const double thinness = random.chance(0.2) ? random.log_in(1e-5, 1) : 1;
    const Vec3 centre = random.chance(0.5) ? times(random.direction(), size) : Vec3{};
    geometry = make_hull(cloud(random, count, size, dimension, thinness), centre);
    return hull(*geometry, rounding);
}

Scene random_scene(Random& random, ShapeKind kind_a, ShapeKind kind_b, double size_a, double size_b,
                   int most_vertices) {
    Scene scene;
    scene.a.shape = random_shape(random, kind_a, size_a, most_vertices, scene.hulls[0]);
    scene.b.shape = random_shape(random, kind_b, size_b, most_vertices, scene.hulls[1]);
    const double reach = bound(scene.a.shape) + bound(scene.b.shape);
    const double distance = random.chance(0.05)   ? 0
                            : random.chance(0.05) ? reach * random.log_in(1, 1e6)
                                                  : reach * random.in(0, 1.2);
    const Vec3 origin = random.chance(0.3) ? times(random.direction(), random.log_in(1, 1e6)) : Vec3{};
    const Vec3 step = times(random.direction(), distance);
    scene.a.position = origin;
    scene.b.position = {origin.x + step.x, origin.y + step.y, origin.z + step.z};
    if (random.chance(0.8)) scene.a.orientation = random.orientation();
    scene.b.orientation = random.chance(0.1) ? scene.a.orientation : random.chance(0.8) ? random.orientation() : Quat{};
    return scene;
}

constexpr ShapeKind kKinds[] = {ShapeKind::sphere, ShapeKind::capsule, ShapeKind::box, ShapeKind::hull};

bool same_bits(const Answer& a, const Answer& b) {
    return std::memcmp(&a.signed_distance, &b.signed_distance, 10 * sizeof(double)) ==
           0;  // the distance and three vectors
}

// Lengths times 2^exponent; `storage` keeps the hull.
Posed scaled(Posed posed, int exponent, std::unique_ptr<HullGeometry>& storage) {
    const double scale = std::ldexp(1, exponent);
    Shape& shape = posed.shape;
    shape.radius *= scale;
    shape.size *= scale;
    posed.position = times(posed.position, scale);
    if (shape.kind != ShapeKind::hull) {
        shape.extents = shape.extents * scale;
        return posed;
    }
    const HullGeometry& hull = *shape.hull;
    std::vector<Vec3> points;
    for (std::uint32_t k = 0; k < hull.vertex_count; ++k)
        points.push_back(times({hull.column_x()[k], hull.column_y()[k], hull.column_z()[k]}, scale));
    storage = make_hull(points, times(hull.centre, scale));
    shape.hull = storage.get();
    return posed;
}

// Whether the answer for the scaled pair is the scaled answer.
bool scales(const Scene& scene, int exponent) {
    std::unique_ptr<HullGeometry> storage[2];
    Answer expected = exact::signed_distance(scene.a, scene.b);
    const Answer answer =
        exact::signed_distance(scaled(scene.a, exponent, storage[0]), scaled(scene.b, exponent, storage[1]));
    for (double* x : {&expected.signed_distance, &expected.point_a.x, &expected.point_a.y, &expected.point_a.z,
                      &expected.point_b.x, &expected.point_b.y, &expected.point_b.z})
        *x = std::ldexp(*x, exponent);
    return same_bits(expected, answer);
}

}  // namespace

TEST_CASE("exact: pairs of every kind agree with brute force") {
    for (const ShapeKind kind_a : kKinds)
        for (const ShapeKind kind_b : kKinds) {
            Random random(1 + static_cast<int>(kind_a) * 16 + static_cast<int>(kind_b));
            Verdict worst;
            int hits = 0;
            constexpr int kPairs = 600;
            for (int i = 0; i < kPairs; ++i) {
                const Scene scene = random_scene(random, kind_a, kind_b, 1, 1, 8);
                const Answer answer = exact::signed_distance(scene.a, scene.b);
                worst.merge(checks::everything(scene.a, scene.b, answer));
                hits += answer.signed_distance <= 0;
            }
            INFO(to_string(kind_a) << '-' << to_string(kind_b) << ": " << worst.what);
            CHECK(worst.worst < 1);
            CHECK(hits > kPairs / 10);
            CHECK(hits < kPairs * 9 / 10);
        }
}

TEST_CASE("exact: hulls of up to 24 vertices agree with brute force") {
    Random random(2);
    Verdict worst;
    for (int i = 0; i < 150; ++i) {
        const Scene scene = random_scene(random, ShapeKind::hull, ShapeKind::hull, 1, 1, 24);
        worst.merge(checks::everything(scene.a, scene.b, exact::signed_distance(scene.a, scene.b)));
    }
    INFO(worst.what);
    CHECK(worst.worst < 1);
}

TEST_CASE("exact: sizes from 1e-4 to 1e4 agree with brute force") {
    Random random(3);
    Verdict worst;
    for (int i = 0; i < 3000; ++i) {
        const double a = random.log_in(1e-4, 1e4), b = random.log_in(1e-4, 1e4);
        const Scene scene = random_scene(random, kKinds[random.below(4)], kKinds[random.below(4)], a, b, 8);
        worst.merge(checks::everything(scene.a, scene.b, exact::signed_distance(scene.a, scene.b)));
    }
    INFO(worst.what);
    CHECK(worst.worst < 1);
}

// Bisecting on A's size runs through gaps and depths down to the last bit.
TEST_CASE("exact: the normal is right however small the gap") {
    Random random(4);
    Verdict worst;
    int tiny = 0, apart = 0, all = 0;
    for (int i = 0; i < 300; ++i) {
        Scene scene = random_scene(random, i % 3 ? ShapeKind::hull : ShapeKind::box, kKinds[random.below(4)], 1, 1, 8);
        scene.a.shape.radius = scene.b.shape.radius = 0;
        if (exact::signed_distance(scene.a, scene.b).signed_distance > 10) continue;
        const Shape whole = scene.a.shape;
        double low = 0, high = 16;
        for (int step = 0; step < 56; ++step) {
            const double scale = (low + high) / 2;
            scene.a.shape.extents = whole.extents * scale;
            scene.a.shape.size = whole.size * scale;
            const Answer answer = exact::signed_distance(scene.a, scene.b);
            (answer.signed_distance > 0 ? low : high) = scale;
            if (step < 20) continue;
            worst.merge(step % 9 == 0 ? checks::everything(scene.a, scene.b, answer)
                                      : checks::invariants(scene.a, scene.b, answer));
            tiny += std::fabs(answer.signed_distance) < 1e-9;
            apart += answer.signed_distance > 0;
            ++all;
        }
    }
    INFO(worst.what);
    CHECK(worst.worst < 1);
    CHECK(all > 5000);
    CHECK(tiny > all / 4);
    CHECK(apart > all / 4);
    CHECK(apart < all * 9 / 10);
}

TEST_CASE("exact: a hundred thousand hostile pairs keep every invariant") {
    Random random(5);
    Verdict worst;
    double slowest = 0;
    for (int i = 0; i < 100'000; ++i) {
        const double a = random.log_in(1e-4, 1e4), b = random.chance(0.5) ? a : random.log_in(1e-4, 1e4);
        const Scene scene = random_scene(random, kKinds[random.below(4)], kKinds[random.below(4)], a, b, 40);
        const std::clock_t start = std::clock();  // the processor's time, whatever else runs
        const Answer answer = exact::signed_distance(scene.a, scene.b);
        slowest = std::max(slowest, double(std::clock() - start) / CLOCKS_PER_SEC);
        worst.merge(checks::invariants(scene.a, scene.b, answer));
        if (exact::overlaps(scene.a, scene.b) != (answer.signed_distance <= 0)) worst.consider(1, 0, "overlaps");
    }
    INFO(worst.what);
    CHECK(worst.worst < 1);
    CHECK(slowest < 0.1);  // microseconds; a thousand times that under sanitizers
}

TEST_CASE("exact: powers of two scale the answer bit for bit") {
    Random random(6);
    int different = 0;
    for (int i = 0; i < 2000; ++i) {
        const Scene scene =
            random_scene(random, kKinds[random.below(4)], kKinds[random.below(4)], 1, random.log_in(1e-2, 1), 20);
        different += !scales(scene, random.below(2) ? 12 : -12);
    }
    CHECK(different == 0);
}

TEST_CASE("exact: powers of two scale two points, a hull and a sphere, that are a subnormal number apart") {
    Scene scene;
    scene.a.shape = sphere(0);
    scene.a.orientation = {-0x1.bc84c2p-2f, -0x1.30a8d4p-1f, 0x1.ebf6d6p-2f, -0x1.e78676p-2f};
    scene.hulls[1] = make_hull({{0, 0, 0}});
    scene.b.shape = hull(*scene.hulls[1]);
    scene.b.position = {0x1p-149f, 0, 0};
    scene.b.orientation = {-0x1.0953e2p-1f, 0x1.5b4712p-1f, 0x1.e025d6p-2f, -0x1.d0e564p-3f};
    CHECK(scales(scene, 12));
}

TEST_CASE("exact: q and -q, and lengths off by 1%, turn alike") {
    Random random(7);
    for (int i = 0; i < 500; ++i) {
        Scene scene = random_scene(random, kKinds[random.below(4)], ShapeKind::hull, 1, 1, 12);
        const Answer expected = exact::signed_distance(scene.a, scene.b);
        Quat& q = scene.b.orientation;
        q = {-q.x, -q.y, -q.z, -q.w};
        REQUIRE(same_bits(expected, exact::signed_distance(scene.a, scene.b)));
        q = {q.x * 1.0078125f, q.y * 1.0078125f, q.z * 1.0078125f, q.w * 1.0078125f};
        const double tolerance =
            checks::allowed(scene.a, scene.b, expected.signed_distance) + 1e-6 * (1 + bound(scene.b.shape));
        REQUIRE(std::fabs(exact::signed_distance(scene.a, scene.b).signed_distance - expected.signed_distance) <
                tolerance);
    }
}

TEST_CASE("exact: cutoffs only leave out") {
    Random random(8);
    int beyond = 0, within = 0, zero = 0;
    for (int i = 0; i < 3000; ++i) {
        const Scene scene = random_scene(random, kKinds[random.below(4)], kKinds[random.below(4)], 1, 1, 16);
        const Answer full = exact::signed_distance(scene.a, scene.b);
        const double cutoff = random.in(0, 0.5);
        const Answer cut = exact::signed_distance(scene.a, scene.b, {cutoff, false});
        const Answer apart = exact::signed_distance(scene.a, scene.b, {cutoff, true});
        if (full.signed_distance > cutoff) {
            ++beyond;
            REQUIRE(cut.signed_distance == HUGE_VAL);
            REQUIRE(apart.signed_distance == HUGE_VAL);
            REQUIRE(cut.normal.x == 0);
            continue;
        }
        ++within;
        REQUIRE(same_bits(full, cut));
        if (full.signed_distance > 0) {
            REQUIRE(same_bits(full, apart));
        } else {
            ++zero;
            REQUIRE(apart.signed_distance == 0);
            REQUIRE(apart.normal.x == 0);
        }
        REQUIRE(exact::overlaps(scene.a, scene.b) == (full.signed_distance <= 0));
    }
    CHECK(beyond > 300);
    CHECK(within > 300);
    CHECK(zero > 300);
}

TEST_CASE("exact: a cooked hull answers as its points do") {
    Random random(9);
    for (int i = 0; i < 300; ++i) {
        const std::vector<Vec3> points = cloud(random, 4 + random.below(60), 1);
        const Vec3 at = times(random.direction(), 0.5);
        std::vector<Vec3> moved;
        for (const Vec3& p : points) moved.push_back({p.x + at.x, p.y + at.y, p.z + at.z});
        ShapeStore store;
        const auto id = store.add_hull(moved);
        REQUIRE(id);
        const auto& tables = tables_of(store);
        const auto& record = tables.kinds[static_cast<int>(ShapeKind::hull)].records[id->slot()];
        Shape cooked = hull(tables.hulls[record.geometry]);
        cooked.size = record.size;
        const auto raw = make_hull(moved), other = make_hull(cloud(random, 20, 1));
        const Posed b = {hull(*other), times(random.direction(), random.in(0, 2)), random.orientation()};
        const Quat q = random.orientation();
        const Answer expected = exact::signed_distance({hull(*raw), {}, q}, b),
                     answer = exact::signed_distance({cooked, {}, q}, b);
        REQUIRE(answer.status == Status::ok);
        REQUIRE(std::fabs(answer.signed_distance - expected.signed_distance) <
                1e-6);  // vertices round to floats about the centre
    }
}

TEST_CASE(
    "exact: concentric hulls of a thousand vertices are as deep as their shallowest direction, and take milliseconds") {
    constexpr int kSides = 1000;
    Random random(31);
    std::vector<Vec3> pyramid = {{0, 2, 0}}, frustum, ball;
    for (int i = 0; i < kSides; ++i) {
        const double angle = 2 * std::numbers::pi * i / kSides;
        pyramid.push_back({float(std::cos(angle)), -2, float(std::sin(angle))});
        if (i % 2 == 0) frustum.push_back({float(std::cos(angle)), -1, float(std::sin(angle))});
        if (i % 2 == 1) frustum.push_back({float(0.8 * std::cos(angle)), 1, float(0.8 * std::sin(angle))});
        ball.push_back(random.direction());
    }
    ShapeStore store;
    std::vector<ShapeId> ids;
    for (const auto* points : {&pyramid, &frustum, &ball}) {
        const auto id = store.add_hull(*points);
        REQUIRE(id);
        ids.push_back(*id);
    }
    std::vector<Shape> shapes;
    for (const ShapeId id : ids) {
        const auto& tables = tables_of(store);
        const auto& record = tables.kinds[static_cast<int>(ShapeKind::hull)].records[id.slot()];
        shapes.push_back(hull(tables.hulls[record.geometry]));
        shapes.back().size = record.size;
    }
    const auto tilted = [](double angle) { return Quat{float(std::sin(angle)), 0, 0, float(std::cos(angle))}; };
    double slowest = 0;
    for (const Shape& first : shapes)
        for (const Shape& second : shapes)
            for (const Quat& q :
                 {Quat{}, tilted(1e-6), tilted(1e-3), Quat{0, float(std::sin(0.3)), 0, float(std::cos(0.3))}}) {
                const Posed a = {first, {}, {}}, b = {second, {}, q};
                Answer answer;
                double fastest = 1;
                for (int i = 0; i < 3; ++i) {
                    const std::clock_t start = std::clock();
                    answer = exact::signed_distance(a, b);
                    fastest = std::min(fastest, double(std::clock() - start) / CLOCKS_PER_SEC);
                }
                slowest = std::max(slowest, fastest);
                const Verdict verdict = checks::invariants(a, b, answer);
                INFO(verdict.what);
                CHECK(verdict.worst < 1);
                // No face's normal is shallower by more than the bound, nor a direction near it.
                const double bound = kToleranceSmaller * std::min(first.size, second.size) +
                                     kToleranceLarger * std::max(first.size, second.size);
                const brute::Cloud in_a = brute::cloud_of(a, a.position), in_b = brute::cloud_of(b, a.position);
                for (const bool is_b : {false, true}) {
                    const HullGeometry& geometry = is_b ? *second.hull : *first.hull;
                    const std::size_t row = geometry.padded_faces;
                    for (std::size_t f = 0; f < geometry.face_count; f += 5) {
                        const float* plane = geometry.planes.data() + f;
                        const Vec3 aside = times(random.direction(), random.log_in(1e-6, 1e-2));
                        const brute::Vec n = {plane[0] + aside.x, plane[row] + aside.y, plane[2 * row] + aside.z};
                        const brute::Vec out = is_b ? brute::rotate(q, n) * -1 : n;
                        REQUIRE(double(brute::gap_along(in_a, in_b, out * (1 / brute::norm(out)))) <
                                answer.signed_distance + bound);
                    }
                }
            }
#ifdef NDEBUG
    CHECK(slowest < 0.012);  // some 2 ms
#endif
}

TEST_CASE("exact: kinds without a core here are unsupported") {
    const Posed good = {box({1, 1, 1}), {0, 0, 0}, {}};
    for (const ShapeKind kind : {ShapeKind::custom, ShapeKind::compound, ShapeKind::none}) {
        Posed other = good;
        other.shape.kind = kind;
        CHECK(exact::signed_distance(good, other).status == Status::unsupported);
        CHECK(exact::signed_distance(other, good).status == Status::unsupported);
        CHECK_FALSE(exact::overlaps(other, good));
    }
}

TEST_CASE("exact: what is not finite gets bad_pose") {
    const float bad[] = {NAN, HUGE_VALF, -HUGE_VALF};
    const Posed good = {box({1, 1, 1}), {0, 0, 0}, {}};
    for (const float x : bad) {
        Posed moved = good, turned = good;
        moved.position.y = x;
        turned.orientation.z = x;
        for (const Posed& other : {moved, turned}) {
            CHECK(exact::signed_distance(good, other).status == Status::bad_pose);
            CHECK(exact::signed_distance(other, good).status == Status::bad_pose);
            CHECK(exact::signed_distance(other, other).signed_distance == 0);
            CHECK_FALSE(exact::overlaps(other, good));
        }
    }
    Posed none = good;
    none.orientation = {0, 0, 0, 0};
    CHECK(exact::signed_distance(good, none).status == Status::bad_pose);
}
