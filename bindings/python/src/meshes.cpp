// Meshes that are cooked without a store.
#include "meshes.hpp"

#include "arrays.hpp"
#include "cooked.hpp"
#include "queries.hpp"

namespace abut::python {
namespace {

MeshPtr mesh_from(const py::buffer& given) { return cooked_from<CookedMesh>(given); }

MeshPtr cook(py::handle vertices, py::handle triangles, bool both_sides, float weld_tolerance, py::handle user_values,
             bool solid) {
    const GivenMesh mesh(vertices, triangles, both_sides, weld_tolerance, user_values, solid);
    const auto cooked = [&] {
        const py::gil_scoped_release release;
        return cook_mesh(mesh.vertices, mesh.triangles, mesh.options());
    };
    return std::make_shared<CookedMesh>(value_of(cooked()));
}

void define_report(py::module_& module) {
    py::class_<MeshReport>(module, "MeshReport",
                           "What cooking made of a mesh. Edges and triangles are counted after vertices were welded.")
        .def_readonly("input_triangles", &MeshReport::input_triangles, "Number of triangles given.")
        .def_readonly("vertices", &MeshReport::vertices, "Number of vertices kept.")
        .def_readonly("triangles", &MeshReport::triangles, "Number of triangles kept.")
        .def_readonly("welded_vertices", &MeshReport::welded_vertices,
                      "Equal to an earlier one, or within the tolerance.")
        .def_readonly("unused_vertices", &MeshReport::unused_vertices, "Of no triangle that was kept.")
        .def_readonly("degenerate_triangles", &MeshReport::degenerate_triangles,
                      "Dropped: lower than 1e-6 of their longest edge.")
        .def_readonly("duplicate_triangles", &MeshReport::duplicate_triangles,
                      "Dropped: the corners of an earlier one.")
        .def_readonly("needles", &MeshReport::needles, "Kept: lower than 1e-3 of their longest edge.")
        .def_readonly("convex_edges", &MeshReport::convex_edges, "Number of convex edges.")
        .def_readonly("flat_edges", &MeshReport::flat_edges, "Number of edges between triangles of one plane.")
        .def_readonly("concave_edges", &MeshReport::concave_edges, "Number of concave edges.")
        .def_readonly("open_edges", &MeshReport::open_edges,
                      "Of one triangle, or of triangles that do not continue each other.")
        .def_readonly("nonmanifold_edges", &MeshReport::nonmanifold_edges, "Of more than two triangles.")
        .def_readonly("inconsistent_edges", &MeshReport::inconsistent_edges,
                      "Of two triangles whose fronts are on different sides.")
        .def_readonly("t_junctions", &MeshReport::t_junctions, "Vertices within an open edge that they are no end of.")
        .def_property_readonly(
            "both_sides", [](const MeshReport& r) { return r.sides == MeshSides::both; },
            "Whether bodies collide with the backs, too.")
        .def_readonly("solid", &MeshReport::solid, "Whether bodies inside overlap the mesh.")
        .def_readonly("inside_out", &MeshReport::inside_out,
                      "Closed, but its fronts are inside, so that bodies fall into it: exchange two corners of every "
                      "triangle.")
        .def_property_readonly(
            "front_area",
            [](const MeshReport& r) { return py::make_tuple(r.front_area.x, r.front_area.y, r.front_area.z); },
            "Square metres: the sum of area times front normal, (x, y, z). 0 for a closed mesh; of ground it points "
            "up.")
        .def_readonly("bytes", &MeshReport::bytes, "Of memory, for all instances together.");
}

}  // namespace

GivenMesh::GivenMesh(py::handle given_vertices, py::handle given_triangles, bool both_sides, float weld_tolerance,
                     py::handle user_values, bool solid)
    : vertices(points_of(given_vertices, "vertices")),
      sides(both_sides ? MeshSides::both : MeshSides::front),
      tolerance(weld_tolerance),
      is_solid(solid) {
    const Column rows = uint_rows(given_triangles, "triangles", 3),
                 own = user_values.is_none() ? Column() : uint_rows(user_values, "user_values", 0);
    for (std::size_t i = 0; i < rows.count; ++i) triangles.push_back(rows.as<MeshTriangle>()[i]);
    for (std::size_t i = 0; i < own.count; ++i) values.push_back(own.as<std::uint32_t>()[i]);
}

void define_meshes(py::module_& module) {
    define_report(module);
    py::class_<CookedMesh, MeshPtr>(
        module, "CookedMesh",
        R"(A triangle mesh, cooked without a store by cook_mesh, for ShapeStore.add_mesh. Its bytes are equal on every machine.

It can be pickled, and read from several threads.)")
        .def_property_readonly("report", &CookedMesh::report, "MeshReport.")
        .def("to_bytes", &bytes_of<CookedMesh>, "The mesh as bytes, for a file or a network (docs/formats.md).")
        .def_static("from_bytes", &mesh_from, py::arg("data"),
                    "From bytes of unknown origin, which are checked. Error names the first fault and its place.")
        .def(
            "__repr__",
            [](const CookedMesh& mesh) {
        return "<abut.CookedMesh of " + std::to_string(mesh.report().triangles) + " triangles>";
            })
        .def(py::pickle([](const CookedMesh& mesh) { return bytes_of(mesh); },
                        [](const py::bytes& bytes) { return mesh_from(bytes); }));

    module.def("cook_mesh", &cook, py::arg("vertices"), py::arg("triangles"), py::kw_only(),
               py::arg("both_sides") = false, py::arg("weld_tolerance") = 0.0f, py::arg("user_values") = py::none(),
               py::arg("solid") = false,
               R"(A surface of triangles as a CookedMesh. Releases the GIL: any number of threads may cook at once.

vertices: (n, 3), metres, in the body's frame. triangles: (t, 3) indices, counter-clockwise seen from the front.
both_sides: bodies collide with the backs, too.
weld_tolerance: metres; a vertex this near to an earlier one is that one.
user_values: (t,), a number of the caller's for each triangle.
solid: the mesh, which is closed, bounds a solid: a body with its centre inside overlaps it and is pushed out.)");
}

}  // namespace abut::python
