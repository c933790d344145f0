#include "frames.hpp"

#include <abut/shape_id.hpp>

#include "frame_class.hpp"

namespace abut::python {
namespace {

Bodies records_of(py::handle given, KeptColumns& kept) {
    return records_of<Space>(given, kept, "abut", "body_dtype", [](auto& field, BodyColumns& columns) {
        field("orientation", "bodies[\"orientation\"]", {'f', 4, 4}, columns.orientations);
    });
}

Column relative_pose_rows(py::handle given) {
    const py::array array = array_of(given, "relative_poses");
    if (array.dtype().kind() != 'V') return float_rows(array, "relative_poses", 7);
    if (!array.dtype().equal(record_dtype("relative_pose_dtype")))
        type_error(described(array, "relative_poses") +
                   "; it must be abut.relative_pose_dtype, or an array (n, 7) of float32");
    return records_in_place(array, "relative_poses", sizeof(RelativePose));
}

// Caches are bytes without a meaning to Python: references to objects among them would be overwritten.
Column cache_rows(py::handle given) {
    if (!py::isinstance<py::array>(given))
        type_error("caches: " + type_name(given) + "; it must be an array of abut.cache_dtype, or a WarmTable");
    const auto array = py::reinterpret_borrow<py::array>(given);
    check_writable(array, "caches");
    if (array.dtype().kind() != 'V' || py::cast<bool>(array.dtype().attr("hasobject")))
        type_error(described(array, "caches") + "; it must be of abut.cache_dtype");
    return records_in_place(array, "caches", sizeof(WarmCache));
}

Column trace_rows(py::handle given) {
    if (!py::isinstance<py::array>(given))
        type_error("traces: " + type_name(given) + "; it must be an array of abut.trace_dtype");
    const auto array = py::reinterpret_borrow<py::array>(given);
    check_writable(array, "traces");
    if (!array.dtype().equal(record_dtype("trace_dtype")))
        type_error(described(array, "traces") + "; it must be of abut.trace_dtype");
    Column rows = records_in_place(array, "traces", sizeof(PairTrace));
    if (!rows.is_packed(sizeof(PairTrace)))
        value_error(described(array, "traces") + "; the records must lie one after another");
    return rows;
}

void take_columns(Arguments& arguments, FrameArrays& made) {
    Frame& frame = made.frame;
    if (const py::handle given = arguments.keyword("margins"))
        frame.margins = made.columns.add_read("margins", float_rows(given, "margins", 0)).as<float>();
    if (const py::handle given = arguments.keyword("relative_poses"))
        frame.relative_poses = made.columns.add_read("relative_poses", relative_pose_rows(given)).as<RelativePose>();
    if (const py::handle given = arguments.keyword("traces")) {
        const Column& rows = made.columns.add_written("traces", trace_rows(given));
        frame.traces = {reinterpret_cast<PairTrace*>(rows.data), rows.count};
    }
    if (const py::handle given = arguments.keyword("caches")) {
        if (py::isinstance<Warm>(given))
            made.warm = py::cast<WarmPtr>(given);
        else
            frame.caches = made.columns.add_written("caches", cache_rows(given)).writable_as<WarmCache>();
    }
    made.columns.check_apart();
}

}  // namespace

FrameArrays::Ends::Ends(py::handle given, KeptColumns& kept) {
    if (!py::isinstance<py::list>(given) && !py::isinstance<py::tuple>(given))
        ends_.push_back(records_of(given, kept));
    else
        for (const py::handle part : py::reinterpret_borrow<py::sequence>(given))
            ends_.push_back(records_of(part, kept));
}

Bodies FrameArrays::records(py::handle given, KeptColumns& kept) { return records_of(given, kept); }

Bodies FrameArrays::bodies_of(py::handle records, Arguments& arguments, KeptColumns& kept) {
    const py::handle positions = arguments.keyword("positions"), shapes = arguments.keyword("shapes");
    const py::handle orientations = arguments.keyword("orientations"), transforms = arguments.keyword("transforms");
    if (records) {
        if (positions || shapes || orientations || transforms)
            type_error(std::string(arguments.function()) + ": bodies and columns of bodies are both given");
        return records_of(records, kept);
    }
    BodyColumns columns;
    if (shapes) columns.shapes = kept.add_read("shapes", uint_rows(shapes, "shapes", 0)).as<ShapeId>();
    if (positions) {
        bool doubles = false;
        const Column& rows = kept.add_read("positions", position_rows(positions, "positions", 3, doubles));
        if (doubles)
            columns.double_positions = rows.as<DVec3>();
        else
            columns.positions = rows.as<Vec3>();
    }
    if (orientations)
        columns.orientations = kept.add_read("orientations", float_rows(orientations, "orientations", 4)).as<Quat>();
    if (transforms)
        columns.transforms = kept.add_read("transforms", transform_rows(transforms, "transforms")).as<Mat44>();
    if (!shapes && (positions || orientations || transforms))
        type_error(std::string(arguments.function()) + ": the column shapes is missing");
    return columns;
}

void FrameArrays::take(py::handle bodies, Arguments& arguments) {
    frame.bodies = bodies_of(bodies, arguments, columns);
    take_columns(arguments, *this);
}

std::shared_ptr<FrameArrays> frame_of(Arguments& arguments) { return frame_from<FrameArrays>(arguments); }

void define_frames(py::module_& module) {
    define_frame<FrameArrays>(
        module,
        R"(Frame(store, bodies=None, pairs=None, *, positions=None, shapes=None, orientations=None, transforms=None,
      margins=None, caches=None, relative_poses=None, traces=None)

A batch: bodies and candidate pairs, checked once, for any number of calls. It keeps the arrays and reads them in place: what changes in them
counts at the next call. Every query takes a Frame or the same arguments.

bodies: structured array (n,), abut.body_dtype or any with the fields "position" (3 float32 or float64), "shape" (uint32) and "orientation"
    (4 float32: x, y, z, w). Metres. Instead of it columns:
positions: (n, 3) float32 or float64. shapes: (n,) uint32, ids of the store. orientations: (n, 4) float32, x, y, z, w.
transforms: (n, 4, 4) float32, [row, column], in place of orientations, and of positions where these are not given.
pairs: (m, 2) uint32, indices of bodies.
margins: (m,) float32, metres: the speculative margin of each pair, for collide.
caches: (m,) abut.cache_dtype, zeros at first, which the queries read and write; or a WarmTable after its begin().
relative_poses: (m, 7) float32 or (m,) abut.relative_pose_dtype: the pose of B in A's frame. The bodies then need only shapes.
traces: (m,) abut.trace_dtype, written by the queries.

caches and traces may lie in one table with what is read, but may not share its bytes: ValueError. Strided views are read in place. docs/python.md lists what is converted, which is a copy.)");
}

}  // namespace abut::python
