// The queries of a NarrowPhase in Python, of either dimension. Arrays is FrameArrays or PlaneArrays, Arrays::Types its
// types.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <abut/cast.hpp>
#include <abut/narrow_phase.hpp>
#include <abut/rays.hpp>

#include "frame_class.hpp"
#include "results.hpp"

namespace abut::python {

// One call at a time: the others wait.
template <class Phase>
struct NarrowOf {
    explicit NarrowOf(const Settings& settings) : phase(settings), threads(settings.threads) {}

    Phase phase;
    unsigned threads;
    std::mutex mutex;
};

inline bool bool_of(py::handle given, const char* name) {
    if (!py::isinstance<py::bool_>(given))
        type_error(std::string(name) + ": " + type_name(given) + "; it must be True or False");
    return given.is(py::handle(Py_True));
}

inline CastStart start_of(py::handle given) {
    const std::string name = py::isinstance<py::str>(given) ? py::cast<std::string>(given) : std::string();
    if (name == "stop") return CastStart::stop;
    if (name == "closing_only") return CastStart::closing_only;
    if (name == "ignore") return CastStart::ignore;
    value_error("start: " + text_of(given) + "; it must be \"stop\", \"closing_only\" or \"ignore\"");
}

inline CastReduction reduction_of(py::handle given) {
    const std::string name = py::isinstance<py::str>(given) ? py::cast<std::string>(given) : std::string();
    if (name == "every_pair") return CastReduction::every_pair;
    if (name == "first_of_body") return CastReduction::first_of_body;
    if (name == "any") return CastReduction::any;
    value_error("reduction: " + text_of(given) + "; it must be \"every_pair\", \"first_of_body\" or \"any\"");
}

inline RayReduction ray_reduction_of(py::handle given) {
    const std::string name = py::isinstance<py::str>(given) ? py::cast<std::string>(given) : std::string();
    if (name == "every_pair") return RayReduction::every_pair;
    if (name == "first_of_ray") return RayReduction::first_of_ray;
    if (name == "any_of_ray") return RayReduction::any_of_ray;
    value_error("reduction: " + text_of(given) + "; it must be \"every_pair\", \"first_of_ray\" or \"any_of_ray\"");
}

inline QuerySides sides_of(const std::string& name) {
    if (name == "as_cooked") return QuerySides::as_cooked;
    if (name == "front") return QuerySides::front;
    if (name == "back") return QuerySides::back;
    if (name == "both") return QuerySides::both;
    value_error("sides: \"" + name + "\"; it must be \"as_cooked\", \"front\", \"back\" or \"both\"");
}

// The argument sides: a name for all, or QuerySides as numbers, one per ray, which `each` keeps.
inline void read_sides(py::handle given, QuerySides& all, std::vector<QuerySides>* each) {
    if (!given) return;
    if (each == nullptr || py::isinstance<py::str>(given)) {
        all = sides_of(py::isinstance<py::str>(given) ? py::cast<std::string>(given) : text_of(given));
        return;
    }
    const Column rows = uint_rows(given, "sides", 0);
    const auto numbers = rows.as<std::uint32_t>();
    for (std::size_t i = 0; i < numbers.size(); ++i) each->push_back(QuerySides(numbers[i] < 4 ? numbers[i] : 0xff));
}

// Positions of rays and points: float32, or float64 in the second column.
template <class Vec, class DVec>
void read_positions(KeptColumns& kept, py::handle given, const char* name, Strided<Vec>& to,
                    Strided<DVec>& doubles_to) {
    bool doubles = false;
    const Column& rows = kept.add_read(name, position_rows(given, name, sizeof(Vec) / sizeof(float), doubles));
    if (doubles)
        doubles_to = rows.as<DVec>();
    else
        to = rows.as<Vec>();
}

template <class Arrays>
class QueriesOf {
    using Types = typename Arrays::Types;
    using Phase = typename Types::Phase;
    using Narrow = NarrowOf<Phase>;
    using Given = const py::args&;
    using Keywords = const py::kwargs&;
    static constexpr bool kHasMeshes = Types::kCoordinates == 3;

public:
    // Calls ask(Phase&, const Frame&, Columns&) without the GIL, under all locks, and puts the columns into the result.
    template <class Columns, class Ask>
    static py::object run(Narrow& narrow, const Arrays& arrays, py::handle out, Ask ask) {
        if (out && !py::isinstance<Result<Columns>>(out))
            type_error("out: " + type_name(out) + " is not the result of this query");
        py::object object =
            out ? py::reinterpret_borrow<py::object>(out) : py::cast(std::make_shared<Result<Columns>>());
        auto& result = py::cast<Result<Columns>&>(object);
        const std::shared_ptr<Columns> columns = result.pool.take();
        CallResult outcome;
        {
            const py::gil_scoped_release release;
            const std::lock_guard one_call(narrow.mutex);
            outcome = arrays.with_frame([&](const auto& frame) { return ask(narrow.phase, frame, *columns); });
        }
        if (!outcome) {
            result.pool.abandon(columns);
            raise(outcome.error());
        }
        result.pool.commit(columns);
        result.pairs = arrays.frame.pairs.size();
        return object;
    }

    static py::object overlap(Narrow& narrow, Given positional, Keywords keywords) {
        return run_plain<Overlaps>(
            "overlap", narrow, positional, keywords,
            [](Phase& phase, auto& frame, auto& columns) { return phase.overlap(frame, columns); });
    }

    static py::object collide(Narrow& narrow, Given positional, Keywords keywords) {
        return run_plain<typename Types::Manifolds>(
            "collide", narrow, positional, keywords,
            [](Phase& phase, auto& frame, auto& columns) { return phase.collide(frame, columns); });
    }

    static py::object distance(Narrow& narrow, Given positional, Keywords keywords) {
        Arguments arguments("distance", positional, keywords);
        const auto arrays = frame_from<Arrays>(arguments);
        const py::handle out = arguments.keyword("out"), most = arguments.keyword("max_distance"),
                         each = arguments.keyword("max_distances"), separation = arguments.keyword("separation_only");
        arguments.finish({"out", "max_distance", "max_distances", "separation_only"}, frame_arguments(arrays.get()));
        DistanceOptions options;
        if (most) options.max_distance = float_of(most, "max_distance");
        Column limits;
        if (each) {
            limits = float_rows(each, "max_distances", 0);
            options.max_distances = limits.as<float>();
        }
        if (separation) options.separation_only = bool_of(separation, "separation_only");
        return run<typename Types::Distances>(narrow, *arrays, out, [&](Phase& phase, auto& frame, auto& columns) {
            return phase.distance(frame, columns, options);
        });
    }

    static py::object cast(Narrow& narrow, Given positional, Keywords keywords) {
        Arguments arguments("cast", positional, keywords);
        const auto arrays = frame_from<Arrays>(arguments);
        const py::handle out = arguments.keyword("out"), ends = arguments.keyword("ends"),
                         centers = arguments.keyword("centers"), target = arguments.keyword("target"),
                         targets = arguments.keyword("targets"), latest = arguments.keyword("latest"),
                         tolerance = arguments.keyword("tolerance"), start = arguments.keyword("start"),
                         reduction = arguments.keyword("reduction"), sides = surface_argument(arguments, "sides");
        arguments.finish({"out", "ends", "centers", "target", "targets", "latest", "tolerance", "start", "reduction",
                          kHasMeshes ? "sides" : "out"},
                         frame_arguments(arrays.get()));
        if (!ends) type_error("cast: ends is missing, the bodies at the end of the motion");
        KeptColumns kept;
        typename Arrays::Ends parts(ends, kept);
        auto motions = parts.motions();
        CastOptions options;
        if (centers)
            motions.centers = kept.add_read("centers", float_rows(centers, "centers", Types::kCoordinates))
                                  .template as<typename Types::Vec>();
        if (targets) options.targets = kept.add_read("targets", float_rows(targets, "targets", 0)).template as<float>();
        if (latest) options.latest = kept.add_read("latest", float_rows(latest, "latest", 0)).template as<float>();
        if (target) options.target = float_of(target, "target");
        if (tolerance) options.tolerance = float_of(tolerance, "tolerance");
        if (start) options.start = start_of(start);
        if (reduction) options.reduction = reduction_of(reduction);
        read_sides(sides, options.sides, nullptr);
        return run<typename Types::Casts>(narrow, *arrays, out, [&](Phase& phase, auto& frame, auto& columns) {
            return phase.cast(frame, motions, columns, options);
        });
    }

    static py::object raycast(Narrow& narrow, Given positional, Keywords keywords) {
        Arguments arguments("raycast", positional, keywords);
        const auto arrays = frame_from<Arrays>(arguments);
        const py::handle out = arguments.keyword("out"), origins = arguments.keyword("origins"),
                         directions = arguments.keyword("directions"), lengths = arguments.keyword("lengths"),
                         reduction = arguments.keyword("reduction"),
                         solid = surface_argument(arguments, "solid_meshes"),
                         sides = surface_argument(arguments, "sides");
        arguments.finish({"out", "origins", "directions", "lengths", "reduction", kHasMeshes ? "solid_meshes" : "out",
                          kHasMeshes ? "sides" : "out"},
                         frame_arguments(arrays.get()));
        if (!origins || !directions) type_error("raycast: origins and directions are needed");
        KeptColumns kept;
        typename Types::Rays rays;
        read_positions(kept, origins, "origins", rays.origins, rays.double_origins);
        rays.directions = kept.add_read("directions", float_rows(directions, "directions", Types::kCoordinates))
                              .template as<typename Types::Vec>();
        if (lengths) rays.lengths = kept.add_read("lengths", float_rows(lengths, "lengths", 0)).template as<float>();
        RayOptions options;
        if (reduction) options.reduction = ray_reduction_of(reduction);
        if (solid) options.solid_meshes = bool_of(solid, "solid_meshes");
        std::vector<QuerySides> each;
        read_sides(sides, options.sides, &each);
        if constexpr (kHasMeshes) rays.sides = each;
        return run<typename Types::RayHits>(narrow, *arrays, out, [&](Phase& phase, auto& frame, auto& columns) {
            return phase.raycast(frame, rays, columns, options);
        });
    }

    static py::object measure(Narrow& narrow, Given positional, Keywords keywords) {
        Arguments arguments("measure", positional, keywords);
        const auto arrays = frame_from<Arrays>(arguments);
        const py::handle out = arguments.keyword("out"), given = arguments.keyword("points"),
                         most = arguments.keyword("max_distance"), solid = surface_argument(arguments, "solid_meshes");
        arguments.finish({"out", "points", "max_distance", kHasMeshes ? "solid_meshes" : "out"},
                         frame_arguments(arrays.get()));
        if (!given) type_error("measure: points is missing");
        KeptColumns kept;
        typename Types::Points points;
        read_positions(kept, given, "points", points.positions, points.double_positions);
        PointOptions options;
        if (most) options.max_distance = float_of(most, "max_distance");
        if (solid) options.solid_meshes = bool_of(solid, "solid_meshes");
        return run<typename Types::PointDistances>(narrow, *arrays, out, [&](Phase& phase, auto& frame, auto& columns) {
            return phase.measure(frame, points, columns, options);
        });
    }

private:
    // A query that has no options but those of its frame.
    template <class Columns, class Ask>
    static py::object run_plain(const char* name, Narrow& narrow, Given positional, Keywords keywords, Ask ask) {
        Arguments arguments(name, positional, keywords);
        const auto arrays = frame_from<Arrays>(arguments);
        const py::handle out = arguments.keyword("out");
        arguments.finish({"out"}, frame_arguments(arrays.get()));
        return run<Columns>(narrow, *arrays, out, ask);
    }

    // An argument that only three dimensions have.
    static py::handle surface_argument(Arguments& arguments, const char* name) {
        return kHasMeshes ? arguments.keyword(name) : py::handle();
    }
};

// What every class NarrowPhase has beside its queries.
template <class Phase>
void define_state(py::class_<NarrowOf<Phase>, std::shared_ptr<NarrowOf<Phase>>>& narrow_class) {
    using Narrow = NarrowOf<Phase>;
    narrow_class
        .def_property_readonly(
            "counters",
            [](Narrow& narrow) {
        const py::gil_scoped_release release;
        const std::lock_guard lock(narrow.mutex);
        return Counters(narrow.phase.counters());
            },
            "Counters of the last call.")
        .def_property_readonly(
            "isa", [](const Narrow& narrow) { return to_string(narrow.phase.isa()); },
            "The name of the instruction set in use.")
        .def_readonly("threads", &Narrow::threads, "The setting.");
}

}  // namespace abut::python
