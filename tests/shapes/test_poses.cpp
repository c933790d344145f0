// Shapes with poses of their own: every query answers as it does for bodies whose poses were composed by hand, about
// the body. In double, by other code.
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "convex/contract/chunk_kernels.hpp"
#include "shapes/instance_pose.hpp"
#include "support/configuration_checks.hpp"
#include "support/count.hpp"
#include "support/pair_answer.hpp"
#include "support/posed_world.hpp"

using namespace abut;
using namespace abut::test;

namespace {

// Points of `found` are about A's body, those of `wanted` about its shape.
void check_answers(const judge::Answers& found, const judge::Answers& wanted, const std::vector<Pair>& pairs,
                   const World& w) {
    std::size_t moved = 0, contacts = 0;
    test::Count differing;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const Vec3d offset = w.offset(pairs[i].a);
        const double slack = w.slack(pairs[i].a) + w.slack(pairs[i].b);
        // Far hulls are placed to less than float's rounding, and points of curved shapes move by the root of what
        // their distances do.
        const bool has_hull = w.is_hull(pairs[i].a) || w.is_hull(pairs[i].b);
        const auto is_near = [&](const Vec3& x, const Vec3& y) {
            return far(x, Vec3d(y) + offset) <= (has_hull ? 5e-3 : slack);
        };
        bool same =
            found.overlaps.hit(i) == wanted.overlaps.hit(i) || std::abs(wanted.distances.signed_distance[i]) < slack;
        same = same && found.distances.status[i] == wanted.distances.status[i] &&
               found.manifolds.status[i] == wanted.manifolds.status[i];
        for (const auto& [d, e] :
             {std::pair(&found.distances, &wanted.distances), std::pair(&found.separations, &wanted.separations)}) {
            const float x = d->signed_distance[i], y = e->signed_distance[i];
            same = same && (x == y || std::abs(double(x) - y) <= slack) &&
                   far(d->normal[i], Vec3d(e->normal[i])) < (has_hull ? 1e-2 : 1e-3);
            if (e->normal[i] == Vec3{})
                same = same && d->point_a[i] == Vec3{} && d->point_b[i] == Vec3{};
            else
                same = same && is_near(d->point_a[i], e->point_a[i]) && is_near(d->point_b[i], e->point_b[i]);
        }
        const Manifolds &m = found.manifolds, &n = wanted.manifolds;
        const std::uint32_t first = m.first_manifold[i], count = m.first_manifold[i + 1] - first,
                            other = n.first_manifold[i];
        same = same && count == n.first_manifold[i + 1] - other;
        for (std::uint32_t k = 0; same && k < count; ++k) {
            const Manifold &x = m.manifolds[first + k], &y = n.manifolds[other + k];
            same =
                x.child_a == y.child_a && x.child_b == y.child_b && x.contact_count == y.contact_count && x.pair == i;
            for (std::uint32_t c = 0; same && c < x.contact_count; ++c) {
                const Contact &p = m.contacts[x.first_contact + c], &q = n.contacts[y.first_contact + c];
                same = p.feature == q.feature && std::abs(p.separation - q.separation) <= (has_hull ? 1e-4 : slack) &&
                       is_near(p.position, q.position);
                ++contacts, moved += length(offset) > 0.01;
            }
        }
        differing += !same;
        if (!same && differing < 4)
            UNSCOPED_INFO("pair " << i << " of " << to_string(w.shapes.view(w.plain[w.kind_of[pairs[i].a]]).kind)
                                  << " and " << to_string(w.shapes.view(w.plain[w.kind_of[pairs[i].b]]).kind) << " "
                                  << found.distances.signed_distance[i] << " " << wanted.distances.signed_distance[i]);
    }
    CHECK(differing == 0);
    CHECK(contacts > pairs.size() / 10);
    CHECK(moved > contacts / 4);
}

}  // namespace

TEST_CASE("poses: all queries of pairs answer as for bodies composed by hand", "[poses]") {
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
        const World w = make_world(seed);
        const ByHand hand(w);
        for (const Isa isa : test::usable_isas()) {
            const Settings settings = {.isa = isa};
            check_answers(judge::ask(w.frame(), settings), judge::ask({&w.shapes, hand.columns(), w.pairs}, settings),
                          w.pairs, w);
        }
    }
}

TEST_CASE("poses: shapes without a far core have the bits of bodies composed by hand", "[poses]") {
    World w = make_world(4);
    std::erase_if(w.pairs, [&](const Pair& p) { return w.is_hull(p.a) || w.is_hull(p.b); });
    const ByHand hand(w);
    const judge::Answers found = judge::ask(w.frame(), {}),
                         wanted = judge::ask({&w.shapes, hand.columns(), w.pairs}, {});
    CHECK(found.distances.signed_distance == wanted.distances.signed_distance);
    CHECK(found.distances.normal == wanted.distances.normal);
    CHECK(found.overlaps.bits == wanted.overlaps.bits);
}

TEST_CASE("poses: lanes compose them to the bits of one body alone, on every instruction set", "[poses]") {
    const World w = make_world(16, false, 300);
    const ShapeTables& tables = tables_of(w.shapes);
    for (const Isa isa : test::usable_isas()) {
        std::vector<PlacedShape> placed;
        for (const Body& b : w.bodies)
            placed.push_back({{b.position.x, b.position.y, b.position.z}, b.shape, 0, b.orientation});
        apply_shape_poses(tables, kernels_for<Kernels>(isa)->poses, placed);
        test::Count differing;
        for (std::size_t i = 0; i < placed.size(); ++i) {
            Body body = w.bodies[i];
            const maths::Vec3d offset = apply_shape_pose(tables, body);
            const DVec3 at = {body.position.x + offset.x, body.position.y + offset.y, body.position.z + offset.z};
            differing += !(placed[i].position == at && placed[i].orientation == body.orientation &&
                           placed[i].shape == body.shape &&
                           placed[i].offset == Vec3{float(offset.x), float(offset.y), float(offset.z)});
        }
        CHECK(differing == 0);
    }
}

TEST_CASE("poses: columns, doubles far from the origin, few pairs of many bodies and relative poses", "[poses]") {
    const World w = make_world(5);
    const judge::Answers wanted = judge::ask(w.frame(), {});
    const Bodies all = w.bodies;
    const auto same = [&](const judge::Answers& found, double by_rounding) {
        test::Count differing;
        for (std::size_t i = 0; i < w.pairs.size(); ++i)
            differing += by_rounding == 0
                             ? test::words_of(found, i) != test::words_of(wanted, i)
                             : !(found.distances.signed_distance[i] == wanted.distances.signed_distance[i] ||
                                 std::abs(found.distances.signed_distance[i] - wanted.distances.signed_distance[i]) <
                                     by_rounding);
        CHECK(differing == 0);
    };
    const BodyColumns floats = {.shapes = all.columns().shapes,
                                .positions = all.columns().positions,
                                .orientations = all.columns().orientations};
    same(judge::ask({&w.shapes, floats, w.pairs}, {.threads = 3}), 0);
    std::vector<DVec3> far_away;
    for (const Body& body : w.bodies)
        far_away.push_back({1e7 + body.position.x, -3e7 + body.position.y, body.position.z});
    same(judge::ask(
             {&w.shapes,
              BodyColumns{.shapes = floats.shapes, .double_positions = far_away, .orientations = floats.orientations},
              w.pairs},
             {}),
         1e-6);
    for (std::size_t i = 0; i < w.pairs.size(); i += 37) {  // two bodies of sixty: placed for the pair
        const std::vector<Pair> one = {w.pairs[i]};
        const judge::Answers found = judge::ask({&w.shapes, w.bodies, one}, {});
        test::Words words = test::words_of(found, 0);
        CHECK(words == test::words_of(wanted, i));
    }
}

TEST_CASE("poses: relative poses are those of the bodies", "[poses]") {
    const World w = make_world(6);
    std::vector<RelativePose> relative;
    std::vector<DVec3> positions;
    std::vector<Quat> orientations;
    std::vector<ShapeId> shapes;
    std::vector<Pair> pairs;
    Random random(9);
    for (std::uint32_t i = 0; i < w.pairs.size(); ++i) {
        const auto [a, b] = w.pairs[i];
        relative.push_back({to_float(random.direction() * random.uniform(0, 2)), random.orientation()});
        const RelativePose &pa = w.poses[w.kind_of[a]], &pb = w.poses[w.kind_of[b]], &r = relative.back();
        const Vec3d at = Vec3d(r.position) + oracle::rotation_of(r.orientation) * Vec3d(pb.position);
        const bool a_first = a <= b;  // manifolds of compounds are in the order of the bodies
        pairs.push_back({2 * i + !a_first, 2 * i + a_first});
        shapes.resize(2 * i + 2), positions.resize(2 * i + 2), orientations.resize(2 * i + 2);
        const auto put = [&](std::uint32_t to, std::uint32_t body, const Vec3d& p, const Quat& q) {
            shapes[to] = w.plain[w.kind_of[body]], positions[to] = {p.x, p.y, p.z}, orientations[to] = q;
        };
        put(pairs[i].a, a, Vec3d(pa.position), product({}, pa.orientation));
        put(pairs[i].b, b, at, product(r.orientation, pb.orientation));
    }
    const BodyColumns hand = {.shapes = shapes, .double_positions = positions, .orientations = orientations};
    Frame frame = w.frame();
    frame.relative_poses = relative;
    World in_a = make_world(6);  // A's frame is the world
    for (Body& body : in_a.bodies) body.orientation = {};
    check_answers(judge::ask(frame, {}), judge::ask({&w.shapes, hand, pairs}, {}), w.pairs, in_a);
}

TEST_CASE("poses: warm caches over frames, and at rest", "[poses]") {
    World w = make_world(7);
    std::erase_if(w.pairs, [&](const Pair& p) { return w.is_hull(p.a) || w.is_hull(p.b); });
    std::vector<WarmCache> caches(w.pairs.size()), of_hand(w.pairs.size());
    Random random(3);
    NarrowPhase narrow;
    for (int step = 0; step < 8; ++step) {
        if (step < 4)
            for (Body& body : w.bodies) body.position.y += float(random.uniform(-0.01, 0.01));
        const ByHand hand(w);
        Frame frame = w.frame(), wanted = {&w.shapes, hand.columns(), w.pairs};
        frame.caches = caches, wanted.caches = of_hand;
        judge::Answers found, other;
        REQUIRE(narrow.collide(frame, found.manifolds));
        REQUIRE(narrow.collide(wanted, other.manifolds));
        for (judge::Answers* answers : {&found, &other}) {  // of the other queries, cold
            judge::Answers cold =
                judge::ask(answers == &found ? w.frame() : Frame{&w.shapes, hand.columns(), w.pairs}, {});
            cold.manifolds = answers->manifolds;
            *answers = cold;
        }
        check_answers(found, other, w.pairs, w);
    }
}

TEST_CASE("poses: rays and points", "[poses]") {
    World w = make_world(8);
    Random random(4);
    std::vector<Vec3> origins, directions;
    w.pairs.clear();
    for (std::uint32_t i = 0; i < 2000; ++i) {
        origins.push_back(to_float(random.direction() * random.uniform(1, 5)));
        directions.push_back(to_float(random.direction() * 8));
        w.pairs.push_back({i, random.below(60)});
    }
    const ByHand hand(w);
    const Frame by_hand = {&w.shapes, hand.columns(), w.pairs};
    NarrowPhase narrow;
    RayHits hits, wanted;
    REQUIRE(narrow.raycast(w.frame(), {.origins = origins, .directions = directions}, hits));
    REQUIRE(narrow.raycast(by_hand, {.origins = origins, .directions = directions}, wanted));
    CHECK(hits.hits.size() > 50);
    CHECK(hits.bits == wanted.bits);
    PointDistances distances, others;
    REQUIRE(narrow.measure(w.frame(), {.positions = origins}, distances));
    REQUIRE(narrow.measure(by_hand, {.positions = origins}, others));
    test::Count wrong;
    for (std::size_t i = 0; i < w.pairs.size(); ++i) {
        const std::uint32_t body = w.pairs[i].b;
        const double slack = 10 * w.slack(body);
        const bool has_point = !(others.normal[i] == Vec3{});
        wrong += std::abs(hits.fraction[i] - wanted.fraction[i]) * 8 > slack ||
                 far(hits.normal[i], Vec3d(wanted.normal[i])) > 1e-4;
        wrong += hits.hit(i) ? far(hits.point[i], Vec3d(wanted.point[i]) + w.offset(body)) > slack
                             : !(hits.point[i] == Vec3{});
        wrong += distances.status[i] != others.status[i] || hits.child[i] != wanted.child[i] ||
                 hits.inside[i] != wanted.inside[i];
        wrong += std::isfinite(others.signed_distance[i]) &&
                 std::abs(distances.signed_distance[i] - others.signed_distance[i]) > slack;
        wrong += has_point && far(distances.nearest[i], Vec3d(others.nearest[i]) + w.offset(body)) > slack;
    }
    CHECK(wrong == 0);
}

TEST_CASE("poses: a compound of one child with the pose has the same answers, mass and casts", "[poses]") {
    World w = make_world(11, true, 40);
    for (std::size_t i = 0; i < w.plain.size(); ++i) {
        const CompoundChild child = {w.plain[i], w.poses[i].position, w.poses[i].orientation};
        const ShapeId compound = *w.shapes.add_compound({&child, 1});
        const auto posed = mass_properties(w.shapes, w.posed[i], 3), wanted = mass_properties(w.shapes, compound, 3);
        REQUIRE((posed && wanted));
        for (int k = 0; k < 3; ++k) CHECK(posed->centre[k] == Approx(wanted->centre[k]).margin(1e-9));
        CHECK(posed->ixx == Approx(wanted->ixx));
        CHECK(posed->ixy == Approx(wanted->ixy).margin(1e-9));
        CHECK(posed->iyz == Approx(wanted->iyz).margin(1e-9));
        w.plain[i] = compound;
    }
    std::vector<Body> compounds = w.bodies, ends = w.bodies;
    Random random(6);
    for (std::uint32_t i = 0; i < w.bodies.size(); ++i) {
        compounds[i].shape = w.plain[w.kind_of[i]];
        ends[i].orientation = random.orientation();
        ends[i].position = to_float(random.direction() * 3);
    }
    const Frame frame = w.frame(), wanted = {&w.shapes, compounds, w.pairs};
    std::vector<Bounds> bounds(w.bodies.size()), others(w.bodies.size());
    REQUIRE(world_bounds(w.shapes, w.bodies, bounds));
    REQUIRE(world_bounds(w.shapes, compounds, others));
    for (std::uint32_t i = 0; i < bounds.size(); ++i) {
        CHECK(far(bounds[i].min, Vec3d(others[i].min)) < 3 * w.slack(i));
        CHECK(far(bounds[i].max, Vec3d(others[i].max)) < 3 * w.slack(i));
    }
    NarrowPhase narrow;
    Distances d, e;
    REQUIRE(narrow.distance(frame, d));
    REQUIRE(narrow.distance(wanted, e));
    const Bodies all_ends[] = {ends};
    Casts casts, both;
    REQUIRE(narrow.cast(frame, {all_ends}, casts));
    REQUIRE(narrow.cast(wanted, {all_ends}, both));
    std::size_t late = 0;
    test::Count wrong;
    for (std::size_t i = 0; i < w.pairs.size(); ++i) {
        const double slack = w.slack(w.pairs[i].a) + w.slack(w.pairs[i].b);
        wrong += std::abs(d.signed_distance[i] - e.signed_distance[i]) > slack || casts.hit(i) != both.hit(i);
        wrong += std::abs(casts.time[i] - both.time[i]) > 1e-3;
        late += casts.hit(i) && casts.time[i] > 0;
        if (casts.hit(i) && casts.time[i] > 0)
            wrong +=
                far(casts.normal[i], Vec3d(both.normal[i])) > 0.05 && std::abs(casts.time[i] - both.time[i]) > 1e-5;
    }
    CHECK(wrong == 0);
    CHECK(late > 50);
}

TEST_CASE("poses: gradients are the derivatives by the bodies' poses", "[poses]") {
    World w = make_world(13, true);
    NarrowPhase narrow;
    const auto distances = [&] {
        Distances d;
        REQUIRE(narrow.distance(w.frame(), d));
        return d;
    };
    const Distances at = distances();
    Gradients gradients;
    REQUIRE(distance_gradients(w.frame(), at, gradients));
    constexpr double kAngle = 2e-3;
    const std::vector<Body> bodies = w.bodies;
    std::vector<float> turned[2];
    for (const int sign : {0, 1}) {
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            const double half = sign == 0 ? -0.5 * kAngle : 0.5 * kAngle;
            w.bodies[i].orientation =
                product({0, float(std::sin(half)), 0, float(std::cos(half))}, bodies[i].orientation);
        }
        turned[sign] = distances().signed_distance;
    }
    std::size_t checked = 0;
    test::Count wrong;
    for (std::size_t i = 0; i < w.pairs.size(); ++i) {
        if (w.pairs[i].a == w.pairs[i].b || at.signed_distance[i] < 0.1) continue;
        const double expected = (double(turned[1][i]) - turned[0][i]) / (2 * kAngle);  // by an angle either way
        ++checked;
        wrong += std::abs(gradients.rotation_a[i].y + gradients.rotation_b[i].y - expected) > 0.02;
    }
    CHECK(checked > 300);
    CHECK(wrong < checked / 50);  // where the nearest feature changes on the way
}

TEST_CASE("poses: configurations have the bits of frames", "[poses]") {
    World w = make_world(14);
    Random random(8);
    std::erase_if(w.pairs, [](const Pair& p) { return p.a == p.b; });
    std::vector<ShapeId> shapes;
    std::vector<Vec3> positions;
    std::vector<Quat> orientations;
    for (const Body& body : w.bodies) shapes.push_back(body.shape);
    constexpr int kCount = 5;
    for (std::size_t i = 0; i < kCount * shapes.size(); ++i) {
        positions.push_back(to_float(random.direction() * random.uniform(0, 3)));
        orientations.push_back(random.orientation());
    }
    const Configurations all = {
        .shapes = &w.shapes, .bodies = shapes, .pairs = w.pairs, .positions = positions, .orientations = orientations};
    NarrowPhase narrow;
    test::ConfigurationAnswers answers;
    CHECK(test::differing(narrow, all, {}, answers) == 0);
    CHECK(test::wrongly_reduced(narrow, all, {}, answers) == 0);
}

TEST_CASE("poses: a snapshot has them, and stores without any have the bytes of before", "[poses]") {
    const auto bytes_of = [](const ShapeStore& store) {
        std::vector<std::byte> bytes(store.byte_count());
        REQUIRE(store.write(bytes) == bytes.size());
        return bytes;
    };
    const World w = make_world(15);
    std::vector<std::byte> bytes = bytes_of(w.shapes);
    CHECK(bytes[8] == std::byte(2));
    const auto read = ShapeStore::read(bytes);
    REQUIRE(read);
    CHECK(bytes_of(*read) == bytes);
    CHECK(read->view(w.posed[1]).pose.orientation == w.poses[1].orientation);
    const judge::Answers found = judge::ask({&*read, w.bodies, w.pairs}, {}), wanted = judge::ask(w.frame(), {});
    CHECK(judge::same_bits(found, wanted));
    ShapeStore shapes;
    const ShapeId ball = *shapes.add_sphere(1);
    const std::vector<std::byte> before = bytes_of(shapes);
    CHECK(before[8] == std::byte(1));
    REQUIRE(shapes.set_instance(ball, {.pose = {{1, 0, 0}, {}}}));
    CHECK(bytes_of(shapes)[8] == std::byte(2));
    REQUIRE(shapes.set_instance(ball, {}));
    CHECK(bytes_of(shapes) == before);
}
