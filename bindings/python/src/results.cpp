#include "results.hpp"

#include <cstring>
#include <functional>
#include <string_view>

#include <abut/cast.hpp>
#include <abut/configurations.hpp>
#include <abut/rays.hpp>
#include <abut/status.hpp>

#include "result_bits.hpp"

namespace abut::python {
namespace {

const py::dtype& dtype(const char* name) {
    // Each for the life of the process.
    static auto* known = new std::vector<std::pair<std::string, py::dtype>>;
    for (const auto& [known_name, type] : *known)
        if (known_name == name) return type;
    const bool is_record = std::strchr(name, '_') != nullptr;
    known->emplace_back(name, is_record ? py::dtype::from_args(record_dtype(name)) : py::dtype(name));
    return known->back().second;
}

// How many rows a column has in a result of n pairs.
enum class Length { pairs, words, firsts, any };

bool is_length(Length length, std::size_t rows, std::size_t pairs) {
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
            std::vector<T> Columns::*member, const char* type, std::vector<py::ssize_t> row_shape, const char* doc,
            Length length = Length::pairs) {
    result.def_property_readonly(
        name,
        [member, type, row_shape](const Result<Columns>& r) {
        const auto& columns = r.pool.current();
        return view_of<T>(columns.get()->*member, dtype(type), row_shape, columns);
        },
        doc);
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

template <class Columns>
auto define(py::module_& module, const char* name, const char* doc) {
    py::class_<Result<Columns>, std::shared_ptr<Result<Columns>>> result(module, name, doc);
    result.def(py::init<>(), "An empty result, for the argument out of a query.");
    result.def(
        "__len__", [](const Result<Columns>& r) { return r.pairs; }, "The number of pairs.");
    result.def("__repr__", [name](const Result<Columns>& r) {
        return "<abut." + std::string(name) + " of " + std::to_string(r.pairs) + " pairs>";
    });
    result.def(py::pickle(&state_of<Columns>, &result_from<Columns>));
    return result;
}

template <class... T>
std::string checksum(const std::vector<T>&... columns) {
    tools::Checksum sum;
    (sum.add_column(std::as_bytes(std::span(columns))), ...);
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(sum.value()));
    return text;
}

constexpr const char* kChecksumDoc =
    "The 64-bit checksum of all columns, as 16 hexadecimal digits: that of a frame in `abut replay --json` "
    "(docs/formats.md, \"The checksum\"). "
    "Equal on "
    "every machine, instruction set and number of threads.";
constexpr const char* kStatusDoc = "(n,) uint8: a Status for each pair.";

template <class Columns>
py::array_t<bool> hit_of(const Result<Columns>& result) {
    const auto& columns = result.pool.current();
    py::array_t<bool> hit(py::ssize_t(columns->status.size()));
    bool* to = hit.mutable_data();
    for (std::size_t i = 0; i < columns->status.size(); ++i) to[i] = columns->hit(i);
    return hit;
}

py::array_t<std::uint32_t> contact_pairs(const Result<Manifolds>& result) {
    const auto& columns = result.pool.current();
    py::array_t<std::uint32_t> pairs(py::ssize_t(columns->contacts.size()));
    std::uint32_t* to = pairs.mutable_data();
    // The arrays are the caller's to change: nothing is written past the end whatever the counts say.
    for (const Manifold& manifold : columns->manifolds)
        for (std::size_t i = 0; i < manifold.contact_count && manifold.first_contact + i < columns->contacts.size();
             ++i)
            to[manifold.first_contact + i] = manifold.pair;
    return pairs;
}

std::string merged_checksum(const py::iterable& parts) {
    tools::Checksum sum;
    for (const py::handle part : parts) {
        if (!py::isinstance<py::str>(part)) type_error("checksums: " + type_name(part) + "; a checksum is a str");
        const std::string text = py::cast<std::string>(part);
        std::size_t used = 0;
        unsigned long long value = 0;
        if (text.size() == 16 && text.find_first_not_of("0123456789abcdef") == std::string::npos)
            value = std::stoull(text, &used, 16);
        if (used != 16) value_error("checksums: \"" + text + "\" has not 16 hexadecimal digits");
        sum.add_long(value);
    }
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(sum.value()));
    return text;
}

}  // namespace

void define_results(py::module_& module) {
    auto overlaps = define<Overlaps>(module, "Overlaps",
                                     R"(What NarrowPhase.overlap found. Columns are views, in the order of the pairs.

An array that was handed out stays valid, and unchanged by abut, as long as it is referenced. The argument out of a query takes the memory again once
nothing refers to it.)");
    column(overlaps, "bits", &Overlaps::bits, "uint32", {},
           "(ceil(n / 32),) uint32: bit i % 32 of word i // 32 is pair i.", Length::words);
    column(overlaps, "hits", &Overlaps::hits, "uint32", {}, "(k,) uint32: the pairs that overlap, ascending.",
           Length::any);
    column(overlaps, "status", &Overlaps::status, "uint8", {}, kStatusDoc);
    overlaps.def_property_readonly("hit", &hit_of<Overlaps>, "(n,) bool, made from the bits: a new array.");
    overlaps.def(
        "checksum",
        [](const Result<Overlaps>& r) { return checksum(r.pool.current()->bits, r.pool.current()->status); },
        kChecksumDoc);

    auto distances = define<Distances>(
        module, "Distances",
        R"(What NarrowPhase.distance found. Columns are views, in the order of the pairs; see Overlaps for their life.

point_b - point_a is signed_distance * normal. Normals and points are along world axes, points are relative to body A's position
(Frame.world_points adds it).)");
    column(distances, "signed_distance", &Distances::signed_distance, "float32", {},
           "(n,) float32, metres: negative where the shapes overlap.");
    column(distances, "normal", &Distances::normal, "float32", {3}, "(n, 3) float32: unit, from A to B.");
    column(distances, "point_a", &Distances::point_a, "float32", {3},
           "(n, 3) float32, metres: on A's surface, relative to A's position.");
    column(distances, "point_b", &Distances::point_b, "float32", {3},
           "(n, 3) float32, metres: on B's surface, relative to A's position.");
    column(distances, "status", &Distances::status, "uint8", {}, kStatusDoc);
    distances.def(
        "checksum",
        [](const Result<Distances>& r) {
        const Distances& d = *r.pool.current();
        return checksum(d.signed_distance, d.normal, d.point_a, d.point_b, d.status);
        },
        kChecksumDoc);

    auto any = define<AnyOverlaps>(
        module, "AnyOverlaps",
        "What NarrowPhase.any_overlap found, an element per configuration; see Overlaps for the views' life.");
    column(any, "pair", &AnyOverlaps::pair, "uint32", {},
           "(c,) uint32: the first pair of the list that overlaps, or 0xffffffff.");
    column(any, "unanswered", &AnyOverlaps::unanswered, "uint32", {},
           "(c,) uint32: how many pairs before it have no answer.");
    any.def_property_readonly(
        "hit",
        [](const Result<AnyOverlaps>& r) {
        const auto& columns = r.pool.current();
        py::array_t<bool> hit(py::ssize_t(columns->pair.size()));
        for (std::size_t i = 0; i < columns->pair.size(); ++i) hit.mutable_data()[i] = columns->pair[i] != kNoPair;
        return hit;
        },
        "(c,) bool, a new array.");

    auto least = define<LeastDistances>(
        module, "LeastDistances",
        "What NarrowPhase.least_distance found, an element per configuration; see Overlaps for the views' life.");
    column(least, "signed_distance", &LeastDistances::signed_distance, "float32", {},
           "(c,) float32, metres: the least of all pairs, or infinity.");
    column(least, "pair", &LeastDistances::pair, "uint32", {},
           "(c,) uint32: the pair that has it, the lowest of equals, or 0xffffffff.");
    column(least, "normal", &LeastDistances::normal, "float32", {3}, "(c, 3) float32: of that pair, from A to B.");
    column(least, "point_a", &LeastDistances::point_a, "float32", {3},
           "(c, 3) float32, metres: on A's surface, relative to A's position.");
    column(least, "point_b", &LeastDistances::point_b, "float32", {3},
           "(c, 3) float32, metres: on B's surface, relative to A's position.");
    column(least, "unanswered", &LeastDistances::unanswered, "uint32", {},
           "(c,) uint32: how many pairs have no answer.");

    auto gradients = define<Gradients>(module, "Gradients",
                                       "What distance_gradients found. Columns are views, along world axes, in the "
                                       "order of the pairs; see Overlaps for their life.");
    column(gradients, "position_a", &Gradients::position_a, "float32", {3},
           "(n, 3) float32: by a translation of body A.");
    column(gradients, "rotation_a", &Gradients::rotation_a, "float32", {3},
           "(n, 3) float32, metres per radian: by a rotation of body A about its position.");
    column(gradients, "position_b", &Gradients::position_b, "float32", {3},
           "(n, 3) float32: by a translation of body B.");
    column(gradients, "rotation_b", &Gradients::rotation_b, "float32", {3},
           "(n, 3) float32, metres per radian: by a rotation of body B about its position.");

    auto manifolds = define<Manifolds>(
        module, "Manifolds",
        R"(What NarrowPhase.collide found. Columns are views, in the order of the pairs; see Overlaps for their life.

Pair i has manifolds[first_manifold[i] : first_manifold[i + 1]]: none or one, of compounds one for each pair of children in contact. A manifold has
contacts[first_contact : first_contact + contact_count], the deepest first.)");
    column(manifolds, "first_manifold", &Manifolds::first_manifold, "uint32", {}, "(n + 1,) uint32.", Length::firsts);
    column(manifolds, "manifolds", &Manifolds::manifolds, "manifold_dtype", {},
           "(k,) manifold_dtype: pair, children, normal (unit, from A to B), contacts.", Length::any);
    column(manifolds, "contacts", &Manifolds::contacts, "contact_dtype", {},
           "(c,) contact_dtype: position (metres, relative to A's position), separation (metres, negative where the "
           "surfaces overlap), feature.",
           Length::any);
    column(manifolds, "triangles", &Manifolds::triangles, "uint32", {},
           "(c,) uint32: for each contact the triangle of the mesh or height field that it is on; 0 for other shapes.",
           Length::any);
    column(manifolds, "status", &Manifolds::status, "uint8", {}, kStatusDoc);
    manifolds.def("contact_pairs", &contact_pairs, "(c,) uint32, a new array: the pair of each contact.");
    manifolds.def(
        "checksum",
        [](const Result<Manifolds>& r) {
        const Manifolds& m = *r.pool.current();
        return checksum(m.first_manifold, m.manifolds, m.contacts, m.status);
        },
        kChecksumDoc);

    auto casts = define<Casts>(
        module, "Casts",
        R"(What NarrowPhase.cast found. Columns are views, in the order of the pairs; see Overlaps for their life.

A miss has the latest time, a signed distance of infinity, and zeros.)");
    column(casts, "bits", &Casts::bits, "uint32", {}, "(ceil(n / 32),) uint32: bit i % 32 of word i // 32 is pair i.",
           Length::words);
    column(casts, "hits", &Casts::hits, "uint32", {}, "(k,) uint32: the pairs with a hit, ascending.", Length::any);
    column(casts, "time", &Casts::time, "float64", {},
           "(n,) float64: in [0, 1]; no earlier time has a distance of the target or less.");
    column(casts, "signed_distance", &Casts::signed_distance, "float32", {}, "(n,) float32, metres, at that time.");
    column(casts, "normal", &Casts::normal, "float32", {3}, "(n, 3) float32: unit, from A to B.");
    column(casts, "point_a", &Casts::point_a, "float32", {3},
           "(n, 3) float32, metres: on A's surface, relative to A's position at that time.");
    column(casts, "point_b", &Casts::point_b, "float32", {3},
           "(n, 3) float32, metres: on B's surface, relative to A's position at that time.");
    column(casts, "child_a", &Casts::child_a, "uint32", {},
           "(n,) uint32: the child of a compound, or the triangle of a mesh or height field.");
    column(casts, "child_b", &Casts::child_b, "uint32", {}, "(n,) uint32: likewise.");
    column(casts, "status", &Casts::status, "uint8", {}, kStatusDoc);
    casts.def_property_readonly("hit", &hit_of<Casts>, "(n,) bool, made from the bits: a new array.");

    auto rays = define<RayHits>(
        module, "RayHits",
        R"(What NarrowPhase.raycast found. Columns are views, in the order of the pairs; see Overlaps for their life.

A miss has fraction 1, and zeros.)");
    column(rays, "bits", &RayHits::bits, "uint32", {}, "(ceil(n / 32),) uint32: bit i % 32 of word i // 32 is pair i.",
           Length::words);
    column(rays, "hits", &RayHits::hits, "uint32", {}, "(k,) uint32: the pairs with a hit, ascending.", Length::any);
    column(rays, "fraction", &RayHits::fraction, "float64", {}, "(n,) float64: in [0, 1], of the ray's length.");
    column(rays, "point", &RayHits::point, "float32", {3},
           "(n, 3) float32, metres: relative to the body's position, world axes.");
    column(rays, "normal", &RayHits::normal, "float32", {3},
           "(n, 3) float32: unit, outward, of a triangle facing the ray; 0 if the ray starts inside.");
    column(rays, "child", &RayHits::child, "uint32", {},
           "(n,) uint32: the child of a compound, or the triangle of a mesh or height field.");
    column(rays, "inside", &RayHits::inside, "uint8", {}, "(n,) uint8: 1 if the ray starts in the solid.");
    column(rays, "status", &RayHits::status, "uint8", {}, kStatusDoc);
    rays.def_property_readonly("hit", &hit_of<RayHits>, "(n,) bool, made from the bits: a new array.");

    auto points = define<PointDistances>(
        module, "PointDistances",
        "What NarrowPhase.measure found. Columns are views, in the order of the pairs; see Overlaps for their life.");
    column(points, "signed_distance", &PointDistances::signed_distance, "float32", {},
           "(n,) float32, metres: negative inside.");
    column(points, "normal", &PointDistances::normal, "float32", {3}, "(n, 3) float32: unit, outward.");
    column(points, "nearest", &PointDistances::nearest, "float32", {3},
           "(n, 3) float32, metres: the nearest point of the surface, relative to the body's position, world axes.");
    column(points, "child", &PointDistances::child, "uint32", {},
           "(n,) uint32: the child of a compound, or the triangle of a mesh or height field.");
    column(points, "status", &PointDistances::status, "uint8", {}, kStatusDoc);

    module.def("merge_checksums", &merged_checksum, py::arg("checksums"),
               "One checksum over those of a capture's frames, in the order of the frames: the one that `abut replay` "
               "prints. The parts may have been found "
               "anywhere and in any order.");
}

}  // namespace abut::python
