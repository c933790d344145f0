#pragma once

#include <memory>

#include <abut/cooking.hpp>

#include "errors.hpp"

namespace abut::python {

using HullPtr = std::shared_ptr<CookedHull>;

HullOptions hull_options(std::uint32_t max_vertices, float tolerance);

}  // namespace abut::python
