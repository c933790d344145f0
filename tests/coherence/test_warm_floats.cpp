// Indices of the frame before, and floats of the caller's own, of contacts and manifolds.
#include "support/catch.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include <abut/abut.hpp>

#include "scenes/random.hpp"
#include "support/contact_frame.hpp"

using namespace abut;
using test::ContactFrame;

namespace {

void carry(WarmTable& table, const ContactFrame& frame) {
    REQUIRE(table.begin(frame.frame().pairs).size() == frame.pairs.size());
    REQUIRE(table.carry_over(frame.frame(), frame.manifolds));
}

template <class T>
std::vector<std::remove_const_t<T>> list(std::span<T> items) {
    return {items.begin(), items.end()};
}

}  // namespace

TEST_CASE("warm table: it names the previous manifold and contact of each", "[warm]") {
    ContactFrame before, now;
    before.add({0, 1}, {{{0, 0, 0}, 0, 1}, {{1, 0, 0}, 0, 2}});
    before.add({0, 2}, {{{0, 0, 0}, 0, 3}});
    before.add({0, 3}, {{{0, 0, 0}, 0, 0x00040005}});
    now.add({3, 0}, {{{0, 0, 0}, 0, 0x00050004}});
    now.add({0, 4}, {{{0, 0, 0}, 0, 6}});
    now.add({0, 1}, {{{1, 0, 0}, 0, 2}, {{9, 0, 0}, 0, 7}});
    WarmTable table;
    carry(table, before);
    for (const PreviousManifold& m : table.previous_manifolds()) CHECK(m == PreviousManifold{});
    CHECK(table.manifolds_before().empty());
    carry(table, now);
    CHECK(list(table.previous_manifolds()) ==
          std::vector<PreviousManifold>{{2, true}, {kNoManifold, false}, {0, false}});
    CHECK(list(table.previous_contacts()) == std::vector<std::uint32_t>{3, kNewContact, 1, kNewContact});
    CHECK(list(table.next_manifolds()) == std::vector<std::uint32_t>{2, kNoManifold, 0});
    REQUIRE(table.manifolds_before().size() == 3);
    CHECK(table.manifolds_before()[1].pair == 1);
    // They end with the frame.
    table.begin(now.pairs);
    CHECK(table.previous_manifolds().empty());
    CHECK(table.previous_contacts().empty());
    CHECK(table.next_manifolds().empty());
    CHECK(table.manifolds_before().empty());
}

TEST_CASE("warm table: the indices are those of the functions without a table", "[warm]") {
    scenes::Random random(11);
    WarmTable table;
    ContactFrame before;
    std::size_t found = 0, manifolds = 0;
    for (int round = 0; round < 300; ++round) {
        ContactFrame now;
        for (std::uint32_t pair = 0; pair < 8; ++pair) {
            if (random.chance(0.2)) continue;
            now.add_pair(random.chance(0.9) ? Pair{0, pair + 1} : Pair{pair + 1, 0});
            for (std::uint32_t child = random.below(3); child > 0; --child) {
                const auto at = float(random.uniform(0, 0.03));
                now.add_manifold({{{at, 0, 0}, 0, 1 + random.below(3)}, {{1 + at, 0, 0}, 0, 5 + random.below(3)}}, 0,
                                 child);
            }
        }
        carry(table, now);
        Carried carried;
        REQUIRE(carry_over(before.contacts(), now.contacts(), table.previous_pairs(), carried));
        CHECK(list(table.previous_contacts()) == carried.previous);
        CHECK(list(table.previous_manifolds()) == carried.manifolds);
        CHECK(list(table.next_manifolds()) == carried.next_manifolds);
        found += std::size_t(std::ranges::count(carried.previous, kNewContact));
        manifolds += std::size_t(std::ranges::count(carried.next_manifolds, kNoManifold));
        before = now;
    }
    CHECK(found > 500);
    CHECK(manifolds > 300);
}

TEST_CASE("warm table: floats of the caller follow contacts and manifolds, asleep as well", "[warm]") {
    // Body 0 touches the others; the contacts of pair i have the ids 2 i + 1 and 2 i + 2. What is known of a contact or
    // a manifold is where it was last; floats are numbered.
    struct Known {
        std::vector<float> manifold;
        std::map<std::uint32_t, std::vector<float>> contacts;
        bool sleeps = false;
    };
    for (const auto& [per_contact, per_manifold] : {std::pair(3u, 2u), std::pair(1u, 0u), std::pair(0u, 1u)}) {
        scenes::Random random(5);
        WarmTable table;
        REQUIRE(table.set_floats(per_contact, per_manifold));
        std::map<std::uint32_t, Known> known;  // by the other body
        float number = 0;
        std::size_t continued = 0, woken = 0;
        for (int round = 0; round < 300; ++round) {
            ContactFrame frame;
            std::vector<std::uint32_t> bodies;
            for (std::uint32_t body = 1; body <= 12; ++body) {
                if (known.contains(body) && known[body].sleeps ? !random.chance(0.1) : random.chance(0.3)) continue;
                bodies.push_back(body);
                frame.add_pair({0, body});
                if (random.chance(0.1)) continue;
                const Contact one = {{0, 0, 0}, 0, 2 * body + 1}, two = {{1, 0, 0}, 0, 2 * body + 2};
                if (random.chance(0.5))
                    frame.add_manifold({one, two});
                else if (random.chance(0.5))
                    frame.add_manifold({two, one});
                else
                    frame.add_manifold({two});
            }
            carry(table, frame);
            const std::span<float> of_contacts = table.contact_floats(), of_manifolds = table.manifold_floats();
            REQUIRE(of_contacts.size() == frame.manifolds.contacts.size() * per_contact);
            REQUIRE(of_manifolds.size() == frame.manifolds.manifolds.size() * per_manifold);
            std::map<std::uint32_t, Known> next;
            for (const auto& [body, was] : known)
                if (was.sleeps && std::ranges::count(bodies, body) == 0) next[body] = was;
            for (const std::uint32_t body : bodies) next[body] = {};
            for (std::size_t m = 0; m < frame.manifolds.manifolds.size(); ++m) {
                const Manifold& manifold = frame.manifolds.manifolds[m];
                const std::uint32_t body = frame.pairs[manifold.pair].b;
                const bool was = known.contains(body) && !known[body].contacts.empty();
                const auto check = [&](std::span<float> floats, const std::vector<float>* expected) {
                    for (std::size_t f = 0; f < floats.size(); ++f) {
                        CHECK(floats[f] == (expected ? (*expected)[f] : 0.0f));
                        floats[f] = ++number;
                    }
                    continued += expected != nullptr;
                    woken += expected && known[body].sleeps;
                    return std::vector<float>(floats.begin(), floats.end());
                };
                next[body].manifold =
                    check(of_manifolds.subspan(m * per_manifold, per_manifold), was ? &known[body].manifold : nullptr);
                for (std::uint32_t c = 0; c < manifold.contact_count; ++c) {
                    const std::size_t at = manifold.first_contact + c;
                    const std::uint32_t id = frame.manifolds.contacts[at].feature;
                    const bool had = was && known[body].contacts.contains(id);
                    next[body].contacts[id] = check(of_contacts.subspan(at * per_contact, per_contact),
                                                    had ? &known[body].contacts[id] : nullptr);
                }
            }
            std::vector<Pair> asleep;
            for (const std::uint32_t body : bodies)
                if (random.chance(0.2)) asleep.push_back({0, body}), next[body].sleeps = true;
            REQUIRE(table.keep(asleep));
            known = next;
            if (round % 10 == 0) {  // a snapshot, and one as bytes
                std::vector<std::byte> bytes(table.byte_count());
                REQUIRE(table.write(bytes) == bytes.size());
                Expected<WarmTable> found = WarmTable::read(bytes);
                REQUIRE(found);
                WarmTable read = std::move(*found);
                CHECK(list(read.contact_floats()) == list(table.contact_floats()));
                CHECK(list(read.manifold_floats()) == list(table.manifold_floats()));
                CHECK(list(read.previous_contacts()) == list(table.previous_contacts()));
                CHECK(list(read.previous_manifolds()) == list(table.previous_manifolds()));
                CHECK(list(read.next_manifolds()) == list(table.next_manifolds()));
                const WarmTable copy = read;
                table = copy;
            }
        }
        CHECK(continued > 1000);
        CHECK(woken > 50);
    }
}

TEST_CASE("warm table: other numbers of floats make all of them zeros, and none are none", "[warm]") {
    ContactFrame frame;
    frame.add({0, 1}, {{{0, 0, 0}, 0, 1}});
    WarmTable table;
    carry(table, frame);
    CHECK(table.contact_floats().empty());
    REQUIRE(table.set_floats(2, 1));
    CHECK(list(table.contact_floats()) == std::vector<float>{0, 0});
    table.contact_floats()[1] = 5, table.manifold_floats()[0] = 6;
    REQUIRE(table.set_floats(2, 1));  // nothing changes
    carry(table, frame);
    CHECK(list(table.contact_floats()) == std::vector<float>{0, 5});
    CHECK(list(table.manifold_floats()) == std::vector<float>{6});
    REQUIRE(table.keep(frame.pairs));
    table.begin({});
    REQUIRE(table.set_floats(1, 3));
    carry(table, frame);
    CHECK(list(table.contact_floats()) == std::vector<float>{0});
    CHECK(list(table.manifold_floats()) == std::vector<float>{0, 0, 0});
    const WarmTable empty;
    table = empty;
    carry(table, frame);
    CHECK(table.manifold_floats().empty());
}
