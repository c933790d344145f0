// Shapes of the stacks of patch_checks.hpp.
#pragma once

#include "scenes/random.hpp"
#include "support/oracle/oracle.hpp"

namespace abut::test {

// A multiple of `step`, from `from` to `to` of it.
inline double on_lattice(scenes::Random& random, double step, int from, int to) {
    return step * (from + int(random.below(std::uint32_t(to - from + 1))));
}

// Boxes, prisms and frusta about the Y axis; faces lie across it.
oracle::Shape lattice_shape(scenes::Random& random);  // of a few simple sizes
oracle::Shape any_shape(scenes::Random& random);      // cylinders, too, and up to 64 corners
oracle::Shape bumpy_shape(scenes::Random& random);    // near-duplicate points on its faces and edges

oracle::Shape flat_cone(scenes::Random& random);
oracle::Shape round_shape(scenes::Random& random);  // a cylinder or cone
oracle::Shape anything(scenes::Random& random);     // capsules, too; some are rounded

}  // namespace abut::test
