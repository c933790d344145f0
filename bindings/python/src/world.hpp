// Queries against a whole world in Python.
#pragma once

#include <memory>

#include "queries.hpp"
#include "query_class.hpp"

namespace abut::python {

void define_world_queries(py::class_<NarrowOf<NarrowPhase>, std::shared_ptr<NarrowOf<NarrowPhase>>>& queries);

}  // namespace abut::python
