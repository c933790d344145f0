// The ready-made table of caches, and contacts that are carried over from frame to frame.
#include "catch.hpp"

#include <abut/abut.hpp>

#include "pair_answer.hpp"
#include "scenes/resting.hpp"

using namespace abut;

TEST_CASE("warm: the table follows pairs by their bodies", "[warm]") {
    const std::vector<Pair> before = {{1, 2}, {3, 4}, {5, 5}, {0xfffffffe, 0}, {2, 1}};
    WarmTable table;
    const std::span<WarmCache> first = table.begin(before);
    REQUIRE(first.size() == before.size());
    for (const std::uint32_t pair : table.previous_pairs()) CHECK(pair == kNoPair);
    for (std::size_t i = 0; i < first.size(); ++i) first[i].opaque[0] = std::byte(i + 1);

    const std::vector<Pair> after = {{5, 5}, {4, 3}, {1, 3}, {2, 1}, {0, 0xfffffffe}, {1, 2}};
    const std::span<WarmCache> next = table.begin(after);
    const int caches[] = {3, 2, 0, 1, 4, 1};
    const std::uint32_t pairs[] = {2, kNoPair, kNoPair, kNoPair, kNoPair, 0};
    for (std::size_t i = 0; i < after.size(); ++i) {
        CHECK(int(next[i].opaque[0]) == caches[i]);
        CHECK(table.previous_pairs()[i] == pairs[i]);
    }
    table.clear();
    for (const WarmCache& cache : table.begin(after)) CHECK(int(cache.opaque[0]) == 0);
}

TEST_CASE("warm: contacts are carried over by their feature ids", "[warm]") {
    const scenes::Scene scene = scenes::make_resting_medley(500);
    NarrowPhase narrow;
    WarmTable table;
    Frame frame = scene.frame();
    frame.caches = table.begin(frame.pairs);
    Manifolds before, now;
    REQUIRE(narrow.collide(frame, before));

    // The same pairs backwards, without the first ten.
    std::vector<Pair> pairs(scene.pairs.rbegin(), scene.pairs.rend() - 10);
    std::vector<float> margins(scene.margins.rbegin(), scene.margins.rend() - 10);
    frame.pairs = pairs;
    frame.margins = margins;
    frame.caches = table.begin(frame.pairs);
    REQUIRE(narrow.collide(frame, now));
    std::vector<std::uint32_t> previous;
    carry_over(before, now, table.previous_pairs(), previous);
    REQUIRE(previous.size() == now.contacts.size());
    REQUIRE(now.contacts.size() > 500);
    std::size_t carried = 0;
    for (const Manifold& manifold : now.manifolds) {
        const Manifold& old = before.manifolds[before.first_manifold[scene.pairs.size() - 1 - manifold.pair]];
        for (std::uint32_t k = manifold.first_contact; k < manifold.first_contact + manifold.contact_count; ++k) {
            if (previous[k] == kNewContact) continue;
            ++carried;
            CHECK(before.contacts[previous[k]].feature == now.contacts[k].feature);
            CHECK(previous[k] >= old.first_contact);
            CHECK(previous[k] < old.first_contact + old.contact_count);
        }
    }
    CHECK(double(carried) > 0.99 * double(now.contacts.size()));

    // Nothing is known of a frame before the first.
    carry_over(before, now, std::vector<std::uint32_t>(pairs.size(), kNoPair), previous);
    for (const std::uint32_t index : previous) CHECK(index == kNewContact);
}
