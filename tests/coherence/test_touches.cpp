// Which pairs began, continued and ceased to touch, through sleep, removal and rollback.
#include "support/catch.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <abut/abut.hpp>

#include "scenes/random.hpp"
#include "support/contact_frame.hpp"

using namespace abut;
using test::ContactFrame;

namespace {

using Indices = std::vector<std::uint32_t>;

struct Changes {
    Indices began, stayed;
    std::vector<EndedTouch> ended;
    friend bool operator==(const Changes&, const Changes&) = default;
};

Changes list(const Expected<TouchChanges>& found) {
    REQUIRE(found);
    return {{found->began.begin(), found->began.end()},
            {found->stayed.begin(), found->stayed.end()},
            {found->ended.begin(), found->ended.end()}};
}

struct Gap {
    Pair pair;
    float separation;
};

// One frame in which each pair has a manifold with a far contact and one of this separation.
Changes step(WarmTable& table, const std::vector<Gap>& gaps, const TouchOptions& options = {}) {
    ContactFrame frame;
    for (const Gap& gap : gaps) frame.add(gap.pair, {{{0, 0, 0}, 1, 1}, {{1, 0, 0}, gap.separation, 2}});
    REQUIRE(table.begin(frame.pairs).size() == gaps.size());
    REQUIRE(table.carry_over(frame.frame(), frame.manifolds));
    return list(table.touch_changes(options));
}

}  // namespace

TEST_CASE("touches: they begin and end at distances with a gap", "[warm][touches]") {
    WarmTable table;
    const auto at = [&](float separation) { return step(table, {{{0, 1}, separation}}, {0.0f, 0.01f}); };
    CHECK(at(0.005f) == Changes{});
    CHECK(at(0.0f) == Changes{{0}, {}, {}});
    CHECK(at(-0.1f) == Changes{{}, {0}, {}});
    CHECK(at(0.01f) == Changes{{}, {0}, {}});
    CHECK(at(0.011f) == Changes{{}, {}, {{{0, 1}, 0, 0}}});
    CHECK(at(0.005f) == Changes{});
    // A pair in the frame without contacts does not touch.
    at(-1);
    ContactFrame frame;
    frame.add_pair({0, 1});
    table.begin(frame.pairs);
    REQUIRE(table.carry_over(frame.frame(), frame.manifolds));
    CHECK(list(table.touch_changes()) == Changes{{}, {}, {{{0, 1}, 0, 0}}});
    // The same frame may be asked again, with other options.
    table.begin(frame.pairs);
    frame = {};
    frame.add({0, 1}, {{{0, 0, 0}, 0.5f, 1}});
    REQUIRE(table.carry_over(frame.frame(), frame.manifolds));
    CHECK(list(table.touch_changes()) == Changes{});
    CHECK(list(table.touch_changes({1, 1})) == Changes{{0}, {}, {}});
    CHECK(list(table.touch_changes({1, 1})) == Changes{{0}, {}, {}});
}

TEST_CASE("touches: pairs that leave the frames end, and those asleep do not", "[warm][touches]") {
    WarmTable table;
    CHECK(step(table, {{{0, 1}, 0}, {{0, 2}, 0}, {{0, 3}, 0}, {{0, 4}, 1}}) == Changes{{0, 1, 2}, {}, {}});
    CHECK(step(table, {{{3, 0}, 0}, {{0, 1}, 0}}) == Changes{{}, {0, 1}, {{{0, 2}, kNoPair, 0}}});
    REQUIRE(table.keep(std::vector<Pair>{{0, 1}, {0, 3}}));
    CHECK(step(table, {}) == Changes{});
    CHECK(step(table, {}) == Changes{});
    CHECK(step(table, {{{0, 1}, 0}, {{0, 3}, 1}}) == Changes{{}, {0}, {{{0, 3}, 1, 0}}});
    // Dropped, awake and asleep.
    step(table, {{{0, 1}, 0}, {{0, 2}, 0}});
    REQUIRE(table.keep(std::vector<Pair>{{0, 2}}));
    step(table, {{{0, 1}, 0}});
    REQUIRE(table.drop(std::vector<Pair>{{1, 0}, {2, 0}, {0, 7}}));
    CHECK(step(table, {{{0, 1}, 0}}) == Changes{{0}, {}, {{{0, 1}, kNoPair, 0}, {{0, 2}, kNoPair, 0}}});
    // A frame without the call: what ends in it is found in the next one.
    step(table, {{{0, 1}, 0}, {{0, 2}, 0}});
    table.begin(std::vector<Pair>{{0, 2}});
    CHECK(step(table, {{{0, 2}, 0}}) == Changes{{}, {0}, {{{0, 1}, kNoPair, 0}}});
    table.clear();
    CHECK(step(table, {{{0, 2}, 0}}) == Changes{{0}, {}, {}});
}

TEST_CASE("touches: a removed body is named by the index that it had, the others by their present one",
          "[warm][touches]") {
    WarmTable table;
    step(table, {{{0, 1}, 0}, {{1, 4}, 0}, {{0, 4}, 0}, {{2, 3}, 0}});
    REQUIRE(table.keep(std::vector<Pair>{{2, 3}}));
    step(table, {{{0, 1}, 0}, {{1, 4}, 0}, {{0, 4}, 0}});
    REQUIRE(table.swap_remove(1, 4));  // body 4 becomes body 1
    REQUIRE(table.swap_remove(2, 3));
    CHECK(step(table, {{{0, 1}, 0}}) ==
          Changes{{}, {0}, {{{0, 1}, kNoPair, 2}, {{1, 1}, kNoPair, 1}, {{2, 2}, kNoPair, 1}}});
    // Both bodies at once, and one after the other.
    step(table, {{{0, 1}, 0}, {{2, 3}, 0}});
    REQUIRE(table.remap_bodies(std::vector<std::uint32_t>{kRemovedBody, kRemovedBody, 1, kRemovedBody}));
    REQUIRE(table.swap_remove(1, 5));
    CHECK(step(table, {}) == Changes{{}, {}, {{{0, 1}, kNoPair, 3}, {{1, 3}, kNoPair, 3}}});
}

TEST_CASE("touches: sensors by the bits of overlap", "[warm][touches]") {
    ShapeStore shapes;
    const ShapeId ball = *shapes.add_sphere(0.5f), zone = *shapes.add_box({1, 1, 1});
    std::vector<Body> bodies = {{{0, 0, 0}, zone, {}}, {{0, 0, 0}, ball, {}}, {{5, 0, 0}, ball, {}}};
    NarrowPhase narrow;
    Overlaps overlaps;
    WarmTable table;
    const auto ask = [&](const std::vector<Pair>& pairs) {
        Frame frame{&shapes, bodies, pairs};
        frame.caches = table.begin(pairs);
        REQUIRE(narrow.overlap(frame, overlaps));
        return list(table.overlap_changes(overlaps.bits));
    };
    CHECK(ask({{0, 1}, {0, 2}}) == Changes{{0}, {}, {}});
    bodies[2].position.x = 1;
    CHECK(ask({{0, 1}, {0, 2}}) == Changes{{1}, {0}, {}});
    bodies[1].position.x = -3;
    CHECK(ask({{0, 1}, {0, 2}}) == Changes{{}, {1}, {{{0, 1}, 0, 0}}});
    CHECK(ask({}) == Changes{{}, {}, {{{0, 2}, kNoPair, 0}}});
    // More than one word of bits.
    std::vector<Pair> many(70, Pair{0, 2});
    for (std::uint32_t i = 0; i < 69; ++i) many[i] = {3 + i, 3 + i};
    table.begin(many);
    CHECK_FALSE(table.overlap_changes(std::vector<std::uint32_t>{1, 0}));
    CHECK(list(table.overlap_changes(std::vector<std::uint32_t>{1, 0, 32})) == Changes{{0, 69}, {}, {}});
}

TEST_CASE("touches: whatever comes and goes, what began is what ended and what is there", "[warm][touches]") {
    scenes::Random random(21);
    WarmTable table;
    std::vector<std::uint32_t> names;  // by index of the body
    for (std::uint32_t i = 0; i < 10; ++i) names.push_back(i);
    std::uint32_t next_name = 10;
    using Key = std::pair<std::uint32_t, std::uint32_t>;
    const auto key_of = [](std::uint32_t a, std::uint32_t b) { return Key(std::min(a, b), std::max(a, b)); };
    std::map<Key, bool> touching;                 // sleeps
    std::map<std::uint32_t, std::uint32_t> gone;  // names of removed bodies, by the index they had
    std::multiset<Key> lost;                      // touches that ended between the frames
    std::size_t began = 0, stayed = 0, ended = 0, removed = 0, slept = 0;
    for (int round = 0; round < 600; ++round) {
        std::vector<Gap> gaps;
        std::map<Key, bool> now;
        for (std::uint32_t a = 0; a < names.size(); ++a)
            for (std::uint32_t b = a + 1; b < names.size(); ++b) {
                const Key key = key_of(names[a], names[b]);
                const bool sleeps = touching.contains(key) && touching[key];
                if (!random.chance(sleeps ? 0.1 : 0.5)) continue;
                const bool touches = random.chance(0.5);
                gaps.push_back({random.chance(0.5) ? Pair{a, b} : Pair{b, a}, touches ? -0.1f : 0.5f});
                now[key] = touches;
            }
        std::vector<Key> expected[3];
        for (const Gap& gap : gaps) {
            const Key key = key_of(names[gap.pair.a], names[gap.pair.b]);
            if (now[key]) expected[touching.contains(key) ? 1 : 0].push_back(key);
            if (!now[key] && touching.contains(key)) expected[2].push_back(key);
        }
        for (const auto& [key, sleeps] : touching)
            if (!now.contains(key) && !sleeps) lost.insert(key);
        expected[2].insert(expected[2].end(), lost.begin(), lost.end());
        const Changes found = step(table, gaps);
        std::vector<Key> seen[3];
        for (const std::uint32_t i : found.began)
            seen[0].push_back(key_of(names[gaps[i].pair.a], names[gaps[i].pair.b]));
        for (const std::uint32_t i : found.stayed)
            seen[1].push_back(key_of(names[gaps[i].pair.a], names[gaps[i].pair.b]));
        for (const EndedTouch& touch : found.ended) {
            seen[2].push_back(key_of(touch.removed & 1 ? gone.at(touch.bodies.a) : names[touch.bodies.a],
                                     touch.removed & 2 ? gone.at(touch.bodies.b) : names[touch.bodies.b]));
            removed += touch.removed != 0;
        }
        std::ranges::sort(seen[2]), std::ranges::sort(expected[2]);
        for (int i = 0; i < 3; ++i) CHECK(seen[i] == expected[i]);
        began += seen[0].size(), stayed += seen[1].size(), ended += seen[2].size();

        // What touches now: pairs of the frame, and those asleep. Some fall asleep.
        std::erase_if(touching, [&](const auto& entry) { return !entry.second || now.contains(entry.first); });
        slept += touching.size();
        std::vector<Pair> to_keep;
        for (const Gap& gap : gaps) {
            const Key key = key_of(names[gap.pair.a], names[gap.pair.b]);
            const bool sleeps = random.chance(0.2);
            if (sleeps) to_keep.push_back(gap.pair);
            if (now[key]) touching[key] = sleeps;
        }
        REQUIRE(table.keep(to_keep));
        lost.clear(), gone.clear();
        if (round % 3 == 0) {
            const std::uint32_t body = random.below(10);
            REQUIRE(table.swap_remove(body, 9));
            gone[body] = names[body];
            std::erase_if(touching, [&](const auto& entry) {
                const bool is_lost = entry.first.first == names[body] || entry.first.second == names[body];
                if (is_lost) lost.insert(entry.first);
                return is_lost;
            });
            names[body] = names[9], names[9] = next_name++;
        }
        if (round % 4 == 1 && !touching.empty()) {
            const Key key = touching.begin()->first;
            const auto index = [&](std::uint32_t name) {
                return std::uint32_t(std::ranges::find(names, name) - names.begin());
            };
            REQUIRE(table.drop(std::vector<Pair>{{index(key.second), index(key.first)}}));
            touching.erase(key), lost.insert(key);
        }
        if (round % 7 == 0) {  // a snapshot as bytes
            std::vector<std::byte> bytes(table.byte_count());
            REQUIRE(table.write(bytes) == bytes.size());
            Expected<WarmTable> read = WarmTable::read(bytes);
            REQUIRE(read);
            table = std::move(*read);
        }
    }
    CHECK(began > 2000);
    CHECK(stayed > 1000);
    CHECK(ended > 2000);
    CHECK(removed > 300);
    CHECK(slept > 2000);
}
