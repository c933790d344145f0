// The class Frame in Python, of either dimension. Arrays is FrameArrays or PlaneArrays.
#pragma once

#include <cstring>
#include <memory>
#include <string>

#include "arguments.hpp"
#include "arrays.hpp"
#include "store.hpp"

namespace abut::python {

// Bodies of the package's body_dtype, or of the caller's own records with those fields, each a column. `package`:
// "abut", for messages; read_rotations(field, columns): field(name, name in messages, numbers, column) reads one.
template <class Types, class ReadRotations>
typename Types::Bodies records_of(py::handle given, KeptColumns& kept, const char* package, const char* dtype,
                                  ReadRotations read_rotations) {
    using Body = typename Types::Body;
    static const py::handle body = record_dtype(dtype).release();  // for the life of the process
    const py::array records = array_of(given, "bodies");
    const py::dtype type = records.dtype();
    if (type.attr("fields").is_none())
        type_error(described(records, "bodies") + "; a structured array is needed, such as one of " + package +
                   ".body_dtype");
    if (type.is(body) || type.equal(body))
        return kept.add_read("bodies", records_in_place(records, "bodies", sizeof(Body))).template as<Body>();
    if (records.ndim() != 1) value_error(described(records, "bodies") + "; its shape must be (n,)");
    const auto there = [&](const char* what) { return py::cast<bool>(type.attr("fields").attr("__contains__")(what)); };
    const auto field = [&]<class T>(const char* what, const char* name, Rows wanted, Strided<T>& to) {
        if (!there(what)) return;
        to = kept.add_read(name, rows_in_place(records.attr("__getitem__")(what), name, wanted)).template as<T>();
    };
    if (!there("shape"))
        type_error(described(records, "bodies") + "; it has no field \"shape\"; see " + package + ".body_dtype");
    typename Types::BodyColumns columns;
    field("shape", "bodies[\"shape\"]", {'u', 4, 0}, columns.shapes);
    if (there("position") && has_numbers(py::array(records.attr("__getitem__")("position")).dtype(), 'f', 8))
        field("position", "bodies[\"position\"]", {'f', 8, Types::kCoordinates}, columns.double_positions);
    else
        field("position", "bodies[\"position\"]", {'f', 4, Types::kCoordinates}, columns.positions);
    read_rotations(field, columns);
    return columns;
}

// The arguments that make a frame: (frame) or (store, bodies, pairs, **columns). `finish` is left to the caller.
template <class Arrays>
std::shared_ptr<Arrays> frame_from(Arguments& arguments) {
    using Shapes = StoreOf<typename Arrays::Types::Shapes>;
    py::handle first = arguments.next("frame");
    if (first && py::isinstance<Arrays>(first)) return py::cast<std::shared_ptr<Arrays>>(first);
    if (!first) first = arguments.keyword("store");
    if (!first) type_error(std::string(arguments.function()) + ": a Frame or a ShapeStore is needed");
    if (!py::isinstance<Shapes>(first))
        type_error(std::string(arguments.function()) + ": " + type_name(first) + " is no Frame and no ShapeStore");
    auto made = std::make_shared<Arrays>();
    made->store = py::cast<std::shared_ptr<Shapes>>(first);
    made->frame.shapes = &made->store->shapes();
    const py::handle bodies = arguments.next("bodies"), pairs = arguments.next("pairs");
    if (pairs) made->frame.pairs = made->columns.add_read("pairs", uint_rows(pairs, "pairs", 2)).template as<Pair>();
    made->take(bodies, arguments);
    if (!pairs) type_error(std::string(arguments.function()) + ": pairs are missing");
    return made;
}

// Positions of A in double, plus the points: in world space.
template <class Arrays>
py::array_t<double> world_points(const Arrays& arrays, py::handle pairs, py::handle points) {
    constexpr std::size_t kCoordinates = Arrays::Types::kCoordinates;
    const Column indices = uint_rows(pairs, "pairs", 0), given = float_rows(points, "points", kCoordinates);
    const auto of = indices.as<std::uint32_t>();
    const auto from = given.template as<typename Arrays::Types::Vec>();
    if (from.size() != of.size())
        value_error("points: " + std::to_string(from.size()) + " points for " + std::to_string(of.size()) + " pairs");
    py::array_t<double> out({py::ssize_t(of.size()), py::ssize_t(kCoordinates)});
    auto* to = out.mutable_data();
    const auto& frame = arrays.frame;
    for (std::size_t i = 0; i < of.size(); ++i) {
        if (of[i] >= frame.pairs.size())
            throw py::index_error("pairs: " + std::to_string(of[i]) + " at " + std::to_string(i) + "; the frame has " +
                                  std::to_string(frame.pairs.size()));
        const std::uint32_t a = frame.pairs[of[i]].a;
        if (a >= frame.bodies.size() || !arrays.has_position(a))
            throw py::index_error("pairs: pair " + std::to_string(of[i]) + " names body " + std::to_string(a));
        const auto point = arrays.world_point(of[i], from[i]);
        static_assert(sizeof point == kCoordinates * sizeof(double));
        std::memcpy(to + kCoordinates * i, &point, sizeof point);
    }
    return out;
}

template <class Arrays>
void define_frame(py::module_& module, const char* doc, const char* package = "abut") {
    py::class_<Arrays, std::shared_ptr<Arrays>>(module, "Frame", doc)
        .def(py::init([](const py::args& positional, const py::kwargs& keywords) {
            Arguments arguments("Frame", positional, keywords);
            auto made = frame_from<Arrays>(arguments);
            arguments.finish({}, frame_arguments(made.get()));
            return made;
        }))
        .def("__len__", [](const Arrays& arrays) { return arrays.frame.pairs.size(); })
        .def_property_readonly(
            "body_count", [](const Arrays& arrays) { return arrays.frame.bodies.size(); }, "The number of bodies.")
        .def_property_readonly(
            "pair_count", [](const Arrays& arrays) { return arrays.frame.pairs.size(); }, "The number of pairs.")
        .def_property_readonly(
            "arrays", [](const Arrays& arrays) { return arrays.columns.arrays(); },
            "{argument: array} of what the queries read and write, a new dict: the caller's own array, or the copy "
            "that was made of it. "
            "The argument is named as in messages: \"pairs\", \"bodies\", or bodies[\"position\"] of records with more "
            "fields.")
        .def("world_points", &world_points<Arrays>, py::arg("pairs"), py::arg("points"),
             "Points of results in world space, as a new array (k, coordinates) of float64: points[i], relative to "
             "body A of "
             "pair pairs[i], plus A's position.")
        .def("__repr__", [package](const Arrays& arrays) {
            return "<" + std::string(package) + ".Frame of " + std::to_string(arrays.frame.bodies.size()) +
                   " bodies and " + std::to_string(arrays.frame.pairs.size()) + " pairs>";
        });
}

}  // namespace abut::python
