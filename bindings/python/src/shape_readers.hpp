#pragma once

#include "store.hpp"

namespace abut::python {

using StoreClass = py::class_<Store, StorePtr>;

void define_shape_views(py::module_& module);
void define_shape_readers(StoreClass& store);

}  // namespace abut::python
