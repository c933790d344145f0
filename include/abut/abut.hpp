// Everything of abut in one include.
#pragma once

#include <abut/allocator.hpp>
#include <abut/bounds.hpp>
#include <abut/carry_over.hpp>
#include <abut/cast.hpp>
#include <abut/compiler.hpp>
#include <abut/cooked_hull.hpp>
#include <abut/cooked_mesh.hpp>
#include <abut/executor.hpp>
#include <abut/feature_id.hpp>
#include <abut/frame.hpp>
#include <abut/heightfield.hpp>
#include <abut/isa.hpp>
#include <abut/mass_properties.hpp>
#include <abut/math.hpp>
#include <abut/narrow_phase.hpp>
#include <abut/range.hpp>
#include <abut/ray.hpp>
#include <abut/results.hpp>
#include <abut/shape_id.hpp>
#include <abut/shape_store.hpp>
#include <abut/stage_times.hpp>
#include <abut/status.hpp>
#include <abut/trace.hpp>
#include <abut/version.hpp>
#include <abut/warm_table.hpp>
