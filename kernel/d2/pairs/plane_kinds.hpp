// Pairs in the plane, put into canonical order and sorted by kind.
#pragma once

#include <abut/d2/frame_2d.hpp>

#include "batch/sort.hpp"

namespace abut::d2 {

// As abut::sort_pairs. Pairs with a chain or a compound are in sorted.compounds.
void sort_plane_pairs(const Frame& frame, const Kernels& kernels, const Executor& executor, SortedPairs& sorted,
                      Status* status);

}  // namespace abut::d2
