// Configurations of either dimension: checked once, read in place by every call that gets them.
#pragma once

#include <limits>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>

#include "arrays.hpp"
#include "frames.hpp"
#include "query_class.hpp"
#include "store.hpp"

namespace abut::python {

// Keeps what it refers to. Made and destroyed with the GIL held. Types is Space or Plane.
template <class Types>
struct ConfigurationsOf {
    std::shared_ptr<StoreOf<typename Types::Shapes>> store;
    typename Types::Configurations all;
    std::size_t body_count;  // of one configuration
    KeptColumns columns;
};
using ConfigurationArrays = ConfigurationsOf<Space>;

// (c, bodies, items) as rows of one column, (c, bodies) for 0 items, (c, bodies, 4, 4) for 16: in place where the array
// is packed, else a copy.
py::array flat_poses(py::handle given, const char* name, std::size_t bodies, py::ssize_t items);

// A query about configurations: ask(Phase&, const Configurations&, Columns&); `count` elements in the result.
template <class Columns, class Types, class Ask>
py::object run_configurations(NarrowOf<typename Types::Phase>& narrow, const ConfigurationsOf<Types>& arrays,
                              std::size_t count, const std::shared_ptr<Result<Columns>>& out, Ask ask) {
    const std::shared_ptr<Result<Columns>> result = out ? out : std::make_shared<Result<Columns>>();
    const std::shared_ptr<Columns> columns = result->pool.take();
    CallResult outcome;
    {
        const py::gil_scoped_release release;
        const std::lock_guard one_call(narrow.mutex);
        const std::shared_lock readers(arrays.store->mutex());
        outcome = ask(narrow.phase, arrays.all, *columns);
    }
    if (!outcome) {
        result->pool.abandon(columns);
        raise(outcome.error());
    }
    result->pool.commit(columns);
    result->pairs = count;
    return py::cast(result);
}

template <class Types>
void define_reductions(
    py::class_<NarrowOf<typename Types::Phase>, std::shared_ptr<NarrowOf<typename Types::Phase>>>& narrow_class) {
    using Narrow = NarrowOf<typename Types::Phase>;
    using Least = typename Types::LeastDistances;
    narrow_class
        .def(
            "any_overlap",
            [](Narrow& narrow, const ConfigurationsOf<Types>& all, const std::shared_ptr<Result<AnyOverlaps>>& out) {
        return run_configurations<AnyOverlaps>(
            narrow, all, all.all.size(), out,
            [](auto& phase, const auto& given, auto& columns) { return phase.any_overlap(given, columns); });
            },
            py::arg("all"), py::kw_only(), py::arg("out") = py::none(),
            "AnyOverlaps: of each of the Configurations the first pair that overlaps. Pairs after it are not asked.")
        .def(
            "least_distance",
            [](Narrow& narrow, const ConfigurationsOf<Types>& all, float max_distance,
               const std::shared_ptr<Result<Least>>& out) {
        const DistanceOptions options{max_distance};
        return run_configurations<Least>(narrow, all, all.all.size(), out,
                                         [&](auto& phase, const auto& given, auto& columns) {
            return phase.least_distance(given, columns, options);
        });
            },
            py::arg("all"), py::kw_only(), py::arg("max_distance") = std::numeric_limits<float>::infinity(),
            py::arg("out") = py::none(),
            "LeastDistances: of each of the Configurations the least distance, and the pair that has it.");
}

// The class but for its constructor.
template <class Types>
auto define_configurations_of(py::module_& module, const char* doc, const char* package) {
    using Arrays = ConfigurationsOf<Types>;
    return py::class_<Arrays, std::shared_ptr<Arrays>>(module, "Configurations", doc)
        .def("__len__", [](const Arrays& arrays) { return arrays.all.size(); })
        .def_property_readonly(
            "pair_count", [](const Arrays& arrays) { return arrays.all.pairs.size(); },
            "The number of pairs of one configuration.")
        .def("__repr__", [package](const Arrays& arrays) {
            return "<" + std::string(package) + ".Configurations: " + std::to_string(arrays.all.size()) + " of " +
                   std::to_string(arrays.body_count) + " bodies and " + std::to_string(arrays.all.pairs.size()) +
                   " pairs>";
        });
}

}  // namespace abut::python
