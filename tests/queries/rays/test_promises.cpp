// Rays keep the promises of the other queries: same bits, scale-free, contained, quiet. And what their options mean.
#include "support/catch.hpp"

#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <vector>

#include "queries/rays/rays.hpp"
#include "shapes/custom/coin.hpp"
#include "support/compound_scene.hpp"
#include "support/pair_answer.hpp"

using namespace abut;
using rays::RayScene;

namespace {

constexpr ShapeKind kKinds[] = {ShapeKind::sphere, ShapeKind::capsule, ShapeKind::box,       ShapeKind::cylinder,
                                ShapeKind::cone,   ShapeKind::hull,    ShapeKind::ellipsoid, ShapeKind::halfspace};

RayHits cast(const Frame& frame, const Rays& rays, const RayOptions& options = {}, const Settings& settings = {}) {
    NarrowPhase narrow(settings);
    RayHits out;
    REQUIRE(narrow.raycast(frame, rays, out, options));
    return out;
}
template <class T>
bool same(const std::vector<T>& x, const std::vector<T>& y) {
    return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0;
}
bool same_bits(const RayHits& x, const RayHits& y) {
    return same(x.bits, y.bits) && same(x.fraction, y.fraction) && same(x.point, y.point) && same(x.normal, y.normal) &&
           same(x.child, y.child) && same(x.inside, y.inside) && same(x.status, y.status) && same(x.hits, y.hits) &&
           same(x.face, y.face);
}

// All rays of a scene at all of some bodies.
struct Crowd {
    RayScene scene = rays::make_rays(ShapeKind::hull, 200, 5, false);
    std::vector<Pair> pairs;
    Crowd() {
        for (std::uint32_t ray = 0; ray < 200; ++ray)
            for (std::uint32_t k = 0; k < 9; ++k) pairs.push_back({ray, (ray * 7 + k * 13) % 200});
        // Among each other, so that many rays meet several bodies.
        for (std::size_t i = 0; i < scene.bodies.size(); ++i)
            scene.bodies[i].position = {0.5f * float(i % 5), 0.5f * float(i / 5 % 5), 0.5f * float(i / 25)};
        for (std::size_t i = 0; i < scene.origins.size(); ++i) {
            scene.origins[i] = {float(i % 3) - 4, 0.4f * float(i % 7), 0.4f * float(i % 11)};
            scene.directions[i] = {12, 0.5f * float(i % 5) - 1, 0.5f * float(i % 4) - 1};
        }
    }
    Frame frame() const { return {.shapes = &scene.shapes, .bodies = scene.bodies, .pairs = pairs}; }
};

}  // namespace

TEST_CASE("rays: the same bits on every instruction set and any number of threads", "[rays][same_bits]") {
    for (const ShapeKind kind : kKinds) {
        const RayScene scene = rays::make_rays(kind, 1500, 5, false);
        const RayHits first = cast(scene.frame(), scene.rays(), {}, {.threads = 1, .isa = test::usable_isas().front()});
        for (const Isa isa : test::usable_isas())
            for (const unsigned threads : {1u, 2u, 7u})
                CHECK(same_bits(first, cast(scene.frame(), scene.rays(), {}, {.threads = threads, .isa = isa})));
    }
    const Crowd crowd;
    for (const RayReduction reduction : {RayReduction::first_of_ray, RayReduction::any_of_ray}) {
        const RayHits first = cast(crowd.frame(), crowd.scene.rays(), {reduction}, {.threads = 1});
        for (const unsigned threads : {2u, 7u})
            CHECK(same_bits(first, cast(crowd.frame(), crowd.scene.rays(), {reduction}, {.threads = threads})));
    }
}

TEST_CASE("rays: bodies in columns, double origins and wide strides have the bits of records", "[rays][same_bits]") {
    for (const ShapeKind kind : kKinds) {
        const RayScene scene = rays::make_rays(kind, 203, 6, false);
        const RayHits records = cast(scene.frame(), scene.rays());
        std::vector<DVec3> origins;
        for (const Vec3& o : scene.origins) origins.push_back({o.x, o.y, o.z});
        CHECK(same_bits(records, cast(scene.frame(), {.double_origins = origins, .directions = scene.directions})));
        const Strided<Body> bodies(scene.bodies);
        Frame columns = scene.frame();
        columns.bodies = BodyColumns{.shapes = bodies.member<ShapeId>(offsetof(Body, shape)),
                                     .positions = bodies.member<Vec3>(0),
                                     .orientations = bodies.member<Quat>(offsetof(Body, orientation))};
        CHECK(same_bits(records, cast(columns, scene.rays())));
        // A column of vectors that ends where the memory ends.
        struct Both {
            Vec3 direction, origin;
        };
        std::vector<Both> both;
        for (std::size_t i = 0; i < scene.origins.size(); ++i) both.push_back({scene.directions[i], scene.origins[i]});
        const Strided<Both> all(both);
        const Rays strided = {.origins = all.member<Vec3>(offsetof(Both, origin)),
                              .directions = all.member<Vec3>(offsetof(Both, direction))};
        CHECK(same_bits(records, cast(scene.frame(), strided)));
    }
}

TEST_CASE("rays: scaled by a power of two, the same fractions", "[rays][scale_free]") {
    for (const float factor : {0x1p-20f, 0x1p12f}) {
        ShapeStore one, other;
        const std::vector<Vec3> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0.5f}};
        std::vector<Vec3> scaled_points = points;
        for (Vec3& p : scaled_points) p = {p.x * factor, p.y * factor, p.z * factor};
        const ShapeId ids[] = {*one.add_hull(points), *one.add_box({1, 0.5f, 0.25f}, {.rounding = 0.125f}),
                               *one.add_ellipsoid({1, 0.5f, 0.25f})};
        const ShapeId scaled_ids[] = {
            *other.add_hull(scaled_points),
            *other.add_box({factor, 0.5f * factor, 0.25f * factor}, {.rounding = 0.125f * factor}),
            *other.add_ellipsoid({factor, 0.5f * factor, 0.25f * factor})};
        scenes::Random random(4);
        for (int i = 0; i < 3; ++i) {
            std::vector<Vec3> origins, directions, far_origins, far_directions;
            std::vector<Pair> pairs;
            for (std::uint32_t k = 0; k < 200; ++k) {
                const oracle::Vec3d out = random.direction(), aim = random.direction();
                origins.push_back({float(3 * out.x), float(3 * out.y), float(3 * out.z)});
                directions.push_back({float(aim.x - 5 * out.x), float(aim.y - 5 * out.y), float(aim.z - 5 * out.z)});
                const Vec3 o = origins.back(), d = directions.back();
                far_origins.push_back({o.x * factor, o.y * factor, o.z * factor});
                far_directions.push_back({d.x * factor, d.y * factor, d.z * factor});
                pairs.push_back({k, 0});
            }
            const std::vector<Body> body = {{{}, ids[i], {}}}, scaled_body = {{{}, scaled_ids[i], {}}};
            const RayHits a = cast({&one, body, pairs}, {.origins = origins, .directions = directions});
            const RayHits b =
                cast({&other, scaled_body, pairs}, {.origins = far_origins, .directions = far_directions});
            CHECK(same(a.bits, b.bits));
            CHECK(same(a.fraction, b.fraction));
            CHECK(same(a.normal, b.normal));
            CHECK(a.hits.size() > 50);
        }
    }
}

TEST_CASE("rays: bad rays, poses and indices get a status and harm no other pair", "[rays][contained]") {
    RayScene scene = rays::make_rays(ShapeKind::box, 100, 8, false);
    const RayHits good = cast(scene.frame(), scene.rays());
    const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    scene.origins[5].x = nan;
    scene.directions[10].y = inf;
    scene.directions[15] = {0, 0, 0};
    scene.directions[20].z = nan;
    scene.bodies[25].position.x = nan;
    scene.bodies[30].orientation = {0, 0, 0, 0};
    scene.pairs[35].a = 100;
    scene.pairs[40].b = ~0u;
    scene.bodies[45].shape = ShapeId();
    scene.origins[50] = {3e38f, 3e38f, 3e38f};
    const RayHits bad = cast(scene.frame(), scene.rays());
    for (std::size_t i = 0; i < 100; ++i) {
        INFO(i);
        if (i != 0 && i <= 50 && i % 5 == 0) {
            const bool is_index = i == 35 || i == 40 || i == 45;
            CHECK(bad.status[i] == (is_index ? Status::bad_index : Status::bad_pose));
            CHECK(!bad.hit(i));
            CHECK(bad.fraction[i] == 0);
            CHECK(bad.normal[i] == Vec3{});
        } else {
            CHECK(bad.status[i] == Status::ok);
            CHECK(bad.fraction[i] == good.fraction[i]);
            CHECK(bad.normal[i] == good.normal[i]);
        }
    }
    // Tiny and huge directions have a length in double.
    scene.origins[0] = {0, 0, 0}, scene.bodies[0].position = {}, scene.directions[0] = {1e-40f, 0, 0};
    scene.origins[1] = {-0x1p20f, 0, 0}, scene.bodies[1].position = {}, scene.directions[1] = {0x1p21f, 0, 0};
    const RayHits odd = cast(scene.frame(), scene.rays());
    CHECK((odd.status[0] == Status::ok && odd.hit(0) && odd.inside[0] == 1));
    CHECK((odd.status[1] == Status::ok && odd.hit(1) && std::fabs(odd.fraction[1] - 0.5) < 1e-5));
    std::vector<float> lengths(100, 1.0f);
    lengths[3] = 0, lengths[4] = -1, lengths[5] = nan, lengths[6] = inf;
    Rays with_lengths = scene.rays();
    with_lengths.lengths = lengths;
    const RayHits some = cast(scene.frame(), with_lengths);
    for (const std::size_t i : {3u, 4u, 5u, 6u}) CHECK(some.status[i] == Status::bad_pose);
    CHECK(some.status[7] == Status::ok);
}

TEST_CASE("rays: calls that cannot be answered are refused", "[rays][contained]") {
    const RayScene scene = rays::make_rays(ShapeKind::box, 10, 8, false);
    NarrowPhase narrow;
    RayHits out;
    const Frame frame = scene.frame();
    const auto code = [&](const Frame& asked, const Rays& rays) {
        return narrow.raycast(asked, rays, out).error().code;
    };
    CHECK(code(frame, {.directions = scene.directions}) == ErrorCode::bad_argument);
    CHECK(code(frame, {.origins = std::span(scene.origins).first(3), .directions = scene.directions}) ==
          ErrorCode::bad_size);
    const std::vector<DVec3> doubles(10);
    CHECK(code(frame, {.origins = scene.origins, .double_origins = doubles, .directions = scene.directions}) ==
          ErrorCode::bad_argument);
    CHECK(code(frame, {.origins = {nullptr, 10}, .directions = scene.directions}) == ErrorCode::bad_argument);
    const std::vector<float> lengths(4, 1.0f);
    CHECK(code(frame, {.origins = scene.origins, .directions = scene.directions, .lengths = lengths}) ==
          ErrorCode::bad_size);
    Frame relative = frame;
    const std::vector<RelativePose> poses(10);
    relative.relative_poses = poses;
    CHECK(code(relative, scene.rays()) == ErrorCode::bad_argument);
    std::vector<std::uint32_t> bits(1);
    std::vector<double> fractions(3);
    RayColumns columns{bits, fractions};
    CHECK(narrow.raycast(frame, scene.rays(), columns).error().code == ErrorCode::bad_size);
    CHECK(narrow.raycast({frame.shapes, frame.bodies, {}}, scene.rays(), out));
    CHECK(out.hits.empty());
    // No rays at all: every pair names one that is not there.
    CHECK(narrow.raycast(frame, {}, out));
    CHECK(out.status[0] == Status::bad_index);
}

TEST_CASE("rays: of a ray only the first hit, or one hit", "[rays]") {
    const Crowd crowd;
    const RayHits all = cast(crowd.frame(), crowd.scene.rays());
    const RayHits first = cast(crowd.frame(), crowd.scene.rays(), {RayReduction::first_of_ray});
    const RayHits any = cast(crowd.frame(), crowd.scene.rays(), {RayReduction::any_of_ray});
    std::size_t several = 0;
    for (std::uint32_t ray = 0; ray < 200; ++ray) {
        std::size_t hits = 0, best = 0, firsts = 0, anys = 0;
        for (std::size_t i = 0; i < crowd.pairs.size(); ++i) {
            if (crowd.pairs[i].a != ray) continue;
            if (all.hit(i) && (hits == 0 || all.fraction[i] < all.fraction[best])) best = i;
            hits += all.hit(i), firsts += first.hit(i), anys += any.hit(i);
            CHECK((!any.hit(i) || all.hit(i)));
        }
        several += hits > 1;
        CHECK(firsts == (hits != 0 ? 1u : 0u));
        CHECK(anys == (hits != 0 ? 1u : 0u));
        if (hits == 0) continue;
        CHECK(first.hit(best));
        CHECK(first.fraction[best] == all.fraction[best]);
        CHECK(first.normal[best] == all.normal[best]);
    }
    CHECK(several > 30);
}

TEST_CASE("rays: a ray ends at its own length, for every layout of rays and bodies", "[rays][right]") {
    // Balls, also with a pose of their own, each met by several rays in any order: a square root in double.
    constexpr std::uint32_t kRays = 60, kBodies = 37;
    scenes::Random random(15);
    for (const bool is_posed : {false, true}) {
        ShapeStore shapes;
        std::vector<Body> bodies;
        std::vector<oracle::Vec3d> centres;
        for (std::uint32_t i = 0; i < kBodies; ++i) {
            const Quat orientation = random.orientation();
            const oracle::Vec3d at = random.direction() * 1.5, out = random.direction() * (is_posed ? 0.7 : 0.0);
            const Vec3 offset = {float(out.x), float(out.y), float(out.z)};
            const auto ball = shapes.add_sphere(0.75f, {.pose = {offset, {}}});
            REQUIRE(ball);
            bodies.push_back({{float(at.x), float(at.y), float(at.z)}, *ball, orientation});
            centres.push_back(oracle::Vec3d(bodies.back().position) +
                              oracle::rotation_of(orientation) * oracle::Vec3d(offset));
        }
        std::vector<Vec3> origins, directions;
        std::vector<DVec3> doubles;
        std::vector<float> lengths;
        for (std::uint32_t ray = 0; ray < kRays; ++ray) {
            const oracle::Vec3d from = random.direction() * 4.0, way = random.direction() * 1.2 - from;
            const double scale = random.uniform(0.1, 3);
            origins.push_back({float(from.x), float(from.y), float(from.z)});
            doubles.push_back({origins.back().x, origins.back().y, origins.back().z});
            directions.push_back({float(way.x * scale), float(way.y * scale), float(way.z * scale)});
            lengths.push_back(float(random.uniform(1, 8)));
        }
        std::vector<Pair> pairs;
        for (std::uint32_t i = 0; i < 1500; ++i) pairs.push_back({random.below(kRays), random.below(kBodies)});
        const Strided<Body> records(bodies);
        const Bodies columns = BodyColumns{.shapes = records.member<ShapeId>(offsetof(Body, shape)),
                                           .positions = records.member<Vec3>(0),
                                           .orientations = records.member<Quat>(offsetof(Body, orientation))};
        for (const bool in_columns : {false, true})
            for (const bool in_double : {false, true})
                for (const bool has_lengths : {false, true}) {
                    Rays rays = {.directions = directions};
                    if (in_double)
                        rays.double_origins = doubles;
                    else
                        rays.origins = origins;
                    if (has_lengths) rays.lengths = lengths;
                    Frame frame = {&shapes, bodies, pairs};
                    if (in_columns) frame.bodies = columns;
                    const RayHits hits = cast(frame, rays);
                    std::size_t met = 0, missed = 0;
                    for (std::size_t i = 0; i < pairs.size(); ++i) {
                        const auto [ray, body] = pairs[i];
                        const oracle::Vec3d way(directions[ray]), from = oracle::Vec3d(origins[ray]) - centres[body];
                        const double length = has_lengths ? double(lengths[ray]) : oracle::length(way);
                        const oracle::Vec3d unit = way / oracle::length(way);
                        const double along = -dot(from, unit), square = 0.75 * 0.75 - dot(from, from) + along * along;
                        INFO(is_posed << in_columns << in_double << has_lengths << " " << i);
                        if (dot(from, from) < 0.5626 || std::fabs(square) < 1e-4) continue;
                        const double at = square < 0 || along < 0 ? 1e9 : along - std::sqrt(square);
                        if (std::fabs(at - length) < 1e-4) continue;
                        CHECK(hits.hit(i) == (at < length));
                        (hits.hit(i) ? met : missed) += 1;
                        if (!hits.hit(i) || at > length) continue;
                        CHECK(std::fabs(hits.fraction[i] - at / length) * length < 2e-5);
                        const oracle::Vec3d point = oracle::Vec3d(bodies[body].position) + oracle::Vec3d(hits.point[i]);
                        CHECK(oracle::length(point - centres[body] - (from + unit * at)) < 2e-5);
                        CHECK(oracle::length(oracle::Vec3d(hits.normal[i]) * 0.75 - (from + unit * at)) < 2e-5);
                    }
                    CHECK(met > 50);
                    CHECK(missed > 50);
                }
    }
}

TEST_CASE("rays: a custom shape is met, and measured, as its like of a known kind", "[rays][points][right]") {
    ShapeStore shapes;
    const auto coin = shapes.add_custom(custom_shape<Coin>, {0.5f, 0.1f, 0.0f}),
               disc = shapes.add_cylinder(0.5f, 0, {.rounding = 0.1f});
    REQUIRE((coin && disc));
    scenes::Random random(8);
    const std::vector<Body> bodies = {{{1, 2, 3}, *coin, random.orientation()}, {{1, 2, 3}, *disc, {}}};
    std::vector<Body> posed = bodies;
    posed[1].orientation = posed[0].orientation;
    std::vector<Vec3> origins, directions;
    std::vector<Pair> at_coin, at_disc;
    for (std::uint32_t i = 0; i < 1000; ++i) {
        const double apart = i % 10 == 0 ? 0.05 : i % 10 == 1 ? 1000 : 2;
        const oracle::Vec3d out = random.direction() * apart, aim = random.direction() * 0.6;
        origins.push_back({float(1 + out.x), float(2 + out.y), float(3 + out.z)});
        directions.push_back({float(2 * (aim.x - out.x)), float(2 * (aim.y - out.y)), float(2 * (aim.z - out.z))});
        at_coin.push_back({i, 0}), at_disc.push_back({i, 1});
    }
    const Rays rays = {.origins = origins, .directions = directions};
    const RayHits a = cast({&shapes, posed, at_coin}, rays), b = cast({&shapes, posed, at_disc}, rays);
    NarrowPhase narrow;
    PointDistances c, d;
    REQUIRE(narrow.measure({&shapes, posed, at_coin}, {.positions = origins}, c));
    REQUIRE(narrow.measure({&shapes, posed, at_disc}, {.positions = origins}, d));
    CHECK(a.hits.size() > 300);
    for (std::size_t i = 0; i < 1000; ++i) {
        INFO(i);
        CHECK(a.status[i] == Status::ok);
        CHECK(a.hit(i) == b.hit(i));
        CHECK(a.inside[i] == b.inside[i]);
        const Vec3 way = directions[i];
        CHECK(std::fabs(a.fraction[i] - b.fraction[i]) * std::hypot(way.x, way.y, way.z) < 2e-5);
        CHECK(std::fabs(c.signed_distance[i] - d.signed_distance[i]) <
              1e-5 * std::fmax(1.0f, std::fabs(d.signed_distance[i])));
    }
}

TEST_CASE("rays: a compound is met where the first of its children is", "[rays][right]") {
    const test::CompoundScene scene = test::make_compounds(150, 12, 6, {}, test::Kinds::all);
    scenes::Random random(3);
    std::vector<Vec3> origins, directions;
    std::vector<Pair> pairs;
    for (std::uint32_t i = 0; i < scene.bodies.size(); ++i) {
        const oracle::Vec3d out = random.direction(), aim = random.direction() * 0.5;
        const Vec3 p = scene.bodies[i].position;
        origins.push_back({float(p.x + 3 * out.x), float(p.y + 3 * out.y), float(p.z + 3 * out.z)});
        directions.push_back({float(aim.x - 6 * out.x), float(aim.y - 6 * out.y), float(aim.z - 6 * out.z)});
        pairs.push_back({i, i});
    }
    const RayHits hits =
        cast({&scene.convex.shapes, scene.bodies, pairs}, {.origins = origins, .directions = directions});
    std::size_t compounds = 0;
    for (std::uint32_t i = 0; i < scene.bodies.size(); ++i) {
        INFO(i);
        CHECK(hits.status[i] == Status::ok);
        const bool is_compound = scene.bodies[i].shape.kind() == ShapeKind::compound;
        compounds += is_compound && hits.hit(i);
        for (std::size_t k = 0; k < scene.parts[i].size(); ++k) {
            const rays::Line line = {oracle::Vec3d(origins[i]), oracle::Vec3d(directions[i]), &scene.solid(i, k),
                                     scene.pose(i, k)};
            if (hits.inside[i] == 0) CHECK(rays::least_distance(line, hits.fraction[i]) >= -1e-5);
            if (!hits.hit(i) || (is_compound && hits.child[i] != k)) continue;
            if (hits.inside[i] == 0) CHECK(std::fabs(rays::distance_at(line, hits.fraction[i])) < 1e-5);
            if (hits.inside[i] == 0) {
                // Outward: along the normal the distance from the child grows.
                const oracle::Vec3d out(hits.normal[i]), at = line.origin + line.direction * hits.fraction[i];
                CHECK(std::fabs(rays::distance_at({at + out * 1e-3, {0, 0, 0}, line.solid, line.pose}, 0) - 1e-3) <
                      3e-5);
                CHECK(length(oracle::Vec3d(scene.bodies[i].position) + oracle::Vec3d(hits.point[i]) - at) < 2e-5);
            }
            if (hits.inside[i] != 0) CHECK(rays::distance_at(line, 0) < 1e-5);
        }
    }
    CHECK(compounds > scene.bodies.size() / 5);
}
