// Answers per configuration, from answers of pairs.
//
// The list of pairs is processed in parts; each part is twice as long as the one before. Decided configurations leave
// after each part; longer parts keep the chunks full although fewer configurations remain. A part's pairs are ordered by
// pair: pair i of m configurations is at i * m + configuration.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "queries/configurations/reductions.hpp"

namespace abut::d2 {

// Pairs [first, end) of the list.
struct PairRange {
    std::uint32_t first, end;
    std::uint32_t count() const { return end - first; }
};

inline constexpr std::uint32_t kFirstPart = 32;  // pairs

// Calls visit(some, range) for the parts of a list of pairs and blocks of the remaining configurations, block(range) of
// them. visit moves those that remain undecided to the beginning of the span, in order, and returns their number.
template <class Block, class Visit>
void for_each_part(std::uint32_t pairs, std::span<std::uint32_t> undecided, const Block& block_of, Visit&& visit) {
    std::size_t left = undecided.size();
    for (std::uint32_t first = 0, size = kFirstPart; first < pairs && left != 0; first += size, size *= 2) {
        const PairRange range = {first, size < pairs - first ? first + size : pairs};
        const std::size_t block = block_of(range);
        std::size_t kept = 0;
        for (std::size_t at = 0; at < left; at += block) {
            const std::span<std::uint32_t> some = undecided.subspan(at, std::min(block, left - at));
            const std::size_t stay = visit(some, range);
            std::copy_n(some.data(), stay, undecided.data() + kept);
            kept += stay;
        }
        left = kept;
        if (range.end == pairs) return;
    }
}

// Takes the hits of a part. Moves the configurations without one to the beginning of `some`; returns their number.
template <class Out>
std::size_t reduce_hits(std::span<std::uint32_t> some, PairRange range, std::span<const std::uint8_t> hit,
                        std::span<const Status> status, const Out& out) {
    std::size_t kept = 0;
    for (std::size_t c = 0, count = some.size(); c < count; ++c) {
        const std::uint32_t which = some[c];
        std::uint32_t before = 0, missing = 0;
        for (; before < range.count() && hit[before * count + c] == 0; ++before)
            missing += !is_answered(status[before * count + c]);
        if (!out.unanswered.empty()) out.unanswered[which] += missing;
        if (before < range.count())
            out.pair[which] = range.first + before;
        else
            some[kept++] = which;
    }
    return kept;
}

// Takes the distances of a part. `found` has its columns; those that `out` lacks are not read.
template <class Found, class Out>
void reduce_distances(std::span<const std::uint32_t> some, PairRange range, const Found& found,
                      std::span<const Status> status, const Out& out) {
    for (std::size_t i = 0; i < some.size() * range.count(); ++i) {
        const std::uint32_t which = some[i % some.size()];
        if (!is_answered(status[i])) {
            if (!out.unanswered.empty()) ++out.unanswered[which];
            continue;
        }
        if (!(found.distance[i] < out.signed_distance[which])) continue;
        out.signed_distance[which] = found.distance[i];
        if (!out.pair.empty()) out.pair[which] = range.first + static_cast<std::uint32_t>(i / some.size());
        if (!out.normal.empty()) out.normal[which] = found.normal[i];
        if (!out.point_a.empty()) out.point_a[which] = found.point_a[i];
        if (!out.point_b.empty()) out.point_b[which] = found.point_b[i];
    }
}

}  // namespace abut::d2
