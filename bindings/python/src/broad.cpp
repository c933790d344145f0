// BroadPhase: candidate pairs from boxes. The GIL is released while it runs.
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include <abut/broad_phase.hpp>

#include <pybind11/pybind11.h>

#include "boxes.hpp"
#include "queries.hpp"

namespace abut::python {
namespace {

// One call at a time: the others wait.
struct Broad {
    explicit Broad(const BroadSettings& settings) : phase(settings) {}

    BroadPhase phase;
    std::mutex mutex;
};

template <class Ask>
std::shared_ptr<PairList> run(Broad& broad, Ask ask) {
    auto list = std::make_shared<PairList>();
    CallResult outcome;
    {
        const py::gil_scoped_release release;
        const std::lock_guard one_call(broad.mutex);
        outcome = ask(broad.phase, *list);
    }
    check(outcome);
    return list;
}

std::shared_ptr<PairList> find_pairs(Broad& broad, const py::object& bounds, float margin, const py::object& margins,
                                     const py::object& groups, const py::object& masks, const py::object& moving) {
    BoxArrays arrays(bounds, "bounds");
    arrays.add(margin, margins, groups, masks, moving);
    return run(broad, [&](BroadPhase& phase, PairList& list) { return phase.find_pairs(arrays.boxes, list); });
}

std::shared_ptr<PairList> find_pairs_of_sets(Broad& broad, const py::object& a, const py::object& b, float margin) {
    BoxArrays first(a, "a"), second(b, "b");
    first.boxes.margin = second.boxes.margin = margin;
    return run(broad,
               [&](BroadPhase& phase, PairList& list) { return phase.find_pairs(first.boxes, second.boxes, list); });
}

std::shared_ptr<PairList> find_ray_pairs(Broad& broad, const py::object& origins, const py::object& directions,
                                         const py::object& lengths, const py::object& bounds, float margin,
                                         const py::object& half_extents) {
    bool doubles = false;
    const Column from = position_rows(origins, "origins", 3, doubles), along = float_rows(directions, "directions", 3);
    std::optional<Column> ends, halves;
    BoxArrays arrays(bounds, "bounds");
    arrays.boxes.margin = margin;
    BoxRays rays{.directions = along.as<Vec3>()};
    if (doubles)
        rays.double_origins = from.as<DVec3>();
    else
        rays.origins = from.as<Vec3>();
    if (!lengths.is_none()) rays.lengths = ends.emplace(float_rows(lengths, "lengths", 0)).as<float>();
    if (!half_extents.is_none())
        rays.half_extents = halves.emplace(float_rows(half_extents, "half_extents", 3)).as<Vec3>();
    return run(broad,
               [&](BroadPhase& phase, PairList& list) { return phase.find_ray_pairs(rays, arrays.boxes, list); });
}

py::array pairs_of(const std::shared_ptr<PairList>& list) {
    const std::span<const std::uint32_t> words(reinterpret_cast<const std::uint32_t*>(list->pairs.data()),
                                               2 * list->pairs.size());
    const py::array flat = view_of(words, py::dtype::of<std::uint32_t>(), {}, list);
    return flat.attr("reshape")(py::make_tuple(-1, 2));
}

py::array_t<std::int64_t> match(const py::object& before, const py::object& now) {
    const Column old_rows = uint_rows(before, "before", 2), new_rows = uint_rows(now, "now", 2);
    if (!old_rows.is_packed(sizeof(Pair)) || !new_rows.is_packed(sizeof(Pair)))
        value_error("match_pairs: the pairs must be C-contiguous");
    std::vector<PreviousPair> previous(new_rows.count);
    check(match_pairs({reinterpret_cast<const Pair*>(old_rows.data), old_rows.count},
                      {reinterpret_cast<const Pair*>(new_rows.data), new_rows.count}, previous));
    py::array_t<std::int64_t> indices(static_cast<py::ssize_t>(previous.size()));
    for (std::size_t i = 0; i < previous.size(); ++i)
        indices.mutable_data()[i] = previous[i].index == kNoPair ? -1 : std::int64_t(previous[i].index);
    return indices;
}

}  // namespace

void define_broad_phase(py::module_& module) {
    py::class_<PairList, std::shared_ptr<PairList>>(module, "PairList",
                                                    "Candidate pairs. Arrays are views that keep the list.")
        .def("__len__", [](const PairList& list) { return list.pairs.size(); })
        .def_property_readonly("pairs", &pairs_of, "(n, 2) uint32, ascending by the first column, then by the second.")
        .def_property_readonly(
            "bad_a",
            [](const std::shared_ptr<PairList>& list) {
        return view_of(std::span<const std::uint32_t>(list->bad_a), py::dtype::of<std::uint32_t>(), {}, list);
            },
            "Indices of bad boxes of the only or first set, or of bad rays.")
        .def_property_readonly(
            "bad_b",
            [](const std::shared_ptr<PairList>& list) {
        return view_of(std::span<const std::uint32_t>(list->bad_b), py::dtype::of<std::uint32_t>(), {}, list);
            },
            "Indices of bad boxes of the second set, or of the boxes of rays.")
        .def(py::pickle(
            [](const std::shared_ptr<PairList>& list) {
        const auto numbers = [&](const std::vector<std::uint32_t>& items) {
            return view_of(std::span<const std::uint32_t>(items), py::dtype::of<std::uint32_t>(), {}, list);
        };
        return py::make_tuple(pairs_of(list), numbers(list->bad_a), numbers(list->bad_b));
            },
            [](const py::tuple& state) {
        if (state.size() != 3) value_error("state: it must be (pairs, bad_a, bad_b)");
        auto list = std::make_shared<PairList>();
        const Column pairs = uint_rows(state[0], "pairs", 2), a = uint_rows(state[1], "bad_a", 0),
                     b = uint_rows(state[2], "bad_b", 0);
        for (std::size_t i = 0; i < pairs.count; ++i) list->pairs.push_back(pairs.as<Pair>()[i]);
        for (std::size_t i = 0; i < a.count; ++i) list->bad_a.push_back(a.as<std::uint32_t>()[i]);
        for (std::size_t i = 0; i < b.count; ++i) list->bad_b.push_back(b.as<std::uint32_t>()[i]);
        return list;
        }));

    py::class_<Broad, std::shared_ptr<Broad>>(module, "BroadPhase", R"(BroadPhase(*, threads=0, isa="auto")

Candidate pairs from boxes. It holds scratch memory only: a list depends on the boxes of its call alone. Calls release the GIL.)")
        .def(py::init([](unsigned threads, const std::string& isa) {
                 auto made =
                     std::make_shared<Broad>(BroadSettings{.threads = threads, .isa = value_of(parse_isa(isa))});
                 check(made->phase.find_pairs(Boxes{}));
                 return made;
             }),
             py::kw_only(), py::arg("threads") = 0, py::arg("isa") = "auto")
        .def("find_pairs", &find_pairs, py::arg("bounds"), py::kw_only(), py::arg("margin") = 0.0f,
             py::arg("margins") = py::none(), py::arg("groups") = py::none(), py::arg("masks") = py::none(),
             py::arg("moving") = py::none(), R"(
The pairs of boxes that overlap or touch, each once, the lower index first.

bounds: (n, 2, 3), metres, as world_bounds gives them; float32 in place, others are converted.
margin, margins: metres; each box is larger by it on every face, all alike or each its own.
groups, masks: (n,) integers; boxes i and j are a pair only if groups[i] & masks[j] and groups[j] & masks[i] are not 0.
moving: (n,) bool; two boxes that do not move are no pair.)")
        .def("find_pairs_of_sets", &find_pairs_of_sets, py::arg("a"), py::arg("b"), py::kw_only(),
             py::arg("margin") = 0.0f, "The pairs of a box of set a and a box of set b, each (n, 2, 3).")
        .def("find_ray_pairs", &find_ray_pairs, py::arg("origins"), py::arg("directions"), py::arg("lengths"),
             py::arg("bounds"), py::kw_only(), py::arg("margin") = 0.0f, py::arg("half_extents") = py::none(), R"(
The pairs (ray, box) of rays that meet a box. origins: (n, 3), float32 or float64; directions: (n, 3), of any length; lengths: (n,), metres, or
None for rays that end at origin + direction. half_extents: (n, 3), metres: a box that moves with its centre along each ray.)");
    module.def("match_pairs", &match, py::arg("before"), py::arg("now"),
               "For each of the pairs `now` its index in `before`, or -1: (n,) int64. Both lists are sorted, as "
               "PairList.pairs is.");
}

}  // namespace abut::python
