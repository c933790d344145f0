// Caches of bodies on ground whose shapes change, and of bodies on more triangles than a call may take.
#include <algorithm>
#include <cmath>
#include <vector>

#include "scenes/random.hpp"
#include "support/catch.hpp"
#include "support/count.hpp"
#include "support/surface_pairs.hpp"
#include "support/warm_manifolds.hpp"

using namespace abut;
using namespace test::warm;

TEST_CASE("surfaces, warm: set_instance of a body or of its ground leaves no contact of the shape before",
          "[surfaces][warm]") {
    struct Kind {
        const char* name;
        Expected<ShapeId> (*add)(ShapeStore&);
    };
    const Kind kinds[] =
        {
            {"sphere", [](ShapeStore& s) { return s.add_sphere(0.5f); }},
            {"capsule", [](ShapeStore& s) { return s.add_capsule(0.2f, 0.3f); }},
            {"box",
             [](ShapeStore& s) {
        return s.add_box({0.6f, 0.5f, 0.4f});
             }},
            {"cylinder", [](ShapeStore& s) { return s.add_cylinder(0.4f, 0.5f); }},
            {"cone", [](ShapeStore& s) { return s.add_cone(0.4f, 0.5f); }},
            {"ellipsoid",
             [](ShapeStore& s) {
        return s.add_ellipsoid({0.6f, 0.5f, 0.4f});
             }},
               {"hull",
                [](ShapeStore& s) {
        return s.add_hull(std::vector<Vec3>{{-1, -0.5f, -1}, {1, -0.5f, -1}, {0, -0.5f, 1}, {0, 0.5f, 0}});
                }},
        {"compound",
         [](ShapeStore& s) {
        return s.add_compound(std::vector<CompoundChild>{{*s.add_box({0.6f, 0.5f, 0.4f}), {}, {}}});
         }},
        };
    const test::TestMesh flat = test::grid_mesh(12, 12, 0.5f, [](float, float) { return 0.0f; });
    const std::vector<float> heights(169, 0.0f);
    scenes::Random random(31);
    constexpr float kMargin = 0.05f;
    for (const Kind& kind : kinds)
        for (const bool is_field : {false, true})
            for (const bool is_turned : {false, true}) {
                INFO(kind.name << (is_field ? " on a height field" : " on a mesh")
                               << (is_turned ? ", as (ground, body)" : ""));
                ShapeStore store;
                const ShapeId body = *kind.add(store);
                const ShapeId ground =
                    is_field ? *store.add_heightfield(heights, 13, 13, {}, {.spacing_x = 0.5f, .spacing_z = 0.5f})
                             : *store.add_mesh(flat.vertices, flat.triangles);
                const double low = 0.5;  // all these shapes reach 0.5 m below their position
                std::vector<Body> bodies = {{{}, ground, {}}, {{3, float(low), 3}, body, {}}};
                const std::vector<Pair> pair = {is_turned ? Pair{0, 1} : Pair{1, 0}};
                const Frame frame = {&store, bodies, pair};
                const Settings settings = {.speculative_margin = kMargin};
                Caches caches(1);
                double lowest = low, top = 0;  // of the body below its position, of the ground
                const auto check = [&] {
                    Frame with_caches = frame;
                    with_caches.caches = caches;
                    const Calls warm = collide(with_caches, settings);
                    const double separation = double(bodies[1].position.y) - lowest - top;
                    INFO(separation);
                    CHECK((warm.manifolds.status[0] == Status::ok &&
                           warm.manifolds.contacts.empty() == (separation > double(kMargin))));
                    double deepest = INFINITY;
                    for (const Contact& c : warm.manifolds.contacts) deepest = std::min(deepest, double(c.separation));
                    if (!warm.manifolds.contacts.empty()) CHECK(std::fabs(deepest - separation) < 1e-5);
                    CHECK(agree(warm.manifolds, collide(frame, settings).manifolds));
                };
                for (int change = 0; change < 12; ++change) {
                    // So many frames that the cache has contacts.
                    for (std::uint32_t frames = 1 + random.below(5); frames > 0; --frames) check();
                    if (random.chance(0.3)) bodies[1].position.x += 1e-5f;
                    const auto scale = float(random.uniform(0.9, 1.1)), rounding = float(random.uniform(0, 0.04));
                    const bool is_ground = change % 2 == 1;
                    InstanceOptions options = {.rounding = rounding, .scale = {scale, scale, scale}};
                    if (change % 3 == 0) options.rounding = 0;
                    if (change % 3 == 1) options.scale = {1, 1, 1};
                    REQUIRE(store.set_instance(is_ground ? ground : body, options));
                    if (is_ground)
                        top = double(options.rounding);
                    else
                        lowest = low * double(options.scale.y) + double(options.rounding);
                    check();
                    // In contact again, so that there is a cache for the next change.
                    bodies[1].position.y = float(lowest + top + random.uniform(-0.01, 0.01));
                }
            }
}

TEST_CASE("surfaces, warm: a body on more triangles than max_child_pairs has no manifold, and harms no other",
          "[surfaces][warm]") {
    for (const std::uint64_t seed : {1, 2, 3, 4}) {
        scenes::Random random(seed);
        ShapeStore store;
        const test::TestMesh flat = test::grid_mesh(30, 30, 0.2f, [](float, float) { return 0.0f; });
        const test::TestMesh bumpy =
            test::grid_mesh(30, 30, 0.2f, [](float x, float z) { return 0.02f * std::sin(3 * x) * std::cos(2 * z); });
        const std::vector<float> heights(31 * 31, 0.0f);
        const ShapeId grounds[] = {*store.add_mesh(flat.vertices, flat.triangles),
                                   *store.add_mesh(flat.vertices, flat.triangles, {}, {.sides = MeshSides::both}),
                                   *store.add_heightfield(heights, 31, 31, {}, {.spacing_x = 0.2f, .spacing_z = 0.2f}),
                                   *store.add_mesh(bumpy.vertices, bumpy.triangles)};
        const ShapeId box = *store.add_box({0.4f, 0.3f, 0.2f}), ball = *store.add_sphere(0.3f),
                      can = *store.add_cylinder(0.4f, 0.3f);
        const ShapeId table =
            *store.add_compound(std::vector<CompoundChild>{{box, {-0.5f, 0, 0}, {}}, {can, {0.5f, 0, 0}, {}}});
        const ShapeId shapes[] = {box, ball, can, table, *store.add_box({1.2f, 0.3f, 1})};
        std::vector<Body> bodies;
        std::vector<Pair> pairs;
        for (std::uint32_t i = 0; i < 40; ++i) {
            const double x = random.uniform(1.5, 4.5), z = random.uniform(1.5, 4.5), angle = random.uniform(0, 3);
            bodies.push_back({{}, grounds[random.below(4)], {}});
            bodies.push_back({{float(x), float(random.uniform(0.29, 0.32)), float(z)},
                              shapes[random.below(5)],
                              {0, float(std::sin(angle)), 0, float(std::cos(angle))}});
            pairs.push_back(random.chance(0.5) ? Pair{2 * i, 2 * i + 1} : Pair{2 * i + 1, 2 * i});
        }
        // How many triangles each pair has, alone.
        std::vector<std::size_t> listed;
        for (const Pair& pair : pairs) {
            NarrowPhase none({.max_child_pairs = 0});
            Manifolds m;
            REQUIRE(none.collide({&store, bodies, {&pair, 1}}, m));
            listed.push_back(none.counters().most_child_pairs);
        }
        // All triangles of flat ground count whose middle is below a box.
        std::size_t below_boxes = 0;
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const Body& body = bodies[2 * i + 1];
            if ((body.shape != box && body.shape != shapes[4]) || bodies[2 * i].shape == grounds[3]) continue;
            const float half_x = body.shape == box ? 0.4f : 1.2f, half_z = body.shape == box ? 0.2f : 1.0f,
                        s = body.orientation.y, c = body.orientation.w;
            std::size_t below = 0;
            for (int triangle = 0; triangle < 2 * 30 * 30; ++triangle) {
                const bool first = triangle % 2 == 0;
                const float x = 0.2f * (float(triangle / 2 % 30) + (first ? 1 : 2) / 3.0f) - body.position.x;
                const float z = 0.2f * (float(triangle / 60) + (first ? 2 : 1) / 3.0f) - body.position.z;
                // Along the axes of the box.
                const float u = (1 - 2 * s * s) * x - 2 * s * c * z, v = 2 * s * c * x + (1 - 2 * s * s) * z;
                below += std::fabs(u) < half_x && std::fabs(v) < half_z;
            }
            CHECK(listed[i] >= below);
            below_boxes += below;
        }
        CHECK(below_boxes > 300);
        std::vector<std::size_t> sorted = listed;
        std::sort(sorted.begin(), sorted.end());
        Manifolds all;
        Frame frame = {&store, bodies, pairs};
        REQUIRE(NarrowPhase().collide(frame, all));
        for (const std::size_t share : {0, 10, 20, 30}) {
            const auto most = std::uint32_t(sorted[share] > 0 ? sorted[share] - share / 20 : 0);
            INFO("seed " << seed << ", at most " << most);
            NarrowPhase few({.max_child_pairs = most});
            Caches caches(pairs.size());
            for (int i = 0; i < 4; ++i) {
                frame.caches = {};
                if (i > 0) frame.caches = caches;  // without caches, then with them
                Manifolds m;
                REQUIRE(few.collide(frame, m));
                std::size_t refused = 0, touching = 0;
                test::Count wrong;
                for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
                    const bool is_refused = listed[pair] > most,
                               touches = all.first_manifold[pair + 1] > all.first_manifold[pair];
                    const std::uint32_t count = m.first_manifold[pair + 1] - m.first_manifold[pair];
                    refused += is_refused && touches, touching += !is_refused && touches;
                    if (is_refused)
                        wrong += m.status[pair] != Status::no_room || count != 0;
                    else
                        wrong += m.status[pair] != Status::ok || (i < 2 && words_of(m, pair) != words_of(all, pair)) ||
                                 (count != 0) != touches;
                }
                CHECK(wrong == 0);
                CHECK(refused > 4);
                CHECK(m.first_manifold.back() == m.manifolds.size());
                if (share >= 20) CHECK(touching > 4);
                CHECK(few.counters().most_child_pairs == sorted.back());
            }
            // What was refused left nothing behind.
            frame.caches = caches;
            Manifolds m;
            REQUIRE(NarrowPhase().collide(frame, m));
            for (std::size_t pair = 0; pair < pairs.size(); ++pair)
                if (listed[pair] > most)
                    CHECK((m.status[pair] == Status::ok && words_of(m, pair) == words_of(all, pair)));
        }
    }
}
