// The library's errors and the caller's mistakes, as Python exceptions.
#pragma once

#include <string>
#include <utility>

#include <abut/status.hpp>

#include <pybind11/pybind11.h>

namespace abut::python {

namespace py = pybind11;

// abut.Error with the error's code. The GIL is held, here and below.
[[noreturn]] void raise(const Error& error);
[[noreturn]] void value_error(const std::string& message);
[[noreturn]] void type_error(const std::string& message);

inline void check(const CallResult& result) {
    if (!result) raise(result.error());
}

template <class T>
T value_of(Expected<T>&& result) {
    if (!result) raise(result.error());
    return std::move(*result);
}

// As a message shows it.
std::string text_of(py::handle thing);
std::string type_name(py::handle thing);
// A member of one of the enumerations of abut/_names.py.
py::object enumerator(const char* enumeration, unsigned value);
// A record's layout, of the same file.
py::object record_dtype(const char* name);

}  // namespace abut::python
