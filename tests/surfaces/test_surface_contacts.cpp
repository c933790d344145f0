// Contacts on meshes and height fields: flat ground of any triangles is one plane, edges between triangles are no
// bumps, real edges are edges, and a body that slides keeps its contacts.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "support/catch.hpp"
#include "support/count.hpp"
#include "support/pair_answer.hpp"
#include "support/surface_pairs.hpp"

using namespace abut;
using test::TestMesh;

namespace {

// Triangles of a rectangle in the plane y = 0, cut at random; fronts up. All vertices are on a grid of `step`, so that
// the plane is one to the bit.
TestMesh random_floor(test::Random& random, std::uint32_t rows, std::uint32_t columns, float step) {
    TestMesh mesh = test::flat_mesh(rows, columns, step);
    for (std::uint32_t r = 1; r < rows; ++r) {
        for (std::uint32_t c = 1; c < columns; ++c) {
            Vec3& v = mesh.vertices[r * (columns + 1) + c];
            v.x += float(0.3 * step * random.between(-1, 1)), v.z += float(0.3 * step * random.between(-1, 1));
        }
    }
    for (Vec3& v : mesh.vertices) v.x -= 0.5f * step * float(columns), v.z -= 0.5f * step * float(rows);
    return mesh;
}

struct Contacts {
    std::vector<Manifold> manifolds;
    std::vector<Contact> contacts;  // of the first manifold
};

Contacts ask(NarrowPhase& narrow, const ShapeStore& store, const Body& a, const Body& b) {
    const Body bodies[2] = {a, b};
    const Pair pair[1] = {{0, 1}};
    Manifolds out;
    REQUIRE(narrow.collide({&store, bodies, pair}, out));
    REQUIRE(out.status[0] == Status::ok);
    return {out.manifolds, out.contacts};
}

double angle_between(Vec3 a, Vec3 b) {
    const oracle::Vec3d c = cross(oracle::Vec3d(a), oracle::Vec3d(b));
    return std::atan2(length(c), dot(oracle::Vec3d(a), oracle::Vec3d(b)));
}

// Every contact of the one is among the other's, in place and depth.
bool same_contacts(const Contacts& x, const Contacts& y, double near, double slack) {
    if (x.contacts.size() != y.contacts.size()) return false;
    for (const Contact& c : x.contacts) {
        bool found = false;
        for (const Contact& d : y.contacts)
            found = found || (length(oracle::Vec3d(c.position) - oracle::Vec3d(d.position)) <= near &&
                              std::fabs(c.separation - d.separation) <= slack);
        if (!found) return false;
    }
    return true;
}

}  // namespace

namespace {

// Bodies on a floor of triangles against the same bodies on a half-space.
class OnPlane {
public:
    // Within `about` of the origin; the body is lowered until it is a centimetre deep to two above.
    void compare(const ShapeStore& store, ShapeId shape, ShapeId floor, ShapeId plane, scenes::Random& random,
                 double about) {
        // Lying, standing, or in any pose.
        Quat turned = random.orientation();
        if (random.chance(0.5)) {
            const double yaw = random.uniform(0, 3);
            turned = {0, float(std::sin(yaw)), 0, float(std::cos(yaw))};
        }
        Body body = {{float(random.uniform(-about, about)), 5, float(random.uniform(-about, about))}, shape, turned};
        Distances d;
        const Body bodies[2] = {body, {{}, plane, {}}};
        const Pair pair[1] = {{0, 1}};
        REQUIRE(narrow_.distance({&store, bodies, pair}, d));
        body.position.y -= d.signed_distance[0] - float(random.uniform(-0.02, 0.01));
        compare(ask(narrow_, store, body, {{}, plane, {}}), ask(narrow_, store, body, {{}, floor, {}}),
                int(shape.kind()));
    }
    void check(std::size_t least) const {
        CHECK(touching_ > least);
        CHECK(wrong_count_ == 0);
        CHECK(wrong_normal_ == 0);
        CHECK(wrong_contacts_ == 0);
        CHECK(wrong_names_ == 0);
    }

private:
    void compare(const Contacts& on_plane, const Contacts& on_floor, int kind) {
        CAPTURE(kind, on_plane.contacts.size(), on_floor.contacts.size(), on_floor.manifolds.size());
        touching_ += !on_plane.manifolds.empty();
        CHECK(on_floor.manifolds.size() == on_plane.manifolds.size());
        wrong_count_ += on_floor.manifolds.size() != on_plane.manifolds.size();
        if (on_floor.manifolds.empty() || on_plane.manifolds.empty()) return;
        wrong_normal_ += angle_between(on_floor.manifolds[0].normal, on_plane.manifolds[0].normal) > 1e-6;
        const bool are_same = same_contacts(on_floor, on_plane, 1e-6, 1e-6);
        CHECK(are_same);
        wrong_contacts_ += !are_same;
        for (std::size_t k = 0; k < on_floor.contacts.size() && are_same; ++k)
            wrong_names_ += std::none_of(on_plane.contacts.begin(), on_plane.contacts.end(),
                                         [&](const Contact& c) { return c.feature == on_floor.contacts[k].feature; });
    }

    NarrowPhase narrow_;
    std::size_t touching_ = 0;
    test::Count wrong_count_, wrong_normal_, wrong_contacts_, wrong_names_;
};

// A square about the origin, cut into quarters here and there down to a 64th of its side: T-junctions at most borders.
TestMesh uneven_floor(scenes::Random& random, float half, MeshSides sides) {
    TestMesh mesh;
    const auto cut = [&](const auto& again, float x, float z, float side, int depth) -> void {
        if (depth < 2 || (depth < 6 && random.chance(0.6))) {
            for (const float dx : {0.0f, 0.5f * side})
                for (const float dz : {0.0f, 0.5f * side}) again(again, x + dx, z + dz, 0.5f * side, depth + 1);
            return;
        }
        const auto first = std::uint32_t(mesh.vertices.size());
        for (const Vec3& v : {Vec3{x, 0, z}, Vec3{x, 0, z + side}, Vec3{x + side, 0, z + side}, Vec3{x + side, 0, z}})
            mesh.vertices.push_back(v);
        const std::uint32_t turn = random.below(2);
        for (const std::uint32_t k : {turn, turn + 2}) {
            const std::uint32_t a = first + k, b = first + (k + 1) % 4, c = first + (k + 2) % 4;
            const bool is_turned = sides == MeshSides::both &&
                                   random.chance(0.5);  // the winding of a surface with two sides is nobody's concern
            mesh.triangles.push_back(is_turned ? MeshTriangle{{a, c, b}} : MeshTriangle{{a, b, c}});
        }
    };
    cut(cut, -half, -half, 2 * half, 0);
    return mesh;
}

// Rows of needles, each row cut by itself.
TestMesh needle_floor(scenes::Random& random, float half, float width) {
    TestMesh mesh;
    const auto side_at = [&](float z) {
        std::vector<float> cuts = {-half, half};
        for (int i = 0; i < 6; ++i) cuts.push_back(float(random.uniform(-half, half)));
        std::sort(cuts.begin(), cuts.end());
        const auto first = std::uint32_t(mesh.vertices.size());
        for (const float x : cuts) mesh.vertices.push_back({x, 0, z});
        return first;
    };
    for (float z = -half; z < half; z += width) {
        std::uint32_t near = side_at(z), far = side_at(z + width);
        const std::uint32_t near_end = far - 1, far_end = std::uint32_t(mesh.vertices.size()) - 1;
        while (near < near_end || far < far_end) {
            if (far == far_end || (near < near_end && mesh.vertices[near + 1].x < mesh.vertices[far + 1].x))
                mesh.triangles.push_back({{near, far, near + 1}}), ++near;
            else
                mesh.triangles.push_back({{near, far, far + 1}}), ++far;
        }
    }
    return mesh;
}

}  // namespace

TEST_CASE("surfaces, contacts: flat ground of any triangles is one big plane", "[surfaces]") {
    scenes::Random random(3);
    test::Random floors(7);
    OnPlane found;
    for (const float step : {0.01f, 0.05f, 0.2f, 1.0f, 10.0f}) {
        INFO(step);
        test::CompoundScene scene;
        for (int i = 0; i < 40; ++i) scene.convex.add_solid(test::random_shape(random, 0.25, test::Kinds::all));
        ShapeStore& store = scene.convex.shapes;
        const auto cells = std::uint32_t(std::max(4.0f, std::min(160.0f, 1.6f / step)));
        const TestMesh mesh = random_floor(floors, cells, cells, step);
        const ShapeId floor = *store.add_mesh(mesh.vertices, mesh.triangles),
                      plane = *store.add_halfspace({0, 1, 0}, 0);
        for (int i = 0; i < 200; ++i)
            found.compare(store, scene.convex.ids[random.below(40)], floor, plane, random, 0.15);
    }
    found.check(900);
}

TEST_CASE("surfaces, contacts: of triangles within flat ground hardly any is computed", "[surfaces]") {
    ShapeStore store;
    const TestMesh mesh = test::flat_mesh(60, 60, 0.1f);
    const ShapeId plane = *store.add_halfspace({0, 1, 0}, 0);
    const ShapeId floors[] = {
        *store.add_mesh(mesh.vertices, mesh.triangles),
        *store.add_heightfield(std::vector<float>(61 * 61), 61, 61, {}, {.spacing_x = 0.1f, .spacing_z = 0.1f})};
    const ShapeId shapes[] = {*store.add_box({0.4f, 0.25f, 0.3f}), *store.add_cylinder(0.4f, 0.25f),
                              *store.add_capsule(0.25f, 0.5f)};
    NarrowPhase narrow;
    for (const ShapeId shape : shapes) {
        for (const float yaw : {0.0f, 0.2f, 0.9f}) {
            for (const float height : {0.2495f, 0.251f}) {
                const Body body = {{3.02f, height, 3.03f}, shape, {0, std::sin(yaw), 0, std::cos(yaw)}};
                const Contacts on_plane = ask(narrow, store, body, {{}, plane, {}});
                CAPTURE(int(shape.kind()), yaw, height);
                for (const ShapeId floor : floors) {
                    const Contacts on_floor = ask(narrow, store, body, {{}, floor, {}});
                    CHECK(narrow.counters().child_pairs <= 2);
                    CHECK(same_contacts(on_floor, on_plane, 1e-6, 1e-6));
                }
            }
        }
    }
}

TEST_CASE("surfaces, contacts: flat ground with T-junctions, needles or turned triangles is one big plane, too",
          "[surfaces]") {
    scenes::Random random(5);
    OnPlane found;
    for (int round = 0; round < 12; ++round) {
        INFO(round);
        test::CompoundScene scene;
        for (int i = 0; i < 40; ++i) scene.convex.add_solid(test::random_shape(random, 0.25, test::Kinds::all));
        ShapeStore& store = scene.convex.shapes;
        const MeshSides sides = round % 3 == 1 ? MeshSides::both : MeshSides::front;
        const TestMesh mesh =
            round % 3 == 2 ? needle_floor(random, 1, 0.02f * float(1 + round)) : uneven_floor(random, 1, sides);
        const ShapeId floor = *store.add_mesh(mesh.vertices, mesh.triangles, {}, {.sides = sides}),
                      plane = *store.add_halfspace({0, 1, 0}, 0);
        for (int i = 0; i < 100; ++i)
            found.compare(store, scene.convex.ids[random.below(40)], floor, plane, random, 0.15);
    }
    found.check(1000);
}

namespace {

// Whether a body is nearest to a triangle from the side that it is not on: it reaches around an open edge, and has no
// contact until it overlaps.
bool is_from_behind(const test::SurfaceScene& scene, std::size_t pair, Vec3 normal) {
    const test::NearestTriangle nearest = test::nearest_triangles(scene, pair).maybe;
    const test::SurfaceScene::Ground& ground = scene.ground(pair);
    const maths::Vec3d n = normal_of(ground.corners[nearest.triangle]);
    oracle::Vec3d front = {n.x, n.y, n.z};
    if (ground.sides == MeshSides::both &&
        scene.in_front(pair, scene.centre_of(pair, nearest.part, nearest.part + 1), nearest.triangle) < 0)
        front = -front;
    return dot(scene.ground_pose(pair).rotation * front, oracle::Vec3d(normal)) > 0;
}

}  // namespace

TEST_CASE("surfaces, contacts: whatever overlaps has some, and none pushes a body through a front", "[surfaces]") {
    const auto seed = GENERATE(range(11, 19));
    INFO(seed);
    const test::SurfaceScene scene = test::make_surface_scene(1500, std::uint64_t(seed), true);
    const judge::Answers answers = judge::ask(scene.frame(), {});
    const Manifolds& m = answers.manifolds;
    std::size_t overlapping = 0, lost = 0, many = 0, through = 0, same_normals = 0, kept = 0, near = 0, missed = 0,
                spread = 0, unnamed = 0;
    for (std::size_t i = 0; i < scene.pairs().size(); ++i) {
        const float distance = answers.distances.signed_distance[i];
        const std::uint32_t first = m.first_manifold[i], end = m.first_manifold[i + 1];
        overlapping += distance < -1e-4f;
        lost += distance < -1e-4f && first == end;
        near += distance > 0 && distance < 0.015f;
        missed +=
            distance > 0 && distance < 0.015f && first == end && !is_from_behind(scene, i, answers.distances.normal[i]);
        spread += distance > 0.021f && first != end;
        many += end - first > 1;
        const test::SurfaceScene::Ground& ground = scene.ground(i);
        const oracle::Pose at = scene.ground_pose(i);
        for (std::uint32_t k = first; k < end; ++k) {
            const auto named = std::find(ground.input.begin(), ground.input.end(), m.manifolds[k].child_b);
            if (named == ground.input.end()) {
                ++unnamed;
                continue;
            }
            const maths::Vec3d n = normal_of(ground.corners[std::size_t(named - ground.input.begin())]);
            const oracle::Vec3d normal = at.rotation * oracle::Vec3d{n.x, n.y, n.z};
            const bool is_halfspace = scene.others.bodies[scene.pairs()[i].a].shape.kind() == ShapeKind::halfspace;
            if (ground.sides == MeshSides::front && !is_halfspace)
                through += dot(normal, oracle::Vec3d(m.manifolds[k].normal)) > 1e-5;
            for (std::uint32_t l = first; l < k; ++l)
                same_normals += m.manifolds[l].child_a == m.manifolds[k].child_a &&
                                angle_between(m.manifolds[k].normal, m.manifolds[l].normal) < 1e-4;
            kept += m.manifolds[k].contact_count > 4;
        }
    }
    CHECK(overlapping > 400);
    CHECK(near > 25);
    CHECK(many > 50);
    CHECK(unnamed == 0);
    CHECK(lost == 0);
    CHECK(missed == 0);
    CHECK(spread == 0);
    CHECK(through == 0);
    CHECK(same_normals == 0);
    CHECK(kept == 0);
}

TEST_CASE("surfaces, contacts: a body over a hundred thousand triangles", "[surfaces]") {
    test::Random random(4);
    ShapeStore store;
    const TestMesh fine = random_floor(random, 240, 240, 0.01f);
    const ShapeId floor = *store.add_mesh(fine.vertices, fine.triangles), plane = *store.add_halfspace({0, 1, 0}, 0);
    const ShapeId box = *store.add_box({1, 0.5f, 1}), small = *store.add_box({0.1f, 0.1f, 0.1f});
    NarrowPhase narrow;
    const auto compare = [&](const Body& body) {
        const Contacts on_plane = ask(narrow, store, body, {{}, plane, {}}),
                       on_floor = ask(narrow, store, body, {{}, floor, {}});
        REQUIRE(on_floor.manifolds.size() == 1);
        CHECK(same_contacts(on_floor, on_plane, 1e-6, 1e-6));
        const Body bodies[2] = {body, {{}, floor, {}}};
        const Pair pair[1] = {{0, 1}};
        Distances d;
        Overlaps o;
        REQUIRE(narrow.distance({&store, bodies, pair}, d));
        REQUIRE(narrow.overlap({&store, bodies, pair}, o));
        CHECK(d.status[0] == Status::ok);
        CHECK(o.hit(0));
    };
    // Far deeper than triangles are wide: the shallowest way out of each is sideways, and the floor's is up.
    compare({{0, 0.47f, 0}, box, {}});
    compare({{0, 0.499f, 0}, box, {}});
    compare({{0.013f, 0.06f, 0.017f}, small, {0, std::sin(0.3f), 0, std::cos(0.3f)}});
}

TEST_CASE("surfaces, contacts: the edges of a finely cut cube are edges, and its sides are flat", "[surfaces]") {
    // Half side 1, its faces of 20 x 20 cells: a box on the top, over its edge, is on the top alone.
    TestMesh cube;
    const std::uint32_t side = 20;
    for (int axis = 0; axis < 3; ++axis) {
        for (const float sign : {-1.0f, 1.0f}) {
            const auto first = std::uint32_t(cube.vertices.size());
            for (std::uint32_t r = 0; r <= side; ++r) {
                for (std::uint32_t c = 0; c <= side; ++c) {
                    const float at[3] = {sign, -1.0f + 2.0f * float(r) / float(side),
                                         -1.0f + 2.0f * float(c) / float(side)};
                    cube.vertices.push_back(axis == 0   ? Vec3{at[0], at[1], at[2]}
                                            : axis == 1 ? Vec3{at[2], at[0], at[1]}
                                                        : Vec3{at[1], at[2], at[0]});
                }
            }
            for (std::uint32_t r = 0; r < side; ++r) {
                for (std::uint32_t c = 0; c < side; ++c) {
                    const std::uint32_t a = first + r * (side + 1) + c, b = a + side + 1;
                    MeshTriangle one = {{a, b, b + 1}}, two = {{a, b + 1, a + 1}};
                    if (sign < 0) std::swap(one.corners[1], one.corners[2]), std::swap(two.corners[1], two.corners[2]);
                    cube.triangles.push_back(one);
                    cube.triangles.push_back(two);
                }
            }
        }
    }
    ShapeStore store;
    const ShapeId mesh = *store.add_mesh(cube.vertices, cube.triangles), box = *store.add_box({0.5f, 0.25f, 0.5f}),
                  ball = *store.add_sphere(0.25f);
    REQUIRE(store.view(mesh).mesh.open_edges == 0);
    NarrowPhase narrow;
    for (const float x : {0.0f, 0.7f, 0.9f, 1.2f}) {
        for (const float depth : {0.001f, 0.02f, 0.2f}) {
            const Contacts found = ask(narrow, store, {{x, 1.25f - depth, 0.03f}, box, {}}, {{}, mesh, {}});
            CAPTURE(x, depth, found.manifolds.size());
            REQUIRE(found.manifolds.size() == 1);
            CHECK(angle_between(found.manifolds[0].normal, {0, -1, 0}) <= 1e-6);
            CHECK(found.contacts.size() == 4);
            for (const Contact& c : found.contacts) CHECK(c.separation == Approx(-depth).margin(1e-5));
            float least = 9, most = -9;
            for (const Contact& c : found.contacts)
                least = std::min(least, c.position.x + x), most = std::max(most, c.position.x + x);
            CHECK(least == Approx(x - 0.5f).margin(1e-5));
            CHECK(most == Approx(std::min(1.0f, x + 0.5f)).margin(1e-5));
        }
    }
    // A ball at an edge has the edge's normal, about the edge.
    for (const double angle : {0.2, 0.7, 1.3}) {
        const auto s = float(std::sin(angle)), c = float(std::cos(angle));
        const Contacts found = ask(narrow, store, {{1 + 0.249f * s, 1 + 0.249f * c, 0.33f}, ball, {}}, {{}, mesh, {}});
        REQUIRE(found.manifolds.size() == 1);
        CHECK(angle_between(found.manifolds[0].normal, {-s, -c, 0}) <= 1e-4);
        CHECK(found.contacts.size() == 1);
    }
}

TEST_CASE("surfaces, contacts: the edge of a valley is no edge", "[surfaces]") {
    // Two slopes of a few degrees that meet at x = 0. A ball that is over one of them is nearest to the other's border.
    scenes::Random random(12);
    NarrowPhase narrow;
    std::size_t several = 0, computed = 0;
    for (const float slope : {0.02f, 0.1f, 0.3f}) {
        ShapeStore store;
        const TestMesh valley = test::grid_mesh(8, 8, 0.5f, [&](float x, float) { return slope * std::fabs(x - 2); });
        const ShapeId mesh = *store.add_mesh(valley.vertices, valley.triangles), ball = *store.add_sphere(0.25f);
        const float length = std::sqrt(1 + slope * slope);
        const Vec3 left = {-slope / length, -1 / length, 0}, right = {slope / length, -1 / length, 0};
        for (int i = 0; i < 400; ++i) {
            const auto x = float(random.uniform(-0.3, 0.3)), z = float(random.uniform(1, 3)),
                       depth = float(random.uniform(-0.01, 0.02));
            const float y = slope * std::fabs(x) + 0.25f * length - depth;
            const Contacts found = ask(narrow, store, {{2 + x, y, z}, ball, {}}, {{}, mesh, {}});
            CAPTURE(slope, x, z, depth);
            several += found.manifolds.size() > 1, computed += narrow.counters().child_pairs;
            for (const Manifold& m : found.manifolds)
                CHECK(std::min(angle_between(m.normal, left), angle_between(m.normal, right)) <= 1e-4);
        }
    }
    CHECK(several > 20);
    // What is nearest to its border is known to have no contact there.
    CHECK(computed < 40);
}

TEST_CASE("surfaces, contacts: a body across a convex edge touches the edge once", "[surfaces]") {
    // Over a ridge of two triangles; the kernels replace the normal of one triangle by its own, 0.4 degrees away.
    ShapeStore store;
    const std::vector<Vec3> corners = {
        {0, -0.0727f, -0.4f}, {0.6f, -0.2136f, 0.2f}, {0.6f, -0.0764f, -0.4f}, {0, -0.0049f, -1}};
    const std::vector<MeshTriangle> triangles = {{0, 1, 2}, {3, 0, 2}};
    const auto ridge = store.add_mesh(corners, triangles, {}, {.sides = MeshSides::both});
    const auto capsule = store.add_capsule(0.207674637f, 0.242169693f);
    REQUIRE(ridge);
    REQUIRE(capsule);
    const Body body = {
        {0.39785f, 0.1423f, -0.47636f}, *capsule, {0.363414943f, 0.644308567f, 0.653056562f, 0.162213311f}};
    NarrowPhase narrow;
    for (const bool swapped : {false, true}) {
        const Contacts found =
            swapped ? ask(narrow, store, {{}, *ridge, {}}, body) : ask(narrow, store, body, {{}, *ridge, {}});
        CAPTURE(swapped);
        REQUIRE(found.manifolds.size() == 1);
        // The edge, and the end of the line over either triangle.
        REQUIRE(found.contacts.size() == 3);
        CHECK(found.contacts[0].separation == Approx(-0.000913).margin(1e-5));
        CHECK(angle_between(found.manifolds[0].normal, {-0.006122f, -0.99281f, -0.119543f}) ==
              Approx(swapped ? std::numbers::pi : 0).margin(1e-3));
    }
}
