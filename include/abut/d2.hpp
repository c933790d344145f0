/// @file
/// Everything of the plane.
#pragma once

#include <abut/d2/broad_phase_2d.hpp>
#include <abut/d2/cast_2d.hpp>
#include <abut/d2/configurations_2d.hpp>
#include <abut/d2/frame_2d.hpp>
#include <abut/d2/narrow_phase_2d.hpp>
#include <abut/d2/rays_2d.hpp>
#include <abut/d2/results_2d.hpp>
#include <abut/d2/shapes_2d.hpp>
#include <abut/d2/vec2.hpp>
#include <abut/d2/warm_table_2d.hpp>
