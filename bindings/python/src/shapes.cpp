// ShapeStore: shapes are named by their ids, plain integers, as arrays hold them.
#include <cstring>

#include <abut/frame.hpp>
#include <abut/point_cloud.hpp>
#include <abut/shape_store.hpp>

#include "arrays.hpp"
#include "cooked.hpp"
#include "hulls.hpp"
#include "meshes.hpp"
#include "queries.hpp"
#include "shape_readers.hpp"

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

}  // namespace

void define_shapes(py::module_& module) {
    define_shape_views(module);
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
    define_shape_readers(store);
}

}  // namespace abut::python
