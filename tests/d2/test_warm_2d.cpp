// Impulses from frame to frame in the plane: 3D's warm table on d2::FrameContacts.
#include <abut/d2.hpp>

#include <vector>

#include "support/catch.hpp"
#include "support/failing_memory.hpp"
#include "support/plane_world.hpp"

using namespace abut;

namespace {

// Two bodies in one frame after another. Each contact gets its number as its impulse.
struct Two {
    d2::ShapeStore shapes;
    std::vector<d2::Body> bodies{2};
    std::vector<d2::DVec2> positions;  // instead of those of `bodies`
    Pair pair = {0, 1};
    d2::NarrowPhase narrow;
    d2::Manifolds manifolds;
    d2::FrameContacts contacts;
    d2::WarmTable table;

    bool step() {
        d2::BodyColumns columns = d2::Bodies(bodies).columns();
        if (!positions.empty()) columns.positions = {}, columns.double_positions = positions;
        const d2::Frame frame = {&shapes, positions.empty() ? d2::Bodies(bodies) : d2::Bodies(columns),
                                 Strided<Pair>(&pair, 1)};
        table.begin(frame.pairs);
        return narrow.collide(frame, manifolds) && contacts.assign(frame, manifolds) &&
               table.carry_over(contacts.view());
    }
    void mark() {
        for (std::size_t i = 0; i < table.impulses().size(); ++i)
            table.impulses()[i] = {float(i + 1), {0, float(i + 1), 0}};
    }
    float impulse(std::size_t manifold, std::size_t contact) {
        return table.impulses()[d2::kMostContacts * manifold + contact].normal;
    }
    CarriedBy rule(std::size_t manifold, std::size_t contact) {
        return table.carried_by()[d2::kMostContacts * manifold + contact];
    }
};

}  // namespace

TEST_CASE("plane: warm: a box that slides over a chain keeps its impulses by id", "[d2][steady]") {
    Two two;
    std::vector<d2::Vec2> points;
    for (int i = 20; i >= 0; --i) points.push_back({0.7f * float(i), 0});
    for (const bool has_doubles : {false, true})
        for (const bool is_swapped : {false, true}) {
            two.bodies[0] = {{0, 0}, {}, *two.shapes.add_chain(points)};
            two.bodies[1] = {{1, 0.5f}, d2::rotation_of(0.0001), *two.shapes.add_box({0.5f, 0.5f})};
            two.pair = is_swapped ? Pair{1, 0} : Pair{0, 1};
            two.positions.clear();
            two.table.clear();
            REQUIRE(two.step());
            for (int i = 0; i < 200; ++i) {
                two.mark();
                two.bodies[1].position.x += 0.05f;
                if (has_doubles) two.positions = {{1e7, 0}, {1e7 + two.bodies[1].position.x, 0.5}};
                REQUIRE(two.step());
                REQUIRE(two.manifolds.manifolds.size() == 1);
                REQUIRE(two.manifolds.manifolds[0].contact_count == 2);
                CHECK(two.rule(0, 0) == CarriedBy::id);
                CHECK(two.rule(0, 1) == CarriedBy::id);
                CHECK(two.impulse(0, 0) == 1);
                CHECK(two.impulse(0, 1) == 2);
            }
        }
}

TEST_CASE("plane: warm: a circle that rolls keeps its impulse", "[d2][steady]") {
    Two two;
    int others = 0;
    two.bodies = {{{0, 0}, {}, *two.shapes.add_box({50, 1})}, {{-5, 1.5f}, {}, *two.shapes.add_circle(0.5f)}};
    REQUIRE(two.step());
    for (int i = 1; i < 100; ++i) {
        two.mark();
        two.bodies[1].position.x += 0.1f, two.bodies[1].rotation = d2::rotation_of(-0.2 * i);
        REQUIRE(two.step());
        others += two.rule(0, 0) != CarriedBy::id;
        CHECK(two.impulse(0, 0) == 1);
    }
    CHECK(others <= 1);  // the contact is named by the nearer corner of the box
}

TEST_CASE("plane: warm: pairs that change their order mirror friction; children are told apart", "[d2][steady]") {
    Two two;
    const auto box = two.shapes.add_box({0.25f, 0.25f});
    const d2::CompoundChild feet[] = {{*box, {{-1, 0}, {}}}, {*box, {{1, 0}, {}}}};
    two.bodies = {{{0, 0}, {}, *two.shapes.add_box({5, 1})}, {{0, 1.25f}, {}, *two.shapes.add_compound(feet)}};
    REQUIRE(two.step());
    REQUIRE(two.manifolds.manifolds.size() == 2);
    two.mark();
    two.pair = {1, 0};
    REQUIRE(two.step());
    for (std::size_t m = 0; m < 2; ++m)
        for (std::uint32_t k = 0; k < 2; ++k) {
            INFO(m << " " << k);
            // Contacts keep their order: both bodies' corners are the same.
            CHECK(two.rule(m, k) == CarriedBy::id);
            CHECK(two.table.impulses()[2 * m + k].friction.y == -two.impulse(m, k));
        }
    CHECK(two.impulse(0, 0) + two.impulse(0, 1) == 3);
    CHECK(two.impulse(1, 0) + two.impulse(1, 1) == 7);

    d2::ManifoldColumns few = {two.manifolds.first_manifold, std::span(two.manifolds.manifolds)};
    few.manifold_count = 1;
    const d2::Frame frame = {&two.shapes, two.bodies, Strided<Pair>(&two.pair, 1)};
    REQUIRE(two.contacts.assign(frame, few));
    CHECK(two.contacts.view().manifolds.size() == 1);
    const d2::Frame bad = {&two.shapes, d2::BodyColumns{.shapes = {&two.bodies[0].shape, 1}}, frame.pairs};
    CHECK(two.contacts.assign(bad, two.manifolds).error().code == ErrorCode::bad_argument);
    CHECK(two.contacts.view().pairs.empty());
}

TEST_CASE("plane: warm: points of contacts are in the frames of their bodies", "[d2]") {
    Two two;
    const auto circle = two.shapes.add_circle(0.5f);
    for (int i = -31; i <= 31; ++i) {
        const float angle = 0.1f * float(i);
        two.bodies = {{{0, 0}, {}, *circle}, {{0, 1}, d2::rotation_of(angle), *circle}};
        REQUIRE(two.step());
        const FrameContacts view = two.contacts.view();
        const Bodies& bodies = view.bodies;
        const Contact& contact = view.contacts[0];
        const ContactAnchor anchor = contact_anchor(bodies[0], bodies[1], view.manifolds[0].normal, contact);
        CHECK(anchor.on_a.y == Approx(0.5));
        CHECK(anchor.on_b.x == Approx(-0.5 * std::sin(angle)).margin(1e-6));
        CHECK(anchor.on_b.y == Approx(-0.5 * std::cos(angle)).margin(1e-6));
    }
}

TEST_CASE("plane: warm: a steady frame allocates nothing", "[d2][quiet]") {
    plane::World world;
    std::vector<d2::Vec2> ground;
    for (int i = 20; i >= -20; --i) ground.push_back({0.7f * float(i), 0});
    const auto box = world.shapes.add_box({0.5f, 0.5f}), circle = world.shapes.add_circle(0.5f);
    const d2::CompoundChild children[] = {{*box, {{0, 0}, {}}}, {*circle, {{0.5f, 0}, {}}}};
    world.add(*world.shapes.add_chain(ground), {}, 0, 0);
    for (int i = 0; i < 5; ++i) world.add(*box, {-6, 0.5f + float(i)});
    world.add(*circle, {3, 0.5f});
    world.add(*world.shapes.add_compound(children), {0, 0.5f});
    for (int i = 0; i < 60; ++i) REQUIRE(world.step());
    const std::size_t before = test::allocations();
    bool all = true;
    for (int i = 0; i < 60; ++i) all = world.step() && all;
    CHECK(test::allocations() == before);
    CHECK(all);
    CHECK(world.contact_count > 10);
}
