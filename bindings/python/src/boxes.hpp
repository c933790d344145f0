// Boxes as numpy arrays, for BroadPhase and WorldTree.
#pragma once

#include <optional>
#include <string>

#include <abut/broad_phase.hpp>

#include <pybind11/pybind11.h>

#include "arrays.hpp"

namespace abut::python {

using FloatArray = py::array_t<float, py::array::c_style | py::array::forcecast>;

// The columns of a set of boxes, and what keeps them.
struct BoxArrays {
    FloatArray bounds;
    std::optional<Column> margins, groups, masks;
    py::array_t<std::uint8_t, py::array::c_style | py::array::forcecast> moving;
    Boxes boxes;

    BoxArrays(py::handle given, const char* name) : bounds(FloatArray::ensure(given)) {
        if (!bounds || bounds.ndim() != 3 || bounds.shape(1) != 2 || bounds.shape(2) != 3) {
            PyErr_Clear();
            value_error(std::string(name) + ": " + described(array_of(given, name), name) +
                        "; it must be (n, 2, 3), as world_bounds gives it");
        }
        boxes.bounds = {reinterpret_cast<const Bounds*>(bounds.data()), std::size_t(bounds.shape(0))};
    }
    void add(float margin, const py::object& given_margins, const py::object& given_groups,
             const py::object& given_masks, const py::object& given_moving) {
        boxes.margin = margin;
        if (!given_margins.is_none())
            boxes.margins = margins.emplace(float_rows(given_margins, "margins", 0)).as<float>();
        if (!given_groups.is_none())
            boxes.groups = groups.emplace(uint_rows(given_groups, "groups", 0)).as<std::uint32_t>();
        if (!given_masks.is_none()) boxes.masks = masks.emplace(uint_rows(given_masks, "masks", 0)).as<std::uint32_t>();
        if (given_moving.is_none()) return;
        const auto truth = py::array_t<bool, py::array::c_style | py::array::forcecast>::ensure(given_moving);
        if (!truth || truth.ndim() != 1) value_error("moving: it must be one bool per box");
        moving = py::array_t<std::uint8_t, py::array::c_style | py::array::forcecast>::ensure(truth);
        boxes.moving = {moving.data(), std::size_t(moving.size())};
    }
};

}  // namespace abut::python
