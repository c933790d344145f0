// WorldTree, and the queries of NarrowPhase against a whole world. The GIL is released while they run.
#include "world.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

#include <abut/world.hpp>

#include "arguments.hpp"
#include "boxes.hpp"
#include "frames.hpp"
#include "result_class.hpp"

namespace abut::python {
namespace {

using Narrow = NarrowOf<NarrowPhase>;

// Queries share the lock, a build has it alone.
struct Tree {
    explicit Tree(const BroadSettings& settings) : tree(settings) {}

    WorldTree tree;
    mutable std::shared_mutex mutex;
};

void build(Tree& tree, const py::object& bounds, const py::object& origin, float margin, const py::object& margins,
           const py::object& groups, const py::object& masks) {
    BoxArrays arrays(bounds, "bounds");
    arrays.add(margin, margins, groups, masks, py::none());
    DVec3 at;
    if (!origin.is_none()) {
        const auto given = py::array_t<double, py::array::forcecast>::ensure(origin);
        if (!given || given.ndim() != 1 || given.size() != 3)
            value_error("origin: " + text_of(origin) + "; three numbers are needed");
        at = {given.at(0), given.at(1), given.at(2)};
    }
    CallResult outcome;
    {
        const py::gil_scoped_release release;
        const std::lock_guard alone(tree.mutex);
        outcome = tree.tree.build(arrays.boxes, at);
    }
    check(outcome);
}

// The arguments (tree, store, bodies=None, *, columns, groups, masks, ignored, out); `arguments` has more.
class WorldCall {
public:
    Arguments arguments;
    KeptColumns kept;
    WorldFilter filter;

    WorldCall(const char* function, const py::args& positional, const py::kwargs& keywords)
        : arguments(function, positional, keywords) {
        const py::handle tree = arguments.next("tree"), store = arguments.next("store"),
                         records = arguments.next("bodies");
        if (!tree || !py::isinstance<Tree>(tree)) type_error(std::string(function) + ": a WorldTree is needed");
        if (!store || !py::isinstance<Store>(store)) type_error(std::string(function) + ": a ShapeStore is needed");
        tree_ = py::cast<std::shared_ptr<Tree>>(tree), store_ = py::cast<StorePtr>(store);
        world_.bodies = FrameArrays::bodies_of(records, arguments, kept);
        world_.shapes = &store_->shapes(), world_.tree = &tree_->tree;
        read_bits("groups", filter.groups), read_bits("masks", filter.masks), read_bits("ignored", filter.ignored);
        out_ = arguments.keyword("out");
    }
    // Runs ask(NarrowPhase&, const WorldBodies&, Columns&) without the GIL; `rows`: the elements of a column.
    template <class Columns, class Ask>
    py::object run(Narrow& narrow, std::initializer_list<const char*> names, std::size_t rows, Ask ask) {
        std::vector<const char*> known(std::begin(FrameArrays::kBodyArguments), std::end(FrameArrays::kBodyArguments));
        known.insert(known.end(), names);
        arguments.finish({"tree", "store", "groups", "masks", "ignored", "out"}, known);
        if (out_ && !py::isinstance<Result<Columns>>(out_))
            type_error("out: " + type_name(out_) + " is not the result of this query");
        py::object object =
            out_ ? py::reinterpret_borrow<py::object>(out_) : py::cast(std::make_shared<Result<Columns>>());
        auto& result = py::cast<Result<Columns>&>(object);
        const std::shared_ptr<Columns> columns = result.pool.take();
        CallResult outcome;
        {
            const py::gil_scoped_release release;
            const std::lock_guard one_call(narrow.mutex);
            const std::shared_lock trees(tree_->mutex), stores(store_->mutex());
            outcome = ask(narrow.phase, world_, *columns);
        }
        if (!outcome) {
            result.pool.abandon(columns);
            raise(outcome.error());
        }
        result.pool.commit(columns);
        result.pairs = rows;
        return object;
    }

private:
    void read_bits(const char* name, Strided<std::uint32_t>& to) {
        if (const py::handle given = arguments.keyword(name))
            to = kept.add_read(name, uint_rows(given, name, 0)).as<std::uint32_t>();
    }

    std::shared_ptr<Tree> tree_;
    StorePtr store_;
    WorldBodies world_;
    py::handle out_;
};

py::object raycast_world(Narrow& narrow, const py::args& positional, const py::kwargs& keywords) {
    WorldCall call("raycast_world", positional, keywords);
    const py::handle origins = call.arguments.keyword("origins"), directions = call.arguments.keyword("directions"),
                     lengths = call.arguments.keyword("lengths"), most = call.arguments.keyword("max_hits"),
                     any = call.arguments.keyword("any"), count = call.arguments.keyword("count_left_out"),
                     solid = call.arguments.keyword("solid_meshes"), sides = call.arguments.keyword("sides");
    if (!origins || !directions) type_error("raycast_world: origins and directions are needed");
    Rays rays;
    read_positions(call.kept, origins, "origins", rays.origins, rays.double_origins);
    rays.directions = call.kept.add_read("directions", float_rows(directions, "directions", 3)).as<Vec3>();
    if (lengths) rays.lengths = call.kept.add_read("lengths", float_rows(lengths, "lengths", 0)).as<float>();
    WorldRayOptions options;
    if (most) options.max_hits = uint_of(most, "max_hits");
    if (any) options.any = bool_of(any, "any");
    if (count) options.count_left_out = bool_of(count, "count_left_out");
    if (solid) options.solid_meshes = bool_of(solid, "solid_meshes");
    std::vector<QuerySides> each;
    read_sides(sides, options.sides, &each);
    rays.sides = each, options.filter = call.filter;
    return call.run<WorldRayHits>(
        narrow, {"origins", "directions", "lengths", "max_hits", "any", "count_left_out", "solid_meshes", "sides"},
        rays.size() * options.max_hits, [&](NarrowPhase& phase, const WorldBodies& world, WorldRayHits& out) {
            return phase.raycast(world, rays, out, options);
        });
}

py::object overlap_world(Narrow& narrow, const py::args& positional, const py::kwargs& keywords) {
    WorldCall call("overlap_world", positional, keywords);
    const py::handle queries = call.arguments.keyword("queries");
    if (!queries) type_error("overlap_world: queries are needed, shapes with poses as an array of body_dtype");
    const Bodies shapes = FrameArrays::records(queries, call.kept);
    return call.run<WorldOverlaps>(narrow, {"queries"}, shapes.size(),
                                   [&](NarrowPhase& phase, const WorldBodies& world, WorldOverlaps& out) {
        return phase.overlap(world, shapes, out, call.filter);
    });
}

py::object cast_world(Narrow& narrow, const py::args& positional, const py::kwargs& keywords) {
    WorldCall call("cast_world", positional, keywords);
    const py::handle queries = call.arguments.keyword("queries"), ends = call.arguments.keyword("ends"),
                     centers = call.arguments.keyword("centers"), target = call.arguments.keyword("target"),
                     tolerance = call.arguments.keyword("tolerance"), start = call.arguments.keyword("start"),
                     sides = call.arguments.keyword("sides");
    if (!queries || !ends) type_error("cast_world: queries and ends are needed, as arrays of body_dtype");
    const Bodies shapes = FrameArrays::records(queries, call.kept);
    FrameArrays::Ends parts(ends, call.kept);
    Motions motions = parts.motions();
    if (centers) motions.centers = call.kept.add_read("centers", float_rows(centers, "centers", 3)).as<Vec3>();
    WorldCastOptions options;
    if (target) options.target = float_of(target, "target");
    if (tolerance) options.tolerance = float_of(tolerance, "tolerance");
    if (start) options.start = start_of(start);
    read_sides(sides, options.sides, nullptr);
    options.filter = call.filter;
    return call.run<WorldCasts>(narrow, {"queries", "ends", "centers", "target", "tolerance", "start", "sides"},
                                shapes.size(), [&](NarrowPhase& phase, const WorldBodies& world, WorldCasts& out) {
                                    return phase.cast(world, shapes, motions, out, options);
                                });
}

void define_results_of_worlds(py::module_& module) {
    constexpr const char* kBody = "(n,) uint32: the body that is hit, or NO_BODY.";
    auto rays =
        define<WorldRayHits>(module, "WorldRayHits",
                             R"(What NarrowPhase.raycast_world found. Columns are views; see Overlaps for their life.

Each has max_hits elements per ray (n = rays * max_hits, .reshape(-1, max_hits) separates the rays), the hits of a ray in order. Elements without a hit
have NO_BODY, fraction 1, and zeros, but for face.)");
    column(rays, "body", &WorldRayHits::body, "uint32", {}, kBody);
    column(rays, "fraction", &WorldRayHits::fraction, "float64", {}, "(n,) float64: in [0, 1], of the ray's length.");
    column(rays, "point", &WorldRayHits::point, "float32", {3},
           "(n, 3) float32, metres: relative to the body's position, world axes.");
    column(rays, "normal", &WorldRayHits::normal, "float32", {3},
           "(n, 3) float32: unit, outward, of a triangle facing the ray; 0 if the ray starts inside.");
    column(rays, "child", &WorldRayHits::child, "uint32", {}, child_doc(3));
    column(rays, "inside", &WorldRayHits::inside, "uint8", {}, "(n,) uint8: 1 if the ray starts in the solid.");
    column(rays, "status", &WorldRayHits::status, "uint8", {}, kStatusDoc);
    column(rays, "face", &WorldRayHits::face, "uint16", {}, kFaceDoc);
    column(rays, "left_out", &WorldRayHits::left_out, "uint32", {},
           "(rays,) uint32: how many hits more a ray has, with count_left_out.", Length::any);

    auto overlaps =
        define<WorldOverlaps>(module, "WorldOverlaps",
                              "What NarrowPhase.overlap_world found. Columns are views; see Overlaps for their life.");
    column(overlaps, "pairs", &WorldOverlaps::pairs, "uint32", {2},
           "(k, 2) uint32: a query and a body that overlap, ascending by the first, then by the second.", Length::any);
    column(overlaps, "status", &WorldOverlaps::status, "uint8", {}, "(n,) uint8, one per query: abut.Status.");

    auto casts = define<WorldCasts>(
        module, "WorldCasts",
        R"(What NarrowPhase.cast_world found, the first hit of each query. Columns are views; see Overlaps for their life.

A miss has NO_BODY, time 1, a signed distance of infinity, and zeros.)");
    column(casts, "body", &WorldCasts::body, "uint32", {}, kBody);
    column(casts, "time", &WorldCasts::time, "float64", {}, "(n,) float64: in [0, 1].");
    column(casts, "signed_distance", &WorldCasts::signed_distance, "float32", {},
           "(n,) float32, metres, at that time.");
    column(casts, "normal", &WorldCasts::normal, "float32", {3}, "(n, 3) float32: unit, from the query to the body.");
    column(casts, "point_a", &WorldCasts::point_a, "float32", {3},
           "(n, 3) float32, metres: on the query, relative to its position at that time.");
    column(casts, "point_b", &WorldCasts::point_b, "float32", {3},
           "(n, 3) float32, metres: on the body, relative to the query's position at that time.");
    column(casts, "child_a", &WorldCasts::child_a, "uint32", {}, child_doc(3));
    column(casts, "child_b", &WorldCasts::child_b, "uint32", {}, "(n,) uint32: likewise, of the body.");
    column(casts, "status", &WorldCasts::status, "uint8", {}, kStatusDoc);
}

}  // namespace

void define_world(py::module_& module) {
    module.attr("NO_BODY") = kNoBody;
    define_results_of_worlds(module);
    py::class_<Tree, std::shared_ptr<Tree>>(module, "WorldTree", R"(WorldTree(*, threads=0, isa="auto")

A tree over the bounds of a world's bodies. Build it once per frame; any number of queries may then read it. Calls release the GIL.)")
        .def(py::init([](unsigned threads, const std::string& isa) {
                 auto made = std::make_shared<Tree>(BroadSettings{.threads = threads, .isa = value_of(parse_isa(isa))});
                 check(made->tree.build(Boxes{}));
                 return made;
             }),
             py::kw_only(), py::arg("threads") = 0, py::arg("isa") = "auto")
        .def("build", &build, py::arg("bounds"), py::kw_only(), py::arg("origin") = py::none(),
             py::arg("margin") = 0.0f, py::arg("margins") = py::none(), py::arg("groups") = py::none(),
             py::arg("masks") = py::none(), R"(
bounds: (n, 2, 3), metres, as world_bounds gives them, of body i at i. origin: the one given to world_bounds.
margin, margins, groups, masks: as of BroadPhase.find_pairs. A body with bad bounds is met by no query.)")
        .def("__len__", [](const Tree& tree) { return tree.tree.size(); })
        .def_property_readonly(
            "bad",
            [](const Tree& tree) {
        const std::span<const std::uint32_t> bad = tree.tree.bad();
        return py::array_t<std::uint32_t>(py::ssize_t(bad.size()), bad.data());
            },
            "Indices of bad bounds of the last build, a new array.");
}

void define_world_queries(py::class_<Narrow, std::shared_ptr<Narrow>>& queries) {
    queries
        .def("raycast_world", &raycast_world, R"(
raycast_world(tree, store, bodies=None, *, origins, directions, lengths=None, max_hits=1, any=False, count_left_out=False, solid_meshes=False,
              sides="as_cooked", groups=None, masks=None, ignored=None, out=None, **columns) -> WorldRayHits

The first hits of rays with the bodies of a world, without a list of pairs. bodies or columns: those of Frame, as many as the tree has bounds.

origins, directions, lengths, solid_meshes, sides: as of raycast. max_hits: per ray, at most one with each body.
any: any hits instead of the first ones. count_left_out: rays do not end at their last listed hit, and left_out counts the others.
groups, masks: (n,) integers, one per ray; it sees a body only if groups & the body's mask and masks & the body's group are not 0.
ignored: (n,) integers: a body that the ray does not see, or NO_BODY. out: a WorldRayHits whose memory is used again.)")
        .def("overlap_world", &overlap_world, R"(
overlap_world(tree, store, bodies=None, *, queries, groups=None, masks=None, ignored=None, out=None, **columns) -> WorldOverlaps

The bodies of a world that each of many shapes with poses overlaps. queries: an array of body_dtype, or any with its fields. groups, masks, ignored: one per
query, as of raycast_world. out: a WorldOverlaps whose memory is used again.)")
        .def("cast_world", &cast_world, R"(
cast_world(tree, store, bodies=None, *, queries, ends, centers=None, target=0, tolerance=1e-4, start="stop", sides="as_cooked", groups=None, masks=None,
           ignored=None, out=None, **columns) -> WorldCasts

The first hit of each of many shapes that move, with a body of a world, which does not move. queries: an array of body_dtype; ends: likewise, at the end of
the motion, or a list of such arrays, a path. centers, target, tolerance, start, sides: as of cast. groups, masks, ignored: one per query, as of
raycast_world. out: a WorldCasts whose memory is used again.)");
}

}  // namespace abut::python
