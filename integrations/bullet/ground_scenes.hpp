// Scenes of curved shapes and a compound on a half-space.
#pragma once

#include "scene.hpp"

namespace abut::tools {

Scene standing_cylinder();
// It lies on its side and rolls in a circle about its apex, until rolling friction has stopped it.
Scene rolling_cone();
Scene lying_capsules();
Scene chair();

}  // namespace abut::tools
