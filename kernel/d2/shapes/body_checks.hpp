// Checks of the caller's bodies in the plane.
#pragma once

#include <abut/d2/frame_2d.hpp>
#include <abut/status.hpp>

namespace abut::d2 {

// As abut::check_bodies.
CallResult check_bodies(const char* name, const Bodies& bodies);

}  // namespace abut::d2
