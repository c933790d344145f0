// The ready-made table: caches, contacts and impulses follow their pairs, through sleep, removal of bodies and
// rollback.
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <abut/abut.hpp>

#include "scenes/random.hpp"
#include "scenes/resting.hpp"
#include "support/contact_frame.hpp"
#include "support/count.hpp"
#include "support/pair_answer.hpp"
#include "support/table_steps.hpp"

using namespace abut;
using namespace test::table;
using test::ContactFrame;

TEST_CASE("warm table: it follows pairs by their bodies", "[warm]") {
    const std::vector<Pair> before = {{1, 2}, {3, 4}, {5, 5}, {0xfffffffe, 0}, {2, 1}};
    WarmTable table;
    const std::span<WarmCache> first = table.begin(before);
    REQUIRE(first.size() == before.size());
    for (const PreviousPair pair : table.previous_pairs()) CHECK(pair.index == kNoPair);
    for (std::size_t i = 0; i < first.size(); ++i) first[i].opaque[0] = std::byte(i + 1);

    const std::vector<Pair> after = {{5, 5}, {4, 3}, {1, 3}, {2, 1}, {0, 0xfffffffe}, {1, 2}};
    const std::span<WarmCache> next = table.begin(after);
    const int caches[] = {3, 2, 0, 1, 4, 1};
    const PreviousPair pairs[] = {{2, false}, {1, true}, {kNoPair, false}, {0, true}, {3, true}, {kNoPair, false}};
    for (std::size_t i = 0; i < after.size(); ++i) {
        CHECK(int(next[i].opaque[0]) == caches[i]);
        CHECK(table.previous_pairs()[i].index == pairs[i].index);
        if (pairs[i].index != kNoPair) CHECK(table.previous_pairs()[i].swapped == pairs[i].swapped);
    }
    table.clear();
    for (const WarmCache& cache : table.begin(after)) CHECK(int(cache.opaque[0]) == 0);
}

TEST_CASE("warm table: a pair before is named at most once, whatever comes twice", "[warm]") {
    scenes::Random random(3);
    WarmTable table;
    std::vector<Pair> last;
    std::size_t named = 0;
    for (int round = 0; round < 2000; ++round) {
        std::vector<Pair> pairs;
        for (std::uint32_t i = random.below(20); i > 0; --i) pairs.push_back({random.below(4), random.below(4)});
        table.begin(pairs);
        std::vector<int> times(last.size());
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const PreviousPair previous = table.previous_pairs()[i];
            if (previous.index == kNoPair) continue;
            REQUIRE(previous.index < last.size());
            const Pair old = last[previous.index];
            CHECK((previous.swapped ? Pair{old.b, old.a} : old) == pairs[i]);
            CHECK(++times[previous.index] == 1);
            ++named;
        }
        last = pairs;
    }
    CHECK(named > 5000);
}

TEST_CASE("warm table: impulses are carried over by ids, places and shares", "[warm]") {
    ContactFrame before, now;
    before.add({0, 1}, {{{0, 0, 0}, 0, 1}, {{1, 0, 0}, 0, 2}, {{2, 0, 0}, 0, 3}});
    now.add({0, 1}, {{{1.01f, 0, 0}, 0, 7}, {{0, 0, 0}, 0, 1}, {{5, 0, 0}, 0, 8}});
    WarmTable table;
    CHECK(step(table, before) == Floats{0, 0, 0});
    CHECK(step(table, now) == Floats{2, 1, 3});
    CHECK(std::ranges::equal(table.carried_by(), std::vector{CarriedBy::place, CarriedBy::id, CarriedBy::nothing}));
    // Not one of an earlier frame: a frame without contacts ends them.
    table.begin(now.frame().pairs);
    CHECK(table.impulses().empty());
    CHECK(table.carried_by().empty());
    CHECK(step(table, now) == Floats{0, 0, 0});
}

TEST_CASE("warm table: (b, a) has what (a, b) had, friction on the other body", "[warm]") {
    ShapeStore shapes;
    const ShapeId box = *shapes.add_box({0.5f, 0.5f, 0.5f});
    const std::vector<Body> bodies = {{{0, 0, 0}, box, {}}, {{0.3f, 0.99f, 0.1f}, box, {0, 0.1f, 0, 0.99498744f}}};
    const std::vector<Pair> there = {{0, 1}}, back = {{1, 0}};
    NarrowPhase narrow;
    WarmTable table;
    Frame frame{&shapes, bodies, there};
    Manifolds before, now;
    frame.caches = table.begin(frame.pairs);
    REQUIRE(narrow.collide(frame, before));
    REQUIRE(table.carry_over(frame, before));
    REQUIRE(before.contacts.size() == 4);
    std::map<std::uint32_t, float> carried;
    for (std::size_t i = 0; i < 4; ++i) {
        table.impulses()[i] = {float(i + 1), {1, 2, float(i + 3)}};
        carried[before.contacts[i].feature] = float(i + 1);
    }
    frame.pairs = back;
    frame.caches = table.begin(frame.pairs);
    REQUIRE(narrow.collide(frame, now));
    REQUIRE(table.carry_over(frame, now));
    REQUIRE(now.contacts.size() == 4);
    for (std::size_t i = 0; i < 4; ++i) {
        const std::uint32_t feature = now.contacts[i].feature, there_id = feature << 16 | feature >> 16;
        CHECK(table.carried_by()[i] == CarriedBy::id);
        CHECK(table.impulses()[i].normal == carried.at(there_id));
        CHECK(table.impulses()[i].friction == Vec3{-1, -2, -(carried.at(there_id) + 2)});
    }
}

TEST_CASE("warm table: a removed body's impulses go to nobody, and the body that took its index keeps its own",
          "[warm]") {
    // Bodies 1, 2 and 3 stand on body 0, in the same way: without a word the last would have what the removed one left.
    const std::vector<std::uint32_t> same_ids = {5, 5, 5};
    WarmTable table;
    step(table, frame_of({{0, 1}, {0, 2}, {0, 3}}, same_ids));
    REQUIRE(table.swap_remove(1, 3));
    CHECK(step(table, frame_of({{0, 1}, {0, 2}}, same_ids)) == Floats{3, 2});
    for (const PreviousPair pair : table.previous_pairs()) CHECK(pair.index != 0);
    // The same by a remap; and the last body of all is removed.
    REQUIRE(table.remap_bodies(std::vector<std::uint32_t>{0, 1, kRemovedBody}));
    CHECK(step(table, frame_of({{0, 1}, {0, 2}}, same_ids)) == Floats{1, 0});
    REQUIRE(table.swap_remove(2, 2));
    CHECK(step(table, frame_of({{0, 2}, {0, 1}}, same_ids)) == Floats{0, 1});
    // The remap is shorter than the bodies: the rest are gone.
    REQUIRE(table.remap_bodies(std::vector<std::uint32_t>{0, 1}));
    CHECK(step(table, frame_of({{0, 2}, {0, 1}}, same_ids)) == Floats{0, 2});
    // What the caches hold is gone, too.
    REQUIRE(table.swap_remove(1, 2));
    const std::vector<Pair> pairs = {{0, 1}, {0, 2}, {kRemovedBody, 0}, {kRemovedBody, kRemovedBody}};
    const std::span<WarmCache> caches = table.begin(pairs);
    CHECK(int(caches[0].opaque[0]) == 1);
    for (std::size_t i = 1; i < 4; ++i) {
        CHECK(int(caches[i].opaque[0]) == 0);
        CHECK(table.previous_pairs()[i].index == kNoPair);
    }
}

TEST_CASE("warm table: compaction, and bodies in another order, whatever is asleep", "[warm]") {
    scenes::Random random(8);
    WarmTable table;
    // Body `name` is known by its name, and its index changes. Every two bodies have a contact; what it carries tells
    // which two they are.
    std::vector<std::uint32_t> names;
    for (std::uint32_t i = 0; i < 12; ++i) names.push_back(i);
    const auto carries = [](std::uint32_t a, std::uint32_t b) {
        return float(100 * std::min(a, b) + std::max(a, b) + 1);
    };
    std::map<std::pair<std::uint32_t, std::uint32_t>, bool> known;  // is asleep
    std::uint32_t next_name = 12;
    std::size_t carried = 0, woken = 0, removed = 0;
    for (int round = 0; round < 400; ++round) {
        ContactFrame frame;
        frame.bodies.resize(names.size());
        std::vector<std::pair<std::uint32_t, std::uint32_t>> of;
        for (std::uint32_t a = 0; a < names.size(); ++a)
            for (std::uint32_t b = a + 1; b < names.size(); ++b) {
                const std::pair key = std::minmax(names[a], names[b]);
                const bool sleeps = known.contains(key) && known[key];
                if (random.below(sleeps ? 8 : 3) != 0) continue;
                frame.add(random.below(2) ? Pair{a, b} : Pair{b, a}, {{{0, 0, 0}, 0, 0x00010001}});
                of.push_back(key);
            }
        const Frame f = frame.frame();
        table.begin(f.pairs);
        REQUIRE(table.carry_over(f, frame.manifolds));
        for (std::size_t i = 0; i < of.size(); ++i) {
            const bool was_known = known.contains(of[i]);
            CHECK(table.impulses()[i].normal == (was_known ? carries(of[i].first, of[i].second) : 0.0f));
            carried += was_known;
            woken += was_known && known[of[i]];
            table.impulses()[i].normal = carries(of[i].first, of[i].second);
        }
        // What was not there is forgotten unless it sleeps; some of what was there falls asleep.
        std::erase_if(known, [](const auto& entry) { return !entry.second; });
        std::vector<Pair> to_keep;
        for (std::size_t i = 0; i < of.size(); ++i) {
            known[of[i]] = random.below(2) != 0;
            if (known[of[i]]) to_keep.push_back(frame.pairs[i]);
        }
        CHECK(*table.keep(to_keep) == to_keep.size());
        const auto forget = [&](std::uint32_t name) {
            removed += std::erase_if(
                known, [&](const auto& entry) { return entry.first.first == name || entry.first.second == name; });
        };
        if (round % 3 == 0) {
            const std::uint32_t gone = random.below(std::uint32_t(names.size())),
                                last = std::uint32_t(names.size() - 1);
            REQUIRE(table.swap_remove(gone, last));
            forget(names[gone]);
            names[gone] = names[last];
            names.back() = next_name++;
        } else if (round % 3 == 1) {
            std::vector<std::uint32_t> order(names.size()), new_index(names.size(), kRemovedBody), now;
            for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
            for (std::size_t i = order.size(); i > 1; --i)
                std::swap(order[i - 1], order[random.below(std::uint32_t(i))]);
            for (const std::uint32_t i : order) {
                if (random.below(6) == 0)
                    forget(names[i]);
                else
                    new_index[i] = std::uint32_t(now.size()), now.push_back(names[i]);
            }
            REQUIRE(table.remap_bodies(new_index));
            while (now.size() < names.size()) now.push_back(next_name++);
            names = now;
        }
    }
    CHECK(carried > 1000);
    CHECK(woken > 300);
    CHECK(removed > 300);
}

TEST_CASE("warm table: a copy is a snapshot of everything", "[warm]") {
    const scenes::Scene walk = scenes::make_resting_medley(60);
    NarrowPhase narrow;
    WarmTable table;
    // Frames of which every one leaves out some pairs, which are kept, and moves the bodies a little.
    const auto run = [&](int from, int to, test::Words* words) {
        std::vector<Body> bodies = walk.bodies;
        for (int frame = from; frame < to; ++frame) {
            for (std::size_t i = 0; i < bodies.size(); ++i)
                bodies[i].position.x = walk.bodies[i].position.x + 1e-3f * float((frame + int(i)) % 5);
            std::vector<Pair> pairs;
            for (std::size_t i = 0; i < walk.pairs.size(); ++i)
                if ((i + std::size_t(frame)) % 7 != 0) pairs.push_back(walk.pairs[i]);
            Frame f{&walk.shapes, bodies, pairs};
            f.caches = table.begin(f.pairs);
            Manifolds manifolds;
            REQUIRE(narrow.collide(f, manifolds));
            REQUIRE(table.carry_over(f, manifolds));
            for (ContactImpulse& impulse : table.impulses()) {
                impulse.normal += 1;
                impulse.friction.x = impulse.normal * 0.5f;
                if (words) test::append(*words, impulse);
            }
            if (words)
                for (std::size_t i = 0; i < f.caches.size(); ++i) test::append(*words, f.caches[i]);
            REQUIRE(table.keep(pairs));
        }
    };
    run(0, 10, nullptr);
    const WarmTable snapshot = table;
    test::Words first, again, moved;
    run(10, 20, &first);
    table = snapshot;
    run(10, 20, &again);
    CHECK(first == again);
    WarmTable other = snapshot;
    table = std::move(other);
    run(10, 20, &moved);
    CHECK(first == moved);
    // And what a rollback without the table gives is something else: the test can fail.
    test::Words without;
    run(10, 20, &without);
    CHECK(first != without);
    // Tables that hold nothing can be copied, moved from and used.
    table = WarmTable();
    WarmTable empty = table;
    empty = table;
    CHECK(empty.kept() == 0);
    CHECK(empty.impulses().empty());
    CHECK(empty.previous_pairs().empty());
    CHECK(other.begin(walk.pairs).size() == walk.pairs.size());
}

TEST_CASE("warm table: manifolds and remaps whose numbers are nonsense do no harm", "[warm]") {
    const ContactFrame frame = frame_of({{0, 1}, {1, 2}}, {4, 5}), part = frame_of({{0, 1}}, {4});
    WarmTable table;
    // Manifolds whose numbers are nonsense, kept and brought back.
    ContactFrame bad = frame;
    bad.manifolds.first_manifold = {7, 0xffffffff, 1};
    bad.manifolds.manifolds[0].first_contact = 0xfffffff0;
    bad.manifolds.manifolds[1].contact_count = 0xffffffff;
    for (int i = 0; i < 3; ++i) {
        table.begin(bad.frame().pairs);
        REQUIRE(table.carry_over(bad.frame(), bad.manifolds));
        REQUIRE(table.keep(bad.frame().pairs));
        table.begin({});
    }
    // Two bodies that a careless remap makes one.
    step(table, frame);
    REQUIRE(table.keep(frame.pairs));
    REQUIRE(table.remap_bodies(std::vector<std::uint32_t>{0, 1, 0}));
    step(table, {});
    CHECK(table.kept() == 1);
    CHECK(step(table, part).size() == 1);
    CHECK(table.kept() == 0);
}
