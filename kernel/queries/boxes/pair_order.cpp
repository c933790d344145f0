// Counting sort by a, then a sort of each a's few partners. Long lists are first split into ranges of a. Each range is
// sorted separately, so that several threads can work and the data fit the caches.
#include "queries/boxes/pair_order.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "base/compiler_support.hpp"
#include "base/scratch_columns.hpp"

namespace abut {

namespace {

// The least width and the largest number of ranges of a. The counters of a narrow range fit the L1 cache.
constexpr std::uint32_t kLeastRange = 1024, kMostRanges = 512;
// With one thread, a list whose a are all below this is one range.
constexpr std::uint32_t kOneRange = 1u << 16;
// Up to this many partners are sorted by insertion.
constexpr std::uint32_t kFew = 24;

void sort_few(std::uint32_t* items, std::uint32_t count) {
    for (std::uint32_t i = 1; i < count; ++i) {
        const std::uint32_t item = items[i];
        std::uint32_t at = i;
        for (; at > 0 && items[at - 1] > item; --at) items[at] = items[at - 1];
        items[at] = item;
    }
}

// Sorts many items, all different, by one bit per item. `marks` are 0 before and after.
void sort_by_marks(std::uint32_t* items, std::uint32_t count, std::uint64_t* marks) {
    std::uint32_t low = items[0], high = items[0];
    for (std::uint32_t i = 0; i < count; ++i) {
        low = std::min(low, items[i]), high = std::max(high, items[i]);
        marks[items[i] / 64] |= std::uint64_t(1) << items[i] % 64;
    }
    for (std::uint32_t word = low / 64; word <= high / 64; ++word) {
        for (std::uint64_t bits = marks[word]; bits != 0; bits &= bits - 1)
            *items++ = word * 64 + std::uint32_t(lowest_bit(bits));
        marks[word] = 0;
    }
}

void sort_partners(std::uint32_t* items, std::uint32_t count, std::uint64_t* marks) {
    if (count <= kFew) return sort_few(items, count);
    sort_by_marks(items, count, marks);
}

}  // namespace

// Sorts the pairs of `columns`, whose a are in [first, end), into `out`. `partners` is scratch; both have one element
// per pair.
void PairOrder::sort_range(std::span<const Columns> columns, std::uint32_t first, std::uint32_t end, Scratch scratch,
                           std::uint32_t* partners, Pair* out) {
    const std::uint32_t width = end - first;
    std::uint32_t* const places = scratch.places;
    std::fill(places, places + width + 1, 0u);
    for (const Columns& some : columns)
        for (std::size_t i = 0; i < some.size; ++i) ++places[some.a[i] - first];
    std::uint32_t all = 0;
    for (std::uint32_t i = 0; i < width; ++i) {
        all += places[i];
        places[i] = all - places[i];
    }
    for (const Columns& some : columns)
        for (std::size_t i = 0; i < some.size; ++i) partners[places[some.a[i] - first]++] = some.b[i];
    // places[i] is now the position of the first partner of the next a.
    std::uint32_t at = 0;
    for (std::uint32_t i = 0; i < width; ++i) {
        const std::uint32_t next = places[i], count = next - at;
        sort_partners(partners + at, count, scratch.marks);
        for (; at < next; ++at) out[at] = {first + i, partners[at]};
    }
}

std::span<const Pair> PairOrder::sort(std::span<const PairBuffer> buffers, std::uint32_t count_a, std::uint32_t count_b,
                                      const Workers& workers) {
    std::size_t pairs = 0;
    for (const PairBuffer& buffer : buffers) pairs += buffer.size;
    if (pairs > std::numeric_limits<std::uint32_t>::max()) throw std::length_error("pairs");
    grow(pairs_, pairs);
    grow(partners_, pairs);
    if (pairs == 0) return {};
    const std::size_t words = std::size_t(count_b) / 64 + 1;
    if (count_a <= kOneRange && workers.threads <= 1) {
        grow(places_, std::size_t(count_a) + 1);
        grow(marks_, words);
        grow(columns_, buffers.size());
        for (std::size_t i = 0; i < buffers.size(); ++i) columns_[i] = {buffers[i].a, buffers[i].b, buffers[i].size};
        sort_range({columns_.data(), buffers.size()}, 0, count_a, {places_.data(), marks_.data()}, partners_.data(),
                   pairs_.data());
        return {pairs_.data(), pairs};
    }

    std::uint32_t shift = 0;
    while ((1u << shift) < kLeastRange || ((count_a - 1) >> shift) >= kMostRanges) ++shift;
    const std::uint32_t ranges = ((count_a - 1) >> shift) + 1;
    const std::size_t parts = buffers.size();
    grow(a_, pairs);
    grow(b_, pairs);
    grow(counts_, parts * ranges + 1);
    workers.run(parts, parts, [&](std::size_t part, std::size_t, std::size_t) {
        std::uint32_t* const counts = counts_.data() + part * ranges;
        std::fill(counts, counts + ranges, 0u);
        for (std::size_t i = 0; i < buffers[part].size; ++i) ++counts[buffers[part].a[i] >> shift];
    });
    grow(columns_, ranges);
    std::uint32_t place = 0;
    for (std::uint32_t range = 0; range < ranges; ++range) {
        const std::uint32_t first = place;
        for (std::size_t part = 0; part < parts; ++part) {
            std::uint32_t& counted = counts_[part * ranges + range];
            place += counted;
            counted = place - counted;
        }
        columns_[range] = {a_.data() + first, b_.data() + first, place - first};
    }
    workers.run(parts, parts, [&](std::size_t part, std::size_t, std::size_t) {
        std::uint32_t* const places = counts_.data() + part * ranges;
        const PairBuffer& from = buffers[part];
        for (std::size_t i = 0; i < from.size; ++i) {
            const std::uint32_t at = places[from.a[i] >> shift]++;
            a_[at] = from.a[i], b_[at] = from.b[i];
        }
    });
    const std::size_t tasks = workers.parts(ranges, 1, 8);
    const std::size_t places = (std::size_t(1) << shift) + 1;
    grow(places_, tasks * places);
    grow(marks_, tasks * words);
    workers.run(tasks, ranges, [&](std::size_t task, std::size_t first_range, std::size_t end_range) {
        const Scratch scratch = {places_.data() + task * places, marks_.data() + task * words};
        for (std::size_t range = first_range; range < end_range; ++range) {
            const std::size_t at = std::size_t(columns_[range].a - a_.data());
            const std::uint32_t first = std::uint32_t(range) << shift;
            sort_range({&columns_[range], 1}, first, std::min(count_a, first + (1u << shift)), scratch,
                       partners_.data() + at, pairs_.data() + at);
        }
    });
    return {pairs_.data(), pairs};
}

}  // namespace abut
