// What stands by leaning, and a wall whose bricks are hulls.
#pragma once

#include "scene.hpp"

namespace abut::tools {

// Three storeys of pairs of cards that lean on each other, with a card as a ceiling above each storey but the last.
Scene card_house();
// Rows of hexagonal prisms that stand, each on two of those below.
Scene prism_wall();

}  // namespace abut::tools
