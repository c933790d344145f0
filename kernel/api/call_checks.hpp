// Checks of the arguments of each query, before anything runs. An error names the argument and the value.
#pragma once

#include <cstddef>

#include <abut/cast.hpp>
#include <abut/configurations.hpp>
#include <abut/rays.hpp>
#include <abut/results.hpp>
#include <abut/world.hpp>

#include "batch/frame_checks.hpp"

namespace abut {

// The functions check the arguments except for the output columns. Overlap has only a frame (frame_checks.hpp).
CallResult check_arguments(const Frame& frame, const DistanceOptions& options);
CallResult check_arguments(const Frame& frame, const Motions& motions, const CastOptions& options);
CallResult check_arguments(const Frame& frame, const Rays& rays, const RayOptions& options);
CallResult check_arguments(const Frame& frame, const Points& points, const PointOptions& options);
CallResult check_arguments(const WorldBodies& world, const Rays& rays, const WorldRayOptions& options);
CallResult check_arguments(const WorldBodies& world, const Bodies& shapes, const WorldFilter& filter);
CallResult check_arguments(const WorldBodies& world, const Bodies& shapes, const Motions& motions,
                           const WorldCastOptions& options);
CallResult check_arguments(const Configurations& all, const DistanceOptions& options = {});
CallResult check_arguments(const ConfigurationPaths& paths);
CallResult check_collide(const Frame& frame);

}  // namespace abut
