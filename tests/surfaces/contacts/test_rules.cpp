// Rules that contacts on ground keep from frame to frame, and in valleys.
#include "support/catch.hpp"
#include "support/count.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "surfaces/contacts/contacts.hpp"
#include "surfaces/contacts/families.hpp"
#include "surfaces/contacts/settle.hpp"

using namespace abut;
using namespace abut::ground;

namespace {

// Of unit length; the caches' rotations are.
Quat rotated(const Quat& q, const Vec3d& axis, double angle) {
    const double s = std::sin(0.5 * angle), w = std::cos(0.5 * angle);
    const Vec3d u = axis * s, v{q.x, q.y, q.z};
    const Vec3d sum = w * v + double(q.w) * u + cross(u, v);
    return {float(sum.x), float(sum.y), float(sum.z), float(w * double(q.w) - dot(u, v))};
}

struct Frames {
    ShapeStore store;
    Body bodies[2];  // the body, the ground
    NarrowPhase narrow{{.executor = serial_executor()}};

    std::vector<Found> ask(WarmCache* cache) {
        const Pair pairs[1] = {{0, 1}};
        Frame frame = {&store, bodies, pairs};
        if (cache != nullptr) frame.caches = {cache, 1};
        Manifolds out;
        REQUIRE(narrow.collide(frame, out));
        REQUIRE(out.status[0] == Status::ok);
        std::vector<Found> found;
        for (std::size_t i = 0; i < out.manifolds.size(); ++i) {
            const Manifold& m = out.manifolds[i];
            for (std::uint32_t k = m.first_contact; k < m.first_contact + m.contact_count; ++k)
                found.push_back(
                    {Vec3d(out.contacts[k].position), -Vec3d(m.normal), double(out.contacts[k].separation), i});
        }
        return found;
    }
    // Down until the body touches the ground, then by so much.
    void lower(double by, double size) {
        Distances distance;
        const Pair pairs[1] = {{0, 1}};
        for (int step = 0; step < 40; ++step) {
            REQUIRE(narrow.distance({&store, bodies, pairs}, distance));
            if (distance.signed_distance[0] <= 1e-5f * float(size)) break;
            bodies[0].position.y -= distance.signed_distance[0];
        }
        bodies[0].position.y -= float(by);
    }
    // ... moved and rotated by noise of so many sizes and radians.
    Body disturbed(Random& random, double noise, double size) const {
        Body out = bodies[0];
        const double angle = noise * random.uniform(), moved = noise * size * random.uniform();
        out.orientation = rotated(out.orientation, random.direction(), angle);
        const Vec3d way = random.direction() * moved;
        out.position = {float(out.position.x + way.x), float(out.position.y + way.y), float(out.position.z + way.z)};
        return out;
    }
};

// Contacts that are within 5% of the size of one of the frame before, and how many there could be.
struct Kept {
    std::size_t kept = 0, all = 0, frames = 0;
    std::vector<Found> before;

    void add(const std::vector<Found>& now, bool is_first, double size) {
        if (!is_first) {
            for (const Found& f : now)
                kept += std::ranges::any_of(before, [&](const Found& g) { return length(f.at - g.at) <= 0.05 * size; });
            all += std::max(now.size(), before.size());
            ++frames;
        }
        before = now;
    }
    double share() const { return double(kept) / double(all); }
    double contacts() const { return double(all) / double(frames); }
};

bool has(const std::vector<Found>& among, const Found& f, double near, double slack) {
    return std::ranges::any_of(among, [&](const Found& g) {
        return length(f.at - g.at) <= near && std::fabs(f.separation - g.separation) <= slack &&
               dot(f.normal, g.normal) > 0.999;
    });
}

}  // namespace

TEST_CASE("ground: a body that rotates where it is has the contacts of one without a cache", "[ground]") {
    Random random(11);
    std::size_t frames = 0, contacts = 0;
    test::Count wrong;
    for (int round = 0; round < 24; ++round) {
        Frames scene;
        // Long bodies over few triangles, as many as a cache has room for: a small rotation brings their ends over
        // others.
        const Kind kinds[] = {Kind::plank, Kind::rod, Kind::box};
        const Mover mover = make_mover(scene.store, random, kinds[round % 3], 1);
        Relief relief;
        relief.form = Relief::Form::waves, relief.cell = random.uniform(0.2, 0.4), relief.height = 0.01,
        relief.length = 0.7;
        Terrain terrain = make_relief(random, {1.3 * mover.reach, {}}, relief);
        terrain.body.shape = terrain.add(scene.store);
        const Level level(terrain);
        scene.bodies[0] = {{0, float(mover.shape.half_extents.y + 0.008), 0}, mover.id, {}};
        scene.bodies[1] = terrain.body;
        WarmCache cache;
        const double step = std::pow(10.0, random.uniform(-3, -1.3));
        for (int frame = 0; frame < 30; ++frame) {
            // It rests now and then.
            if (frame % 5 != 4) scene.bodies[0].orientation = rotated(scene.bodies[0].orientation, {0, 1, 0}, step);
            const std::vector<Found> cold = scene.ask(nullptr), warm = scene.ask(&cache);
            bool is_same = cold.size() == warm.size();
            for (const Found& f : cold) is_same = is_same && has(warm, f, 1e-3 * mover.size, contact_slack(mover.size));
            wrong += !is_same;
            contacts += cold.size();
            ++frames;
        }
    }
    CHECK(contacts > 2 * frames);
    CHECK(wrong == 0);
}

namespace {

constexpr int kNoisyFrames = 16;

Kept kept_at_rest(double noise) {
    Random random(12);
    Kept out;
    for (int round = 0; round < 120; ++round) {
        Frames scene;
        const Kind kinds[] = {Kind::box, Kind::prism, Kind::hull, Kind::cylinder};
        const double longest = std::pow(10.0, random.uniform(-1, 0));
        const Mover mover = make_mover(scene.store, random, kinds[round % 4], longest);
        const double radii[] = {30, 300, 3000};
        Relief relief;
        relief.form = Relief::Form::hill, relief.radius = radii[round % 3] * (random.chance(0.5) ? 1 : -1);
        relief.cell = 0.25 * mover.size, relief.is_field = random.chance(0.3);
        Terrain terrain = make_relief(random, {1.3 * mover.reach, {}}, relief);
        terrain.body.shape = terrain.add(scene.store);
        const std::optional<Rest> rest = settle(terrain, Level(terrain), mover, random, 1e-4);
        if (!rest) continue;
        scene.bodies[1] = terrain.body;
        for (int frame = 0; frame < kNoisyFrames; ++frame) {
            scene.bodies[0] = rest->body;
            scene.bodies[0] = scene.disturbed(random, noise, mover.size);
            out.add(scene.ask(nullptr), frame == 0, mover.size);
        }
    }
    return out;
}

}  // namespace

TEST_CASE("ground: contacts of bodies at rest on hills keep their positions under noise", "[ground]") {
    const struct { double noise, least; } kGoals[] = {{1e-6, 0.99}, {1e-5, 0.97}, {1e-4, 0.95}};
    for (const auto& goal : kGoals) {
        CAPTURE(goal.noise);
        const Kept found = kept_at_rest(goal.noise);
        CHECK(found.share() >= goal.least);
        CHECK(found.contacts() > 2);
    }
}

TEST_CASE("ground: a box that hangs over a border by a corner keeps its contacts under noise", "[ground]") {
    // The border cuts the corner off: five contacts of which two are as good as each other. Noise must not choose
    // between them.
    Random random(14);
    Kept found;
    for (int round = 0; round < 120; ++round) {
        Frames scene;
        const double half = std::pow(10.0, random.uniform(-1.3, -0.3)), half_height = half * random.uniform(0.2, 1),
                     width = 4 * half;
        const ShapeId shape = *scene.store.add_box({float(half), float(half_height), float(half)});
        const Vec3 corners[] = {{float(-width), 0, float(-width)},
                                {float(-width), 0, float(width)},
                                {0, 0, float(width)},
                                {0, 0, float(-width)}};
        const MeshTriangle triangles[] = {{{0, 1, 2}}, {{0, 2, 3}}};
        const Vec3d beside = random.direction() * 5.0;
        scene.bodies[1] = {
            {float(beside.x), float(beside.y), float(beside.z)}, *scene.store.add_mesh(corners, triangles), {}};
        const double diagonal = std::sqrt(2.0) * half, over = diagonal * random.uniform(0.1, 0.5),
                     along = 0.3 * half * random.uniform(-1, 1);
        const double way = random.uniform(0, 6.28);
        const Quat lying = rotated({}, {0, 1, 0}, 0.785398163397448);
        const Vec3d at = beside + Vec3d{over - diagonal, 2 * half_height, along};
        scene.bodies[0] = {
            {float(at.x), float(at.y), float(at.z)}, shape, rotated(lying, {std::cos(way), 0, std::sin(way)}, 1e-3)};
        scene.lower(1e-4 * half, half);
        const Body resting = scene.bodies[0];
        for (int frame = 0; frame < kNoisyFrames; ++frame) {
            scene.bodies[0] = resting;
            scene.bodies[0] = scene.disturbed(random, 1e-6, half);
            found.add(scene.ask(nullptr), frame == 0, half);
        }
    }
    CHECK(found.contacts() > 3);
    CHECK(found.share() >= 0.99);
}

TEST_CASE("ground: a deep body is pushed up by flat ground, not over an edge between its triangles", "[ground]") {
    // Poses of abut_ground in which the nearest way out of some triangle is over a flat edge.
    const struct {
        const char* family;
        std::vector<std::size_t> poses;
    } kPoses[] = {{"deep/hull", {3768}},
                  {"deep/plank", {398, 952, 1007}},
                  {"deep/cone", {1970, 2731}},
                  {"deep/rod", {281, 414, 455, 682, 865, 957, 966, 1304, 1377, 1479, 1624, 1762}},
                  {"deep/tetrahedron", {10, 672, 687, 944, 2562, 3261, 3463}}};
    for (const auto& of : kPoses) {
        const std::vector<const Family*> families = find_families(of.family);
        REQUIRE(families.size() == 1);
        for (const std::size_t pose : of.poses) {
            const Finding found = examine_one(*families[0], {.seed = 1}, pose);
            CAPTURE(of.family, pose, found.details);
            CHECK(found.is_judged);
            CHECK(found.faults == 0);
        }
    }
}

TEST_CASE("ground: normals in a pit are those of its walls", "[ground]") {
    Random random(13);
    std::size_t contacts = 0, manifolds = 0;
    test::Count sideways;
    for (int round = 0; round < 1500; ++round) {
        Frames scene;
        const double longest = std::pow(10.0, random.uniform(-1, 0));
        const Mover mover = make_mover(scene.store, random, Kind(random.below(kKindCount)), longest);
        Terrain terrain = make_pit(random, {mover.reach, {}});
        // A rounding moves the walls, and leaves their normals.
        InstanceOptions options;
        if (round % 3 == 0) options.rounding = float(mover.size * random.uniform(0.02, 0.2));
        terrain.body.shape = *scene.store.add_mesh(terrain.vertices, terrain.triangles, options);
        const double x = 0.3 * mover.reach * random.uniform(-1, 1), z = 0.3 * mover.reach * random.uniform(-1, 1);
        scene.bodies[0] = {{float(x), float(mover.reach), float(z)}, mover.id, random.orientation()};
        scene.bodies[1] = terrain.body;
        // A little or much deeper than touching.
        scene.lower(mover.size * random.uniform(-0.01, random.chance(0.5) ? 0.02 : 0.15), mover.size);
        const std::vector<Found> found = scene.ask(nullptr);
        manifolds += !found.empty();
        for (const Found& f : found) {
            double nearest = 0;
            for (std::size_t t = 0; t < terrain.triangles.size(); ++t) {
                const std::array<Vec3d, 3> c = terrain.world_corners(t);
                nearest = std::max(nearest, dot(normalised(cross(c[1] - c[0], c[2] - c[0])), f.normal));
            }
            // That of the body's face takes the place of a wall's that is within 1.6 degrees of it.
            sideways += nearest < 1 - 4.1e-4;
            ++contacts;
        }
    }
    CHECK(manifolds > 1300);
    CHECK(contacts > 3000);
    CHECK(sideways == 0);
}
