// Classes of results in Python, of either dimension: columns as properties, pickles.
#pragma once

#include <cstring>
#include <functional>
#include <string>
#include <string_view>

#include "results.hpp"

namespace abut::python {

// A name of numpy's, or of a record's layout (abut/_names.py).
const py::dtype& dtype(const char* name);

// How many rows a column has in a result of n pairs.
enum class Length { pairs, words, firsts, any };

inline bool is_length(Length length, std::size_t rows, std::size_t pairs) {
    const bool is_unused = rows == 0 && pairs == 0;
    switch (length) {
        case Length::pairs: return rows == pairs;
        case Length::words: return rows == (pairs + 31) / 32;
        case Length::firsts: return is_unused || rows == pairs + 1;
        case Length::any: break;
    }
    return true;
}

// A column, for pickles.
template <class Columns>
struct ColumnBytes {
    const char* name;
    std::function<py::bytes(const Columns&)> get;
    std::function<bool(Columns&, std::string_view, std::size_t pairs)>
        set;  // false for a column that the result cannot have
};

// Those of a class of results, for the life of the process.
template <class Columns>
std::vector<ColumnBytes<Columns>>& columns_of() {
    static auto* columns = new std::vector<ColumnBytes<Columns>>;
    return *columns;
}

// A column of a result as a read-and-write property.
template <class Columns, class T>
void column(py::class_<Result<Columns>, std::shared_ptr<Result<Columns>>>& result, const char* name,
            std::vector<T> Columns::*member, const char* type, std::vector<py::ssize_t> row_shape,
            const std::string& doc, Length length = Length::pairs) {
    result.def_property_readonly(
        name,
        [member, type, row_shape](const Result<Columns>& r) {
        const auto& columns = r.pool.current();
        return view_of<T>(columns.get()->*member, dtype(type), row_shape, columns);
        },
        doc.c_str());
    const auto get = [member](const Columns& columns) {
        const auto bytes = std::as_bytes(std::span(columns.*member));
        return py::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    };
    const auto set = [member, length](Columns& columns, std::string_view bytes, std::size_t pairs) {
        if (bytes.size() % sizeof(T) != 0 || !is_length(length, bytes.size() / sizeof(T), pairs)) return false;
        (columns.*member).resize(bytes.size() / sizeof(T));
        if (!bytes.empty()) std::memcpy((columns.*member).data(), bytes.data(), bytes.size());
        return true;
    };
    columns_of<Columns>().push_back({name, get, set});
}

// (number of pairs, {column: bytes}).
template <class Columns>
py::tuple state_of(const Result<Columns>& result) {
    py::dict columns;
    for (const auto& column : columns_of<Columns>()) columns[column.name] = column.get(*result.pool.current());
    return py::make_tuple(result.pairs, columns);
}

template <class Columns>
std::shared_ptr<Result<Columns>> result_from(const py::tuple& state) {
    if (state.size() != 2)
        value_error("state: a tuple of " + std::to_string(state.size()) + "; it must be (pairs, columns)");
    auto result = std::make_shared<Result<Columns>>();
    result->pairs = py::cast<std::size_t>(state[0]);
    const auto given = py::cast<py::dict>(state[1]);
    auto columns = result->pool.take();
    for (const auto& column : columns_of<Columns>()) {
        if (!given.contains(column.name)) value_error(std::string("state: the column ") + column.name + " is missing");
        const auto bytes = py::cast<py::bytes>(given[column.name]);
        if (!column.set(*columns, std::string_view(bytes), result->pairs))
            value_error(std::string("state: the column ") + column.name + " is not one of " +
                        std::to_string(result->pairs) + " pairs");
    }
    result->pool.commit(std::move(columns));
    return result;
}

// `package`: "abut", where the class is imported from.
template <class Columns>
auto define(py::module_& module, const char* name, const char* doc, const char* package = "abut") {
    py::class_<Result<Columns>, std::shared_ptr<Result<Columns>>> result(module, name, doc);
    result.def(py::init<>(), "An empty result, for the argument out of a query.");
    result.def(
        "__len__", [](const Result<Columns>& r) { return r.pairs; }, "The number of pairs.");
    result.def("__repr__", [name, package](const Result<Columns>& r) {
        return "<" + std::string(package) + "." + name + " of " + std::to_string(r.pairs) + " pairs>";
    });
    result.def(py::pickle(&state_of<Columns>, &result_from<Columns>));
    return result;
}

inline constexpr const char* kStatusDoc = "(n,) uint8: a Status for each pair.";

template <class Columns>
py::array_t<bool> hit_of(const Result<Columns>& result) {
    const auto& columns = result.pool.current();
    py::array_t<bool> hit(py::ssize_t(columns->status.size()));
    bool* to = hit.mutable_data();
    for (std::size_t i = 0; i < columns->status.size(); ++i) to[i] = columns->hit(i);
    return hit;
}

inline constexpr const char* kFaceDoc =
    "(n,) uint16: the face of the convex shape or of the compound's child, or 65535: no face, a triangle, a ray that "
    "starts inside.";
inline const char* child_doc(py::ssize_t n) {
    return n == 2 ? "(n,) uint32: the child of a compound, or the segment of a chain."
                  : "(n,) uint32: the child of a compound, or the triangle of a mesh or height field.";
}

// The results that differ only in the number of coordinates, n.
template <class Distances>
auto define_distances(py::module_& module, py::ssize_t n, const char* package = "abut") {
    const std::string vec = "(n, " + std::to_string(n) + ") float32";
    auto distances = define<Distances>(
        module, "Distances",
        R"(What NarrowPhase.distance found. Columns are views, in the order of the pairs; see Overlaps for their life.

point_b - point_a is signed_distance * normal. Normals and points are along world axes, points are relative to body A's position
(Frame.world_points adds it).)",
        package);
    column(distances, "signed_distance", &Distances::signed_distance, "float32", {},
           "(n,) float32, metres: negative where the shapes overlap.");
    column(distances, "normal", &Distances::normal, "float32", {n}, vec + ": unit, from A to B.");
    column(distances, "point_a", &Distances::point_a, "float32", {n},
           vec + ", metres: on A's surface, relative to A's position.");
    column(distances, "point_b", &Distances::point_b, "float32", {n},
           vec + ", metres: on B's surface, relative to A's position.");
    column(distances, "status", &Distances::status, "uint8", {}, kStatusDoc);
    return distances;
}

template <class Casts>
auto define_casts(py::module_& module, py::ssize_t n, const char* package = "abut") {
    const std::string vec = "(n, " + std::to_string(n) + ") float32";
    auto casts = define<Casts>(
        module, "Casts",
        R"(What NarrowPhase.cast found. Columns are views, in the order of the pairs; see Overlaps for their life.

A miss has the latest time, a signed distance of infinity, and zeros.)",
        package);
    column(casts, "bits", &Casts::bits, "uint32", {}, "(ceil(n / 32),) uint32: bit i % 32 of word i // 32 is pair i.",
           Length::words);
    column(casts, "hits", &Casts::hits, "uint32", {}, "(k,) uint32: the pairs with a hit, ascending.", Length::any);
    column(casts, "time", &Casts::time, "float64", {},
           "(n,) float64: in [0, 1]; no earlier time has a distance of the target or less.");
    column(casts, "signed_distance", &Casts::signed_distance, "float32", {}, "(n,) float32, metres, at that time.");
    column(casts, "normal", &Casts::normal, "float32", {n}, vec + ": unit, from A to B.");
    column(casts, "point_a", &Casts::point_a, "float32", {n},
           vec + ", metres: on A's surface, relative to A's position at that time.");
    column(casts, "point_b", &Casts::point_b, "float32", {n},
           vec + ", metres: on B's surface, relative to A's position at that time.");
    column(casts, "child_a", &Casts::child_a, "uint32", {}, child_doc(n));
    column(casts, "child_b", &Casts::child_b, "uint32", {}, "(n,) uint32: likewise.");
    column(casts, "status", &Casts::status, "uint8", {}, kStatusDoc);
    casts.def_property_readonly("hit", &hit_of<Casts>, "(n,) bool, made from the bits: a new array.");
    return casts;
}

template <class RayHits>
auto define_ray_hits(py::module_& module, py::ssize_t n, const char* package = "abut") {
    const std::string vec = "(n, " + std::to_string(n) + ") float32";
    auto rays = define<RayHits>(
        module, "RayHits",
        R"(What NarrowPhase.raycast found. Columns are views, in the order of the pairs; see Overlaps for their life.

A miss has fraction 1, and zeros, but for face.)",
        package);
    column(rays, "bits", &RayHits::bits, "uint32", {}, "(ceil(n / 32),) uint32: bit i % 32 of word i // 32 is pair i.",
           Length::words);
    column(rays, "hits", &RayHits::hits, "uint32", {}, "(k,) uint32: the pairs with a hit, ascending.", Length::any);
    column(rays, "fraction", &RayHits::fraction, "float64", {}, "(n,) float64: in [0, 1], of the ray's length.");
    column(rays, "point", &RayHits::point, "float32", {n},
           vec + ", metres: relative to the body's position, world axes.");
    column(rays, "normal", &RayHits::normal, "float32", {n},
           vec + (n == 2 ? ": unit, outward" : ": unit, outward, of a triangle facing the ray") +
               "; 0 if the ray starts inside.");
    column(rays, "child", &RayHits::child, "uint32", {}, child_doc(n));
    if constexpr (requires { &RayHits::face; }) column(rays, "face", &RayHits::face, "uint16", {}, kFaceDoc);
    column(rays, "inside", &RayHits::inside, "uint8", {}, "(n,) uint8: 1 if the ray starts in the solid.");
    column(rays, "status", &RayHits::status, "uint8", {}, kStatusDoc);
    rays.def_property_readonly("hit", &hit_of<RayHits>, "(n,) bool, made from the bits: a new array.");
    return rays;
}

template <class LeastDistances>
auto define_least_distances(py::module_& module, py::ssize_t n, const char* package = "abut") {
    const std::string vec = "(c, " + std::to_string(n) + ") float32";
    auto least = define<LeastDistances>(
        module, "LeastDistances",
        "What NarrowPhase.least_distance found, an element per configuration; see Overlaps for the views' life.",
        package);
    column(least, "signed_distance", &LeastDistances::signed_distance, "float32", {},
           "(c,) float32, metres: the least of all pairs, or infinity.");
    column(least, "pair", &LeastDistances::pair, "uint32", {},
           "(c,) uint32: the pair that has it, the lowest of equals, or 0xffffffff.");
    column(least, "normal", &LeastDistances::normal, "float32", {n}, vec + ": of that pair, from A to B.");
    column(least, "point_a", &LeastDistances::point_a, "float32", {n},
           vec + ", metres: on A's surface, relative to A's position.");
    column(least, "point_b", &LeastDistances::point_b, "float32", {n},
           vec + ", metres: on B's surface, relative to A's position.");
    column(least, "unanswered", &LeastDistances::unanswered, "uint32", {},
           "(c,) uint32: how many pairs have no answer.");
    return least;
}

template <class PointDistances>
auto define_point_distances(py::module_& module, py::ssize_t n, const char* package = "abut") {
    const std::string vec = "(n, " + std::to_string(n) + ") float32";
    auto points = define<PointDistances>(
        module, "PointDistances",
        "What NarrowPhase.measure found. Columns are views, in the order of the pairs; see Overlaps for their life.",
        package);
    column(points, "signed_distance", &PointDistances::signed_distance, "float32", {},
           "(n,) float32, metres: negative inside.");
    column(points, "normal", &PointDistances::normal, "float32", {n}, vec + ": unit, outward.");
    column(points, "nearest", &PointDistances::nearest, "float32", {n},
           vec + ", metres: the nearest point of the surface, relative to the body's position, world axes.");
    column(points, "child", &PointDistances::child, "uint32", {}, child_doc(n));
    column(points, "status", &PointDistances::status, "uint8", {}, kStatusDoc);
    return points;
}

}  // namespace abut::python
