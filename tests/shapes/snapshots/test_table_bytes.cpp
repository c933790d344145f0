// WarmTable as bytes: what is read goes on as the table does, and no bytes do harm.
#include <algorithm>
#include <random>

#include <abut/abut.hpp>

#include "bytes.hpp"

using namespace abut;
using test::Bytes;
using test::bytes_of;

namespace {

// Boxes in stacks that sway a little, and pairs that come, go and sleep.
struct Stacks {
    ShapeStore store;
    std::vector<Body> bodies;
    std::vector<Pair> pairs;
    NarrowPhase narrow;
    Manifolds manifolds;

    Stacks() {
        const ShapeId box = *store.add_box({0.5f, 0.5f, 0.5f});
        for (std::uint32_t i = 0; i < 20; ++i) {
            bodies.push_back({{float(i / 5) * 2, float(i % 5) * 0.999f, 0}, box, {}});
            if (i % 5 != 0) pairs.push_back({i - 1, i});
        }
    }
    Frame frame(int step, std::span<const Pair> of) {
        for (std::uint32_t i = 0; i < bodies.size(); ++i)
            bodies[i].position.x += 1e-4f * float((step + int(i)) % 3 - 1);
        Frame f;
        f.shapes = &store, f.bodies = bodies, f.pairs = of;
        return f;
    }
    // A frame of a solver that adds one to each impulse.
    Bytes step(WarmTable& table, Frame f) {
        f.caches = table.begin(f.pairs);
        REQUIRE(f.caches.size() == f.pairs.size());
        REQUIRE(narrow.collide(f, manifolds));
        REQUIRE(table.carry_over(f, manifolds));
        for (ContactImpulse& impulse : table.impulses()) impulse.normal += 1, impulse.friction.x += 0.5f;
        return state(table);
    }
    Bytes state(WarmTable& table) const {
        Bytes all;
        const auto add = [&](const auto& column) {
            const auto bytes = std::as_bytes(std::span(column));
            all.insert(all.end(), bytes.begin(), bytes.end());
        };
        add(manifolds.contacts), add(table.impulses()), add(table.carried_by());
        return all;
    }
};

}  // namespace

TEST_CASE("table bytes: the copy goes on as the table does", "[warm][bytes]") {
    Stacks stacks;
    WarmTable table;
    const std::span<const Pair> all = stacks.pairs, few = all.first(10);
    for (int step = 0; step < 4; ++step) stacks.step(table, stacks.frame(step, all));
    REQUIRE(table.keep(all.subspan(10)));
    stacks.step(table, stacks.frame(4, few));
    REQUIRE(table.kept() == 6);
    for (int step = 5; step < 8; ++step) {
        const Bytes bytes = bytes_of(table);
        WarmTable read = test::taken(WarmTable::read(bytes));
        CHECK(bytes_of(read) == bytes);
        CHECK(read.kept() == table.kept());
        const Frame f = stacks.frame(step, step == 5 ? few : all);  // the sleepers wake in the second round
        const Bytes expected = stacks.step(table, f);
        CHECK(stacks.step(read, f) == expected);
        CHECK(std::all_of(read.impulses().begin(), read.impulses().end(),
                          [](const ContactImpulse& i) { return i.normal > 2; }));
        CHECK(bytes_of(read) == bytes_of(table));
    }
}

TEST_CASE("table bytes: between begin and carry_over, and of an empty table", "[warm][bytes]") {
    Stacks stacks;
    WarmTable table, empty;
    stacks.step(table, stacks.frame(0, stacks.pairs));
    Frame f = stacks.frame(1, stacks.pairs);
    table.begin(f.pairs);
    WarmTable read = test::taken(WarmTable::read(bytes_of(table)));
    REQUIRE(table.carry_over(f, stacks.manifolds));
    REQUIRE(read.carry_over(f, stacks.manifolds));
    CHECK(stacks.state(read) == stacks.state(table));
    WarmTable none = test::taken(WarmTable::read(bytes_of(empty)));
    CHECK(stacks.step(none, f) == stacks.step(empty, f));
    CHECK(empty.write({}) == 0);
    CHECK(WarmTable::read({static_cast<const std::byte*>(nullptr), 3}).error().code == ErrorCode::bad_argument);
}

TEST_CASE("table bytes: changed bytes are refused, or make a table that works", "[warm][bytes][contained]") {
    Stacks stacks;
    WarmTable table;
    const std::span<const Pair> all = stacks.pairs;
    for (int step = 0; step < 2; ++step) stacks.step(table, stacks.frame(step, all));
    REQUIRE(table.keep(all.subspan(12)));
    stacks.step(table, stacks.frame(2, all.first(12)));
    const Bytes good = bytes_of(table);
    for (const std::size_t size : {std::size_t(0), std::size_t(7), std::size_t(23), std::size_t(24), good.size() - 1})
        CHECK_FALSE(WarmTable::read({good.data(), size}));
    std::mt19937 random(5);
    int refused = 0, accepted = 0;
    for (int round = 0; round < 4000; ++round) {
        Bytes bytes = good;
        const std::size_t at = 24 + random() % (bytes.size() - 24);
        if (round % 3 == 0) bytes[at] = std::byte(random() & 0xff);
        if (round % 3 == 1)
            std::fill(bytes.begin() + std::ptrdiff_t(at),
                      bytes.begin() + std::ptrdiff_t(std::min(at + 4, bytes.size())), std::byte(0xff));
        if (round % 3 == 2) bytes.resize(at);
        test::seal(bytes);
        auto loaded = WarmTable::read(bytes);
        if (!loaded) {
            CHECK(loaded.error().code == ErrorCode::bad_argument);
            ++refused;
            continue;
        }
        ++accepted;
        WarmTable read = std::move(*loaded);
        stacks.step(read, stacks.frame(round, round % 2 == 0 ? all : all.first(12)));
        CHECK(read.keep(all.first(3)));
        stacks.step(read, stacks.frame(round + 1, all.subspan(3)));
        stacks.step(read, stacks.frame(round + 2, all));
    }
    CHECK(refused > 1000);
    CHECK(accepted > 500);
}
