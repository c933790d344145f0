// ShapeStore: shapes are named by their ids, plain integers, as arrays hold them.
#include <cstring>

#include <abut/frame.hpp>
#include <abut/point_cloud.hpp>
#include <abut/properties.hpp>
#include <abut/rays.hpp>
#include <abut/shape_store.hpp>

#include "arrays.hpp"
#include "cooked.hpp"
#include "hulls.hpp"
#include "meshes.hpp"
#include "queries.hpp"
#include "store.hpp"

namespace abut::python {
namespace {

using Id = std::uint32_t;

// None, (position,) or (position, orientation).
RelativePose pose_of(py::handle given) {
    RelativePose pose;
    if (given.is_none()) return pose;
    const bool is_list = py::isinstance<py::list>(given) || py::isinstance<py::tuple>(given);
    const std::size_t items = is_list ? py::len(given) : 0;
    if (items < 1 || items > 2) type_error("pose: " + text_of(given) + "; it must be (position, orientation)");
    const auto parts = py::reinterpret_borrow<py::sequence>(given);
    pose.position = vec3_of(parts[0], "pose[0]");
    if (items > 1) pose.orientation = quat_of(parts[1], "pose[1]");
    return pose;
}
py::tuple tuple_of_pose(const RelativePose& pose) {
    const Quat q = pose.orientation;
    return py::make_tuple(tuple_of(pose.position), py::make_tuple(q.x, q.y, q.z, q.w));
}

InstanceOptions options_of(float rounding, py::handle scale, py::handle pose) {
    return {rounding, vec3_of(scale, "scale", true), pose_of(pose)};
}

// f(store, options), where a result is a shape's id.
template <class F>
Id add(Store& store, float rounding, py::handle scale, py::handle pose, F&& f) {
    const InstanceOptions options = options_of(rounding, scale, pose);
    return value_of(store.change([&](ShapeStore& shapes) { return f(shapes, options); })).bits();
}

Id add_hull(Store& store, py::handle points, float rounding, py::handle scale, py::handle pose,
            std::uint32_t max_vertices, float tolerance, bool recognise_box) {
    if (py::isinstance<CookedHull>(points)) {
        if (max_vertices != 0 || tolerance != 0.0f || recognise_box)
            type_error("add_hull: max_vertices, tolerance and recognise_box are for points; this hull is cooked");
        const auto& hull = py::cast<const CookedHull&>(points);
        return add(store, rounding, scale, pose,
                   [&](ShapeStore& shapes, const InstanceOptions& options) { return shapes.add_hull(hull, options); });
    }
    const std::vector<Vec3> given = points_of(points, "points");
    HullOptions wanted = hull_options(max_vertices, tolerance);
    wanted.recognise_box = recognise_box;
    return add(store, rounding, scale, pose, [&](ShapeStore& shapes, const InstanceOptions& options) {
        return shapes.add_hull(given, options, wanted);
    });
}

Id add_mesh(Store& store, py::handle vertices, py::handle triangles, float rounding, py::handle scale, py::handle pose,
            bool both_sides, float weld_tolerance, py::handle user_values, bool solid) {
    if (py::isinstance<CookedMesh>(vertices)) {
        if (!triangles.is_none() || both_sides || weld_tolerance != 0.0f || !user_values.is_none() || solid)
            type_error(
                "add_mesh: triangles, both_sides, weld_tolerance, user_values and solid are for vertices; this mesh "
                "is cooked");
        const auto& mesh = py::cast<const CookedMesh&>(vertices);
        return add(store, rounding, scale, pose,
                   [&](ShapeStore& shapes, const InstanceOptions& options) { return shapes.add_mesh(mesh, options); });
    }
    if (triangles.is_none()) type_error("add_mesh: triangles are missing; a CookedMesh alone has its own");
    const GivenMesh mesh(vertices, triangles, both_sides, weld_tolerance, user_values, solid);
    return add(store, rounding, scale, pose, [&](ShapeStore& shapes, const InstanceOptions& options) {
        return shapes.add_mesh(mesh.vertices, mesh.triangles, options, mesh.options());
    });
}

// None, one number for all cells, or an array (rows - 1, columns - 1).
std::vector<std::uint8_t> cells_of(py::handle given, std::size_t rows, std::size_t columns) {
    if (given.is_none()) return {};
    const py::array array = array_of(given, "cells");
    if (array.dtype().kind() != 'i' && array.dtype().kind() != 'u')
        type_error("cells: dtype " + text_of(array.dtype()) + "; flags are integers");
    const bool is_one = array.ndim() == 0, is_each = array.ndim() == 2 && array.shape(0) + 1 == py::ssize_t(rows) &&
                                                     array.shape(1) + 1 == py::ssize_t(columns);
    if (!is_one && !is_each)
        value_error(described(array, "cells") + "; it must be one number or an array (" + std::to_string(rows - 1) +
                    ", " + std::to_string(columns - 1) + ")");
    const auto flags = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>(array);
    std::vector<std::uint8_t> cells(std::size_t(flags.size()));
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::int64_t value = flags.data()[i];
        if (value < 0 || value > 3)
            value_error("cells: " + std::to_string(value) +
                        "; flags are abut.CELL_HOLE (1) and abut.CELL_OTHER_DIAGONAL (2)");
        cells[i] = std::uint8_t(value);
    }
    return cells;
}

Id add_heightfield(Store& store, py::handle heights, float rounding, py::handle scale, py::handle pose, float spacing_x,
                   float spacing_z, bool both_sides, py::handle cells, float thickness) {
    const py::array given = array_of(heights, "heights");
    if (given.ndim() != 2 || given.shape(1) == 0)
        value_error(described(given, "heights") + "; it must be an array (rows, columns)");
    const auto columns = std::size_t(given.shape(1));
    const Column rows = float_rows(given, "heights", columns);
    std::vector<float> samples(rows.count * columns);
    for (std::size_t i = 0; i < rows.count; ++i)
        std::memcpy(&samples[i * columns], rows.data + i * rows.stride, columns * sizeof(float));
    const std::vector<std::uint8_t> flags = cells_of(cells, rows.count, columns);
    const HeightfieldOptions wanted = {spacing_x, spacing_z, both_sides ? MeshSides::both : MeshSides::front, flags,
                                       thickness};
    return add(store, rounding, scale, pose, [&](ShapeStore& shapes, const InstanceOptions& options) {
        return shapes.add_heightfield(samples, std::uint32_t(rows.count), std::uint32_t(columns), options, wanted);
    });
}

std::uint64_t user_data_of(py::handle given, const std::string& name) {
    py::detail::make_caster<std::uint64_t> caster;
    if (!caster.load(given, true))
        value_error(name + ".user_data: " + text_of(given) + "; it must be an integer in the range of uint64");
    return py::detail::cast_op<std::uint64_t>(caster);
}

std::vector<CompoundChild> children_of(py::handle given) {
    std::vector<CompoundChild> children;
    if (py::isinstance<py::array>(given)) {
        const auto array = py::reinterpret_borrow<py::array>(given);
        if (!array.dtype().equal(record_dtype("body_dtype")))
            type_error("children: dtype " + text_of(array.dtype()) +
                       "; it must be abut.body_dtype, or a list of (shape, position, orientation)");
        const Column column = records_in_place(array, "children", sizeof(Body));
        const auto rows = column.as<Body>();
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const Body body = rows[i];
            children.push_back({});
            children.back().shape = body.shape, children.back().position = body.position,
            children.back().orientation = body.orientation;
        }
        return children;
    }
    // A list or a tuple: other sequences need not tell their length.
    const auto is_list = [](py::handle thing) {
        return py::isinstance<py::list>(thing) || py::isinstance<py::tuple>(thing);
    };
    if (!is_list(given))
        type_error("children: " + type_name(given) + "; it must be a list of (shape, position, orientation)");
    for (const py::handle item : py::reinterpret_borrow<py::sequence>(given)) {
        const std::string name = "children[" + std::to_string(children.size()) + "]";
        if (!is_list(item)) type_error(name + ": " + type_name(item) + "; it must be (shape, position, orientation)");
        const auto parts = py::reinterpret_borrow<py::sequence>(item);
        if (parts.size() < 1 || parts.size() > 4)
            value_error(name + ": " + std::to_string(parts.size()) +
                        " items; it must be (shape, position, orientation, user_data)");
        CompoundChild child;
        child.shape = ShapeId::from_bits(uint_of(parts[0], (name + ".shape").c_str()));
        if (parts.size() > 1) child.position = vec3_of(parts[1], (name + ".position").c_str());
        if (parts.size() > 2) child.orientation = quat_of(parts[2], (name + ".orientation").c_str());
        if (parts.size() > 3) child.user_data = user_data_of(parts[3], name);
        children.push_back(child);
    }
    return children;
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

using StoreClass = py::class_<Store, StorePtr>;

void define_adding(StoreClass& store) {
    const auto rounding = py::arg("rounding") = 0.0f, scale = py::arg("scale") = 1.0f,
               pose = py::arg("pose") = py::none();
    const auto keywords = py::kw_only();
    store
        .def(
            "add_sphere",
            [](Store& s, float radius, float round, py::handle by, py::handle at) {
        return add(s, round, by, at,
                   [&](ShapeStore& shapes, const InstanceOptions& o) { return shapes.add_sphere(radius, o); });
            },
            py::arg("radius"), keywords, rounding, scale, pose,
            "Adds a sphere and returns its id. Metres, as everywhere. pose, here and below: (position, orientation) of "
            "the shape in its body's "
            "frame, the "
            "orientation of which may be left out.")
        .def(
            "add_capsule",
            [](Store& s, float radius, float half_height, float round, py::handle by, py::handle at) {
        return add(s, round, by, at, [&](ShapeStore& shapes, const InstanceOptions& o) {
            return shapes.add_capsule(radius, half_height, o);
        });
            },
            py::arg("radius"), py::arg("half_height"), keywords, rounding, scale, pose,
            "Adds a capsule along local Y and returns its id. half_height is half the segment, without the caps.")
        .def(
            "add_box",
            [](Store& s, py::handle half_extents, float round, py::handle by, py::handle at) {
        const Vec3 half = vec3_of(half_extents, "half_extents");
        return add(s, round, by, at,
                   [&](ShapeStore& shapes, const InstanceOptions& o) { return shapes.add_box(half, o); });
            },
            py::arg("half_extents"), keywords, rounding, scale, pose, "Adds a box and returns its id.")
        .def(
            "add_cylinder",
            [](Store& s, float radius, float half_height, float round, py::handle by, py::handle at) {
        return add(s, round, by, at, [&](ShapeStore& shapes, const InstanceOptions& o) {
            return shapes.add_cylinder(radius, half_height, o);
        });
            },
            py::arg("radius"), py::arg("half_height"), keywords, rounding, scale, pose,
            "Adds a cylinder along local Y and returns its id.")
        .def(
            "add_cone",
            [](Store& s, float radius, float half_height, float round, py::handle by, py::handle at) {
        return add(s, round, by, at, [&](ShapeStore& shapes, const InstanceOptions& o) {
            return shapes.add_cone(radius, half_height, o);
        });
            },
            py::arg("radius"), py::arg("half_height"), keywords, rounding, scale, pose,
            "Adds a cone and returns its id: the apex at +half_height on local Y, the base at -half_height.")
        .def(
            "add_ellipsoid",
            [](Store& s, py::handle radii, float round, py::handle by, py::handle at) {
        const Vec3 r = vec3_of(radii, "radii");
        return add(s, round, by, at,
                   [&](ShapeStore& shapes, const InstanceOptions& o) { return shapes.add_ellipsoid(r, o); });
            },
            py::arg("radii"), keywords, rounding, scale, pose, "Adds an ellipsoid and returns its id.")
        .def(
            "add_halfspace",
            [](Store& s, py::handle normal, float offset, float round, py::handle by, py::handle at) {
        const Vec3 n = vec3_of(normal, "normal");
        return add(s, round, by, at,
                   [&](ShapeStore& shapes, const InstanceOptions& o) { return shapes.add_halfspace(n, offset, o); });
            },
            py::arg("normal"), py::arg("offset") = 0.0f, keywords, rounding, scale, pose,
            "Adds a half-space, solid where normal . x <= offset in the local frame, and returns its id.")
        .def("add_hull", &add_hull, py::arg("points"), keywords, rounding, scale, pose, py::arg("max_vertices") = 0,
             py::arg("tolerance") = 0.0f, py::arg("recognise_box") = false,
             "Adds the convex hull of points, (n, 3), or a CookedHull, and returns its id. max_vertices and tolerance "
             "are those of cook_hull. "
             "recognise_box: points that are the corners of a box about the origin, along the local axes, make a box, "
             "which is faster. The "
             "GIL is "
             "released while the hull is cooked; the store waits: cook_hull on several threads does not.")
        .def("add_mesh", &add_mesh, py::arg("vertices"), py::arg("triangles") = py::none(), keywords, rounding, scale,
             pose, py::arg("both_sides") = false, py::arg("weld_tolerance") = 0.0f, py::arg("user_values") = py::none(),
             py::arg("solid") = false,
             "Adds a surface of triangles, or a CookedMesh, and returns its id. vertices: (n, 3). triangles: (t, 3) "
             "indices, counter-clockwise seen "
             "from "
             "the front, the side that bodies collide with. user_values: (t,), a number of the caller's for each "
             "triangle. solid: the mesh, which is closed, bounds a solid: a body with its centre inside overlaps it "
             "and is "
             "pushed out. A mesh has no contacts "
             "against another mesh, is no child of a compound and has no mass. The GIL is released while it is cooked.")
        .def("add_heightfield", &add_heightfield, py::arg("heights"), keywords, rounding, scale, pose,
             py::arg("spacing_x") = 1.0f, py::arg("spacing_z") = 1.0f, py::arg("both_sides") = false,
             py::arg("cells") = py::none(), py::arg("thickness") = 0.0f,
             "Adds a height field and returns its id. heights: (rows, columns), NaN for a hole; sample (r, c) is at (c "
             "* spacing_x, height, r * "
             "spacing_z). cells: flags, (rows - 1, columns - 1) or one number for all cells: CELL_HOLE, and "
             "CELL_OTHER_DIAGONAL for the triangles "
             "(r,c) (r+1,c) (r,c+1) and (r+1,c) (r+1,c+1) (r,c+1). thickness: metres; what is so far below the "
             "triangles is "
             "solid. Otherwise like the mesh of its triangles.")
        .def(
            "add_compound",
            [](Store& s, py::handle children, float round, py::handle by, py::handle at) {
        const std::vector<CompoundChild> parts = children_of(children);
        return add(s, round, by, at,
                   [&](ShapeStore& shapes, const InstanceOptions& o) { return shapes.add_compound(parts, o); });
            },
            py::arg("children"), keywords, rounding, scale, pose,
            "Adds several convex shapes as one rigid body and returns its id. children: a list of (shape, position, "
            "orientation, user_data), of "
            "which the last three may be left out, or an array of body_dtype, in the compound's frame.")
        .def(
            "add_point_cloud",
            [](Store& s, py::handle points, float radius, float round, py::handle by, py::handle at) {
        const std::vector<Vec3> given = points_of(points, "points");
        return add(s, round, by, at, [&](ShapeStore& shapes, const InstanceOptions& o) {
            return add_point_cloud(shapes, given, radius, o);
        });
            },
            py::arg("points"), py::arg("radius"), keywords, rounding, scale, pose,
            "Adds balls of one radius about points, (n, 3), and returns the id: the compound of these spheres, in "
            "which "
            "any_overlap and least_distance find the near ones fast. For what a depth camera or a lidar sees.")
        .def(
            "add_instance",
            [](Store& s, Id original, float round, py::handle by, py::handle at) {
        return add(s, round, by, at, [&](ShapeStore& shapes, const InstanceOptions& o) {
            return shapes.add_instance(ShapeId::from_bits(original), o);
        });
            },
            py::arg("original"), keywords, rounding, scale, pose,
            "Adds another instance of the geometry of `original`, with a rounding, scale and pose of its own.")
        .def(
            "set_instance",
            [](Store& s, Id id, float round, py::handle by, py::handle at) {
        const InstanceOptions o = options_of(round, by, at);
        check(s.change([&](ShapeStore& shapes) { return shapes.set_instance(ShapeId::from_bits(id), o); }));
            },
            py::arg("shape"), keywords, rounding, scale, pose,
            "Gives a living shape another rounding, scale and pose in place: all are set. On an error nothing "
            "changes.");
}

void define_reading(StoreClass& store) {
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

}  // namespace

void define_shapes(py::module_& module) {
    define_heightfields(module);
    define_views(module);
    StoreClass store(
        module, "ShapeStore",
        R"(Every shape of a world, checked and cooked once. A shape is named by its id, an integer, in arrays a uint32.

Lengths are metres, finite and 0 or more. rounding sweeps a shape by a sphere of this radius. scale is one number, or three along the local axes, which boxes,
hulls and ellipsoids may have. Errors name the field and its value. Any number of threads may read a store and query with it; a change waits for them. It can be copied (copy.deepcopy) and pickled: ids stay what they are.
Shapes of your own by their support functions are for C++ (include/abut/custom_shape.hpp).)");
    store.def(py::init([](bool share_equal) {
                  auto made = std::make_shared<Store>();
                  if (share_equal) check(made->change([](ShapeStore& shapes) { return shapes.share_equal(); }));
                  return made;
              }),
              py::kw_only(), py::arg("share_equal") = false,
              "share_equal: a hull, mesh or height field that is added and is equal to one of the store shares its "
              "memory; its id, scale, rounding, "
              "pose and user data are its own, answers are the same.");
    define_adding(store);
    define_reading(store);
}

}  // namespace abut::python
