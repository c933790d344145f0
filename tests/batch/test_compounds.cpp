// The promises of compounds: right, the same bits, symmetric, quiet and contained, as for convex shapes.
#include "support/any_company.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <limits>

#include "support/compound_scene.hpp"
#include "support/count.hpp"
#include "support/pair_answer.hpp"

using namespace abut;
using test::CompoundScene;
using test::words_of;

namespace {

constexpr float kMargin = 0.02f;
constexpr std::size_t kPairs = test::kPairsAKind / 10;

oracle::Claim claim_of(const Distances& d, std::size_t pair) {
    return {d.signed_distance[pair], d.normal[pair], d.point_a[pair], d.point_b[pair]};
}

// A pair's child pairs, by the oracle.
struct Children {
    const CompoundScene& scene;
    Pair pair;
    std::vector<double> distances = scene.distances(pair);
    std::size_t columns = scene.parts[pair.b].size();
    std::size_t nearest = std::size_t(std::min_element(distances.begin(), distances.end()) - distances.begin());

    double allowed(std::size_t i) const { return scene.tolerance(pair, i / columns, i % columns, distances[i]); }
    bool is_right(std::size_t i, const oracle::Claim& claim) const {
        return scene.check(pair, i / columns, i % columns, claim, distances[i]).right();
    }
    // Whether the claim is that of a child pair which is as near as any: the nearest, or one within the tolerance of
    // it.
    bool is_of_nearest(const oracle::Claim& claim) const {
        for (std::size_t i = 0; i < distances.size(); ++i)
            if (distances[i] <= distances[nearest] + allowed(nearest) && is_right(i, claim)) return true;
        return false;
    }
};

// Every manifold is as deep as its own children to within the contact slack, and no child pair within the margin goes
// without.
bool has_right_manifolds(const Children& children, std::uint32_t pair, const Manifolds& m) {
    for (std::uint32_t i = 0; i < children.distances.size(); ++i) {
        const double distance = children.distances[i], allowed = children.allowed(i);
        bool found = false;
        for (std::uint32_t k = m.first_manifold[pair]; k < m.first_manifold[pair + 1] && !found; ++k) {
            const Manifold& manifold = m.manifolds[k];
            found = manifold.child_a == i / children.columns && manifold.child_b == i % children.columns;
            if (!found) continue;
            const double slack =
                children.scene.contact_slack(children.pair, i / children.columns, i % children.columns);
            const double deepest = m.contacts[manifold.first_contact].separation;
            if (std::fabs(deepest - distance) > allowed + slack || manifold.pair != pair) return false;
        }
        if (found ? distance > kMargin + allowed : distance < kMargin - allowed) return false;
    }
    return true;
}

void check_right(const CompoundScene& scene) {
    const judge::Answers answers = judge::ask(scene.frame(), {.speculative_margin = kMargin});
    std::size_t hits = 0, many = 0;
    test::Count wrong, wrong_hits, wrong_manifolds;
    for (std::uint32_t i = 0; i < scene.pairs.size(); ++i) {
        const Children children{scene, scene.pairs[i]};
        const double distance = children.distances[children.nearest];
        hits += distance <= 0;
        wrong += answers.distances.status[i] != Status::ok || !children.is_of_nearest(claim_of(answers.distances, i));
        wrong_hits +=
            std::fabs(distance) > children.allowed(children.nearest) && answers.overlaps.hit(i) != (distance <= 0);
        wrong_manifolds += !has_right_manifolds(children, i, answers.manifolds);
        many += answers.manifolds.first_manifold[i + 1] > answers.manifolds.first_manifold[i] + 1;
    }
    CHECK(wrong == 0);
    CHECK(wrong_hits == 0);
    CHECK(wrong_manifolds == 0);
    CHECK(double(hits) > 0.25 * double(scene.pairs.size()));
    CHECK(double(hits) < 0.75 * double(scene.pairs.size()));
    CHECK(many > scene.pairs.size() / 60);
}

const CompoundScene& scene() {
    static const CompoundScene made = test::make_compounds(kPairs, 8, 1);
    return made;
}

}  // namespace

TEST_CASE("compounds, right: the nearest of all pairs of children", "[compounds]") {
    check_right(scene());
    check_right(test::make_compounds(kPairs / 2, 3, 2));
}

TEST_CASE("compounds, right: of every kind of child, and over half-spaces", "[compounds]") {
    check_right(test::make_compounds(kPairs / 10, 4, 8, {}, test::Kinds::all));
}

TEST_CASE("compounds, right: far from the origin", "[compounds]") {
    check_right(test::make_compounds(kPairs / 4, 4, 3, {1e6f, -1e6f, 0.0f}));
}

TEST_CASE("compounds, right: pairs past max_distance say so and nothing else", "[compounds]") {
    NarrowPhase narrow;
    Distances all, some;
    REQUIRE(narrow.distance(scene().frame(), all));
    REQUIRE(narrow.distance(scene().frame(), some, {.max_distance = 0.1f}));
    std::size_t beyond = 0;
    test::Count different;
    for (std::size_t i = 0; i < kPairs; ++i) {
        if (all.signed_distance[i] <= 0.1f) {
            different += !(claim_of(all, i).signed_distance == claim_of(some, i).signed_distance &&
                           all.point_a[i] == some.point_a[i]);
            continue;
        }
        ++beyond;
        different += some.signed_distance[i] != std::numeric_limits<float>::infinity() || !(some.normal[i] == Vec3{});
    }
    CHECK(beyond > kPairs / 20);
    CHECK(different == 0);
}

TEST_CASE("compounds, same bits: every instruction set, any threads, any order, any company", "[compounds]") {
    test::check_any_company(scene().frame(),
                            [](const Frame& frame, const Settings& settings) { return judge::ask(frame, settings); });
}

TEST_CASE("compounds, symmetric: swapping A and B mirrors every answer", "[compounds]") {
    std::vector<Pair> pairs = scene().pairs;
    for (const Pair& pair : scene().pairs) pairs.push_back({pair.b, pair.a});
    Frame frame = scene().frame();
    frame.pairs = pairs;
    const judge::Answers answers = judge::ask(frame, {});
    test::Count wrong;
    for (std::size_t i = 0; i < kPairs; ++i) {
        const Vec3 a = scene().bodies[pairs[i].a].position, b = scene().bodies[pairs[i].b].position;
        wrong += test::wrongly_mirrored(answers, i, i + kPairs, {b.x - a.x, b.y - a.y, b.z - a.z});
    }
    CHECK(wrong == 0);
}

TEST_CASE("compounds, contained: a bad pose or id gets its status and harms no other", "[compounds]") {
    const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    const judge::Answers expected = judge::ask(scene().frame(), {});
    const std::vector<std::pair<Body, Status>> bad = {
        {{{nan, 0, 0}, scene().compounds[0], {}}, Status::bad_pose},
        {{{0, inf, 0}, scene().compounds[0], {}}, Status::bad_pose},
        {{{0, 0, 0}, scene().compounds[0], {0, 0, 0, 0}}, Status::bad_pose},
        {{{0, 0, 0}, scene().compounds[0], {0, 0, 0.2f, 1}}, Status::bad_pose},
        {{{0, 0, 0}, ShapeId::make(ShapeKind::compound, 1, 9), {}}, Status::bad_index},
        {{{0, 0, 0}, ShapeId::make(ShapeKind::compound, 100000, 0), {}}, Status::bad_index},
        {{{0, 0, 0}, ShapeId::from_bits(0), {}}, Status::bad_index},
        {{{0, 0, 0}, ShapeId::make(ShapeKind::sphere, 0, ShapeId::kFirstGeneration), {}}, Status::ok},
    };
    for (const auto& [body, status] : bad) {
        std::vector<Body> bodies = scene().bodies;
        for (std::size_t i = 3; i < kPairs; i += 9) bodies[2 * i + i % 2] = body;
        Frame frame = scene().frame();
        frame.bodies = bodies;
        const judge::Answers answers = judge::ask(frame, {});
        test::Count harmed, wrong;
        for (std::size_t i = 0; i < kPairs; ++i) {
            if (i % 9 != 3) {
                harmed += words_of(answers, i) != words_of(expected, i);
                continue;
            }
            wrong += answers.distances.status[i] != status || answers.overlaps.status[i] != status ||
                     answers.manifolds.status[i] != status;
            if (status == Status::ok) continue;
            wrong += answers.overlaps.hit(i) || answers.distances.signed_distance[i] != 0 ||
                     answers.manifolds.first_manifold[i + 1] != answers.manifolds.first_manifold[i];
        }
        CHECK(harmed == 0);
        CHECK(wrong == 0);
    }
}

TEST_CASE("compounds, contained: bodies as far apart as the range goes have an answer", "[compounds]") {
    CompoundScene far = test::make_compounds(1, 4, 5);
    far.bodies[0] = {{-kMostMetres, 0, 0}, far.compounds[0], {}};
    far.bodies[1] = {{kMostMetres, 0, 0}, far.compounds[1], {}};
    const judge::Answers answers = judge::ask(far.frame(), {});
    CHECK(answers.distances.status[0] == Status::ok);
    CHECK(answers.distances.signed_distance[0] == 2 * kMostMetres);
    CHECK_FALSE(answers.overlaps.hit(0));
}

TEST_CASE("compounds, contained: caches of compound pairs are left alone", "[compounds]") {
    std::vector<WarmCache> caches(kPairs);
    for (WarmCache& cache : caches) std::fill_n(cache.opaque, sizeof cache.opaque, std::byte(0xa5));
    Frame frame = scene().frame();
    frame.caches = caches;
    const judge::Answers answers = judge::ask(frame, {}), expected = judge::ask(scene().frame(), {});
    test::Count different, touched;
    for (std::size_t i = 0; i < kPairs; ++i) different += words_of(answers, i) != words_of(expected, i);
    for (const WarmCache& cache : caches) touched += cache.opaque[0] != std::byte(0xa5);
    CHECK(different == 0);
    CHECK(touched == 0);
}

TEST_CASE("compounds: room for some of the manifolds leaves none of a pair half done", "[compounds]") {
    Manifolds all;
    NarrowPhase narrow;
    REQUIRE(narrow.collide(scene().frame(), all));
    const std::size_t room = all.manifolds.size() / 2;
    std::vector<std::uint32_t> first(kPairs + 1);
    std::vector<Manifold> manifolds(room);
    std::vector<Contact> contacts(all.contacts.size());
    std::vector<Status> status(kPairs);
    ManifoldColumns columns{.first_manifold = first, .manifolds = manifolds, .contacts = contacts, .status = status};
    REQUIRE(narrow.collide(scene().frame(), columns));
    CHECK(columns.manifolds_needed == all.manifolds.size());
    CHECK(columns.contacts_needed == all.contacts.size());
    CHECK(columns.manifold_count <= room);
    CHECK(columns.manifold_count > room / 2);
    std::size_t lacking = 0;
    for (std::size_t i = 0; i < kPairs; ++i) {
        const std::uint32_t wanted = all.first_manifold[i + 1] - all.first_manifold[i], given = first[i + 1] - first[i];
        CHECK(given == (status[i] == Status::no_room ? 0 : wanted));
        lacking += status[i] == Status::no_room;
    }
    CHECK(lacking > 0);
}

TEST_CASE("compounds: a body against itself is an overlap", "[compounds]") {
    std::vector<Pair> pairs;
    for (std::uint32_t i = 0; i < scene().bodies.size(); ++i) pairs.push_back({i, i});
    Frame frame = scene().frame();
    frame.pairs = pairs;
    const judge::Answers answers = judge::ask(frame, {});
    test::Count wrong;
    for (std::size_t i = 0; i < pairs.size(); ++i)
        wrong += answers.distances.status[i] != Status::ok || !answers.overlaps.hit(i) ||
                 !(answers.distances.signed_distance[i] < 0);
    CHECK(wrong == 0);
}

TEST_CASE("compounds: the first call of a narrow phase may have no child pair within reach", "[compounds]") {
    ShapeStore store;
    const ShapeId box = *store.add_box({0.5f, 0.5f, 0.5f});
    const CompoundChild child = {box, {}, {}};
    const ShapeId compound = *store.add_compound({&child, 1});
    const Body bodies[] = {{{0, 0, 0}, compound, {}}, {{3, 0, 0}, box, {}}};
    const Pair pair = {0, 1};
    const Frame frame = {&store, bodies, {&pair, 1}};
    Overlaps overlaps;
    REQUIRE(NarrowPhase().overlap(frame, overlaps));
    CHECK_FALSE(overlaps.hit(0));
    Manifolds manifolds;
    REQUIRE(NarrowPhase().collide(frame, manifolds));
    CHECK(manifolds.manifolds.empty());
    CHECK(manifolds.status[0] == Status::ok);
}

TEST_CASE("compounds, right: a child's scale times its compound's is not rounded before it moves a hull off centre",
          "[compounds]") {
    // A cube of half size 1, 1,000 m from the child's origin.
    std::vector<Vec3> points;
    for (int i = 0; i < 8; ++i)
        points.push_back({i & 1 ? 1001.0f : 999.0f, i & 2 ? 1.0f : -1.0f, i & 4 ? 1.0f : -1.0f});
    const float own = 1.1f, whole = 0.7f;
    ShapeStore store;
    const auto cube = store.add_hull(points, {.scale = {own, own, own}});
    const auto sphere = store.add_sphere(0.5f);
    REQUIRE((cube && sphere));
    const auto inner =
        store.add_compound(std::vector<CompoundChild>{{*cube, {}, {}}}, {.scale = {whole, whole, whole}});
    REQUIRE(inner);
    const auto outer = store.add_compound(std::vector<CompoundChild>{{*inner, {}, {}}}, {.scale = {own, own, own}});
    REQUIRE(outer);
    const double scale = double(own) * whole, far = scale * own;
    const std::vector<Body> bodies = {
        {{0, 0, 0}, *inner, {}}, {{0, 0, 0}, *outer, {}}, {{772, 0.1f, 0}, *sphere, {}}, {{849, 0.1f, 0}, *sphere, {}}};
    const std::vector<Pair> pairs = {{0, 2}, {1, 3}};
    NarrowPhase narrow_phase;
    Distances d;
    REQUIRE(narrow_phase.distance({&store, bodies, pairs}, d));
    // Two bounds off before: the product of the scales was rounded.
    CHECK(std::fabs(d.signed_distance[0] - (772 - 1001 * scale - 0.5)) < 1e-5);
    CHECK(std::fabs(d.signed_distance[1] - (849 - 1001 * far - 0.5)) < 1e-5);
}

TEST_CASE("compounds: of equally near children the lowest has the answer", "[compounds]") {
    ShapeStore store;
    const auto ball = store.add_sphere(0.5f);
    REQUIRE(ball);
    const Vec3 at[] = {{-2, 0, 0}, {0, 2, 0}, {2, 0, 0}, {0, -2, 0}};
    for (std::size_t first = 0; first < 4; ++first) {
        std::vector<CompoundChild> children;
        for (std::size_t i = 0; i < 4; ++i) children.push_back({*ball, at[(first + i) % 4], {}});
        const auto compound = store.add_compound(children);
        REQUIRE(compound);
        const std::vector<Body> bodies = {{{0, 0, 0}, *compound, {}}, {{0, 0, 0}, *ball, {}}};
        const std::vector<Pair> pairs = {{0, 1}, {1, 0}};
        NarrowPhase narrow_phase;
        Distances d;
        REQUIRE(narrow_phase.distance({&store, bodies, pairs}, d));
        // From the child towards the ball in the middle.
        const Vec3 p = at[first];
        CHECK((d.signed_distance[0] == 1 && d.signed_distance[1] == 1));
        CHECK(d.normal[0] == Vec3{-p.x / 2, -p.y / 2, 0});
        CHECK(d.normal[1] == Vec3{p.x / 2, p.y / 2, 0});
    }
}
