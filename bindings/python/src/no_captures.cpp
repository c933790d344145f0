// Where FlatBuffers, fmt or nlohmann's JSON is not installed.
#include "queries.hpp"

namespace abut::python {

void define_captures(py::module_& module) { module.attr("has_captures") = false; }

}  // namespace abut::python
