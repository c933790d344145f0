// abut.d2.ShapeStore, its views, mass properties.
#include <abut/d2/shapes_2d.hpp>

#include "plane.hpp"

namespace abut::python {
namespace {

using Id = std::uint32_t;
using d2::InstanceOptions;
using d2::ShapeId;
using d2::ShapeStore;
using d2::Vec2;

Vec2 vec2_of(py::handle given, const char* name, bool may_be_one = false) {
    float v[2];
    read_floats(given, name, v, may_be_one);
    return {v[0], v[1]};
}
py::tuple tuple_of(Vec2 v) { return py::make_tuple(v.x, v.y); }

bool is_list(py::handle thing) { return py::isinstance<py::list>(thing) || py::isinstance<py::tuple>(thing); }

// None, (position,) or (position, angle).
d2::Pose pose_of(py::handle given) {
    if (given.is_none()) return {};
    const std::size_t items = is_list(given) ? py::len(given) : 0;
    if (items < 1 || items > 2) type_error("pose: " + text_of(given) + "; it must be (position, angle)");
    const auto parts = py::reinterpret_borrow<py::sequence>(given);
    return {vec2_of(parts[0], "pose[0]"),
            items > 1 ? d2::rotation_of(double(float_of(parts[1], "pose[1]"))) : d2::Rot{}};
}

std::vector<d2::CompoundChild> children_of(py::handle given) {
    if (!is_list(given))
        type_error("children: " + type_name(given) + "; it must be a list of (shape, position, angle)");
    std::vector<d2::CompoundChild> children;
    for (const py::handle item : py::reinterpret_borrow<py::sequence>(given)) {
        const std::string name = "children[" + std::to_string(children.size()) + "]";
        const std::size_t items = is_list(item) ? py::len(item) : 0;
        if (items < 1 || items > 3) type_error(name + ": " + text_of(item) + "; it must be (shape, position, angle)");
        const auto parts = py::reinterpret_borrow<py::sequence>(item);
        d2::CompoundChild child{ShapeId::from_bits(uint_of(parts[0], (name + ".shape").c_str())), {}};
        if (items > 1) child.pose.position = vec2_of(parts[1], (name + ".position").c_str());
        if (items > 2) child.pose.rotation = d2::rotation_of(double(float_of(parts[2], (name + ".angle").c_str())));
        children.push_back(child);
    }
    return children;
}

py::array corners(const PlaneStore& store, Id id) {
    auto all = std::make_shared<std::vector<Vec2>>(store.read([&](const ShapeStore& shapes) {
        std::vector<Vec2> points(shapes.view(ShapeId::from_bits(id)).corners);
        points.resize(shapes.corners(ShapeId::from_bits(id), points));
        return points;
    }));
    return view_of<Vec2>(*all, py::dtype("float32"), {2}, all);
}

py::array compound_children(const PlaneStore& store, Id id) {
    auto bodies = std::make_shared<std::vector<d2::Body>>(store.read([&](const ShapeStore& shapes) {
        std::vector<d2::CompoundChild> children(shapes.view(ShapeId::from_bits(id)).children);
        children.resize(shapes.compound_children(ShapeId::from_bits(id), children));
        std::vector<d2::Body> all;
        for (const d2::CompoundChild& c : children) all.push_back({c.pose.position, c.pose.rotation, c.shape});
        return all;
    }));
    return view_of<d2::Body>(*bodies, record_dtype("plane_body_dtype"), {}, bodies);
}

d2::ShapeView view_in(const PlaneStore& store, Id id) {
    const d2::ShapeView view =
        store.read([&](const ShapeStore& shapes) { return shapes.view(ShapeId::from_bits(id)); });
    if (view.kind == d2::ShapeKind::none)
        throw py::key_error("shape: " + std::to_string(id) + " names no living shape of this store");
    return view;
}

void define_views(py::module_& module) {
    using d2::MassProperties, d2::ShapeView;
    py::class_<ShapeView>(module, "ShapeView",
                          "A read-only look at one shape. Lengths are metres, with scale and rounding applied.")
        .def_property_readonly(
            "kind", [](const ShapeView& v) { return enumerator("PlaneShapeKind", unsigned(v.kind)); }, "ShapeKind.")
        .def_readonly("rounding", &ShapeView::rounding, "The rounding that was given.")
        .def_readonly("radius", &ShapeView::radius,
                      "Swept around the core: a circle's or capsule's own, plus the rounding.")
        .def_readonly("size", &ShapeView::size, "Half the longest side of the local bounds; 0 for half-planes.")
        .def_property_readonly(
            "bounds_min", [](const ShapeView& v) { return tuple_of(v.bounds_min); }, "In the body's frame.")
        .def_property_readonly(
            "bounds_max", [](const ShapeView& v) { return tuple_of(v.bounds_max); }, "In the body's frame.")
        .def_readonly("corners", &ShapeView::corners, "Number of corners of the core, of points of a chain.")
        .def_readonly("children", &ShapeView::children, "Number of children of a compound, of segments of a chain.")
        .def("__repr__",
             [](const ShapeView& v) { return "<abut.d2.ShapeView of a " + std::string(to_string(v.kind)) + ">"; });
    py::class_<MassProperties>(module, "MassProperties", "Mass, centre and moment of inertia of a shape.")
        .def_readonly("mass", &MassProperties::mass, "Density times area, kilograms.")
        .def_property_readonly(
            "centre", [](const MassProperties& m) { return tuple_of(m.center); },
            "Of mass, in the body's frame, metres.")
        .def_readonly("inertia", &MassProperties::inertia, "About the centre, kg m^2.")
        .def("__repr__", [](const MassProperties& m) {
            return "<abut.d2.MassProperties: mass " + text_of(py::float_(m.mass)) + ">";
        });
    module.def(
        "mass_properties",
        [](const PlaneStore& store, Id id, float density) {
        return value_of(store.read(
            [&](const ShapeStore& shapes) { return mass_properties(shapes, ShapeId::from_bits(id), density); }));
        },
        py::arg("store"), py::arg("shape"), py::arg("density") = 1.0f,
        "MassProperties of a shape of this density, kilograms per square metre; scale, rounding and pose included. "
        "Error for chains and half-planes.");
}

using StoreClass = py::class_<PlaneStore, PlaneStorePtr>;

// A method that adds a shape: read(given...) makes a callable f(ShapeStore&, options) of the arguments of Python, which
// are followed by those of every shape.
template <class... Given, class Read, class... Names>
void define_adding(StoreClass& store, const char* name, const char* doc, Read read, const Names&... names) {
    store.def(
        name,
        [read](PlaneStore& s, Given... given, float rounding, py::handle scale, py::handle pose) {
        const InstanceOptions options = {rounding, vec2_of(scale, "scale", true), pose_of(pose)};
        const auto add = read(given...);
        return value_of(s.change([&](ShapeStore& shapes) { return add(shapes, options); })).bits();
        },
        names..., py::kw_only(), py::arg("rounding") = 0.0f, py::arg("scale") = 1.0f, py::arg("pose") = py::none(),
        doc);
}

void define_adding_all(StoreClass& store) {
    using Options = const InstanceOptions&;
    define_adding<float>(
        store, "add_circle",
        "Adds a circle and returns its id. pose, here and below: (position, angle) of the shape in its body's frame.",
        [](float r) { return [=](ShapeStore& s, Options o) { return s.add_circle(r, o); }; }, py::arg("radius"));
    define_adding<float, float>(
        store, "add_capsule", "Adds a capsule along local Y. half_height is half the segment, without the caps.",
        [](float r, float h) { return [=](ShapeStore& s, Options o) { return s.add_capsule(r, h, o); }; },
        py::arg("radius"), py::arg("half_height"));
    define_adding<py::handle, py::handle, float>(
        store, "add_segment", "Adds the segment from one point to another, swept by a circle of the radius.",
        [](py::handle from, py::handle to, float r) {
        return [a = vec2_of(from, "start"), b = vec2_of(to, "end"), r](ShapeStore& s, Options o) {
            return s.add_segment(a, b, r, o);
        };
        },
        py::arg("start"), py::arg("end"), py::arg("radius") = 0.0f);
    define_adding<py::handle>(
        store, "add_box", "Adds a rectangle of these half extents along local X and Y.",
        [](py::handle half) {
        return [h = vec2_of(half, "half_extents")](ShapeStore& s, Options o) { return s.add_box(h, o); };
        },
        py::arg("half_extents"));
    define_adding<py::handle>(
        store, "add_polygon",
        "Adds the convex hull of points, (n, 2) in any order, which is exact. One point becomes a circle of radius 0, "
        "points on a line a segment.",
        [](py::handle points) {
        return [p = points_of<Vec2>(points, "points")](ShapeStore& s, Options o) { return s.add_polygon(p, o); };
        },
        py::arg("points"));
    define_adding<py::handle, float>(
        store, "add_halfplane", "Adds a half-plane, solid where normal . x <= offset in the local frame.",
        [](py::handle normal, float offset) {
        return
            [n = vec2_of(normal, "normal"), offset](ShapeStore& s, Options o) { return s.add_halfplane(n, offset, o); };
        },
        py::arg("normal"), py::arg("offset") = 0.0f);
    define_adding<py::handle, bool>(
        store, "add_chain",
        "Adds ground: segments points[i] to points[i + 1], (n, 2), and from the last point to the first if loop. Each "
        "has its front on its right: a counter-clockwise loop bounds an island, a clockwise one a hole. Segment i has "
        "the number i as a child.",
        [](py::handle points, bool loop) {
        return
            [p = points_of<Vec2>(points, "points"), loop](ShapeStore& s, Options o) { return s.add_chain(p, loop, o); };
        },
        py::arg("points"), py::arg("loop") = false);
    define_adding<py::handle>(
        store, "add_compound",
        "Adds several convex shapes as one rigid body. children: a list of (shape, position, angle), of which the last "
        "two may be left out, in the compound's frame.",
        [](py::handle children) {
        return [c = children_of(children)](ShapeStore& s, Options o) { return s.add_compound(c, o); };
        },
        py::arg("children"));
    define_adding<Id>(
        store, "add_instance", "Adds another instance of the geometry of `original`, with options of its own.",
        [](Id original) {
        return [=](ShapeStore& s, Options o) { return s.add_instance(ShapeId::from_bits(original), o); };
        },
        py::arg("original"));
}

}  // namespace

void define_plane_shapes(py::module_& module) {
    define_views(module);
    StoreClass store(
        module, "ShapeStore",
        R"(The shapes of a world in the plane, checked and cooked once. A shape is named by its id, an integer, in arrays a uint32.

Lengths are metres, finite and 0 or more, angles radians. rounding sweeps a shape by a circle of this radius. scale is one number, or two along the local axes,
which boxes, polygons and chains may have. Errors name the field and its value. Any number of threads may read a store and query with it; a change waits for them.)");
    store.def(py::init<>());
    define_adding_all(store);
    store
        .def(
            "remove",
            [](PlaneStore& s, Id id) {
        return s.change([&](ShapeStore& shapes) { return shapes.remove(ShapeId::from_bits(id)); });
            },
            py::arg("shape"), "Frees the shape. False, and nothing changes, where the id names none.")
        .def(
            "__contains__",
            [](const PlaneStore& s, Id id) {
        return s.read([&](const ShapeStore& shapes) { return shapes.contains(ShapeId::from_bits(id)); });
            },
            py::arg("shape"), "Whether the id names a living shape.")
        .def(
            "__len__",
            [](const PlaneStore& s) { return s.read([](const ShapeStore& shapes) { return shapes.size(); }); },
            "The number of living shapes.")
        .def("view", &view_in, py::arg("shape"), "ShapeView of a shape. KeyError where the id names none.")
        .def("corners", &corners, py::arg("shape"),
             "(n, 2) float32: the corners of a convex shape's core in the body's frame, or the points of a chain.")
        .def("compound_children", &compound_children, py::arg("shape"),
             "A compound's children, (n,) body_dtype, in the compound's frame, in the order of child_a and child_b.")
        .def("__repr__", [](const PlaneStore& s) {
            return "<abut.d2.ShapeStore of " +
                   std::to_string(s.read([](const ShapeStore& shapes) { return shapes.size(); })) + " shapes>";
        });
}

}  // namespace abut::python
