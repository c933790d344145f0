// World bounds: they hold the shape, no more than they must, whatever the kind; and never harm a broad phase.
#include "support/catch.hpp"

#include <algorithm>
#include <limits>
#include <numbers>

#include <abut/abut.hpp>

#include "base/rounding.hpp"
#include "queries/boxes/bounds_chunk.hpp"
#include "queries/boxes/box_tree.hpp"
#include "scenes/random.hpp"
#include "shapes/child_poses.hpp"
#include "shapes/tables.hpp"
#include "support/count.hpp"
#include "support/oracle/vec.hpp"

using namespace abut;
using oracle::Vec3d;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

// Points whose hull, swept by `radius`, is the shape as nearly as sampling goes.
struct Cloud {
    std::vector<Vec3d> points;
    double radius = 0;
};

void add_circle(Cloud& cloud, double radius, double y) {
    for (int i = 0; i < 720; ++i)
        cloud.points.push_back(
            {radius * std::cos(i * std::numbers::pi / 360), y, radius * std::sin(i * std::numbers::pi / 360)});
}

struct Kind {
    const char* name;
    ShapeId id;
    Cloud cloud;
};

std::vector<Kind> all_kinds(ShapeStore& store) {
    const float r = 0.1f;
    std::vector<Kind> kinds = {{"sphere", *store.add_sphere(0.7f, {.rounding = r}), {{{0, 0, 0}}, 0.8}},
                               {"capsule", *store.add_capsule(0.4f, 1.1f), {{{0, -1.1f, 0}, {0, 1.1f, 0}}, 0.4f}},
                               {"box", *store.add_box({0.5f, 1, 0.25f}, {.rounding = r, .scale = {1, 1, 2}}), {{}, r}},
                               {"cylinder", *store.add_cylinder(0.6f, 1, {.rounding = r}), {{}, r}},
                               {"cone", *store.add_cone(0.6f, 1, {.rounding = r}), {{{0, 1, 0}}, r}},
                               {"ellipsoid", *store.add_ellipsoid({0.3f, 0.7f, 1.2f}, {.rounding = r}), {{}, r}}};
    for (const double x : {-0.5, 0.5})
        for (const double y : {-1.0, 1.0})
            for (const double z : {-0.5, 0.5}) kinds[2].cloud.points.push_back({x, y, z});
    add_circle(kinds[3].cloud, 0.6f, -1), add_circle(kinds[3].cloud, 0.6f, 1), add_circle(kinds[4].cloud, 0.6f, -1);
    scenes::Random random(3);
    for (int i = 0; i < 200000; ++i) {
        const Vec3d d = random.direction();
        kinds[5].cloud.points.push_back({0.3f * d.x, 0.7f * d.y, 1.2f * d.z});
    }
    std::vector<Vec3> vertices;
    Kind hull = {"hull", {}, {{}, r}};
    for (int i = 0; i < 40; ++i) {
        const Vec3d d = random.direction();
        vertices.push_back({float(d.x) + 2, float(d.y), float(d.z) * 3});
    }
    hull.id = *store.add_hull(vertices, {.rounding = r, .scale = {0.5f, 1, 1}});
    // As cooked: relative to the hull's centre in float.
    const HullGeometry& cooked = tables_of(store).hulls[tables_of(store).record(hull.id).geometry];
    for (std::uint32_t i = 0; i < cooked.vertex_count; ++i) {
        const HullVertex& v = cooked.vertices[i];
        const Vec3d p = Vec3d(cooked.centre) + Vec3d{v.x, v.y, v.z};
        hull.cloud.points.push_back({0.5 * p.x, p.y, p.z});
    }
    kinds.push_back(hull);
    return kinds;
}

struct Box {
    Vec3d min{INFINITY, INFINITY, INFINITY}, max{-INFINITY, -INFINITY, -INFINITY};
    void add(const Vec3d& p, double radius) {
        min = {std::min(min.x, p.x - radius), std::min(min.y, p.y - radius), std::min(min.z, p.z - radius)};
        max = {std::max(max.x, p.x + radius), std::max(max.y, p.y + radius), std::max(max.z, p.z + radius)};
    }
};

Box brute(const Cloud& cloud, const Body& body) {
    const oracle::Pose pose = oracle::pose_of(body);
    Box box;
    for (const Vec3d& p : cloud.points) box.add(pose.rotation * p + pose.position, cloud.radius);
    return box;
}

// Not less than the samples' bounds but for rounding, nor more than `slack`.
bool fits(float found, double wanted, double outwards, double slack) {
    const double excess = (double(found) - wanted) * outwards;
    return excess >= -1e-12 * (1 + std::fabs(wanted)) && excess <= slack + 2.5e-7 * std::fabs(wanted);
}

bool fits(const Bounds& b, const Box& wanted, double slack) {
    return fits(b.min.x, wanted.min.x, -1, slack) && fits(b.min.y, wanted.min.y, -1, slack) &&
           fits(b.min.z, wanted.min.z, -1, slack) && fits(b.max.x, wanted.max.x, 1, slack) &&
           fits(b.max.y, wanted.max.y, 1, slack) && fits(b.max.z, wanted.max.z, 1, slack);
}

Bounds bounds_of(const ShapeStore& store, const Body& body) {
    Bounds bounds;
    REQUIRE(world_bounds(store, {&body, 1}, {&bounds, 1}));
    return bounds;
}

}  // namespace

TEST_CASE("bounds hold every kind of shape, tightly", "[bounds]") {
    ShapeStore store;
    scenes::Random random(1);
    for (const Kind& kind : all_kinds(store)) {
        INFO(kind.name);
        const double slack = kind.cloud.points.size() > 100000 ? 2e-3 : kind.cloud.points.size() > 100 ? 5e-5 : 1e-7;
        for (int i = 0; i < (slack > 1e-3 ? 10 : 200); ++i) {
            const Vec3d p = random.direction() * (i % 3 == 0 ? 0 : 10);
            const Body body = {{float(p.x), float(p.y), float(p.z)}, kind.id, i == 0 ? Quat{} : random.orientation()};
            CHECK(fits(bounds_of(store, body), brute(kind.cloud, body), slack));
        }
    }
}

TEST_CASE("bounds of what lies along the axes are exact", "[bounds]") {
    ShapeStore store;
    const Body body = {{1, 2, 3}, *store.add_box({0.5f, 0.25f, 1}), {}};
    CHECK(bounds_of(store, body) == Bounds{{0.5f, 1.75f, 2}, {1.5f, 2.25f, 4}});
    // A hair that the sum cannot hold still counts.
    const Body hair = {{1, 1, 1}, *store.add_sphere(1e-20f), {}};
    CHECK(bounds_of(store, hair).max.x > 1.0f);
    CHECK(bounds_of(store, hair).min.x < 1.0f);
}

TEST_CASE("bounds about a far origin hold the shape to two ulps", "[bounds]") {
    ShapeStore shapes;
    const float radius = 0.7f;
    const auto ball = shapes.add_sphere(radius);
    REQUIRE(ball);
    scenes::Random random(5);
    for (int i = 0; i < 500; ++i) {
        const DVec3 origin = {random.uniform(-1e6, 1e6), random.uniform(-1e3, 1e3), random.uniform(-1, 1)};
        const Vec3 position = {float(origin.x + random.uniform(-9, 9)), float(origin.y + random.uniform(-9, 9)),
                               float(origin.z)};
        const std::vector<Body> bodies = {{position, *ball, {}}};
        Bounds bounds[1];
        REQUIRE(world_bounds(shapes, bodies, bounds, origin));
        const double centre[] = {position.x - origin.x, position.y - origin.y, position.z - origin.z};
        const float low[] = {bounds[0].min.x, bounds[0].min.y, bounds[0].min.z},
                    high[] = {bounds[0].max.x, bounds[0].max.y, bounds[0].max.z};
        for (int axis = 0; axis < 3; ++axis) {
            const double least = centre[axis] - double(radius), most = centre[axis] + double(radius);
            CHECK(double(low[axis]) <= least + 1e-14);
            CHECK(double(high[axis]) >= most - 1e-14);
            CHECK(most - least + 4 * 1e-6 >= double(high[axis]) - double(low[axis]));
        }
    }
}

TEST_CASE("bounds of a compound are those of all its children", "[bounds]") {
    ShapeStore store;
    scenes::Random random(2);
    std::vector<Kind> kinds = all_kinds(store);
    std::vector<CompoundChild> children;
    for (const Kind& kind : kinds) {
        const Vec3d p = random.direction() * 3;
        children.push_back({kind.id, {float(p.x), float(p.y), float(p.z)}, random.orientation()});
    }
    const ShapeId compound = *store.add_compound(children);
    for (int i = 0; i < 10; ++i) {
        const Body body = {{float(i), 0, -float(i)}, compound, random.orientation()};
        const oracle::Pose pose = oracle::pose_of(body);
        Box all;
        for (std::size_t k = 0; k < kinds.size(); ++k) {
            const oracle::Pose local = oracle::pose_of({children[k].position, {}, children[k].orientation});
            for (const Vec3d& p : kinds[k].cloud.points)
                all.add(pose.rotation * (local.rotation * p + local.position) + pose.position, kinds[k].cloud.radius);
        }
        CHECK(fits(bounds_of(store, body), all, 2e-3));
    }
    const Body unmoved = {{}, compound, {}};
    CHECK(bounds_of(store, unmoved) == Bounds{store.view(compound).bounds_min, store.view(compound).bounds_max});
}

TEST_CASE("bounds of a half-space end only where it does", "[bounds]") {
    ShapeStore store;
    const Body floor = {{5, 1, 5}, *store.add_halfspace({0, 2, 0}, 4, {.rounding = 0.5f}), {}};
    CHECK(bounds_of(store, floor) == Bounds{{-kInf, -kInf, -kInf}, {kInf, 3.5f, kInf}});
    const Body wall = {{}, *store.add_halfspace({0, 0, -1}, 2), {}};
    CHECK(bounds_of(store, wall) == Bounds{{-kInf, -kInf, -2}, {kInf, kInf, kInf}});
    const Body slope = {{}, *store.add_halfspace({0, 1, 1e-10f}, 2), {}};
    CHECK(bounds_of(store, slope) == Bounds{{-kInf, -kInf, -kInf}, {kInf, kInf, kInf}});
}

TEST_CASE("bounds of what has none are empty", "[bounds]") {
    ShapeStore store;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const ShapeId ball = *store.add_sphere(1), gone = *store.add_sphere(2);
    const std::vector<CompoundChild> children = {{ball, {}, {}}};
    const ShapeId compound = *store.add_compound(children);
    REQUIRE(store.remove(gone));
    const Bounds empty = {{kInf, kInf, kInf}, {-kInf, -kInf, -kInf}};
    for (const Body& body :
         {Body{{nan, 0, 0}, ball, {}}, Body{{0, kInf, 0}, compound, {}}, Body{{}, ball, {0, 0, 0, 2}},
          Body{{}, gone, {}}, Body{{}, ShapeId(), {}}, Body{{}, ShapeId::from_bits(0xafffffff), {}}})
        CHECK(bounds_of(store, body) == empty);

    const std::vector<Body> bodies(3, Body{{}, ball, {}});
    std::vector<Bounds> room(2, empty);
    const CallResult result = world_bounds(store, bodies, room);
    REQUIRE_FALSE(result);
    CHECK(result.error().code == ErrorCode::bad_size);
    CHECK(room[0] == empty);
    CHECK(world_bounds(store, {}, {}));
}

TEST_CASE("bounds have the same bits on every instruction set, in any company", "[bounds][same_bits]") {
    ShapeStore store;
    scenes::Random random(4);
    const std::vector<Kind> kinds = all_kinds(store);
    std::vector<Body> bodies;
    const ShapeId dust = *store.add_sphere(1e-20f), plate = *store.add_box({100, 0, 1e-6f});
    for (int i = 0; i < 3000; ++i) {
        const Vec3d p = random.direction() * (i % 5 == 0 ? 0 : i % 7 == 0 ? 1e6 : 10);
        const ShapeId id = i % 50 == 0   ? dust
                           : i % 50 == 1 ? plate
                                         : kinds[random.below(std::uint32_t(kinds.size()))].id;
        // Not all turned, not all of unit length, and some that have none.
        Quat q = i % 4 == 0 ? Quat{0, 0, i % 8 == 0 ? 0.0f : -1.0f, i % 8 == 0 ? 1.0f : 0.0f} : random.orientation();
        if (i % 9 == 0) q = {q.x * 1.004f, q.y * 1.004f, q.z * 1.004f, q.w * 1.004f};
        if (i % 31 == 0) q.w = std::numeric_limits<float>::quiet_NaN();
        bodies.push_back({{float(p.x), float(p.y), float(p.z)}, id, q});
    }
    std::vector<Bounds> all(bodies.size());
    REQUIRE(world_bounds(store, bodies, all));
    std::size_t empty = 0;
    test::Count other_alone, other_scalar;
    std::vector<std::size_t> good[std::size_t(ShapeKind::ellipsoid) + 1];
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        other_alone += !(bounds_of(store, bodies[i]) == all[i]);
        if (all[i].min.x > all[i].max.x) {
            ++empty;
            continue;
        }
        good[std::size_t(bodies[i].shape.kind())].push_back(i);
        const BoxD box = tight_bounds(tables_of(store), bodies[i].shape, pose_of(bodies[i]));
        other_scalar += !(all[i] == Bounds{{round_down(box.low.x), round_down(box.low.y), round_down(box.low.z)},
                                           {round_up(box.high.x), round_up(box.high.y), round_up(box.high.z)}});
    }
    CHECK(other_alone == 0);
    CHECK(other_scalar == 0);
    CHECK(empty == (bodies.size() + 30) / 31);
    for (const Isa isa : kAllIsas) {
        if (!is_supported(isa)) continue;
        test::Count other_isa;
        for (std::size_t k = 0; k < std::size(good); ++k) {
            BoundsChunk chunk;
            chunk.kind = ShapeKind(k), chunk.records = tables_of(store).kinds[k].records.data(),
            chunk.hulls = tables_of(store).hulls.data();
            std::vector<Bounds> again(good[k].size());
            for (std::size_t first = 0; first < good[k].size(); first += chunk.count) {
                chunk.count = std::uint32_t(std::min<std::size_t>(17, good[k].size() - first));
                for (std::uint32_t i = 0; i < chunk.count; ++i) {
                    chunk.bodies[i] = &bodies[good[k][first + i]];
                    chunk.bounds[i] = &again[first + i];
                }
                kernels_for<BoxKernels>(isa)->run_bounds(chunk);
            }
            for (std::size_t i = 0; i < again.size(); ++i) other_isa += !(again[i] == all[good[k][i]]);
        }
        INFO(to_string(isa));
        CHECK(other_isa == 0);
    }
}
