// The order of pairs by kind (kernel/batch/sort.hpp): chunks are as full as they can be, and pairs that are in order
// are not sorted.
#include "support/catch.hpp"

#include <algorithm>
#include <vector>

#include "batch/sort.hpp"

using namespace abut;

namespace {

SortedPairs sorted_by(const std::vector<std::uint8_t>& kinds) {
    SortedPairs sorted;
    sorted.make_room(kinds.size());
    std::copy(kinds.begin(), kinds.end(), sorted.kind.begin());
    sort_by_kind(kinds.size(), serial_executor(), sorted);
    return sorted;
}

std::uint8_t number_of(ShapeKind a, ShapeKind b) {
    return kSolidPairKinds.numbers[std::size_t(a) * kIdKinds + std::size_t(b)];
}

const std::uint8_t kBoxes = number_of(ShapeKind::box, ShapeKind::box),
                   kHulls = number_of(ShapeKind::hull, ShapeKind::hull),
                   kBoxOnHull = number_of(ShapeKind::box, ShapeKind::hull);

}  // namespace

TEST_CASE("pairs whose kinds are contiguous are in order, whatever the order of the kinds", "[sort]") {
    std::vector<std::uint8_t> kinds(300, kHulls);
    kinds.insert(kinds.end(), 100, kBoxes);
    const SortedPairs sorted = sorted_by(kinds);
    CHECK(sorted.is_in_order);
    REQUIRE(sorted.ranges.size() == 3);
    CHECK(sorted.ranges[1].first == kChunkPairs);
    CHECK(sorted.ranges[1].count == 300 - kChunkPairs);
    CHECK(sorted.ranges[2].kind_a == ShapeKind::box);
    CHECK(sorted.ranges[2].count == 100);
}

TEST_CASE("pairs of each kind share chunks, in the order of their indices", "[sort]") {
    std::vector<std::uint8_t> kinds(20000);
    for (std::size_t i = 0; i < kinds.size(); ++i)
        kinds[i] = i * i % 7 == 2 ? kHulls : i % 3 == 0 ? kBoxes : kBoxOnHull;
    const SortedPairs sorted = sorted_by(kinds);
    CHECK(!sorted.is_in_order);
    std::size_t pairs = 0, chunks = 0;
    for (const std::uint8_t kind : {kHulls, kBoxes, kBoxOnHull})
        chunks += (std::size_t(std::count(kinds.begin(), kinds.end(), kind)) + kChunkPairs - 1) / kChunkPairs;
    CHECK(sorted.ranges.size() == chunks);
    for (const KindRange& range : sorted.ranges) {
        std::uint32_t last = 0;
        sorted.for_each(range, [&](std::uint32_t i, std::uint32_t pair) {
            CHECK(kinds[pair] == number_of(range.kind_a, range.kind_b));
            CHECK((i == 0 || pair > last));
            last = pair, ++pairs;
        });
    }
    CHECK(pairs == kinds.size());
}
