// world_bounds and what is like it in Python, of either dimension. Arrays is FrameArrays or PlaneArrays.
#pragma once

#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <abut/properties.hpp>

#include "arguments.hpp"
#include "arrays.hpp"
#include "store.hpp"

namespace abut::python {

// The arguments (store, bodies=None, *, columns, origin, out); `arguments` may have more.
template <class Arrays>
class BoundsCall {
    using Types = typename Arrays::Types;
    using Shapes = typename Types::Shapes;

public:
    Arguments arguments;
    KeptColumns kept;
    typename Types::Bodies bodies;

    BoundsCall(const char* function, const py::args& positional, const py::kwargs& keywords)
        : arguments(function, positional, keywords) {
        const py::handle given = arguments.next("store"), records = arguments.next("bodies");
        if (!given || !py::isinstance<StoreOf<Shapes>>(given))
            type_error(std::string(function) + ": a ShapeStore is needed");
        store_ = py::cast<std::shared_ptr<StoreOf<Shapes>>>(given);
        bodies = Arrays::bodies_of(records, arguments, kept);
        read_origin(arguments.keyword("origin"));
        out_ = arguments.keyword("out");
    }
    // The array of the answer, (n, 2, 3) float32, which ask(const Shapes&, std::span<Bounds>, origin) writes. `names`:
    // of the function's other arguments.
    template <class Ask>
    py::array write(Ask ask, std::initializer_list<const char*> names = {}) {
        std::vector<const char*> known(std::begin(Arrays::kBodyArguments), std::end(Arrays::kBodyArguments));
        known.insert(known.end(), names);
        arguments.finish({"store", "origin", "out"}, known);
        const py::array array = out_array();
        const std::span<Bounds> to(static_cast<Bounds*>(const_cast<void*>(array.data())), bodies.size());
        kept.add_written("out", {reinterpret_cast<std::byte*>(to.data()), to.size(), sizeof(Bounds), array});
        kept.check_apart();
        check(store_->read([&](const Shapes& shapes) { return ask(shapes, to, origin_); }));
        return array;
    }

private:
    void read_origin(py::handle from) {
        if (!from) return;
        const auto given = py::array_t<double, py::array::forcecast>::ensure(from);
        if (!given || given.ndim() != 1 || given.size() != py::ssize_t(Types::kCoordinates))
            value_error("origin: " + text_of(from) + "; " + (Types::kCoordinates == 2 ? "two" : "three") +
                        " numbers are needed");
        double* to = &origin_.x;
        for (py::ssize_t i = 0; i < given.size(); ++i) to[i] = given.at(i);
    }
    py::array out_array() const {
        const auto count = py::ssize_t(bodies.size());
        if (!out_) return py::array_t<float>({count, py::ssize_t(2), py::ssize_t(3)});
        if (!py::isinstance<py::array>(out_))
            type_error("out: " + type_name(out_) + "; it must be an array (n, 2, 3) of float32");
        const auto array = py::reinterpret_borrow<py::array>(out_);
        const bool fits = has_numbers(array.dtype(), 'f', 4) && array.ndim() == 3 && array.shape(0) == count &&
                          array.shape(1) == 2 && array.shape(2) == 3 && (array.flags() & py::array::c_style) != 0;
        if (!fits)
            value_error("out: an array " + text_of(array.attr("shape")) + " of " + text_of(array.dtype()) +
                        "; it must be (" + std::to_string(count) + ", 2, 3) of float32, C-contiguous");
        check_writable(array, "out");
        return array;
    }

    std::shared_ptr<StoreOf<Shapes>> store_;
    typename Types::DVec origin_ = {};
    py::handle out_;
};

template <class Arrays>
py::array world_bounds_of(const py::args& positional, const py::kwargs& keywords) {
    BoundsCall<Arrays> call("world_bounds", positional, keywords);
    return call.write([&](const auto& shapes, std::span<Bounds> to, const auto& origin) {
        return world_bounds(shapes, call.bodies, to, origin);
    });
}

}  // namespace abut::python
