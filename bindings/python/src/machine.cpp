// Instruction sets, and the meaning of numbers in results.
#include <abut/frame.hpp>
#include <abut/host.hpp>
#include <abut/results.hpp>
#include <abut/shape_id.hpp>

#include "arrays.hpp"
#include "queries.hpp"

namespace abut::python {
namespace {

py::list supported_isas() {
    py::list names;
    for (const Isa isa : kAllIsas)
        if (is_supported(isa)) names.append(to_string(isa));
    return names;
}

Feature half_of(std::uint32_t half) {
    if (half > 0xffff) value_error("half: " + std::to_string(half) + " has more than 16 bits");
    return decode_feature(std::uint16_t(half));
}

py::array_t<std::uint8_t> certified(const py::array& traces) {
    if (!traces.dtype().equal(record_dtype("trace_dtype")))
        type_error("traces: dtype " + text_of(traces.dtype()) + "; it must be abut.trace_dtype");
    const Column column = records_in_place(traces, "traces", sizeof(PairTrace));
    const auto rows = column.as<PairTrace>();
    py::array_t<std::uint8_t> states(py::ssize_t(rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        PairTrace trace = rows[i];
        if (trace.count > PairTrace::kMostStates) trace.count = PairTrace::kMostStates;  // the array is the caller's
        states.mutable_data()[i] = std::uint8_t(certified_by(trace));
    }
    return states;
}

// The library's spelling, for the test that holds abut/_names.py to it.
std::string spelled(const std::string& enumeration, unsigned value) {
    if (enumeration == "Status") return to_string(Status(value));
    if (enumeration == "ShapeKind") return to_string(ShapeKind(value));
    if (enumeration == "PairState") return to_string(PairState(value));
    value_error("enumeration: \"" + enumeration + "\"");
}

}  // namespace

void define_machine(py::module_& module) {
    module.def("supported_isas", &supported_isas,
               "The instruction sets that are built in and that this machine runs: [\"sse2\", \"avx2\", ...].");
    module.def(
        "best_isa", [] { return to_string(best_isa()); }, "The one that NarrowPhase(isa=\"auto\") uses.");
    module.def(
        "read_environment", [] { check(read_environment()); },
        "Reads the environment variable ABUT_ISA: it names what \"auto\" means from now on, in this process. abut "
        "reads no variable otherwise.");
    module.def(
        "lanes", [](const std::string& isa) { return lanes(value_of(parse_isa(isa))); }, py::arg("isa"),
        "Pairs per register; 0 where it is not built in.");

    py::class_<Feature>(
        module, "Feature",
        "What a half of a contact's feature id names (include/abut/results.hpp has the numbers of each shape).")
        .def_property_readonly(
            "type", [](const Feature& f) { return enumerator("FeatureType", unsigned(f.type)); }, "FeatureType.")
        .def_readonly("v0", &Feature::v0, "The vertex, or an edge's lower end.")
        .def_readonly("v1", &Feature::v1, "The vertex again, or an edge's upper end.")
        .def_readonly("face", &Feature::face, "The face.")
        .def(
            "__eq__", [](const Feature& a, const Feature& b) { return a == b; }, py::is_operator())
        .def("__hash__",
             [](const Feature& f) { return py::hash(py::make_tuple(unsigned(f.type), f.v0, f.v1, f.face)); })
        .def("__repr__", [](const Feature& f) {
            const std::string v0 = std::to_string(f.v0), v1 = std::to_string(f.v1);
            if (f.type == FeatureType::face) return "<abut.Feature: face " + std::to_string(f.face) + ">";
            return f.type == FeatureType::edge ? "<abut.Feature: edge " + v0 + "-" + v1 + ">"
                                               : "<abut.Feature: vertex " + v0 + ">";
        });
    module.def("decode_feature", &half_of, py::arg("half"), "Feature of 16 bits: a half of a contact's feature id.");
    module.def("feature_of_a", &feature_of_a, py::arg("feature"), "Feature of body A, of a contact's feature id.");
    module.def("feature_of_b", &feature_of_b, py::arg("feature"), "Feature of body B, of a contact's feature id.");
    module.def("edge_feature", &edge_feature, py::arg("v0"), py::arg("v1"), "The 16 bits that name a hull's edge.");
    module.def("certified_by", &certified, py::arg("traces"),
               "The PairState that certified each answer, (m,) uint8: of an array of trace_dtype.");
    module.def("_spelled", &spelled);
}

}  // namespace abut::python
