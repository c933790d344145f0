// Bodies in solid meshes and height fields: every query counts them. The oracle asks for the winding number, the sum of
// the solid angles of all triangles, and for the distance of each triangle.
#include <cmath>
#include <vector>

#include "support/catch.hpp"
#include "support/count.hpp"
#include "support/pair_answer.hpp"
#include "support/surface_pairs.hpp"

using namespace abut;
using namespace abut::test;
using oracle::Vec3d;

namespace {

constexpr std::uint32_t kPairs = 1500;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Thick {
    bool is_field = false;
    double thickness = 0;  // scaled
};

// The grounds of a scene of solids, and how the oracle knows their insides.
std::vector<Thick> add_solids(SurfaceScene& scene) {
    std::vector<Thick> all;
    ShapeStore& store = scene.others.convex.shapes;
    const auto add = [&](const TestMesh& mesh, const InstanceOptions& options, MeshSides sides = MeshSides::front) {
        MeshOptions cooking;
        cooking.sides = sides, cooking.solid = true;
        const auto id = store.add_mesh(mesh.vertices, mesh.triangles, options, cooking);
        REQUIRE(id);
        scene.add_ground(id), all.push_back({});
    };
    add(cube_mesh(), {});
    add(cube_mesh(), {.scale = {0.5f, -0.7f, 0.3f}});
    add(torus_mesh(19, 12), {});
    add(torus_mesh(11, 8), {.scale = {-1, 1.5f, 1}}, MeshSides::both);
    add(torus_mesh(11, 8), {.rounding = 0.05f});
    Random random(7);
    const auto heights = bumpy_heights(random, 7, 8, 0.15, 0.1);
    const auto add_field = [&](float thickness, const InstanceOptions& options, MeshSides sides) {
        scene.add_ground(store.add_heightfield(heights, 7, 8, options, {0.3f, 0.25f, sides, {}, thickness}));
        all.push_back({true, double(thickness) * std::fabs(double(options.scale.y))});
    };
    add_field(kInfinity, {}, MeshSides::front);
    add_field(0.2f, {.scale = {1, -1.5f, 1}}, MeshSides::front);
    add_field(kInfinity, {}, MeshSides::both);
    return all;
}

double winding_number(const std::vector<SurfaceCorners>& triangles, const Vec3d& point) {
    double sum = 0;
    for (const SurfaceCorners& t : triangles) {
        const Vec3d a = Vec3d(t.at[0]) - point, b = Vec3d(t.at[1]) - point, c = Vec3d(t.at[2]) - point;
        const double la = length(a), lb = length(b), lc = length(c);
        sum += std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
    }
    return sum / 6.283185307179586;
}

// Height above the triangle in whose column the point is; infinite if there is none.
double height_above(const std::vector<SurfaceCorners>& triangles, const Vec3d& p) {
    for (const SurfaceCorners& t : triangles) {
        bool left = true, right = true;
        for (int k = 0; k < 3; ++k) {
            const Vec3d from(t.at[k]), to(t.at[(k + 1) % 3]);
            const double value = (to.x - from.x) * (p.z - from.z) - (to.z - from.z) * (p.x - from.x);
            left &= value >= 0, right &= value <= 0;
        }
        if (!left && !right) continue;
        const Vec3d a(t.at[0]), normal = cross(Vec3d(t.at[1]) - a, Vec3d(t.at[2]) - a);
        return dot(normal, p - a) / std::fabs(normal.y);
    }
    return INFINITY;
}

// The nearest of the projection on the plane, if it is in the triangle, and of the points on the three edges.
Vec3d nearest_point(const SurfaceCorners& t, const Vec3d& p) {
    const Vec3d v[3] = {Vec3d(t.at[0]), Vec3d(t.at[1]), Vec3d(t.at[2])}, area = cross(v[1] - v[0], v[2] - v[0]);
    Vec3d best = p - area * (dot(area, p - v[0]) / dot(area, area));
    bool is_in_face = true;
    for (int k = 0; k < 3; ++k) is_in_face &= dot(cross(v[(k + 1) % 3] - v[k], best - v[k]), area) >= 0;
    for (int k = 0; k < 3 && !is_in_face; ++k) {
        const Vec3d edge = v[(k + 1) % 3] - v[k];
        const Vec3d on_edge = v[k] + edge * std::fmin(1.0, std::fmax(0.0, dot(edge, p - v[k]) / dot(edge, edge)));
        if (k == 0 || length(on_edge - p) < length(best - p)) best = on_edge;
    }
    return best;
}

// The centre of a part's bounds along its own axes, in the surface's frame.
Vec3d centre_of_part(const SurfaceScene& scene, std::size_t pair, std::size_t part) {
    const std::uint32_t body = scene.pairs()[pair].a;
    const oracle::Pose pose = scene.others.pose(body, part), at = scene.ground_pose(pair);
    Vec3d centre = pose.position;
    for (const Vec3d& axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}) {
        const Vec3d e = pose.rotation * axis;
        const auto extent = [&](const Vec3d& d) {
            return oracle::extent(scene.others.solid(body, part), pose.rotation, d);
        };
        centre = centre + e * (0.5 * (extent(e) - extent(-e)));
    }
    return at.rotation.back(centre - at.position);
}

// A part of a body in a solid: the answers of the planes through which it may leave, one for each of the triangles that
// are nearest to within rounding.
struct Exits {
    bool is_inside = false;
    std::vector<double> depths;
    std::vector<Vec3d> normals;  // world axes, out of the solid
};

Exits exits_of(const SurfaceScene& scene, const std::vector<Thick>& solids, std::size_t pair, std::size_t part) {
    Exits out;
    const std::uint32_t body = scene.pairs()[pair].a;
    const SurfaceScene::Ground& ground = scene.ground(pair);
    const Thick& solid = solids[scene.ground_of[pair]];
    const Vec3d centre = centre_of_part(scene, pair, part);
    const double height = solid.is_field ? height_above(ground.corners, centre) : 0;
    out.is_inside =
        solid.is_field ? height <= 0 && -height <= solid.thickness : winding_number(ground.corners, centre) > 0.5;
    if (!out.is_inside) return out;
    std::vector<Vec3d> offsets;
    double least = INFINITY;
    for (const SurfaceCorners& corners : ground.corners) {
        offsets.push_back(centre - nearest_point(corners, centre));
        least = std::min(least, length(offsets.back()));
    }
    const oracle::Pose at = scene.ground_pose(pair), pose = scene.others.pose(body, part);
    const double rounding = surface_of(tables_of(scene.others.convex.shapes), ground.id).rounding;
    for (const Vec3d& offset : offsets) {
        if (length(offset) > least + 1e-6) continue;
        const Vec3d direction = at.rotation * (offset * (-1 / length(offset))),
                    nearest = at.position + at.rotation * (centre - offset);
        const double extent = oracle::extent(scene.others.solid(body, part), pose.rotation, -direction);
        out.depths.push_back(dot(direction, nearest - pose.position) + extent + rounding);
        out.normals.push_back(direction);
    }
    return out;
}

// The least distance of the parts that are outside.
NearestTriangle nearest_outside(const SurfaceScene& scene, std::size_t pair, const std::vector<Exits>& exits) {
    NearestTriangle nearest;
    const SurfaceScene::Ground& ground = scene.ground(pair);
    const std::uint32_t body = scene.pairs()[pair].a;
    for (std::size_t part = 0; part < exits.size(); ++part) {
        if (exits[part].is_inside) continue;
        const Vec3d centre = centre_of_part(scene, pair, part);
        for (std::size_t t = 0; t < ground.triangles.size(); ++t) {
            if (ground.sides == MeshSides::front && scene.in_front(pair, centre, t) < 0) continue;
            const double distance = scene.distance(pair, part, t),
                         allowed = oracle::tolerance(scene.others.solid(body, part), ground.triangles[t], distance);
            if (distance < nearest.distance) nearest = {distance, allowed, part, t};
        }
    }
    return nearest;
}

struct World {
    std::vector<Thick> solids;
    SurfaceScene scene;
    std::vector<std::vector<Exits>> exits;  // by pair, by part

    World(std::uint64_t seed, bool with_compounds) {
        scene = make_scene_on([&](SurfaceScene& s) { solids = add_solids(s); }, -0.6, kPairs, seed, with_compounds);
        for (std::size_t i = 0; i < scene.pairs().size(); ++i) {
            exits.emplace_back();
            const std::uint32_t body = scene.pairs()[i].a;
            const bool has_centre = scene.others.bodies[body].shape.kind() != ShapeKind::halfspace;
            for (std::size_t part = 0; has_centre && part < scene.others.parts[body].size(); ++part)
                exits.back().push_back(exits_of(scene, solids, i, part));
        }
    }
    bool is_any_inside(std::size_t pair) const {
        return std::any_of(exits[pair].begin(), exits[pair].end(), [](const Exits& e) { return e.is_inside; });
    }
    // The depth of a pair's deepest part, for any of the planes through which it may leave.
    bool is_depth(std::size_t pair, double depth, double allowed) const {
        for (const Exits& e : exits[pair])
            for (const double d : e.depths)
                if (std::fabs(d - depth) <= allowed) return true;
        return false;
    }
};

struct Bodies2 {
    ShapeStore store;
    std::vector<Body> bodies;
    std::vector<Pair> pairs = {{0, 1}};

    Frame frame() const { return {&store, bodies, pairs}; }
};

Distances distances_of(const Frame& frame) {
    Distances out;
    REQUIRE(NarrowPhase().distance(frame, out));
    return out;
}

Manifolds manifolds_of(const Frame& frame) {
    Manifolds out;
    REQUIRE(NarrowPhase().collide(frame, out));
    return out;
}

ShapeId add_solid(ShapeStore& store, const TestMesh& mesh, const InstanceOptions& options = {}) {
    MeshOptions cooking;
    cooking.solid = true;
    const auto id = store.add_mesh(mesh.vertices, mesh.triangles, options, cooking);
    REQUIRE(id);
    return *id;
}

}  // namespace

TEST_CASE("solids: a part with its centre inside leaves through the nearest triangle", "[solids][right]") {
    for (const bool with_compounds : {false, true}) {
        const World world(with_compounds ? 11 : 12, with_compounds);
        const SurfaceScene& scene = world.scene;
        for (const Isa isa : usable_isas()) {
            const judge::Answers answers = judge::ask(scene.frame(), {.isa = isa});
            std::size_t inside = 0;
            test::Count wrong, wrong_hits;
            for (std::size_t i = 0; i < scene.pairs().size(); ++i) {
                if (!world.is_any_inside(i)) continue;
                ++inside;
                const NearestTriangle outside = nearest_outside(scene, i, world.exits[i]);
                const double got = answers.distances.signed_distance[i];
                double most = -INFINITY;  // the depth of a part through any of its planes
                for (const Exits& e : world.exits[i])
                    if (e.is_inside) most = std::max(most, *std::max_element(e.depths.begin(), e.depths.end()));
                const double allowed = 4e-6 + 2e-6 * most;
                const bool is_right =
                    answers.distances.status[i] == Status::ok &&
                    (world.is_depth(i, -got, allowed) || std::fabs(got - outside.distance) <= outside.allowed) &&
                    got <= outside.distance + outside.allowed;
                CAPTURE(i, scene.ground_of[i], got, most, outside.distance);
                CHECK(is_right);
                wrong += !is_right, wrong_hits += !answers.overlaps.hit(i);
            }
            CHECK(wrong == 0);
            CHECK(wrong_hits == 0);
            CHECK(inside > kPairs / 4);
        }
    }
}

TEST_CASE("solids: bodies outside have the answers of their triangles", "[solids][right]") {
    const World world(13, true);
    const judge::Answers answers = judge::ask(world.scene.frame(), {});
    std::size_t outside = 0;
    test::Count wrong;
    for (std::size_t i = 0; i < world.scene.pairs().size(); ++i) {
        if (world.is_any_inside(i) || world.exits[i].empty()) continue;
        ++outside;
        const NearestTriangle nearest = nearest_outside(world.scene, i, world.exits[i]);
        const double got = answers.distances.signed_distance[i];
        wrong +=
            nearest.distance == INFINITY ? got < INFINITY : !(std::fabs(got - nearest.distance) <= nearest.allowed);
    }
    CHECK(outside > kPairs / 4);
    CHECK(wrong <= 2);  // a centre in a triangle's plane to within rounding
}

TEST_CASE("solids: contacts push a body out along the direction of its depth", "[solids][contacts]") {
    const World world(14, true);
    const SurfaceScene& scene = world.scene;
    const Manifolds found = manifolds_of(scene.frame());
    std::size_t inside = 0;
    test::Count wrong;
    for (std::size_t i = 0; i < scene.pairs().size(); ++i) {
        for (std::uint32_t part = 0; part < world.exits[i].size(); ++part) {
            const Exits& exits = world.exits[i][part];
            if (!exits.is_inside) continue;
            ++inside;
            std::size_t manifolds = 0;
            bool is_right = false;
            for (std::uint32_t m = found.first_manifold[i]; m < found.first_manifold[i + 1]; ++m) {
                const Manifold& manifold = found.manifolds[m];
                if (manifold.child_a != part) continue;
                ++manifolds;
                const Contact& deepest = found.contacts[manifold.first_contact];
                for (std::size_t k = 0; k < exits.depths.size(); ++k)
                    is_right |= std::fabs(deepest.separation + exits.depths[k]) < 2e-5 * (1 + exits.depths[k]) &&
                                length(Vec3d(manifold.normal) + exits.normals[k]) < 1e-4;
            }
            CAPTURE(i, part, scene.ground_of[i], manifolds);
            CHECK((is_right && manifolds == 1));
            wrong += !(is_right && manifolds == 1);
        }
    }
    CHECK(wrong == 0);
    CHECK(inside > kPairs / 3);
}

TEST_CASE("solids: the depth of a sphere that sinks in grows evenly", "[solids][smooth]") {
    Bodies2 world;
    const ShapeId ball = *world.store.add_sphere(0.2f), cube = add_solid(world.store, cube_mesh());
    double before = INFINITY;
    for (int step = 0; step <= 300; ++step) {
        const float y = 1.3f - 0.003f * float(step);
        world.bodies = {{{0.1f, y, 0.3f}, ball, {}}, {{}, cube, {}}};
        const Distances found = distances_of(world.frame());
        CHECK(found.signed_distance[0] == Approx(y - 1.2).margin(2e-6));
        CHECK(found.signed_distance[0] < before);
        CHECK(found.normal[0].y == Approx(-1).margin(1e-6));
        before = found.signed_distance[0];
    }
}

TEST_CASE("solids: a box half-way in has four contacts of its lower face", "[solids][contacts]") {
    for (const bool is_first : {false, true}) {
        Bodies2 world;
        const ShapeId box = *world.store.add_box({0.3f, 0.2f, 0.1f}), cube = add_solid(world.store, cube_mesh());
        world.bodies = {{{0, 0.95f, 0}, box, {}}, {{}, cube, {}}};
        if (is_first) std::swap(world.bodies[0], world.bodies[1]);
        const Manifolds found = manifolds_of(world.frame());
        REQUIRE(found.manifolds.size() == 1);
        const Manifold& m = found.manifolds[0];
        CHECK(m.contact_count == 4);
        CHECK(m.normal.y == Approx(is_first ? 1 : -1));
        for (const Contact& c : contacts_of(found, 0)) {
            CHECK(c.separation == Approx(-0.25).margin(1e-6));
            // From the first body's position: half-way between the box's lower face and the cube's upper one.
            const float y = c.position.y + world.bodies[0].position.y;
            CHECK(y == Approx(0.875).margin(1e-6));
            CHECK(std::fabs(c.position.x) == Approx(0.3).margin(1e-6));
        }
    }
}

TEST_CASE("solids: a thin plate just below a height field is pushed up, from both sides", "[solids][fields]") {
    const std::vector<float> flat(25, 0.0f);
    for (const MeshSides sides : {MeshSides::front, MeshSides::both}) {
        for (const float thickness : {0.5f, kInfinity}) {
            for (const float depth : {1e-6f, 0.1f, 0.49f}) {
                Bodies2 world;
                const ShapeId plate = *world.store.add_box({0.3f, 0.02f, 0.3f});
                const auto field = world.store.add_heightfield(flat, 5, 5, {}, {1, 1, sides, {}, thickness});
                REQUIRE(field);
                world.bodies = {{{2.1f, -depth, 2.2f}, plate, {}}, {{}, *field, {}}};
                const Manifolds found = manifolds_of(world.frame());
                REQUIRE(found.manifolds.size() == 1);
                CHECK(found.manifolds[0].normal.y == Approx(-1));
                CHECK(found.manifolds[0].contact_count == 4);
                for (const Contact& c : contacts_of(found, 0))
                    CHECK(c.separation == Approx(-0.02 - depth).margin(2e-6));
                const Distances distance = distances_of(world.frame());
                CHECK(distance.signed_distance[0] == Approx(-0.02 - depth).margin(2e-6));
            }
        }
    }
    ShapeStore store;
    CHECK(!store.add_heightfield(flat, 5, 5, {}, {1, 1, MeshSides::front, {}, -1}));
    CHECK(!store.add_heightfield(flat, 5, 5, {}, {1, 1, MeshSides::front, {}, NAN}));
}

TEST_CASE("solids: nothing is solid below the thickness, in holes and beside the field", "[solids][fields]") {
    std::vector<float> heights(25, 0.0f);
    const std::uint8_t cells[16] = {0, 0, 0, 0, 0, kCellHole};
    Bodies2 world;
    const ShapeId ball = *world.store.add_sphere(0.1f),
                  field = *world.store.add_heightfield(heights, 5, 5, {}, {1, 1, MeshSides::front, cells, 0.5f});
    const auto overlaps = [&](Vec3 at) {
        world.bodies = {{at, ball, {}}, {{}, field, {}}};
        Overlaps out;
        REQUIRE(NarrowPhase().overlap(world.frame(), out));
        return out.hit(0);
    };
    CHECK(overlaps({2.5f, -0.45f, 2.5f}));
    CHECK(!overlaps({2.5f, -0.75f, 2.5f}));
    CHECK(!overlaps({1.5f, -0.3f, 1.5f}));
    CHECK(!overlaps({-0.5f, -0.3f, 1.5f}));
}

TEST_CASE("solids: a surface in the solid of another one overlaps it", "[solids][nested]") {
    Random random(3);
    std::size_t nested = 0;
    for (int round = 0; round < 100; ++round) {
        Bodies2 world;
        const float rounding = round % 3 == 0 ? 0.03f : 0.0f, outer_rounding = round % 5 == 0 ? 0.05f : 0.0f;
        const ShapeId outer = add_solid(world.store, cube_mesh(), {.rounding = outer_rounding});
        const TestMesh torus = torus_mesh(9, 7);
        const auto inner =
            world.store.add_mesh(torus.vertices, torus.triangles, {.rounding = rounding, .scale = {0.2f, 0.3f, 0.25f}});
        const auto between = [&] { return float(random.between(-0.7, 0.7)); };
        const Vec3 at = {between(), between(), between()};
        const Quat turned = scenes::Random(100 + std::uint64_t(round)).orientation();
        world.bodies = {{at, *inner, turned}, {{}, outer, {}}};
        if (round % 2 != 0) std::swap(world.bodies[0], world.bodies[1]);
        // The oracle: all vertices against all faces of the cube.
        const oracle::Rotation rotation = oracle::rotation_of(turned);
        double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
        for (const Vec3& v : torus.vertices) {
            const Vec3d p = Vec3d(at) + rotation * Vec3d{v.x * 0.2, v.y * 0.3, v.z * 0.25};
            const double of[3] = {p.x, p.y, p.z};
            for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], of[k]), high[k] = std::max(high[k], of[k]);
        }
        double nearest = INFINITY, depth = 0;
        for (int k = 0; k < 3; ++k) {
            if (1 - high[k] < nearest) nearest = 1 - high[k], depth = 1 - low[k];
            if (1 + low[k] < nearest) nearest = 1 + low[k], depth = 1 + high[k];
        }
        if (nearest < 0.1) continue;
        depth += double(rounding) + double(outer_rounding);
        ++nested;
        const Distances found = distances_of(world.frame());
        CHECK(found.signed_distance[0] == Approx(-depth).margin(1e-5));
        const Vec3d a(found.point_a[0]), b(found.point_b[0]), n(found.normal[0]);
        CHECK(length(b - a - n * double(found.signed_distance[0])) < 1e-5);
        Overlaps overlaps;
        REQUIRE(NarrowPhase().overlap(world.frame(), overlaps));
        CHECK(overlaps.hit(0));
        // Moved by its depth the inner one touches the cube from outside.
        Body& moved = world.bodies[std::size_t(round % 2)];
        const double away = round % 2 == 0 ? -depth : depth;
        moved.position = {float(moved.position.x + n.x * away), float(moved.position.y + n.y * away),
                          float(moved.position.z + n.z * away)};
        CHECK(distances_of(world.frame()).signed_distance[0] == Approx(0).margin(1e-5));
    }
    CHECK(nested > 40);
}

TEST_CASE("solids: a mesh of two parts is nested if one of them is", "[solids][nested]") {
    TestMesh two = cube_mesh();
    for (Vec3& v : two.vertices) v = {0.1f * v.x + 3, 0.1f * v.y, 0.1f * v.z};
    const TestMesh cube = cube_mesh();
    for (const Vec3& v : cube.vertices) two.vertices.push_back({0.1f * v.x, 0.1f * v.y, 0.1f * v.z});
    for (MeshTriangle t : cube.triangles) {
        for (std::uint32_t& c : t.corners) c += 8;
        two.triangles.push_back(t);
    }
    Bodies2 world;
    const auto parts = world.store.add_mesh(two.vertices, two.triangles);
    const ShapeId outer = add_solid(world.store, cube);
    world.bodies = {{{}, *parts, {}}, {{}, outer, {}}};
    Overlaps overlaps;
    for (const float x : {0.0f, -3.0f}) {  // one part is inside, then the other
        world.bodies[0].position = {x, 0, 0};
        REQUIRE(NarrowPhase().overlap(world.frame(), overlaps));
        CHECK(overlaps.hit(0));
    }
    world.bodies[0].position = {0, 5, 0};
    REQUIRE(NarrowPhase().overlap(world.frame(), overlaps));
    CHECK(!overlaps.hit(0));
}

TEST_CASE("solids: warm caches do not change answers while a body sinks in", "[solids][warm]") {
    Bodies2 world;
    const ShapeId box = *world.store.add_box({0.3f, 0.2f, 0.1f}), cube = add_solid(world.store, cube_mesh());
    std::vector<WarmCache> caches(1);
    for (int step = 0; step < 200; ++step) {
        world.bodies = {{{0.1f, 1.25f - 0.004f * float(step), 0}, box, {0, 0.6f, 0, 0.8f}}, {{}, cube, {}}};
        Frame warm = world.frame();
        warm.caches = caches;
        const Manifolds found = manifolds_of(warm), cold = manifolds_of(world.frame());
        REQUIRE(found.contacts.size() == cold.contacts.size());
        for (std::size_t k = 0; k < found.contacts.size(); ++k)
            CHECK(found.contacts[k].separation == Approx(cold.contacts[k].separation).margin(1e-4));
    }
}

TEST_CASE("solids: a mesh that is not closed is refused, and a solid is one again from its bytes", "[solids][bytes]") {
    ShapeStore store;
    MeshOptions solid;
    solid.solid = true;
    TestMesh open = cube_mesh(), inwards = cube_mesh();
    open.triangles.pop_back();
    for (MeshTriangle& t : inwards.triangles) std::swap(t.corners[1], t.corners[2]);
    const auto refused = store.add_mesh(open.vertices, open.triangles, {}, solid);
    REQUIRE(!refused);
    CHECK(std::string(refused.error().message.c_str()) == "solid is true, but the mesh has 3 open edges");
    CHECK(!store.add_mesh(inwards.vertices, inwards.triangles, {}, solid));
    // Shared geometry: the solid is not the mesh of the same triangles.
    REQUIRE(store.share_equal());
    const TestMesh cube = cube_mesh();
    const ShapeId thin = *store.add_mesh(cube.vertices, cube.triangles), thick = add_solid(store, cube),
                  ball = *store.add_sphere(0.1f);
    const std::vector<float> flat(4, 0.0f);
    const ShapeId field = *store.add_heightfield(flat, 2, 2, {}, {1, 1, MeshSides::front, {}, 0.5f});
    std::vector<std::byte> bytes(store.byte_count());
    REQUIRE(store.write(bytes) == bytes.size());
    const auto again = ShapeStore::read(bytes);
    REQUIRE(again);
    for (const ShapeStore* from : {&std::as_const(store), &*again}) {
        const std::vector<Body> bodies = {
            {{0.5f, -0.2f, 0.5f}, ball, {}}, {{}, thin, {}}, {{}, thick, {}}, {{}, field, {}}};
        const std::vector<Pair> pairs = {{0, 1}, {0, 2}, {0, 3}};
        Overlaps out;
        REQUIRE(NarrowPhase().overlap({from, bodies, pairs}, out));
        CHECK(!out.hit(0));
        CHECK(out.hit(1));
        CHECK(out.hit(2));
    }
}

TEST_CASE("solids: rays and points count what was cooked as a solid", "[solids][rays]") {
    Bodies2 world;
    const ShapeId cube = add_solid(world.store, cube_mesh());
    const std::vector<float> flat(4, 0.0f);
    const ShapeId field = *world.store.add_heightfield(flat, 2, 2, {}, {1, 1, MeshSides::front, {}, kInfinity});
    const std::vector<Vec3> points = {{0.5f, -0.25f, 0.5f}};
    world.bodies = {{{}, cube, {}}, {{}, field, {}}};
    world.pairs = {{0, 0}, {0, 1}};
    PointDistances found;
    REQUIRE(NarrowPhase().measure(world.frame(), {.positions = points}, found));
    CHECK(found.signed_distance[0] == Approx(-0.5));
    CHECK(found.signed_distance[1] == Approx(-0.25));
    const std::vector<Vec3> directions = {{0, 3, 0}};
    Rays rays;
    rays.origins = points, rays.directions = directions;
    RayHits hits;
    REQUIRE(NarrowPhase().raycast(world.frame(), rays, hits));
    CHECK((hits.fraction[0] == 0 && hits.fraction[1] == 0));
}
