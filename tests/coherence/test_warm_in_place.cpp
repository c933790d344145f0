// A warm table that reads the caller's contacts in place has the bytes of one that copies them.
#include "support/catch.hpp"

#include <algorithm>

#include <abut/abut.hpp>

#include "scenes/random.hpp"
#include "support/contact_frame.hpp"

using namespace abut;
using test::ContactFrame;

namespace {

std::vector<std::byte> bytes_of(const WarmTable& table) {
    std::vector<std::byte> bytes(table.byte_count());
    REQUIRE(table.write(bytes) == bytes.size());
    return bytes;
}

void carry(WarmTable& table, const ContactFrame& frame, bool in_place) {
    REQUIRE(table.carry_over(frame.frame(), frame.manifolds, {.in_place = in_place}));
    for (std::size_t i = 0; i < table.impulses().size(); ++i) table.impulses()[i].normal += float(i + 1);
}

// Nothing may be read here any more.
void spoil(Manifolds& manifolds) {
    std::ranges::fill(manifolds.first_manifold, 0x77777777u);
    std::ranges::fill(manifolds.manifolds, Manifold{7, 7, 7, {7, 7, 7}, 7, 7});
    std::ranges::fill(manifolds.contacts, Contact{{7, 7, 7}, 7, 7});
}

}  // namespace

TEST_CASE("warm table: contacts are read in place, through sleep and snapshots", "[warm]") {
    scenes::Random random(31);
    WarmTable copying, table;
    ContactFrame frames[2];
    std::size_t carried = 0, woken = 0;
    for (int round = 0; round < 300; ++round) {
        ContactFrame next;
        for (std::uint32_t body = 1; body <= 10; ++body) {
            if (random.chance(0.3)) continue;
            next.add_pair({0, body});
            const auto at = float(random.uniform(0, 0.01));
            const Contact one = {{at, 0, 0}, 0, 2 * body}, two = {{1 + at, 0, 0}, 0, 2 * body + 1};
            if (random.chance(0.7)) next.add_manifold({one, two});
            if (random.chance(0.3)) next.add_manifold({two}, 1);
        }
        const std::size_t asleep = table.kept();
        REQUIRE(copying.begin(next.pairs).size() == next.pairs.size());
        REQUIRE(table.begin(next.pairs).size() == next.pairs.size());
        // From here on the arrays of the frame before the last are the caller's again.
        ContactFrame& frame = frames[round % 2];
        frame = {};
        const WarmTable between = table;
        CHECK(bytes_of(between) == bytes_of(copying));
        woken += asleep > table.kept();
        frame = next;
        carry(copying, frame, false);
        carry(table, frame, round % 7 != 0);  // some frames are copied
        CHECK(bytes_of(table) == bytes_of(copying));
        carried += std::size_t(std::ranges::count(table.carried_by(), CarriedBy::id));
        std::vector<Pair> to_keep;
        for (const Pair& pair : frame.pairs)
            if (random.chance(0.2)) to_keep.push_back(pair);
        REQUIRE(copying.keep(to_keep));
        REQUIRE(table.keep(to_keep));
        if (round % 3 != 0) continue;
        // A copy refers to none of them.
        WarmTable snapshot;
        snapshot = table;
        const WarmTable moved = std::move(table);
        spoil(frames[0].manifolds), spoil(frames[1].manifolds);
        CHECK(bytes_of(snapshot) == bytes_of(copying));
        table = snapshot;
    }
    CHECK(carried > 1000);
    CHECK(woken > 50);
    table.clear();
    spoil(frames[0].manifolds), spoil(frames[1].manifolds);
    CHECK(bytes_of(table) == bytes_of(WarmTable()));
}
