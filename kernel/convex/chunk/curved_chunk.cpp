// A cylinder, cone or ellipsoid and anything but a custom shape.
#include "convex/chunk/curved_states.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

void run_curved(Run& run) { run_with<CurvedCore>(run); }

}  // namespace abut::ABUT_ISA_NAMESPACE
