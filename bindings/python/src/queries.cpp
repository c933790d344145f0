// NarrowPhase and world_bounds: the GIL is released while they run.
#include "queries.hpp"

#include <limits>
#include <optional>

#include "bounds_class.hpp"
#include "configurations.hpp"
#include "frames.hpp"
#include "query_class.hpp"
#include "world.hpp"

namespace abut::python {
namespace {

using Narrow = NarrowOf<NarrowPhase>;
using Queries = QueriesOf<FrameArrays>;

DepthPath depth_of(const std::string& name) {
    if (name == "automatic") return DepthPath::automatic;
    if (name == "exact") return DepthPath::exact;
    value_error("depth: \"" + name + "\"; it must be \"automatic\" or \"exact\"");
}

std::shared_ptr<Narrow> make_narrow(float speculative_margin, float contact_slack, unsigned threads,
                                    const std::string& isa, const std::string& depth, std::uint32_t max_child_pairs,
                                    float follow_distance, std::uint32_t ground_contacts, float manifold_angle) {
    Settings settings;
    settings.speculative_margin = speculative_margin;
    settings.contact_slack = contact_slack;
    settings.threads = threads;
    settings.isa = value_of(parse_isa(isa));
    settings.depth = depth_of(depth);
    settings.max_child_pairs = max_child_pairs;
    settings.follow_distance = follow_distance;
    settings.ground_contacts = ground_contacts;
    settings.manifold_angle = manifold_angle;
    auto made = std::make_shared<Narrow>(settings);
    check(made->phase.usable());
    return made;
}

std::size_t all_pairs(const ConfigurationArrays& arrays) { return arrays.all.size() * arrays.all.pairs.size(); }

py::object overlap_configurations(Narrow& narrow, const ConfigurationArrays& arrays,
                                  const std::shared_ptr<Result<Overlaps>>& out) {
    return run_configurations<Overlaps>(narrow, arrays, all_pairs(arrays), out,
                                        [](NarrowPhase& phase, const Configurations& all, Overlaps& columns) {
        return phase.overlap_configurations(all, columns);
    });
}
py::object distance_configurations(Narrow& narrow, const ConfigurationArrays& arrays, float max_distance,
                                   bool separation_only, const std::shared_ptr<Result<Distances>>& out) {
    const DistanceOptions options{max_distance, {}, separation_only};
    return run_configurations<Distances>(narrow, arrays, all_pairs(arrays), out,
                                         [&](NarrowPhase& phase, const Configurations& all, Distances& columns) {
        return phase.distance_configurations(all, columns, options);
    });
}
}  // namespace

void define_queries(py::module_& module) {
    py::class_<Counters>(module, "Counters", "How many pairs took which path in the last call.")
        .def_readonly("pairs", &Counters::pairs, "Pairs that were answered.")
        .def_readonly("wide", &Counters::wide, "... by wide kernels alone.")
        .def_readonly("exact", &Counters::exact, "... by the scalar double-precision path.")
        .def_readonly("child_pairs", &Counters::child_pairs, "Pairs of compounds' children among them.")
        .def_readonly("most_child_pairs", &Counters::most_child_pairs,
                      "collide: the most child pairs of a pair that has more than max_child_pairs; 0: none has.")
        .def("__repr__", [](const Counters& c) {
            return "<abut.Counters: " + std::to_string(c.pairs) + " pairs, " + std::to_string(c.wide) + " wide, " +
                   std::to_string(c.exact) + " exact>";
        });

    const Settings standard;
    py::class_<Narrow, std::shared_ptr<Narrow>> queries(
        module, "NarrowPhase",
        R"(NarrowPhase(*, speculative_margin=0.02, contact_slack=0.005, threads=0, isa="auto", depth="automatic", max_child_pairs=1048576, follow_distance=0,
            ground_contacts=4, manifold_angle=0)

The questions: overlap, distance, collide, cast, raycast, measure. It holds scratch memory only.

speculative_margin: metres; collide reports contacts up to this far apart.
contact_slack: metres; depths that differ by less do not decide which contacts collide reports.
threads: of the built-in executor; 0: all it has, 1: the calling thread.
isa: "auto", or one of supported_isas().
depth: "automatic", or "exact", a cross-check that is slow.
max_child_pairs: collide gives a pair of compounds with more pairs of children Status.no_room.
follow_distance: metres, at most 4% of the smaller body's origin radius; with caches, contacts follow the bodies while separations err by no more.
    0: as far as the promised error allows.
ground_contacts: 4 to 8, the most contacts of a manifold on a mesh or height field.
manifold_angle: radians; manifolds of one pair whose normals differ by no more become one. 0: they stay apart.

Raises Error where a setting cannot be met. A call releases the GIL. Calls of one NarrowPhase from several threads wait for each other; several NarrowPhases
may share a store. A change of the store waits for the queries that read it.)");
    queries
        .def(py::init(&make_narrow), py::kw_only(), py::arg("speculative_margin") = standard.speculative_margin,
             py::arg("contact_slack") = standard.contact_slack, py::arg("threads") = 0, py::arg("isa") = "auto",
             py::arg("depth") = "automatic", py::arg("max_child_pairs") = standard.max_child_pairs,
             py::arg("follow_distance") = standard.follow_distance,
             py::arg("ground_contacts") = standard.ground_contacts, py::arg("manifold_angle") = standard.manifold_angle)
        .def("overlap", &Queries::overlap, R"(overlap(frame, *, out=None) -> Overlaps
overlap(store, bodies=None, pairs=None, *, out=None, **columns) -> Overlaps

Does the signed distance of each pair reach zero? The columns are those of Frame. out: an Overlaps whose memory is used again.)")
        .def("distance", &Queries::distance,
             R"(distance(frame, *, max_distance=inf, max_distances=None, separation_only=False, out=None) -> Distances
distance(store, bodies=None, pairs=None, *, max_distance=inf, max_distances=None, separation_only=False, out=None, **columns) -> Distances

Signed distance, normal and witness points of each pair. The columns are those of Frame.

max_distance: metres; pairs farther apart report infinity, and zeros for normal and points. max_distances: (m,) float32, one per pair instead.
separation_only: leaves depth out; pairs that overlap report 0. out: a Distances whose memory is used again.)")
        .def("collide", &Queries::collide, R"(collide(frame, *, out=None) -> Manifolds
collide(store, bodies=None, pairs=None, *, out=None, **columns) -> Manifolds

Contact manifolds of each pair within the speculative margin. The columns are those of Frame. out: a Manifolds whose memory is used again.)")
        .def("cast", &Queries::cast,
             R"(cast(frame, *, ends, centers=None, target=0, targets=None, latest=None, tolerance=1e-4, start="stop",
     reduction="every_pair", sides="as_cooked", out=None) -> Casts
cast(store, bodies=None, pairs=None, *, ends, ..., **columns) -> Casts

The first time in [0, 1] at which the bodies of each pair come within target metres, as they move from the frame's poses to those of ends. The columns
are those of Frame. A time is never late; a miss is proved.

ends: an array of body_dtype, as many as bodies; or a list of such arrays, a path. centers: (n, 3) float32, centres of rotation in the bodies' frames.
targets, latest: (m,) float32, one per pair: a target of its own; times after it are not looked at. tolerance: of the smaller size.
start: a pair within the target at time 0 is a hit ("stop"), if the motion closes it ("closing_only"), or never ("ignore").
reduction: "every_pair", "first_of_body" (of the pairs of one body A the first hit alone) or "any".
sides: "as_cooked", "front", "back" or "both": triangles of surfaces take part if A's centre at time 0 is on this side. out: a Casts whose memory is used
again.)")
        .def("raycast", &Queries::raycast,
             R"(raycast(frame, *, origins, directions, lengths=None, reduction="every_pair", solid_meshes=False,
        sides="as_cooked", out=None) -> RayHits
raycast(store, bodies=None, pairs=None, *, origins, directions, ..., **columns) -> RayHits

Where rays first meet bodies. pairs: (m, 2) of a ray and a body. The other columns are those of Frame. Convex bodies are solid; a ray that starts in one has
fraction 0 and inside 1.

origins: (n, 3) float32 or float64, metres, world. directions: (n, 3) float32, of any length but 0: a ray ends at origin + direction.
lengths: (n,) float32, metres: a ray ends so far along its direction instead.
reduction: "every_pair", "first_of_ray" (of the pairs of one ray the first hit alone) or "any_of_ray".
solid_meshes: meshes that ShapeStore.has_inside() are solids.
sides: from where triangles are met, "as_cooked", "front", "back" or "both"; or (n,) integers, one per ray, 0 to 3 in this order.
out: a RayHits whose memory is used again.)")
        .def("measure", &Queries::measure,
             R"(measure(frame, *, points, max_distance=inf, solid_meshes=False, out=None) -> PointDistances
measure(store, bodies=None, pairs=None, *, points, ..., **columns) -> PointDistances

Signed distances of points from bodies. pairs: (m, 2) of a point and a body. The other columns are those of Frame.

points: (n, 3) float32 or float64, metres, world. max_distance: metres; points farther outside report infinity, and zeros.
solid_meshes: meshes that ShapeStore.has_inside() have a negative distance inside. out: a PointDistances whose memory is used again.)")
        .def("overlap_configurations", &overlap_configurations, py::arg("all"), py::kw_only(),
             py::arg("out") = py::none(),
             "Overlaps of all pairs of Configurations, an element per (configuration, pair): configuration * "
             "pair_count + pair. The bits of separate "
             "calls.")
        .def("distance_configurations", &distance_configurations, py::arg("all"), py::kw_only(),
             py::arg("max_distance") = std::numeric_limits<float>::infinity(), py::arg("separation_only") = false,
             py::arg("out") = py::none(),
             "Distances of all pairs of Configurations, an element per (configuration, pair). The bits of separate "
             "calls.")
        .def(
            "reserve",
            [](Narrow& narrow, std::size_t pairs, std::size_t child_pairs) {
        const py::gil_scoped_release release;
        const std::lock_guard lock(narrow.mutex);
        return narrow.phase.reserve(pairs, child_pairs);
            },
            py::arg("pairs"), py::arg("child_pairs") = 0,
            "Makes room for frames of that many pairs. Returns the bytes of scratch memory held.");
    define_reductions<Space>(queries);
    queries.def(
        "any_overlap_of_paths",
        [](Narrow& narrow, const ConfigurationArrays& all, py::handle given,
           const std::shared_ptr<Result<PathOverlaps>>& out) {
        const auto ends = py::array_t<std::uint32_t, py::array::c_style | py::array::forcecast>::ensure(given);
        if (!ends || ends.ndim() != 1) throw py::type_error("path_ends: it must be an array (p,) of whole numbers");
        const auto count = std::size_t(ends.shape(0));
        const Strided<std::uint32_t> column(ends.data(), count);
        return run_configurations<PathOverlaps>(narrow, all, count, out, [&](auto& phase, const auto& asked, auto& to) {
            return phase.any_overlap({asked, column}, to);
        });
        },
        py::arg("all"), py::arg("path_ends"), py::kw_only(), py::arg("out") = py::none(),
        "PathOverlaps: of each path, a row of Configurations, one in which a pair overlaps. Path i has those from "
        "path_ends[i - 1], or 0, up to path_ends[i], without it. Eight are looked at together, spread evenly over the "
        "path, the middle ones first.");
    define_world_queries(queries);
    define_state(queries);

    module.def(
        "world_bounds", &world_bounds_of<FrameArrays>,
        R"(world_bounds(store, bodies=None, *, positions=None, shapes=None, orientations=None, transforms=None, origin=None, out=None)

Axis-aligned bounds of bodies, metres, from the origin: (n, 2, 3) float32; [:, 0] is the least corner, [:, 1] the greatest. A body without an answer has empty
bounds, +infinity and -infinity. The bodies are those of Frame. out: an array of that shape to write to. Releases the GIL.)");
}

}  // namespace abut::python
