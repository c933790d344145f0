// Which contact of a frame is which of the frame before, and what becomes of its impulses.
#include "support/catch.hpp"

#include <cmath>
#include <limits>

#include <abut/abut.hpp>

#include "scenes/random.hpp"
#include "scenes/resting.hpp"
#include "support/contact_frame.hpp"

using namespace abut;
using test::ContactFrame, test::kFloats, test::move_impulses, test::same_pairs;

namespace {

Quat turn_about(Vec3 axis, float angle) {
    const float s = std::sin(angle / 2);
    return {axis.x * s, axis.y * s, axis.z * s, std::cos(angle / 2)};
}

}  // namespace

TEST_CASE("carry over: an id goes before a nearer place", "[carry]") {
    ContactFrame before, now;
    before.add({0, 1}, {{{0, 0, 0}, 0, 7}, {{0.01f, 0, 0}, 0, 8}});
    now.add({0, 1}, {{{0.01f, 0, 0}, 0, 7}, {{0.025f, 0, 0}, 0, 8}});
    before.number_impulses();
    Carried carried;
    const auto impulses = move_impulses(before, now, same_pairs(1), carried);
    CHECK(carried.previous == std::vector<std::uint32_t>{0, 1});
    CHECK(carried.by == std::vector<CarriedBy>{CarriedBy::id, CarriedBy::id});
    CHECK(impulses[0].normal == 1);
    CHECK(impulses[1].normal == 2);
    CHECK(impulses[1].friction == Vec3{20, 40, 60});
}

TEST_CASE("carry over: ids that two points have exchanged match nothing, the places do", "[carry]") {
    ContactFrame before, now;
    before.add({0, 1}, {{{0, 0, 0}, 0, 7}, {{0.3f, 0, 0}, 0, 8}, {{0, 0, 1}, 0, 9}, {{0, 0, 0.5f}, 0, 9}});
    // The third is where the fourth was and the fourth where the third was, with the same id; a fifth has an id of old
    // and a place of its own.
    now.add({0, 1},
            {{{0, 0, 0}, 0, 8}, {{0.3f, 0, 0}, 0, 7}, {{0, 0, 0.5f}, 0, 9}, {{0, 0, 1}, 0, 9}, {{2, 0, 0}, 0, 7}});
    before.number_impulses();
    Carried carried;
    move_impulses(before, now, same_pairs(1), carried);
    CHECK(carried.previous == std::vector<std::uint32_t>{0, 1, 3, 2, kNewContact});
    CHECK(carried.by ==
          std::vector<CarriedBy>{CarriedBy::place, CarriedBy::place, CarriedBy::id, CarriedBy::id, CarriedBy::nothing});
    // Without bodies there are no places, and an id is all that is known.
    before.bodies.clear();
    move_impulses(before, now, same_pairs(1), carried);
    CHECK(carried.previous[0] == 1);
}

TEST_CASE("carry over: an id counts where its point has stayed on one body, or has moved as far as the bodies",
          "[carry]") {
    ContactFrame before, now;
    before.add({0, 1}, {{{0, 0, 0}, 0, 7}, {{0.3f, 0, 0}, 0, 8}});
    now.add({0, 1}, {{{0, 0, 0}, 0, 7}, {{0.3f, 0, 0}, 0, 8}});
    before.bodies[1].position = now.bodies[1].position = {0, 1, 0};
    const auto matched = [&] {
        Carried carried;
        std::size_t count = 0;
        for (const bool swapped : {false, true}) {  // the answer is that of (b, a) as well
            ContactFrame as_given = now;
            if (swapped) {
                now.pairs[0] = {1, 0};
                for (Contact& contact : now.manifolds.contacts) {
                    const Vec3 a = now.bodies[0].position, b = now.bodies[1].position;
                    contact.position = {contact.position.x + a.x - b.x, contact.position.y + a.y - b.y,
                                        contact.position.z + a.z - b.z};
                    contact.feature = contact.feature << 16 | contact.feature >> 16;
                }
            }
            REQUIRE(carry_over(before.contacts(), now.contacts(), std::vector<PreviousPair>{{0, swapped}}, carried));
            for (const CarriedBy by : carried.by) count += by == CarriedBy::id;
            now = as_given;
        }
        return count;
    };
    CHECK(matched() == 4);
    // B slides, its vertices with it; or A under it, whose positions the points are relative to.
    now.bodies[1].position = {0.5f, 1, 0};
    for (Contact& contact : now.manifolds.contacts) contact.position.x += 0.5f;
    CHECK(matched() == 4);
    now.bodies[0].position = {-0.5f, 0, 0}, now.bodies[1].position = {0, 1, 0};
    CHECK(matched() == 4);
    // B rolls: its centre and the points go as far, and the points are elsewhere on both.
    now.bodies[0].position = {}, now.bodies[1] = {{0.5f, 1, 0}, {}, turn_about({0, 0, 1}, -0.5f)};
    CHECK(matched() == 4);
    // B spins where it is, and one of its vertices goes half way round.
    now.bodies[1] = {{0, 1, 0}, {}, turn_about({0, 1, 0}, 3)};
    now.manifolds.contacts[0].position = {0, 0, 0};
    now.manifolds.contacts[1].position = {0.3f * std::cos(3.0f), 0, -0.3f * std::sin(3.0f)};
    CHECK(matched() == 4);
    // Nothing moves, and the points do.
    now.bodies[1] = {{0, 1, 0}, {}, {}};
    now.manifolds.contacts[0].position = {0, 0, 0.5f};
    now.manifolds.contacts[1].position = {0.3f, 0, -0.021f};
    CHECK(matched() == 0);
}

TEST_CASE("carry over: where ids have gone the nearest two places match first", "[carry]") {
    ContactFrame before, now;
    before.add({0, 1}, {{{0, 0, 0}, 0, 1}, {{0.015f, 0, 0}, 0, 2}, {{2, 0, 0}, 0, 3}});
    now.add({0, 1}, {{{0.009f, 0, 0}, 0, 11}, {{0.016f, 0, 0}, 0, 12}, {{1.03f, 0, 0}, 0, 13}, {{2, 0, 0}, 0, 3}});
    before.number_impulses();
    Carried carried;
    const auto impulses = move_impulses(before, now, same_pairs(1), carried);
    // 12 takes the point a millimetre away, so that 11 has the other one; 13 is too far from anything.
    CHECK(carried.previous == std::vector<std::uint32_t>{0, 1, kNewContact, 2});
    CHECK(carried.by == std::vector<CarriedBy>{CarriedBy::place, CarriedBy::place, CarriedBy::nothing, CarriedBy::id});
    CHECK(impulses[0].normal == 1);
    CHECK(impulses[2].normal == 0);

    move_impulses(before, now, same_pairs(1), carried, 0.008f);
    CHECK(carried.previous == std::vector<std::uint32_t>{kNewContact, 1, kNewContact, 2});
    move_impulses(before, now, same_pairs(1), carried, 0);
    CHECK(carried.previous == std::vector<std::uint32_t>{kNewContact, kNewContact, kNewContact, 2});
}

TEST_CASE("carry over: a place is one on both bodies, however these have moved", "[carry]") {
    ContactFrame before, now;
    before.add({0, 1}, {{{0.3f, 0.1f, -0.2f}, -0.002f, 1}});
    now.add({0, 1}, {{{0, 0, 0}, -0.002f, 2}});
    before.bodies[1].position = {0, 1, 0};
    // Both bodies turned as one, by a quaternion that is off unit length by as much as is allowed, and carried far
    // away.
    Quat turn = turn_about({0, 0, 1}, 0.5f);
    for (float* part : {&turn.x, &turn.y, &turn.z, &turn.w}) *part *= 1.009f;
    const float c = std::cos(0.5f), s = std::sin(0.5f);
    const auto turned = [&](Vec3 v) { return Vec3{c * v.x - s * v.y, s * v.x + c * v.y, v.z}; };
    const Vec3 far = {1000, -500, 30}, up = turned({0, 1, 0});
    now.bodies[0] = {far, {}, turn};
    now.bodies[1] = {{far.x + up.x, far.y + up.y, far.z + up.z}, {}, turn};
    now.manifolds.contacts[0].position = turned({0.3f, 0.1f, -0.2f});
    now.manifolds.manifolds[0].normal = up;
    before.number_impulses();
    Carried carried;
    move_impulses(before, now, same_pairs(1), carried, 2e-4f);
    CHECK(carried.previous[0] == 0);

    // B slides: the point stays on A, and is elsewhere on B.
    now.bodies[1].position.z += 0.01f;
    move_impulses(before, now, same_pairs(1), carried, 0.009f);
    CHECK(carried.previous[0] == kNewContact);
    move_impulses(before, now, same_pairs(1), carried, 0.011f);
    CHECK(carried.previous[0] == 0);
}

TEST_CASE("carry over: new contacts share what the manifold's lost ones carried", "[carry]") {
    ContactFrame before, now;
    before.add({0, 1}, {{{0, 0, 0}, 0, 1}, {{1, 0, 0}, 0, 2}, {{2, 0, 0}, 0, 3}, {{3, 0, 0}, 0, 4}});
    before.add({0, 2}, {{{0, 0, 0}, 0, 1}});
    now.add({0, 1}, {{{0.5f, 0, 0}, 0, 9}, {{1, 0, 0}, 0, 2}, {{2.5f, 0, 0}, 0, 8}});
    now.add({0, 2}, {{{0, 0, 0}, 0, 1}, {{1, 0, 0}, 0, 2}});
    before.number_impulses();
    Carried carried;
    const auto impulses = move_impulses(before, now, same_pairs(2), carried);
    CHECK(impulses[0].normal == 4);  // (1 + 3 + 4) / 2
    CHECK(impulses[1].normal == 2);
    CHECK(impulses[2].normal == 4);
    CHECK(impulses[2].friction == Vec3{40, 80, 120});
    // Another pair's losses are none of its business, and nothing is made from nothing.
    CHECK(impulses[3].normal == 5);
    CHECK(impulses[4].normal == 0);
}

TEST_CASE("carry over: no impulse is given twice, and none is lost while its manifold has a new contact", "[carry]") {
    scenes::Random random(5);
    std::size_t shared = 0, by_place = 0, by_id = 0;
    for (int round = 0; round < 20000; ++round) {
        ContactFrame before, now;
        for (ContactFrame* frame : {&before, &now}) {
            frame->add({0, 1}, {});
            Manifold& manifold = frame->manifolds.manifolds[0];
            manifold.contact_count = random.below(5);
            for (std::uint32_t i = 0; i < manifold.contact_count; ++i)
                frame->manifolds.contacts.push_back({{0.01f * float(random.below(12)), 0, 0}, 0, random.below(6)});
        }
        before.number_impulses();
        Carried carried;
        const auto impulses = move_impulses(before, now, same_pairs(1), carried);
        std::vector<int> given(before.impulses.size());
        std::size_t fresh = 0;
        for (std::size_t i = 0; i < impulses.size(); ++i) {
            by_id += carried.by[i] == CarriedBy::id;
            by_place += carried.by[i] == CarriedBy::place;
            CHECK((carried.by[i] == CarriedBy::nothing) == (carried.previous[i] == kNewContact));
            fresh += carried.previous[i] == kNewContact;
            if (carried.previous[i] == kNewContact) continue;
            ++given[carried.previous[i]];
            CHECK(impulses[i].normal == before.impulses[carried.previous[i]].normal);
        }
        float had = 0, has = 0;
        bool lost = false;
        for (std::size_t k = 0; k < given.size(); ++k) {
            CHECK(given[k] <= 1);
            lost = lost || given[k] == 0;
            if (given[k] == 1 || fresh > 0) had += before.impulses[k].normal;
        }
        for (const ContactImpulse& impulse : impulses) has += impulse.normal;
        CHECK(std::fabs(had - has) < 1e-5f);
        shared += lost && fresh > 0;
    }
    CHECK(shared > 1000);
    CHECK(by_place > 1000);
    CHECK(by_id > 1000);
}

TEST_CASE("carry over: one manifold by its anchors has the answer of a frame", "[carry]") {
    scenes::Random random(6);
    std::size_t matched = 0;
    for (int round = 0; round < 2000; ++round) {
        ContactFrame before, now;
        for (ContactFrame* frame : {&before, &now}) {
            frame->add({0, 1}, {});
            frame->bodies[1] = {
                {0, 1, 0},
                {},
                turn_about({1, 0, 0}, 0.001f * float(random.below(9)))};  // anchors know no motion of positions
            Manifold& manifold = frame->manifolds.manifolds[0];
            manifold.contact_count = random.below(5);
            for (std::uint32_t i = 0; i < manifold.contact_count; ++i)
                frame->manifolds.contacts.push_back(
                    {{0.01f * float(random.below(12)), 0.5f, 0}, -0.001f, 7 * i + random.below(20)});
        }
        before.number_impulses();
        const bool swapped = round % 2;
        ContactFrame now_as_given = now;
        if (swapped) {  // the same contacts, as (1, 0) would have them
            now.pairs[0] = {1, 0};
            now.manifolds.manifolds[0].normal = {0, -1, 0};
            for (Contact& contact : now.manifolds.contacts) {
                contact.position.y -= now.bodies[1].position.y;
                contact.feature = contact.feature << 16 | contact.feature >> 16;
            }
        }
        Carried carried;
        constexpr float kDistance = 0.025f;
        const auto impulses = move_impulses(before, now, {{0, swapped}}, carried, kDistance);
        const auto anchors = [](const ContactFrame& frame) {
            std::vector<ContactAnchor> all;
            const Body &a = frame.bodies[frame.pairs[0].a], &b = frame.bodies[frame.pairs[0].b];
            for (const Contact& contact : frame.manifolds.contacts)
                all.push_back(contact_anchor(a, b, frame.manifolds.manifolds[0].normal, contact));
            return all;
        };
        std::vector<ContactAnchor> from = anchors(before), to = anchors(now);
        if (swapped)
            for (ContactAnchor& anchor : to) anchor = swap_bodies(anchor);
        std::vector<std::uint32_t> previous(to.size());
        std::vector<CarriedBy> by(to.size());
        REQUIRE(carry_over(from, to, previous, by, {.match_distance = kDistance}));
        CHECK(previous == carried.previous);
        CHECK(by == carried.by);
        std::vector<ContactImpulse> moved(to.size());
        REQUIRE(carry_impulses(previous, floats_of(std::span<const ContactImpulse>(before.impulses)),
                               floats_of(std::span(moved)), kFloats, swapped));
        for (std::size_t i = 0; i < moved.size(); ++i) {
            CHECK(moved[i].normal == impulses[i].normal);
            CHECK(moved[i].friction == impulses[i].friction);
            if (previous[i] == kNewContact) continue;
            ++matched;
            const float sign = swapped ? -1.0f : 1.0f;
            CHECK(impulses[i].friction.y == sign * before.impulses[previous[i]].friction.y);
        }
    }
    CHECK(matched > 1000);
}

TEST_CASE("carry over: manifolds of compounds are told apart by their children", "[carry]") {
    // More than are looked through one by one, in any order; and the bodies swapped.
    for (const std::uint32_t children : {3u, 40u}) {
        for (const bool swapped : {false, true}) {
            ContactFrame before, now;
            before.add_pair({0, 1});
            now.add_pair(swapped ? Pair{1, 0} : Pair{0, 1});
            for (std::uint32_t i = 0; i < children; ++i) before.add_manifold({{{float(i), 0, 0}, 0, 5}}, i / 2, i % 2);
            for (std::uint32_t i = 0; i < children; i += 2) {
                const std::uint32_t a = i / 2, b = i % 2;
                now.add_manifold({{{float(i), 0, 0}, 0, swapped ? 5u << 16 : 5u}}, swapped ? b : a, swapped ? a : b);
            }
            now.add_manifold({{{0, 0, 0}, 0, 5}}, 1000, 1000);
            before.number_impulses();
            Carried carried;
            const auto impulses = move_impulses(before, now, {{0, swapped}}, carried);
            for (std::uint32_t i = 0; i < children; i += 2) {
                CHECK(carried.previous[i / 2] == i);
                CHECK(impulses[i / 2].normal == float(i + 1));
                CHECK(carried.manifolds[i / 2] == PreviousManifold{i, swapped});
                CHECK(carried.next_manifolds[i] == i / 2);
            }
            CHECK(carried.next_manifolds[1] == kNoManifold);
            CHECK(carried.previous.back() == kNewContact);
            CHECK(impulses.back().normal == 0);
        }
    }
}

TEST_CASE("carry over: of two pairs that name one, the first has its contacts", "[carry]") {
    ContactFrame before, now;
    before.add({0, 1}, {{{0, 0, 0}, 0, 1}, {{1, 0, 0}, 0, 2}});
    now.add({0, 1}, {{{0, 0, 0}, 0, 7}});
    now.add({0, 1}, {{{0, 0, 0}, 0, 1}, {{1, 0, 0}, 0, 9}});
    before.number_impulses();
    Carried carried;
    const auto impulses = move_impulses(before, now, {{0, false}, {0, false}}, carried);
    CHECK(carried.previous == std::vector<std::uint32_t>{0, kNewContact, kNewContact});
    CHECK(impulses[0].normal == 1);
    CHECK(impulses[1].normal == 0);
    CHECK(impulses[2].normal == 0);
}

TEST_CASE("carry over: contacts at rest are carried over wherever others among them move, come or go", "[carry]") {
    scenes::Random random(11);
    for (const std::uint32_t rest : {0, 1, 20, 500}) {  // for one of each other fate
        ContactFrame before, now;
        std::vector<PreviousPair> pairs;
        std::vector<std::uint32_t> expected;
        const auto append = [](ContactFrame& frame, Contact contact) {
            frame.manifolds.contacts.push_back(contact);
            ++frame.manifolds.manifolds.back().contact_count;
        };
        for (std::uint32_t pair = 0; pair < 600; ++pair) {
            enum { moves, turns, goes, comes, rests };
            const auto fate = std::min<std::uint32_t>(rests, random.below(rests + rest));
            if (fate != comes) before.add_pair({pair, pair + 1});
            if (fate != goes) now.add_pair({pair, pair + 1}), pairs.push_back({kNoPair, false});
            if (fate != goes && fate != comes) pairs.back().index = std::uint32_t(before.pairs.size() - 1);
            const auto manifolds = random.below(3);
            for (std::uint32_t child = 0; child < manifolds; ++child) {
                const auto count = random.below(5), first = std::uint32_t(before.manifolds.contacts.size());
                if (fate != comes) before.add_manifold({}, child);
                if (random.chance(0.02))
                    now.manifolds.contacts.push_back({}), expected.push_back(kNewContact);  // of no manifold
                if (fate != goes) now.add_manifold({}, child);
                for (std::uint32_t k = 0; k < count; ++k) {
                    const std::uint32_t k_now = fate == turns ? count - 1 - k : k;
                    const float moved = fate == moves ? 0.001f : 0;
                    if (fate != comes) append(before, {{float(pair), float(child), float(k)}, 0, k});
                    if (fate != goes) append(now, {{float(pair), float(child), float(k_now) + moved}, 0, k_now});
                    if (fate != goes) expected.push_back(fate == comes ? kNewContact : first + k_now);
                }
            }
        }
        before.number_impulses();
        Carried carried;
        const auto impulses = move_impulses(before, now, pairs, carried);
        CHECK(carried.previous == expected);
        for (std::size_t i = 0; i < expected.size(); ++i)
            CHECK(impulses[i].normal == (expected[i] == kNewContact ? 0 : before.impulses[expected[i]].normal));
        for (std::size_t m = 0; m < carried.manifolds.size(); ++m)
            if (carried.manifolds[m].index != kNoManifold)
                CHECK(carried.next_manifolds[carried.manifolds[m].index] == m);
    }
}

TEST_CASE("carry over: resting bodies asked again have the contacts that they had", "[carry]") {
    const scenes::Scene scene = scenes::make_resting_medley(500);
    NarrowPhase narrow;
    WarmTable table;
    Frame frame = scene.frame();
    frame.caches = table.begin(frame.pairs);
    Manifolds before, now;
    REQUIRE(narrow.collide(frame, before));
    const FrameContacts was = frame_contacts(frame, before);

    // The same pairs backwards, without the first ten.
    std::vector<Pair> pairs(scene.pairs.rbegin(), scene.pairs.rend() - 10);
    std::vector<float> margins(scene.margins.rbegin(), scene.margins.rend() - 10);
    frame.pairs = pairs;
    frame.margins = margins;
    frame.caches = table.begin(frame.pairs);
    REQUIRE(narrow.collide(frame, now));
    Carried carried;
    REQUIRE(carry_over(was, frame_contacts(frame, now), table.previous_pairs(), carried));
    REQUIRE(now.contacts.size() > 500);
    std::size_t by_id = 0;
    for (const Manifold& manifold : now.manifolds) {
        const Manifold& old = before.manifolds[before.first_manifold[scene.pairs.size() - 1 - manifold.pair]];
        for (std::uint32_t k = manifold.first_contact; k < manifold.first_contact + manifold.contact_count; ++k) {
            const std::uint32_t previous = carried.previous[k];
            if (previous == kNewContact) continue;
            by_id += carried.by[k] == CarriedBy::id;
            if (carried.by[k] == CarriedBy::id) CHECK(before.contacts[previous].feature == now.contacts[k].feature);
            CHECK(previous >= old.first_contact);
            CHECK(previous < old.first_contact + old.contact_count);
        }
    }
    CHECK(double(by_id) > 0.99 * double(now.contacts.size()));
}
