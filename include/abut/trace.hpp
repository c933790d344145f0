/// @file
/// The states of a pair in a call, to examine a wrong or a slow pair.
#pragma once

#include <cstdint>

#include <abut/compiler.hpp>

namespace abut {

/// In the order in which pairs go through them. A pair may return to an earlier one. kernel/README.md has the picture.
enum class PairState : std::uint8_t {
    children,     ///< a pair with a compound: answered by its children, whose states are not recorded
    direct,       ///< a closed form, separating axes of boxes, or likely directions of curved shapes
    warm_search,  ///< the vertices in the pair's cache, and GJK from there
    search,       ///< GJK from the start
    resume,       ///< the rest of a GJK search that took longer than those of its neighbours
    depth,        ///< overlapping cores: separating axes
    descent,      ///< overlapping curved cores: a search for the least depth, and its proof
    manifold,     ///< contacts
    pull,         ///< the points of a known depth
    exact,        ///< the exact path, in double
    done,         ///< answered; never recorded
};

/// "children", "direct", ...
ABUT_API const char* to_string(PairState state);

/// Column of a frame, one element per pair (Frame::traces). Each call overwrites it.
struct PairTrace {
    static constexpr std::uint8_t kMostStates = 13;  ///< that are recorded

    /// Rounds of GJK and steps of a descent, of the pair's group of lanes. If the pair is the only one of the call, it
    /// is alone in its group.
    std::uint16_t iterations = 0;
    /// number of states; 0 if the pair's cache has the answer, or if the pair has none
    std::uint8_t count = 0;
    PairState states[kMostStates] = {};  ///< in order; states after the last element are left out

    friend bool operator==(const PairTrace&, const PairTrace&) = default;
};
static_assert(sizeof(PairTrace) == 16);

/// The state that certified the answer: the last one except `manifold`. `done` if no state is recorded.
ABUT_API PairState certified_by(const PairTrace& trace);

}  // namespace abut
