// A custom shape and anything else.
#include "chunk/curved.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

void run_custom(Run& run) { run_with<CustomCore>(run); }

}  // namespace abut::ABUT_ISA_NAMESPACE
