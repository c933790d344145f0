// What a pair went through in a call, for whoever looks into a wrong or a slow pair.
#pragma once

#include <cstdint>

#include <abut/compiler.hpp>

namespace abut {

// In the order in which pairs go through them; a pair may come back to an earlier one. kernel/README.md has the picture.
enum class PairState : std::uint8_t {
    children,     // a pair with a compound: answered by its children, whose states are not recorded
    direct,       // a closed form, or separating axes of boxes
    warm_search,  // GJK from the pair's cache
    search,       // GJK from the start
    resume,       // GJK of a search that took longer than its neighbours'
    depth,        // overlapping cores: separating axes
    descent,      // overlapping cores, curved: a search for the least depth, and its proof
    manifold,     // contacts
    pull,         // the points of a known depth
    exact,        // the exact path, in double
    done,         // answered; never recorded
};

// "children", "direct", ...
ABUT_API const char* to_string(PairState state);

// Column of a frame, one element per pair (Frame::traces). Each call overwrites it.
struct PairTrace {
    static constexpr std::uint8_t kMostStates = 13;

    // Rounds of GJK and steps of a descent: of the group of lanes that the pair was in, which is the pair alone where it is the call's only one.
    std::uint16_t iterations = 0;
    std::uint8_t count = 0;              // of states; none where a cache proved that the pair is still far, or where it has no answer
    PairState states[kMostStates] = {};  // in order; what comes after the last place is left out

    friend bool operator==(const PairTrace&, const PairTrace&) = default;
};
static_assert(sizeof(PairTrace) == 16);

// The state that certified the answer: the last one that is not `manifold`. `done` where no state is recorded.
ABUT_API PairState certified_by(const PairTrace& trace);

}  // namespace abut
