/// @file
/// Everything of abut in one include.
#pragma once

#include <abut/broad_phase.hpp>
#include <abut/carry_over.hpp>
#include <abut/cast.hpp>
#include <abut/compiler.hpp>
#include <abut/configurations.hpp>
#include <abut/cooking.hpp>
#include <abut/frame.hpp>
#include <abut/host.hpp>
#include <abut/kinematics.hpp>
#include <abut/math.hpp>
#include <abut/narrow_phase.hpp>
#include <abut/point_cloud.hpp>
#include <abut/properties.hpp>
#include <abut/rays.hpp>
#include <abut/results.hpp>
#include <abut/shape_id.hpp>
#include <abut/shape_store.hpp>
#include <abut/status.hpp>
#include <abut/warm_table.hpp>
#include <abut/world.hpp>
