// abut.d2: bodies, results and queries of two dimensions.
#include "plane.hpp"

#include "bounds_class.hpp"
#include "configurations.hpp"
#include "queries.hpp"
#include "query_class.hpp"
#include "result_class.hpp"

namespace abut::python {
namespace {

constexpr const char* kPackage = "abut.d2";

d2::Bodies plane_records(py::handle given, KeptColumns& kept) {
    return records_of<Plane>(given, kept, kPackage, "plane_body_dtype", [](auto& field, d2::BodyColumns& columns) {
        field("rotation", "bodies[\"rotation\"]", {'f', 4, 2}, columns.rotations);
        field("angle", "bodies[\"angle\"]", {'f', 4, 0}, columns.angles);
    });
}

py::array_t<float> rotations_of(py::handle given) {
    const auto angles = py::array_t<double, py::array::forcecast>::ensure(given);
    if (!angles || angles.ndim() != 1) value_error("angles: " + text_of(given) + "; it must be an array (n,)");
    py::array_t<float> out({angles.shape(0), py::ssize_t(2)});
    for (py::ssize_t i = 0; i < angles.shape(0); ++i) {
        const d2::Rot r = d2::rotation_of(angles.at(i));
        out.mutable_at(i, 0) = r.c, out.mutable_at(i, 1) = r.s;
    }
    return out;
}

void define_plane_results(py::module_& module) {
    define_distances<d2::Distances>(module, 2, kPackage);
    auto manifolds = define<d2::Manifolds>(
        module, "Manifolds",
        R"(What NarrowPhase.collide found. Columns are views, in the order of the pairs; see abut.Overlaps for their life.

Pair i has manifolds[first_manifold[i] : first_manifold[i + 1]]: of convex shapes none or one. A manifold has contacts[: contact_count], the deepest first.)",
        kPackage);
    column(manifolds, "first_manifold", &d2::Manifolds::first_manifold, "uint32", {}, "(n + 1,) uint32.",
           Length::firsts);
    column(manifolds, "manifolds", &d2::Manifolds::manifolds, "plane_manifold_dtype", {},
           "(k,) manifold_dtype: pair, children, contact_count, normal (unit, from A to B), contacts (2,): position "
           "(metres, relative to A's position), separation (metres, negative where the surfaces overlap), feature.",
           Length::any);
    column(manifolds, "status", &d2::Manifolds::status, "uint8", {}, kStatusDoc);
    define_casts<d2::Casts>(module, 2, kPackage);
    define_ray_hits<d2::RayHits>(module, 2, kPackage);
    define_point_distances<d2::PointDistances>(module, 2, kPackage);
    define_least_distances<d2::LeastDistances>(module, 2, kPackage);
}

// Body i of the robot in each configuration has the shape bodies[i].
std::shared_ptr<ConfigurationsOf<Plane>> make_plane_configurations(const PlaneStorePtr& store, py::handle bodies,
                                                                   py::handle pairs, py::handle positions,
                                                                   py::handle rotations, py::handle angles,
                                                                   py::handle obstacles) {
    auto made = std::make_shared<ConfigurationsOf<Plane>>();
    made->store = store;
    d2::Configurations& all = made->all;
    all.shapes = &store->shapes();
    KeptColumns& kept = made->columns;
    const Column shapes = uint_rows(bodies, "bodies", 0);
    const std::size_t count = all.robot_bodies = made->body_count = shapes.count;
    all.pairs = kept.add_read("pairs", uint_rows(pairs, "pairs", 2)).as<Pair>();
    d2::BodyColumns robot;
    read_positions(kept, flat_poses(positions, "positions", count, 2), "positions", robot.positions,
                   robot.double_positions);
    if (!rotations.is_none())
        robot.rotations =
            kept.add_read("rotations", float_rows(flat_poses(rotations, "rotations", count, 2), "rotations", 2))
                .as<d2::Rot>();
    if (!angles.is_none())
        robot.angles =
            kept.add_read("angles", float_rows(flat_poses(angles, "angles", count, 0), "angles", 0)).as<float>();
    py::array_t<std::uint32_t> repeated(py::ssize_t(std::max(robot.positions.size(), robot.double_positions.size())));
    for (std::size_t i = 0; i < std::size_t(repeated.size()); ++i)
        repeated.mutable_data()[i] = shapes.as<std::uint32_t>()[i % count];
    robot.shapes = kept.add_read("bodies", uint_rows(repeated, "bodies", 0)).as<d2::ShapeId>();
    all.robot = robot;
    if (!obstacles.is_none()) all.obstacles = plane_records(obstacles, kept);
    return made;
}

void define_plane_configurations(py::module_& module) {
    define_configurations_of<Plane>(
        module,
        R"(Configurations(store, bodies, pairs, *, positions, rotations=None, angles=None, obstacles=None)

A robot of one or more bodies in many configurations, and obstacles that rest: samples of a planner. It keeps the arrays and reads them in place, as abut.Configurations does.

bodies: (n,) uint32, the shape of each body of the robot, a copy. pairs: (m, 2) uint32: below n of the robot's bodies, n + i is obstacle i.
positions: (c, n, 2) float32 or float64, metres. rotations: (c, n, 2) float32, cosine and sine. angles: (c, n) float32, radians; one of the two.
obstacles: a structured array like the bodies of Frame.)",
        kPackage)
        .def(py::init(&make_plane_configurations), py::arg("store"), py::arg("bodies"), py::arg("pairs"), py::kw_only(),
             py::arg("positions"), py::arg("rotations") = py::none(), py::arg("angles") = py::none(),
             py::arg("obstacles") = py::none());
}

py::array swept(const py::args& positional, const py::kwargs& keywords) {
    BoundsCall<PlaneArrays> call("swept_bounds", positional, keywords);
    const py::handle given = call.arguments.keyword("ends"), about = call.arguments.keyword("centers");
    if (!given) type_error("swept_bounds: ends is missing, the bodies at the end of the motion");
    const d2::Bodies ends = plane_records(given, call.kept);
    Strided<d2::Vec2> centers;
    if (about) centers = call.kept.add_read("centers", float_rows(about, "centers", 2)).as<d2::Vec2>();
    const auto ask = [&](const d2::ShapeStore& shapes, std::span<Bounds> to, const d2::DVec2& origin) {
        return d2::swept_bounds(shapes, call.bodies, ends, to, origin, centers);
    };
    return call.write(ask, {"ends", "centers"});
}

void define_plane_bounds(py::module_& module) {
    module.def(
        "world_bounds", &world_bounds_of<PlaneArrays>,
        R"(world_bounds(store, bodies=None, *, positions=None, shapes=None, rotations=None, angles=None, origin=None, out=None)

Boxes of bodies for BroadPhase, which is that of three dimensions: (n, 2, 3) float32, metres, from the origin, z is 0; [:, 0] is the least corner, [:, 1] the greatest.
A body without an answer has empty bounds, +infinity and -infinity. The bodies are those of Frame. out: an array of that shape to write to. Releases the GIL.)");
    module.def(
        "swept_bounds", &swept,
        R"(swept_bounds(store, bodies=None, *, ends, centers=None, positions=None, shapes=None, rotations=None, angles=None, origin=None, out=None)

Boxes that contain bodies on their way to the poses of ends, as NarrowPhase.cast moves them. The rest is as of world_bounds.)");
}

using PlaneNarrow = NarrowOf<d2::NarrowPhase>;

std::shared_ptr<PlaneNarrow> make_narrow(float speculative_margin, float contact_slack, unsigned threads,
                                         const std::string& isa, std::uint32_t max_child_pairs) {
    Settings settings;
    settings.speculative_margin = speculative_margin;
    settings.contact_slack = contact_slack;
    settings.threads = threads;
    settings.isa = value_of(parse_isa(isa));
    settings.max_child_pairs = max_child_pairs;
    auto made = std::make_shared<PlaneNarrow>(settings);
    check(made->phase.usable());
    return made;
}

void define_plane_queries(py::module_& module) {
    using Queries = QueriesOf<PlaneArrays>;
    const Settings standard;
    py::class_<PlaneNarrow, std::shared_ptr<PlaneNarrow>> narrow(
        module, "NarrowPhase",
        R"(NarrowPhase(*, speculative_margin=0.02, contact_slack=0.005, threads=0, isa="auto", max_child_pairs=1048576)

The questions: overlap, distance, collide, cast, raycast, measure; any_overlap and least_distance of Configurations. The settings are those of abut.NarrowPhase, and so are the rules for threads and locks.)");
    narrow
        .def(py::init(&make_narrow), py::kw_only(), py::arg("speculative_margin") = standard.speculative_margin,
             py::arg("contact_slack") = standard.contact_slack, py::arg("threads") = 0, py::arg("isa") = "auto",
             py::arg("max_child_pairs") = standard.max_child_pairs)
        .def("overlap", &Queries::overlap, R"(overlap(frame, *, out=None) -> abut.Overlaps
overlap(store, bodies=None, pairs=None, *, out=None, **columns) -> abut.Overlaps

Does the signed distance of each pair reach zero? The columns are those of Frame. out: an Overlaps whose memory is used again.)")
        .def("distance", &Queries::distance,
             R"(distance(frame, *, max_distance=inf, max_distances=None, separation_only=False, out=None) -> Distances
distance(store, bodies=None, pairs=None, *, max_distance=inf, max_distances=None, separation_only=False, out=None, **columns) -> Distances

Signed distance, normal and points of each pair; infinity where no segment of a chain takes part. The arguments are those of abut.NarrowPhase.distance.)")
        .def("collide", &Queries::collide, R"(collide(frame, *, out=None) -> Manifolds
collide(store, bodies=None, pairs=None, *, out=None, **columns) -> Manifolds

Manifolds of at most two contacts within the speculative margin: none or one for two convex shapes, for a compound one for each pair of children, on a chain one
for each line of segments.)")
        .def("cast", &Queries::cast,
             R"(cast(frame, *, ends, centers=None, target=0, targets=None, latest=None, tolerance=1e-4, start="stop",
     reduction="every_pair", out=None) -> Casts
cast(store, bodies=None, pairs=None, *, ends, ..., **columns) -> Casts

The first time in [0, 1] at which the bodies of each pair come within target metres, as they move from the frame's poses to those of ends. A time is never
late; a miss is proved.

ends: a structured array like bodies. With the field "angle" in bodies and ends a body turns by the difference, any number of turns; else along the shorter
arc. centers: (n, 2) float32, centres of rotation in the bodies' frames. The other arguments are those of abut.NarrowPhase.cast.)")
        .def("raycast", &Queries::raycast,
             R"(raycast(frame, *, origins, directions, lengths=None, reduction="every_pair", out=None) -> RayHits
raycast(store, bodies=None, pairs=None, *, origins, directions, ..., **columns) -> RayHits

Where rays first meet bodies. pairs: (m, 2) of a ray and a body. Convex bodies are solid; a ray hits a segment of a chain from its front only. origins: (n, 2)
float32 or float64. directions: (n, 2) float32. The arguments are those of abut.NarrowPhase.raycast.)")
        .def("measure", &Queries::measure, R"(measure(frame, *, points, max_distance=inf, out=None) -> PointDistances
measure(store, bodies=None, pairs=None, *, points, ..., **columns) -> PointDistances

Signed distances of points from bodies. pairs: (m, 2) of a point and a body. points: (n, 2) float32 or float64. max_distance: metres; points farther outside
report infinity, and zeros.)");
    define_reductions<Plane>(narrow);
    define_state(narrow);
}

}  // namespace

PlaneArrays::Ends::Ends(py::handle given, KeptColumns& kept) : ends_(plane_records(given, kept)) {}

d2::Bodies PlaneArrays::bodies_of(py::handle records, Arguments& arguments, KeptColumns& kept) {
    const py::handle positions = arguments.keyword("positions"), shapes = arguments.keyword("shapes"),
                     rotations = arguments.keyword("rotations"), angles = arguments.keyword("angles");
    const bool has_columns = positions || rotations || angles;
    if (records) {
        if (has_columns || shapes)
            type_error(std::string(arguments.function()) + ": bodies and columns of bodies are both given");
        return plane_records(records, kept);
    }
    d2::BodyColumns columns;
    if (shapes) columns.shapes = kept.add_read("shapes", uint_rows(shapes, "shapes", 0)).as<d2::ShapeId>();
    if (positions) read_positions(kept, positions, "positions", columns.positions, columns.double_positions);
    if (rotations) columns.rotations = kept.add_read("rotations", float_rows(rotations, "rotations", 2)).as<d2::Rot>();
    if (angles) columns.angles = kept.add_read("angles", float_rows(angles, "angles", 0)).as<float>();
    if (!shapes && has_columns) type_error(std::string(arguments.function()) + ": the column shapes is missing");
    return columns;
}

void PlaneArrays::take(py::handle bodies, Arguments& arguments) {
    frame.bodies = bodies_of(bodies, arguments, columns);
    if (const py::handle given = arguments.keyword("margins"))
        frame.margins = columns.add_read("margins", float_rows(given, "margins", 0)).as<float>();
}

void define_plane(py::module_& package) {
    py::module_ module = package.def_submodule("d2", "The compiled half of abut.d2.");
    define_plane_shapes(module);
    define_plane_results(module);
    define_frame<PlaneArrays>(
        module,
        R"(Frame(store, bodies=None, pairs=None, *, positions=None, shapes=None, rotations=None, angles=None, margins=None)

A batch: bodies and candidate pairs, checked once, for any number of calls. It keeps the arrays and reads them in place, as abut.Frame does.

bodies: structured array (n,), abut.d2.body_dtype or any with the fields "position" (2 float32 or float64, metres), "shape" (uint32), and "rotation" (2 float32:
    cosine, sine) or "angle" (float32, radians). Instead of it columns:
positions: (n, 2) float32 or float64. shapes: (n,) uint32, ids of the store. rotations: (n, 2) float32, cosine and sine. angles: (n,) float32, radians.
pairs: (m, 2) uint32, indices of bodies.
margins: (m,) float32, metres: the speculative margin of each pair, for collide.)",
        kPackage);
    define_plane_configurations(module);
    define_plane_queries(module);
    define_plane_bounds(module);
    module.def("rotations_of", &rotations_of, py::arg("angles"),
               "(n, 2) float32: the nearest floats to the cosines and sines of angles (n,), radians. Equal bits on "
               "every machine.");
}

}  // namespace abut::python
