#include "results.hpp"

#include <cstring>

#include <abut/cast.hpp>
#include <abut/configurations.hpp>
#include <abut/rays.hpp>
#include <abut/status.hpp>

#include "result_bits.hpp"
#include "result_class.hpp"

namespace abut::python {

const py::dtype& dtype(const char* name) {
    // Each for the life of the process.
    static auto* known = new std::vector<std::pair<std::string, py::dtype>>;
    for (const auto& [known_name, type] : *known)
        if (known_name == name) return type;
    const bool is_record = std::strchr(name, '_') != nullptr;
    known->emplace_back(name, is_record ? py::dtype::from_args(record_dtype(name)) : py::dtype(name));
    return known->back().second;
}

namespace {

// Whether there is a pair.
template <class Columns, class Class>
void define_hit(Class& to) {
    to.def_property_readonly(
        "hit",
        [](const Result<Columns>& r) {
        const auto& columns = r.pool.current();
        py::array_t<bool> hit(py::ssize_t(columns->pair.size()));
        for (std::size_t i = 0; i < columns->pair.size(); ++i) hit.mutable_data()[i] = columns->pair[i] != kNoPair;
        return hit;
        },
        "(n,) bool, a new array.");
}

template <class... T>
std::string checksum(const std::vector<T>&... columns) {
    tools::Checksum sum;
    (sum.add_column(std::as_bytes(std::span(columns))), ...);
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(sum.value()));
    return text;
}

constexpr const char* kChecksumDoc =
    "The 64-bit checksum of all columns, as 16 hexadecimal digits: that of a frame in `abut replay --json` "
    "(docs/formats.md, \"The checksum\"). "
    "Equal on "
    "every machine, instruction set and number of threads.";
py::array_t<std::uint32_t> contact_pairs(const Result<Manifolds>& result) {
    const auto& columns = result.pool.current();
    py::array_t<std::uint32_t> pairs(py::ssize_t(columns->contacts.size()));
    std::uint32_t* to = pairs.mutable_data();
    // The arrays are the caller's to change: nothing is written past the end whatever the counts say.
    for (const Manifold& manifold : columns->manifolds)
        for (std::size_t i = 0; i < manifold.contact_count && manifold.first_contact + i < columns->contacts.size();
             ++i)
            to[manifold.first_contact + i] = manifold.pair;
    return pairs;
}

std::string merged_checksum(const py::iterable& parts) {
    tools::Checksum sum;
    for (const py::handle part : parts) {
        if (!py::isinstance<py::str>(part)) type_error("checksums: " + type_name(part) + "; a checksum is a str");
        const std::string text = py::cast<std::string>(part);
        std::size_t used = 0;
        unsigned long long value = 0;
        if (text.size() == 16 && text.find_first_not_of("0123456789abcdef") == std::string::npos)
            value = std::stoull(text, &used, 16);
        if (used != 16) value_error("checksums: \"" + text + "\" has not 16 hexadecimal digits");
        sum.add_long(value);
    }
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(sum.value()));
    return text;
}

}  // namespace

void define_results(py::module_& module) {
    auto overlaps = define<Overlaps>(module, "Overlaps",
                                     R"(What NarrowPhase.overlap found. Columns are views, in the order of the pairs.

An array that was handed out stays valid, and unchanged by abut, as long as it is referenced. The argument out of a query takes the memory again once
nothing refers to it.)");
    column(overlaps, "bits", &Overlaps::bits, "uint32", {},
           "(ceil(n / 32),) uint32: bit i % 32 of word i // 32 is pair i.", Length::words);
    column(overlaps, "hits", &Overlaps::hits, "uint32", {}, "(k,) uint32: the pairs that overlap, ascending.",
           Length::any);
    column(overlaps, "status", &Overlaps::status, "uint8", {}, kStatusDoc);
    overlaps.def_property_readonly("hit", &hit_of<Overlaps>, "(n,) bool, made from the bits: a new array.");
    overlaps.def(
        "checksum",
        [](const Result<Overlaps>& r) { return checksum(r.pool.current()->bits, r.pool.current()->status); },
        kChecksumDoc);

    auto distances = define_distances<Distances>(module, 3);
    distances.def(
        "checksum",
        [](const Result<Distances>& r) {
        const Distances& d = *r.pool.current();
        return checksum(d.signed_distance, d.normal, d.point_a, d.point_b, d.status);
        },
        kChecksumDoc);

    auto any = define<AnyOverlaps>(
        module, "AnyOverlaps",
        "What NarrowPhase.any_overlap found, an element per configuration; see Overlaps for the views' life.");
    column(any, "pair", &AnyOverlaps::pair, "uint32", {},
           "(c,) uint32: the first pair of the list that overlaps, or 0xffffffff.");
    column(any, "unanswered", &AnyOverlaps::unanswered, "uint32", {},
           "(c,) uint32: how many pairs before it have no answer.");
    define_hit<AnyOverlaps>(any);

    auto paths = define<PathOverlaps>(
        module, "PathOverlaps",
        "What NarrowPhase.any_overlap_of_paths found, an element per path; see Overlaps for the views' life.");
    column(paths, "configuration", &PathOverlaps::configuration, "uint32", {},
           "(p,) uint32: a configuration in which a pair overlaps, or 0xffffffff.");
    column(paths, "pair", &PathOverlaps::pair, "uint32", {},
           "(p,) uint32: the first pair of the list that overlaps in it, or 0xffffffff.");
    column(paths, "unanswered", &PathOverlaps::unanswered, "uint32", {},
           "(p,) uint32: how many pairs that were looked at before have no answer.");
    define_hit<PathOverlaps>(paths);

    define_least_distances<LeastDistances>(module, 3);

    auto gradients = define<Gradients>(module, "Gradients",
                                       "What distance_gradients found. Columns are views, along world axes, in the "
                                       "order of the pairs; see Overlaps for their life.");
    column(gradients, "position_a", &Gradients::position_a, "float32", {3},
           "(n, 3) float32: by a translation of body A.");
    column(gradients, "rotation_a", &Gradients::rotation_a, "float32", {3},
           "(n, 3) float32, metres per radian: by a rotation of body A about its position.");
    column(gradients, "position_b", &Gradients::position_b, "float32", {3},
           "(n, 3) float32: by a translation of body B.");
    column(gradients, "rotation_b", &Gradients::rotation_b, "float32", {3},
           "(n, 3) float32, metres per radian: by a rotation of body B about its position.");

    auto manifolds = define<Manifolds>(
        module, "Manifolds",
        R"(What NarrowPhase.collide found. Columns are views, in the order of the pairs; see Overlaps for their life.

Pair i has manifolds[first_manifold[i] : first_manifold[i + 1]]: none or one, of compounds one for each pair of children in contact. A manifold has
contacts[first_contact : first_contact + contact_count], the deepest first.)");
    column(manifolds, "first_manifold", &Manifolds::first_manifold, "uint32", {}, "(n + 1,) uint32.", Length::firsts);
    column(manifolds, "manifolds", &Manifolds::manifolds, "manifold_dtype", {},
           "(k,) manifold_dtype: pair, children, normal (unit, from A to B), contacts.", Length::any);
    column(manifolds, "contacts", &Manifolds::contacts, "contact_dtype", {},
           "(c,) contact_dtype: position (metres, relative to A's position), separation (metres, negative where the "
           "surfaces overlap), feature.",
           Length::any);
    column(manifolds, "triangles", &Manifolds::triangles, "uint32", {},
           "(c,) uint32: for each contact the triangle of the mesh or height field that it is on; 0 for other shapes.",
           Length::any);
    column(manifolds, "status", &Manifolds::status, "uint8", {}, kStatusDoc);
    manifolds.def("contact_pairs", &contact_pairs, "(c,) uint32, a new array: the pair of each contact.");
    manifolds.def(
        "checksum",
        [](const Result<Manifolds>& r) {
        const Manifolds& m = *r.pool.current();
        return checksum(m.first_manifold, m.manifolds, m.contacts, m.status);
        },
        kChecksumDoc);

    define_casts<Casts>(module, 3);
    define_ray_hits<RayHits>(module, 3);
    define_point_distances<PointDistances>(module, 3);

    module.def("merge_checksums", &merged_checksum, py::arg("checksums"),
               "One checksum over those of a capture's frames, in the order of the frames: the one that `abut replay` "
               "prints. The parts may have been found "
               "anywhere and in any order.");
}

}  // namespace abut::python
