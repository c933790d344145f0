// What is cooked without a store, as bytes and back.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "arrays.hpp"
#include "errors.hpp"

namespace abut::python {

template <class Cooked>
py::bytes bytes_of(const Cooked& cooked) {
    std::vector<std::byte> bytes(cooked.byte_count());
    cooked.write(bytes);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Cooked::read of the caller's bytes, without the GIL.
template <class Cooked>
Cooked read_bytes(const py::buffer& given) {
    const py::buffer_info info = given.request();
    if (info.ndim > 1 || (info.ndim == 1 && info.shape[0] > 1 && info.strides[0] != info.itemsize))
        value_error("data: the bytes must lie one after another, along one axis");
    const std::span<const std::byte> bytes(static_cast<const std::byte*>(info.ptr),
                                           std::size_t(info.size * info.itemsize));
    const auto read = [&] {
        const py::gil_scoped_release release;
        return Cooked::read(bytes);
    };
    return value_of(read());
}

template <class Cooked>
std::shared_ptr<Cooked> cooked_from(const py::buffer& given) {
    return std::make_shared<Cooked>(read_bytes<Cooked>(given));
}

}  // namespace abut::python
