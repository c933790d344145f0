// What a store tells of its shapes: views, geometry as arrays, mass, bytes.
#include "shape_readers.hpp"

#include <abut/frame.hpp>
#include <abut/properties.hpp>
#include <abut/rays.hpp>

#include "arrays.hpp"
#include "cooked.hpp"
#include "queries.hpp"

namespace abut::python {
namespace {

using Id = std::uint32_t;

py::tuple tuple_of_pose(const RelativePose& pose) {
    const Quat q = pose.orientation;
    return py::make_tuple(tuple_of(pose.position), py::make_tuple(q.x, q.y, q.z, q.w));
}

py::array hull_vertices(const Store& store, Id id) {
    auto vertices = std::make_shared<std::vector<Vec3>>(store.read([&](const ShapeStore& shapes) {
        std::vector<Vec3> all(shapes.view(ShapeId::from_bits(id)).hull.vertices);
        all.resize(shapes.hull_vertices(ShapeId::from_bits(id), all));
        return all;
    }));
    return view_of<Vec3>(*vertices, py::dtype("float32"), {3}, vertices);
}

py::array mesh_vertices(const Store& store, Id id) {
    auto vertices = std::make_shared<std::vector<Vec3>>(store.read([&](const ShapeStore& shapes) {
        std::vector<Vec3> all(shapes.view(ShapeId::from_bits(id)).mesh.vertices);
        all.resize(shapes.mesh_vertices(ShapeId::from_bits(id), all));
        return all;
    }));
    return view_of<Vec3>(*vertices, py::dtype("float32"), {3}, vertices);
}

py::array mesh_triangles(const Store& store, Id id) {
    auto triangles = std::make_shared<std::vector<MeshTriangle>>(store.read([&](const ShapeStore& shapes) {
        std::vector<MeshTriangle> all(shapes.view(ShapeId::from_bits(id)).mesh.input_triangles);
        all.resize(shapes.mesh_triangles(ShapeId::from_bits(id), all));
        return all;
    }));
    return view_of<MeshTriangle>(*triangles, py::dtype("uint32"), {3}, triangles);
}

py::array field_heights(const Store& store, Id id) {
    std::uint32_t rows = 0, columns = 0;
    auto heights = std::make_shared<std::vector<float>>(store.read([&](const ShapeStore& shapes) {
        const HeightfieldReport report = shapes.view(ShapeId::from_bits(id)).heightfield;
        rows = report.rows, columns = report.columns;
        std::vector<float> all(std::size_t(rows) * columns);
        all.resize(shapes.field_heights(ShapeId::from_bits(id), all));
        return all;
    }));
    return py::array(view_of<float>(*heights, py::dtype("float32"), {}, heights).attr("reshape")(rows, columns));
}

py::array field_cells(const Store& store, Id id) {
    std::uint32_t rows = 0, columns = 0;
    auto cells = std::make_shared<std::vector<std::uint8_t>>(store.read([&](const ShapeStore& shapes) {
        const HeightfieldReport report = shapes.view(ShapeId::from_bits(id)).heightfield;
        if (report.rows > 0) rows = report.rows - 1, columns = report.columns - 1;
        std::vector<std::uint8_t> all(std::size_t(rows) * columns);
        all.resize(shapes.field_cells(ShapeId::from_bits(id), all));
        return all;
    }));
    return py::array(view_of<std::uint8_t>(*cells, py::dtype("uint8"), {}, cells).attr("reshape")(rows, columns));
}

struct Faces {
    std::vector<Vec3> normals;
    std::vector<float> offsets;
    std::vector<std::uint32_t> first_corner;
    std::vector<std::uint16_t> corners;
};

std::shared_ptr<Faces> hull_faces(const Store& store, Id id, bool apply_scale) {
    auto made = std::make_shared<Faces>();
    store.read([&](const ShapeStore& shapes) {
        const ShapeView view = shapes.view(ShapeId::from_bits(id));
        made->first_corner.push_back(0);
        for (std::uint32_t i = 0; i < view.hull.faces; ++i) {
            const HullFace face = shapes.hull_face(ShapeId::from_bits(id), i);
            const HullFace plane = apply_scale ? scaled(face, view.scale) : face;
            made->normals.push_back(plane.normal);
            made->offsets.push_back(plane.offset);
            made->corners.insert(made->corners.end(), face.corners.begin(), face.corners.end());
            made->first_corner.push_back(std::uint32_t(made->corners.size()));
        }
        return 0;
    });
    return made;
}

py::array hull_edges(const Store& store, Id id) {
    static_assert(sizeof(HullEdge) == 8);
    auto edges = std::make_shared<std::vector<HullEdge>>(store.read([&](const ShapeStore& shapes) {
        const auto all = shapes.hull_edges(ShapeId::from_bits(id));
        return std::vector<HullEdge>(all.begin(), all.end());
    }));
    const auto numbers = std::span(reinterpret_cast<const std::uint16_t*>(edges->data()), edges->size() * 4);
    return py::array(view_of<std::uint16_t>(numbers, py::dtype("uint16"), {}, edges).attr("reshape")(edges->size(), 4));
}

py::array compound_children(const Store& store, Id id) {
    auto bodies = std::make_shared<std::vector<Body>>(store.read([&](const ShapeStore& shapes) {
        std::vector<CompoundChild> children(shapes.view(ShapeId::from_bits(id)).children);
        children.resize(shapes.compound_children(ShapeId::from_bits(id), children));
        std::vector<Body> all;
        for (const CompoundChild& child : children) all.push_back({child.position, child.shape, child.orientation});
        return all;
    }));
    return view_of<Body>(*bodies, record_dtype("body_dtype"), {}, bodies);
}

ShapeView view_in(const Store& store, Id id) {
    const ShapeView view = store.read([&](const ShapeStore& shapes) { return shapes.view(ShapeId::from_bits(id)); });
    if (view.kind == ShapeKind::none)
        throw py::key_error("shape: " + std::to_string(id) + " names no living shape of this store");
    return view;
}

ShapeKind kind_of(unsigned number) {
    if (number > unsigned(ShapeKind::heightfield)) value_error("kind: " + std::to_string(number) + " is no ShapeKind");
    return ShapeKind(number);
}

py::array_t<double> inertia(const MassProperties& m) {
    const double rows[9] = {m.ixx, m.ixy, m.ixz, m.ixy, m.iyy, m.iyz, m.ixz, m.iyz, m.izz};
    return py::array_t<double>({3, 3}, rows);
}

void define_heightfields(py::module_& module) {
    py::class_<HeightfieldReport>(module, "HeightfieldReport", "What cooking made of a height field.")
        .def_readonly("rows", &HeightfieldReport::rows, "Number of rows.")
        .def_readonly("columns", &HeightfieldReport::columns, "Number of columns.")
        .def_readonly("triangles", &HeightfieldReport::triangles, "Whose three samples are there.")
        .def_readonly("holes", &HeightfieldReport::holes, "Samples that are NaN.")
        .def_readonly("spacing_x", &HeightfieldReport::spacing_x, "Metres between columns.")
        .def_readonly("spacing_z", &HeightfieldReport::spacing_z, "Metres between rows.")
        .def_property_readonly(
            "both_sides", [](const HeightfieldReport& r) { return r.sides == MeshSides::both; },
            "Whether bodies collide with the backs, too.")
        .def_readonly("bytes", &HeightfieldReport::bytes, "Of memory, for all instances together.")
        .def_readonly("hole_cells", &HeightfieldReport::hole_cells, "Cells with the flag CELL_HOLE.")
        .def_readonly("other_diagonals", &HeightfieldReport::other_diagonals,
                      "Cells with the flag CELL_OTHER_DIAGONAL.")
        .def_readonly("thickness", &HeightfieldReport::thickness, "Metres below the triangles that are solid.");
    module.attr("CELL_HOLE") = unsigned(kCellHole);
    module.attr("CELL_OTHER_DIAGONAL") = unsigned(kCellOtherDiagonal);
}

void define_views(py::module_& module) {
    py::class_<ShapeView>(module, "ShapeView",
                          "A read-only look at one shape. Lengths are as they were given, before the scale, unless "
                          "they say otherwise; metres.")
        .def_property_readonly(
            "kind", [](const ShapeView& v) { return enumerator("ShapeKind", unsigned(v.kind)); }, "ShapeKind.")
        .def_readonly("radius", &ShapeView::radius, "Of a sphere, capsule, cylinder, cone; 0 otherwise.")
        .def_readonly("half_height", &ShapeView::half_height,
                      "Of a capsule (half the segment, without the caps), cylinder, cone.")
        .def_property_readonly(
            "half_extents", [](const ShapeView& v) { return tuple_of(v.half_extents); },
            "Of a box; an ellipsoid's radii.")
        .def_property_readonly(
            "normal", [](const ShapeView& v) { return tuple_of(v.normal); }, "Of a half-space.")
        .def_readonly("offset", &ShapeView::offset, "Of a half-space.")
        .def_readonly("rounding", &ShapeView::rounding, "The radius of the sphere that sweeps the shape.")
        .def_property_readonly(
            "scale", [](const ShapeView& v) { return tuple_of(v.scale); }, "Along the local axes.")
        .def_property_readonly(
            "pose", [](const ShapeView& v) { return tuple_of_pose(v.pose); },
            "(position, orientation) of the shape in its body's frame.")
        .def_readonly("size", &ShapeView::size,
                      "Half the longest side of the local bounds, scale and rounding included; 0 for a half-space.")
        .def_property_readonly(
            "bounds_min", [](const ShapeView& v) { return tuple_of(v.bounds_min); },
            "Local bounds, scale and rounding included, pose not.")
        .def_property_readonly(
            "bounds_max", [](const ShapeView& v) { return tuple_of(v.bounds_max); },
            "Local bounds, scale and rounding included, pose not.")
        .def_property_readonly(
            "hull", [](const ShapeView& v) { return HullReport(v.hull); }, "HullReport of a hull.")
        .def_property_readonly(
            "mesh", [](const ShapeView& v) { return MeshReport(v.mesh); }, "MeshReport of a mesh.")
        .def_property_readonly(
            "heightfield", [](const ShapeView& v) { return HeightfieldReport(v.heightfield); },
            "HeightfieldReport of a height field.")
        .def_readonly("children", &ShapeView::children, "Number of children of a compound.")
        .def("__repr__",
             [](const ShapeView& v) { return "<abut.ShapeView of a " + std::string(to_string(v.kind)) + ">"; });

    py::class_<Faces, std::shared_ptr<Faces>>(
        module, "HullFaces",
        "The faces of a hull, as columns. Face i has corners[first_corner[i] : first_corner[i + 1]].")
        .def_property_readonly(
            "normals",
            [](const std::shared_ptr<Faces>& f) { return view_of<Vec3>(f->normals, py::dtype("float32"), {3}, f); },
            "(f, 3) float32: unit, outward.")
        .def_property_readonly(
            "offsets",
            [](const std::shared_ptr<Faces>& f) { return view_of<float>(f->offsets, py::dtype("float32"), {}, f); },
            "(f,) float32, metres: normal . x <= offset for every vertex x, to rounding.")
        .def_property_readonly(
            "first_corner",
            [](const std::shared_ptr<Faces>& f) {
        return view_of<std::uint32_t>(f->first_corner, py::dtype("uint32"), {}, f);
            },
            "(f + 1,) uint32.")
        .def_property_readonly(
            "corners",
            [](const std::shared_ptr<Faces>& f) {
        return view_of<std::uint16_t>(f->corners, py::dtype("uint16"), {}, f);
            },
            "(c,) uint16: vertex indices, counter-clockwise seen from outside.")
        .def("__len__", [](const Faces& f) { return f.offsets.size(); });

    py::class_<MassProperties>(module, "MassProperties", "Mass, centre and inertia of a shape.")
        .def_readonly("volume", &MassProperties::volume, "Cubic metres.")
        .def_readonly("mass", &MassProperties::mass, "Density times volume.")
        .def_property_readonly(
            "centre", [](const MassProperties& m) { return py::make_tuple(m.centre[0], m.centre[1], m.centre[2]); },
            "Of mass, in the body's frame, metres.")
        .def_property_readonly("inertia", &inertia,
                               "(3, 3) float64: about the centre, along the axes of the body's frame.")
        .def("__repr__", [](const MassProperties& m) {
            return "<abut.MassProperties: volume " + text_of(py::float_(m.volume)) + ">";
        });
    module.def(
        "axis_between",
        [](py::handle bottom, py::handle top) {
        const ShapeAxis axis = axis_between(vec3_of(bottom, "bottom"), vec3_of(top, "top"));
        return py::make_tuple(axis.half_height, tuple_of_pose(axis.pose));
        },
        py::arg("bottom"), py::arg("top"),
        "(half_height, pose) of a capsule, cylinder or cone whose axis is from one point of the body's frame to "
        "another.");
    module.def(
        "mass_properties",
        [](const Store& store, Id id, double density) {
        return value_of(store.read(
            [&](const ShapeStore& shapes) { return mass_properties(shapes, ShapeId::from_bits(id), density); }));
        },
        py::arg("store"), py::arg("shape"), py::arg("density") = 1.0,
        "MassProperties of a solid shape of this density, kilograms per cubic metre; scale, rounding and pose "
        "included. Releases the GIL.");
}

py::bytes store_bytes(const Store& store) {
    const std::vector<std::byte> bytes = store.read([](const ShapeStore& shapes) {
        std::vector<std::byte> all(shapes.byte_count());
        all.resize(shapes.write(all));
        return all;
    });
    if (bytes.empty()) raise({ErrorCode::out_of_memory, "out of memory"});
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

StorePtr store_from(const py::buffer& given) { return std::make_shared<Store>(read_bytes<ShapeStore>(given)); }

}  // namespace

void define_shape_views(py::module_& module) {
    define_heightfields(module);
    define_views(module);
}

void define_shape_readers(StoreClass& store) {
    store
        .def(
            "remove",
            [](Store& s, Id id) {
        return s.change([&](ShapeStore& shapes) { return shapes.remove(ShapeId::from_bits(id)); });
            },
            py::arg("shape"), "Frees the shape. False, and nothing changes, where the id names none.")
        .def(
            "set_user_data",
            [](Store& s, Id id, std::uint64_t value) {
        return s.change([&](ShapeStore& shapes) { return shapes.set_user_data(ShapeId::from_bits(id), value); });
            },
            py::arg("shape"), py::arg("value"),
            "64 bits of the caller's own for the shape. False, and nothing changes, where the id names none.")
        .def(
            "user_data",
            [](const Store& s, Id id) {
        return s.read([&](const ShapeStore& shapes) { return shapes.user_data(ShapeId::from_bits(id)); });
            },
            py::arg("shape"), "What set_user_data gave; 0 at first, and where the id names no shape.")
        .def(
            "child_user_data",
            [](const Store& s, Id compound, std::uint32_t child) {
        return s.read(
            [&](const ShapeStore& shapes) { return shapes.child_user_data(ShapeId::from_bits(compound), child); });
            },
            py::arg("compound"), py::arg("child"),
            "The user_data of a compound's child, as manifold_dtype's child_a and child_b count them.")
        .def(
            "__contains__",
            [](const Store& s, Id id) {
        return s.read([&](const ShapeStore& shapes) { return shapes.contains(ShapeId::from_bits(id)); });
            },
            py::arg("shape"), "Whether the id names a living shape.")
        .def(
            "__len__", [](const Store& s) { return s.read([](const ShapeStore& shapes) { return shapes.size(); }); },
            "The number of living shapes.")
        .def(
            "has_inside",
            [](const Store& s, Id id) {
        return s.read([&](const ShapeStore& shapes) { return has_inside(shapes, ShapeId::from_bits(id)); });
            },
            py::arg("shape"), "Whether a shape is a mesh that is closed and whose fronts are outside.")
        .def("view", &view_in, py::arg("shape"), "ShapeView of a shape. KeyError where the id names none.")
        .def("hull_vertices", &hull_vertices, py::arg("shape"),
             "A hull's cooked vertices, (n, 3) float32, in the body's frame, unscaled and without rounding. Empty "
             "where the id names no hull.")
        .def("mesh_vertices", &mesh_vertices, py::arg("shape"),
             "A mesh's cooked vertices, (n, 3) float32, in the body's frame, unscaled. Empty where the id names no "
             "mesh.")
        .def("mesh_triangles", &mesh_triangles, py::arg("shape"),
             "A mesh's triangles by the caller's index, (t, 3) uint32: indices of mesh_vertices, zeros for those that "
             "were dropped.")
        .def(
            "triangle_user_value",
            [](const Store& s, Id id, std::uint32_t triangle) {
        return s.read(
            [&](const ShapeStore& shapes) { return shapes.triangle_user_value(ShapeId::from_bits(id), triangle); });
            },
            py::arg("shape"), py::arg("triangle"),
            "The user value of a mesh's triangle, by the caller's index; 0 if there is none.")
        .def("field_heights", &field_heights, py::arg("shape"),
             "A height field's samples, (rows, columns) float32; NaN for a hole.")
        .def("field_cells", &field_cells, py::arg("shape"),
             "The flags of a height field's cells, (rows - 1, columns - 1) uint8.")
        .def("hull_faces", &hull_faces, py::arg("shape"), py::kw_only(), py::arg("scaled") = false,
             "A hull's faces: HullFaces, of the vertices of hull_vertices; scaled: of those times the shape's scale.")
        .def("hull_edges", &hull_edges, py::arg("shape"),
             "A hull's edges, (e, 4) uint16: v0, v1 and the faces f0 on the left and f1 on the right of the way from "
             "v0 to v1, seen from outside.")
        .def("compound_children", &compound_children, py::arg("shape"),
             "A compound's children, (n,) body_dtype, in the compound's frame, its scale applied. Their shapes are ids "
             "of the compound's own.")
        .def(
            "ids_left",
            [](const Store& s, unsigned kind) {
        return s.read([&, k = kind_of(kind)](const ShapeStore& shapes) { return shapes.ids_left(k); });
            },
            py::arg("kind"), "How many ids are left for new shapes of a ShapeKind.")
        .def(
            "forget_removed", [](Store& s) { s.change([](ShapeStore& shapes) { return shapes.forget_removed(), 0; }); },
            "Makes the ids of removed shapes available again. Afterwards a stale id may name another shape of its "
            "kind.")
        .def("to_bytes", &store_bytes,
             "A snapshot of all shapes, with their ids and user data, as bytes for a file or another process. Equal on "
             "every machine.")
        .def_static("from_bytes", &store_from, py::arg("data"),
                    "From bytes of unknown origin, which are checked: Error names the first fault. Ids and answers are "
                    "those of the store that was written.")
        .def(py::pickle(&store_bytes, [](const py::bytes& bytes) { return store_from(bytes); }))
        .def("__repr__", [](const Store& s) {
            return "<abut.ShapeStore of " +
                   std::to_string(s.read([](const ShapeStore& shapes) { return shapes.size(); })) + " shapes>";
        });
}

}  // namespace abut::python
