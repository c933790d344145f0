#include "errors.hpp"

namespace abut::python {
namespace {

py::object name(const char* what) { return py::module_::import("abut._names").attr(what); }

}  // namespace

void raise(const Error& error) {
    const py::object type = name("Error");
    const py::object exception = type(py::str(error.message.c_str()), unsigned(error.code));
    PyErr_SetObject(type.ptr(), exception.ptr());
    throw py::error_already_set();
}

void value_error(const std::string& message) { throw py::value_error(message); }
void type_error(const std::string& message) { throw py::type_error(message); }

std::string text_of(py::handle thing) { return py::cast<std::string>(py::str(thing)); }
std::string type_name(py::handle thing) { return Py_TYPE(thing.ptr())->tp_name; }
py::object enumerator(const char* enumeration, unsigned value) { return name(enumeration)(value); }
py::object record_dtype(const char* what) { return name(what); }

}  // namespace abut::python
