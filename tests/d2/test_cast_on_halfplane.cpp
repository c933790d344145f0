// Casts of every kind onto a half-plane, which has no core: it is the second body of the pair, whatever the order of
// the kinds.
#include <abut/d2.hpp>

#include "support/catch.hpp"

using namespace abut;

TEST_CASE("plane: casts: a compound falls onto a half-plane as its children do", "[d2][cast]") {
    d2::ShapeStore shapes;
    const auto circle = shapes.add_circle(0.5f), ground = shapes.add_halfplane({0, 2}, 0);
    const d2::CompoundChild children[] = {{*circle, {{9, 2}, {}}}, {*circle, {{1, 0}, {}}}};
    const auto two = shapes.add_compound(children);
    REQUIRE(two);
    const d2::Body bodies[] = {{{0, 4.5f}, {}, *two}, {{0, 4.5f}, {}, *circle}, {{0, 0}, {}, *ground}};
    const d2::Body ends[] = {{{0, -5.5f}, {}, *two}, {{0, -5.5f}, {}, *circle}, {{0, 0}, {}, *ground}};
    const Pair pairs[] = {{0, 2}, {2, 0}, {1, 2}, {2, 1}};
    d2::NarrowPhase narrow;
    d2::Casts casts;
    REQUIRE(narrow.cast({&shapes, bodies, pairs}, {d2::Bodies(ends)}, casts));
    for (std::size_t i = 0; i < 4; ++i) {
        INFO(i);
        CHECK(casts.hit(i));
        CHECK(casts.time[i] == Approx(0.4).margin(1e-5));
        CHECK(casts.normal[i] == d2::Vec2{0, i % 2 == 0 ? -1.0f : 1.0f});
        CHECK((i % 2 == 0 ? casts.child_a : casts.child_b)[i] == (i < 2 ? 1u : 0u));
    }
}
