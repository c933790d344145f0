// Compares two sorted lists of pairs in one pass.
#include <abut/broad_phase.hpp>

#include "batch/frame_checks.hpp"

namespace abut {

namespace {

std::uint64_t key_of(Pair pair) { return std::uint64_t(pair.a) << 32 | pair.b; }

}  // namespace

CallResult match_pairs(std::span<const Pair> before, std::span<const Pair> now, std::span<PreviousPair> previous) {
    if (CallResult r = check_size("match_pairs: before", before, 0, true); !r) return r;
    if (CallResult r = check_size("match_pairs: now", now, 0, true); !r) return r;
    if (CallResult r = check_size("match_pairs: previous", previous, now.size(), false); !r) return r;
    std::size_t at = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
        const std::uint64_t wanted = key_of(now[i]);
        while (at < before.size() && key_of(before[at]) < wanted) ++at;
        const bool is_there = at < before.size() && key_of(before[at]) == wanted;
        previous[i] = {is_there ? std::uint32_t(at) : kNoPair, false};
        at += is_there;
    }
    return {};
}

}  // namespace abut
