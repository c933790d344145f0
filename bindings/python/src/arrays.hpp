// The caller's arrays as columns: read where they lie, or refused with the argument's name and the value. What may be
// converted, which is a copy, is said at each function and in docs/python.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <abut/columns.hpp>
#include <abut/math.hpp>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "errors.hpp"

namespace abut::python {

// `count` rows, `stride` bytes apart, in memory that `owner` keeps.
struct Column {
    std::byte* data = nullptr;
    std::size_t count = 0, stride = 0;
    py::object owner;

    // Views do not keep the owner: none is made of a temporary, whose converted array would be gone before it is read.
    template <class T>
    Strided<T> as() const& {
        return {reinterpret_cast<const T*>(data), count, count > 1 ? stride : sizeof(T)};
    }
    template <class T>
    Strided<T> as() const&& = delete;
    template <class T>
    MutableStrided<T> writable_as() const& {
        return {reinterpret_cast<T*>(data), count, count > 1 ? stride : sizeof(T)};
    }
    template <class T>
    MutableStrided<T> writable_as() const&& = delete;
    // The rows one after another.
    bool is_packed(std::size_t row_bytes) const { return count < 2 || stride == row_bytes; }
};

// The columns of a call, each with its argument's name. Their owners are kept as long as this is.
class KeptColumns {
public:
    // The reference is valid until the next column is added.
    const Column& add_read(const char* name, Column column) { return add(name, std::move(column), false); }
    const Column& add_written(const char* name, Column column) { return add(name, std::move(column), true); }
    // An exception where a column that the library writes shares bytes with another: a call would change what it has
    // checked.
    void check_apart() const;
    // {name: array}: the caller's own array, or what it was converted to.
    py::dict arrays() const;

private:
    struct Named {
        const char* name;
        Column column;
        bool is_written;
    };

    const Column& add(const char* name, Column column, bool is_written);
    std::vector<Named> columns_;
};

// Numbers of `bytes` bytes, of numpy's kind 'f' or 'u', in rows of `items`; 0: one number per row, and no second axis.
struct Rows {
    char kind = 'f';
    std::size_t bytes = 4, items = 3;
};

// The argument's name, dtype and shape, as messages begin.
std::string described(const py::array& array, const char* name);
// An array as it is; a list or the like becomes one, which is a copy.
py::array array_of(py::handle given, const char* name);
// Whether the array's numbers are those, in this machine's byte order.
bool has_numbers(const py::dtype& dtype, char kind, std::size_t bytes);
// The rows where they lie: an exception for other numbers, another shape, rows that are not strided forwards by a
// multiple of 4 bytes.
Column rows_in_place(const py::array& array, const char* name, Rows rows);
// Rows of float32. Those of float64 and of integers are converted: a copy.
Column float_rows(py::handle given, const char* name, std::size_t items);
// Rows of uint32. Other integers are converted, a copy, and refused where they are out of range.
Column uint_rows(py::handle given, const char* name, std::size_t items);
// Positions, (n, items): float32 or float64 in place; `doubles` says which. Integers are converted: a copy.
Column position_rows(py::handle given, const char* name, std::size_t items, bool& doubles);
// Transforms, (n, 4, 4), as [row, column]: in place where columns lie one after another in memory, else a copy.
Column transform_rows(py::handle given, const char* name);
// Records of `bytes` bytes of one structured or void dtype, in place.
Column records_in_place(const py::array& array, const char* name, std::size_t bytes);
// Checks a column of records that the library writes.
void check_writable(const py::array& array, const char* name);

// One number.
float float_of(py::handle given, const char* name);
std::uint32_t uint_of(py::handle given, const char* name);
// As many numbers as `to` has: any sequence. One number stands for all where `may_be_one`.
void read_floats(py::handle given, const char* name, std::span<float> to, bool may_be_one = false);
Vec3 vec3_of(py::handle given, const char* name, bool may_be_one = false);
Quat quat_of(py::handle given, const char* name);
// Points to cook, (n, items), one after another, Vec3 or d2::Vec2: copied where they are not float32 or not packed.
Column point_rows(py::handle given, const char* name, std::size_t items);
template <class Vec = Vec3>
std::vector<Vec> points_of(py::handle given, const char* name) {
    const Column column = point_rows(given, name, sizeof(Vec) / sizeof(float));
    const auto rows = column.as<Vec>();
    std::vector<Vec> points(rows.size());
    for (std::size_t i = 0; i < points.size(); ++i) points[i] = rows[i];
    return points;
}

// An array that is a view of `data`, which `owner` keeps alive as long as the array is referenced.
template <class T>
py::array view_of(std::span<const T> data, const py::object& dtype, std::vector<py::ssize_t> row_shape,
                  std::shared_ptr<const void> owner) {
    auto* kept = new std::shared_ptr<const void>(std::move(owner));
    const py::capsule base(kept, [](void* p) { delete static_cast<std::shared_ptr<const void>*>(p); });
    const auto type = py::dtype::from_args(dtype);
    row_shape.insert(row_shape.begin(), py::ssize_t(data.size()));
    std::vector<py::ssize_t> strides(row_shape.size(), type.itemsize());
    for (std::size_t i = row_shape.size() - 1; i-- > 0;) strides[i] = strides[i + 1] * row_shape[i + 1];
    static const T nothing{};  // numpy would allocate for a null pointer
    return py::array(type, row_shape, strides, data.empty() ? &nothing : data.data(), base);
}
void make_read_only(const py::array& array);

inline py::tuple tuple_of(Vec3 v) { return py::make_tuple(v.x, v.y, v.z); }

}  // namespace abut::python
