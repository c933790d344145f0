// The frames of a page of `abut view` as bytes: what a frame shares with the one before it takes no room.
// bindings/web/src/scene/frames.ts reads them.
//
// Numbers are varints (7 bits a byte, the lowest first); differences are zigzag-coded. A frame is, one after another:
//   shapes        1 if all bodies have the shapes of the previous frame; else 0, and of each body an index into the header's shapes
//   pairs         runs, until all pairs are there: how many pairs of the previous frame are copied; if any, the difference of the first one's
//                 index from the end of the run copied last (0 at first); how many pairs follow; of each, a and b less those of the pair before
//   positions     three floats a body, then
//   orientations  four: of each number the difference of its 32 bits from those in the previous frame; plain (little-endian) in the first
//                 frame, and where the number of bodies has changed
//   margins       1 if the pairs have margins, else 0; then one float a pair, written as positions are
#pragma once

#include <string>

#include "view_scene.hpp"

namespace abut::tools {

void append_frame(std::string& out, const ViewFrame& frame, const ViewFrame& previous);

}  // namespace abut::tools
