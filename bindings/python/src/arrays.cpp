#include "arrays.hpp"

namespace abut::python {
namespace {

constexpr std::size_t kAlignment = 4;  // what the library asks of addresses and strides

std::string in_words(Rows rows) {
    const std::string number = std::string(rows.kind == 'f'   ? "float"
                                           : rows.kind == 'i' ? "int"
                                                              : "uint") +
                               std::to_string(rows.bytes * 8);
    return rows.items == 0 ? "an array (n,) of " + number
                           : "an array (n, " + std::to_string(rows.items) + ") of " + number;
}

[[noreturn]] void bad_shape(const py::array& array, const char* name, Rows rows) {
    value_error(described(array, name) + "; it must be " + in_words(rows));
}

[[noreturn]] void bad_numbers(const py::array& array, const char* name, Rows rows) {
    type_error(described(array, name) + "; it must be " + in_words(rows));
}

// Address and stride of the first axis, whose items are `item_bytes` long.
Column strided(const py::array& array, const char* name, std::size_t item_bytes) {
    Column column;
    column.owner = array;
    column.count = std::size_t(array.shape(0));
    column.data = static_cast<std::byte*>(const_cast<void*>(array.data()));
    column.stride = item_bytes;
    if (column.count == 0) return column;
    if (reinterpret_cast<std::uintptr_t>(column.data) % kAlignment != 0)
        value_error(described(array, name) + "; its data is not aligned to 4 bytes; numpy.array(" + name +
                    ") makes a copy that is");
    if (column.count == 1) return column;
    const py::ssize_t stride = array.strides(0);
    if (stride < py::ssize_t(item_bytes) || stride % py::ssize_t(kAlignment) != 0)
        value_error(described(array, name) + "; rows are " + std::to_string(stride) + " bytes apart; that must be " +
                    std::to_string(item_bytes) + " or more and a multiple of 4; numpy.array(" + name +
                    ", order='C') makes such a copy");
    column.stride = std::size_t(stride);
    return column;
}

void check_inner(const py::array& array, const char* name, int axis, std::size_t bytes) {
    if (array.size() == 0 || array.shape(axis) < 2 || array.strides(axis) == py::ssize_t(bytes)) return;
    value_error(described(array, name) + "; the numbers of a row are " + std::to_string(array.strides(axis)) +
                " bytes apart; that must be " + std::to_string(bytes) + "; numpy.array(" + name +
                ", order='C') makes such a copy");
}

void check_shape(const py::array& array, const char* name, Rows rows) {
    if (array.ndim() != (rows.items == 0 ? 1 : 2)) bad_shape(array, name, rows);
    if (rows.items > 0 && std::size_t(array.shape(1)) != rows.items) bad_shape(array, name, rows);
}

bool is_integer(const py::dtype& dtype) { return dtype.kind() == 'i' || dtype.kind() == 'u'; }
bool is_real(const py::dtype& dtype) { return dtype.kind() == 'f' || is_integer(dtype); }

py::array converted(const py::array& array, const char* to) {
    return py::array(array.attr("astype")(to, py::arg("order") = "C"));
}

// A list without items has the shape (0,), whatever its rows would be.
bool is_empty_list(const py::array& array) { return array.ndim() == 1 && array.size() == 0; }

}  // namespace

std::string described(const py::array& array, const char* name) {
    return std::string(name) + ": dtype " + text_of(array.dtype()) + ", shape " + text_of(array.attr("shape"));
}

const Column& KeptColumns::add(const char* name, Column column, bool is_written) {
    columns_.push_back({name, std::move(column), is_written});
    return columns_.back().column;
}

void KeptColumns::check_apart() const {
    const auto may_meet = [](const Named& a, const Named& b) {
        const auto first = [](const Column& c) { return reinterpret_cast<std::uintptr_t>(c.data); };
        // Rows are at most a stride long.
        return a.column.count > 0 && b.column.count > 0 &&
               first(a.column) < first(b.column) + b.column.count * b.column.stride &&
               first(b.column) < first(a.column) + a.column.count * a.column.stride;
    };
    for (const Named& written : columns_)
        for (const Named& other : columns_) {
            if (!written.is_written || &written == &other || !may_meet(written, other)) continue;
            // Columns of one table may interleave: numpy compares byte by byte.
            if (py::cast<bool>(
                    py::module_::import("numpy").attr("shares_memory")(written.column.owner, other.column.owner)))
                value_error(std::string(written.name) + ": shares memory with " + other.name +
                            "; the call writes to it");
        }
}

py::dict KeptColumns::arrays() const {
    py::dict arrays;
    for (const Named& named : columns_)
        if (named.column.owner) arrays[named.name] = named.column.owner;
    return arrays;
}

py::array array_of(py::handle given, const char* name) {
    if (py::isinstance<py::array>(given)) return py::reinterpret_borrow<py::array>(given);
    if (given.is_none() || py::isinstance<py::str>(given) || py::isinstance<py::bytes>(given) ||
        py::isinstance<py::dict>(given))
        type_error(std::string(name) + ": an array is needed, not " + type_name(given));
    auto array = py::array::ensure(given);
    if (!array) type_error(std::string(name) + ": numpy makes no array of this " + type_name(given));
    return array;
}

bool has_numbers(const py::dtype& dtype, char kind, std::size_t bytes) {
    return dtype.kind() == kind && std::size_t(dtype.itemsize()) == bytes &&
           (dtype.byteorder() == '=' || dtype.byteorder() == '|');
}

Column rows_in_place(const py::array& array, const char* name, Rows rows) {
    if (rows.items > 0 && is_empty_list(array)) return {};
    if (!has_numbers(array.dtype(), rows.kind, rows.bytes)) bad_numbers(array, name, rows);
    check_shape(array, name, rows);
    if (rows.items > 0) check_inner(array, name, 1, rows.bytes);
    return strided(array, name, rows.bytes * (rows.items == 0 ? 1 : rows.items));
}

Column float_rows(py::handle given, const char* name, std::size_t items) {
    py::array array = array_of(given, name);
    const Rows rows{'f', 4, items};
    if (items > 0 && is_empty_list(array)) return {};
    if (!is_real(array.dtype())) bad_numbers(array, name, rows);
    check_shape(array, name, rows);  // before the conversion: the message has the caller's dtype
    if (!has_numbers(array.dtype(), 'f', 4)) array = converted(array, "=f4");
    return rows_in_place(array, name, rows);
}

Column uint_rows(py::handle given, const char* name, std::size_t items) {
    py::array array = array_of(given, name);
    const Rows rows{'u', 4, items};
    if (array.size() == 0 && !py::isinstance<py::array>(given)) return {};
    if (items > 0 && is_empty_list(array)) return {};
    if (!is_integer(array.dtype())) bad_numbers(array, name, rows);
    check_shape(array, name, rows);
    if (!has_numbers(array.dtype(), 'u', 4)) {
        if (array.size() > 0) {
            const py::object least = array.attr("min")(), most = array.attr("max")();
            if (least < py::int_(0)) value_error(std::string(name) + ": " + text_of(least) + " is negative");
            if (most > py::int_(0xffffffffu))
                value_error(std::string(name) + ": " + text_of(most) + " is past the range of uint32");
        }
        array = converted(array, "=u4");
    }
    return rows_in_place(array, name, rows);
}

Column position_rows(py::handle given, const char* name, std::size_t items, bool& doubles) {
    const py::array array = array_of(given, name);
    doubles = has_numbers(array.dtype(), 'f', 8);
    return doubles ? rows_in_place(array, name, {'f', 8, items}) : float_rows(array, name, items);
}

Column transform_rows(py::handle given, const char* name) {
    py::array array = array_of(given, name);
    if (is_empty_list(array)) return {};
    const std::string wanted = "; it must be an array (n, 4, 4) of float32, [row, column]";
    if (!is_real(array.dtype())) type_error(described(array, name) + wanted);
    if (array.ndim() != 3 || array.shape(1) != 4 || array.shape(2) != 4) value_error(described(array, name) + wanted);
    if (!has_numbers(array.dtype(), 'f', 4) ||
        (array.size() > 0 && (array.strides(1) != 4 || array.strides(2) != 16))) {
        const py::object columns = array.attr("transpose")(0, 2, 1);
        array = py::array(converted(py::array(columns), "=f4").attr("transpose")(0, 2, 1));
    }
    return strided(array, name, sizeof(Mat44));
}

Column records_in_place(const py::array& array, const char* name, std::size_t bytes) {
    if (array.ndim() != 1) value_error(described(array, name) + "; its shape must be (n,)");
    if (std::size_t(array.dtype().itemsize()) != bytes)
        type_error(described(array, name) + "; its items must be of " + std::to_string(bytes) + " bytes");
    return strided(array, name, bytes);
}

void check_writable(const py::array& array, const char* name) {
    if (!array.writeable()) value_error(std::string(name) + ": the array is read-only, and the call writes to it");
}

float float_of(py::handle given, const char* name) {
    const double number = py::isinstance<py::array>(given) ? -1.0 : PyFloat_AsDouble(given.ptr());
    if (py::isinstance<py::array>(given) || PyErr_Occurred()) {
        PyErr_Clear();
        type_error(std::string(name) + ": " + type_name(given) + "; it must be a number");
    }
    return float(number);
}

std::uint32_t uint_of(py::handle given, const char* name) {
    const auto index = py::reinterpret_steal<py::object>(PyNumber_Index(given.ptr()));
    const unsigned long long number = index ? PyLong_AsUnsignedLongLong(index.ptr()) : 0;
    if (PyErr_Occurred()) {
        PyErr_Clear();
        if (!index) type_error(std::string(name) + ": " + type_name(given) + "; it must be an integer");
    }
    if (number > 0xffffffffu) value_error(std::string(name) + ": " + text_of(index) + " is out of the range of uint32");
    return std::uint32_t(number);
}

void read_floats(py::handle given, const char* name, std::span<float> to, bool may_be_one) {
    constexpr const char* kWords[] = {"no", "one", "two", "three", "four"};
    if (may_be_one && PyNumber_Check(given.ptr()) && !PySequence_Check(given.ptr())) {
        const float one = float_of(given, name);
        for (float& number : to) number = one;
        return;
    }
    const Column row = float_rows(given, name, 0);
    if (row.count != to.size())
        value_error(std::string(name) + ": " + std::to_string(row.count) + " numbers; " + kWords[to.size()] +
                    " are needed");
    const auto numbers = row.as<float>();
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = numbers[i];
}

Vec3 vec3_of(py::handle given, const char* name, bool may_be_one) {
    float v[3];
    read_floats(given, name, v, may_be_one);
    return {v[0], v[1], v[2]};
}

Quat quat_of(py::handle given, const char* name) {
    float q[4];
    read_floats(given, name, q);
    return {q[0], q[1], q[2], q[3]};
}

Column point_rows(py::handle given, const char* name, std::size_t items) {
    py::array array = array_of(given, name);
    const Rows wanted{'f', 4, items};
    if (!is_empty_list(array) && is_real(array.dtype())) check_shape(array, name, wanted);
    // Any strides will do: the points are copied in any case.
    if (is_real(array.dtype())) array = converted(array, "=f4");
    return rows_in_place(array, name, wanted);
}

void make_read_only(const py::array& array) {
    py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
}

}  // namespace abut::python
