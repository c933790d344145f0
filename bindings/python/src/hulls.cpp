// Hulls that are cooked without a store.
#include "hulls.hpp"

#include <vector>

#include "arrays.hpp"
#include "cooked.hpp"
#include "queries.hpp"

namespace abut::python {
namespace {

HullPtr hull_from(const py::buffer& given) { return cooked_from<CookedHull>(given); }

HullPtr cook(py::handle given, std::uint32_t max_vertices, float tolerance) {
    const std::vector<Vec3> points = points_of(given, "points");
    const auto cooked = [&] {
        const py::gil_scoped_release release;
        return cook_hull(points, hull_options(max_vertices, tolerance));
    };
    return std::make_shared<CookedHull>(value_of(cooked()));
}

std::string text_of_report(const HullReport& r) {
    return "<abut.HullReport: " + std::to_string(r.vertices) + " vertices, " + std::to_string(r.faces) + " faces, " +
           std::to_string(r.edges) + " edges, " + std::to_string(r.dropped_points) + " dropped points>";
}

}  // namespace

HullOptions hull_options(std::uint32_t max_vertices, float tolerance) {
    HullOptions options;
    options.max_vertices = max_vertices;
    options.tolerance = tolerance;
    return options;
}

void define_hulls(py::module_& module) {
    py::class_<HullReport>(module, "HullReport", "What cooking made of the points.")
        .def_readonly("vertices", &HullReport::vertices, "Number of vertices.")
        .def_readonly("faces", &HullReport::faces, "Number of faces.")
        .def_readonly("edges", &HullReport::edges, "Number of edges.")
        .def_readonly("dropped_points", &HullReport::dropped_points,
                      "Points that are no vertices: interior, duplicate, or given up for the options.")
        .def_readonly("dimension", &HullReport::dimension, "0 point, 1 segment, 2 polygon, 3 solid.")
        .def_readonly("deviation", &HullReport::deviation,
                      "Metres: no point is farther outside the hull. Unscaled, without rounding.")
        .def_readonly("overshoot", &HullReport::overshoot,
                      "Metres: the hull reaches no farther out of that of the points.")
        .def_readonly("is_box", &HullReport::is_box, "Whether the hull is a box along the local axes.")
        .def_property_readonly(
            "box_half_extents", [](const HullReport& r) { return tuple_of(r.box_half_extents); },
            "Of such a box, metres.")
        .def_property_readonly(
            "box_centre", [](const HullReport& r) { return tuple_of(r.box_centre); }, "Of such a box, metres.")
        .def("__repr__", &text_of_report);

    py::class_<CookedHull, HullPtr>(
        module, "CookedHull",
        R"(A convex hull, cooked without a store by cook_hull, for ShapeStore.add_hull. Its bytes are equal on every machine.

It can be pickled, and read from several threads.)")
        .def_property_readonly("report", &CookedHull::report, "HullReport.")
        .def_property_readonly(
            "box",
            [](const CookedHull& hull) -> py::object {
                const auto box = hull.box();
                if (!box) return py::none();
                const Quat q = box->orientation;
                return py::make_tuple(tuple_of(box->half_extents), tuple_of(box->centre),
                                      py::make_tuple(q.x, q.y, q.z, q.w));
            },
            "The box that the hull is, in any orientation: (half_extents, centre, orientation x, y, z, w), or None.")
        .def("to_bytes", &bytes_of<CookedHull>, "The hull as bytes, for a file or a network (docs/formats.md).")
        .def_static("from_bytes", &hull_from, py::arg("data"),
                    "From bytes of unknown origin, which are checked. Error names the first fault and its place.")
        .def(
            "__repr__",
            [](const CookedHull& hull) {
        return "<abut.CookedHull of " + std::to_string(hull.report().vertices) + " vertices>";
            })
        .def(py::pickle([](const CookedHull& hull) { return bytes_of(hull); },
                        [](const py::bytes& bytes) { return hull_from(bytes); }));

    module.def(
        "cook_hull", &cook, py::arg("points"), py::kw_only(), py::arg("max_vertices") = 0, py::arg("tolerance") = 0.0f,
        R"(The convex hull of points, (n, 3), metres, in the body's frame, as a CookedHull. Releases the GIL: any number of threads may cook at once.

max_vertices: at most so many, chosen so that those left out are near; 0: as many as the points make.
tolerance: metres; points this close to the hull of the rest may be dropped.)");
}

}  // namespace abut::python
