// The states of a pair on its way through a chunk.
#pragma once

#include <cstdint>

namespace abut {

// In the order in which a chunk runs them: the first that some pair waits for is the next one.
enum class State : std::uint8_t {
    direct,       // a closed form, or separating axes of boxes
    warm_search,  // GJK from the pair's cache
    search,       // GJK from the start
    resume,       // GJK of searches that took longer than their neighbours'
    depth,        // overlapping cores: separating axes
    descent,      // overlapping cores, curved: a search for the least depth, and its proof
    manifold,     // contacts
    pull,         // the points of a known depth
    exact,        // the exact path
    done,
};

}  // namespace abut
