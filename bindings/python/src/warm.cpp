#include "warm.hpp"

#include "cooked.hpp"
#include "frames.hpp"
#include "plane.hpp"

namespace abut::python {
namespace {

template <class T>
py::array copy_of(std::span<const T> items, const py::object& dtype) {
    auto kept = std::make_shared<std::vector<T>>(items.begin(), items.end());
    return view_of<T>(*kept, dtype, {}, kept);
}

// What f(table) points to, copied under the lock.
template <class T, class F>
py::array copied(Warm& warm, const py::object& dtype, F&& f) {
    auto kept = std::make_shared<std::vector<T>>();
    warm.use([&](WarmTable& table) {
        const auto items = f(table);
        kept->assign(items.begin(), items.end());
    });
    return view_of<T>(*kept, dtype, {}, kept);
}

py::array previous_pairs(Warm& warm) {
    static_assert(sizeof(PreviousPair) == 8 && offsetof(PreviousPair, swapped) == 4);
    py::dict layout;
    layout["names"] = py::make_tuple("index", "swapped");
    layout["formats"] = py::make_tuple("=u4", "?");
    layout["offsets"] = py::make_tuple(0, 4);
    layout["itemsize"] = sizeof(PreviousPair);
    return copied<PreviousPair>(warm, py::dtype::from_args(layout),
                                [](WarmTable& table) { return table.previous_pairs(); });
}

py::bytes table_bytes(Warm& warm) {
    const std::vector<std::byte> bytes = warm.use([](WarmTable& table) {
        std::vector<std::byte> all(table.byte_count());
        all.resize(table.write(all));
        return all;
    });
    if (bytes.empty()) raise({ErrorCode::out_of_memory, "out of memory"});
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

WarmPtr warm_from(const py::buffer& given) { return std::make_shared<Warm>(read_bytes<WarmTable>(given)); }

Strided<Pair> pairs_of(py::handle given, Column& kept) {
    kept = uint_rows(given, "pairs", 2);
    return kept.as<Pair>();
}

}  // namespace

// Under the other's lock, without the GIL, as `use` takes it.
Warm::Warm(const Warm& other) {
    const_cast<Warm&>(other).use([&](WarmTable& table) { table_ = table; });
    set_impulses(true);
}

Warm::Warm(WarmTable&& table) : table_(std::move(table)) { set_impulses(true); }

void Warm::set_impulses(bool from_table) {
    auto columns = impulses_.take();
    {
        const py::gil_scoped_release release;
        const std::lock_guard lock(mutex_);
        const auto mine = from_table ? table_.impulses() : std::span<ContactImpulse>();
        columns->impulses.assign(mine.begin(), mine.end());
    }
    impulses_.commit(std::move(columns));
}

void Warm::begin(Strided<Pair> pairs) {
    use([&](WarmTable& table) { caches_ = table.begin(pairs); });
    set_impulses(false);
    if (caches_.size() != pairs.size()) raise({ErrorCode::out_of_memory, "out of memory"});
}

void Warm::clear() {
    use([&](WarmTable& table) {
        table.clear();
        caches_ = {};
    });
    set_impulses(false);
}

py::array Warm::impulses() const {
    const auto& columns = impulses_.current();
    return view_of<ContactImpulse>(columns->impulses, record_dtype("impulse_dtype"), {}, columns);
}

void define_warm_table(py::module_& module) {
    py::class_<Warm, WarmPtr>(
        module, "WarmTable",
        R"(What a solver remembers of its pairs from frame to frame: caches, contacts and their impulses. Once in each frame:

    frame = abut.Frame(store, bodies, pairs, caches=table.begin(pairs))
    manifolds = narrow.collide(frame, out=manifolds)
    table.carry_over(frame, manifolds)
    solve(manifolds, table.impulses)    # starts from them, and writes its own in their place

Body indices must name the same bodies as in the last frame: see remap_bodies. Calls from several threads wait for each other. docs/contacts.md.)")
        .def(py::init<>())
        .def(
            "begin",
            [](const WarmPtr& warm, py::handle pairs) {
        Column kept;
        warm->begin(pairs_of(pairs, kept));
        return warm;
            },
            py::arg("pairs"),
            "Finds the caches of these pairs, (m, 2) uint32, for Frame(caches=table). Returns the table.")
        .def(
            "carry_over",
            [](Warm& warm, const FrameArrays& frame, const Result<Manifolds>& manifolds, float match_distance,
               bool joined) {
        const std::shared_ptr<Manifolds> now = manifolds.pool.current();
        warm.carry_over([&](WarmTable& table, d2::FrameContacts&) {
            return table.carry_over(frame_contacts(frame.frame, *now), {match_distance, joined});
        });
            },
            py::arg("frame"), py::arg("manifolds"), py::arg("match_distance") = CarryOverOptions{}.match_distance,
            py::arg("joined") = false,
            "Finds the impulses of this frame's contacts. The frame has the pairs of the last begin(), the manifolds "
            "are the answer to it. "
            "match_distance is "
            "in metres; joined: the manifolds are joined (manifold_angle). Raises Error where they do not fit each "
            "other; then there are no impulses.")
        .def(
            "carry_over",
            [](Warm& warm, const PlaneArrays& frame, const Result<d2::Manifolds>& manifolds, float match_distance) {
        const std::shared_ptr<d2::Manifolds> now = manifolds.pool.current();
        warm.carry_over([&](WarmTable& table, d2::FrameContacts& contacts) {
            const CallResult copied = contacts.assign(frame.frame, *now);
            return copied ? table.carry_over(contacts.view(), {match_distance}) : copied;
        });
            },
            py::arg("frame"), py::arg("manifolds"), py::arg("match_distance") = CarryOverOptions{}.match_distance,
            "The same for abut.d2.Frame and abut.d2.Manifolds. The impulses are then two per manifold, beside its "
            "contacts: impulses.reshape(-1, 2). Their friction lies along x and y.")
        .def_property_readonly("impulses", &Warm::impulses,
                               "(c,) impulse_dtype, writable: one for each contact of the last carry_over, to start "
                               "from and to write to. What it holds at the "
                               "next begin() is remembered. Empty after begin().")
        .def_property_readonly(
            "carried_by",
            [](Warm& warm) {
        return copied<CarriedBy>(warm, py::dtype("uint8"), [](WarmTable& table) { return table.carried_by(); });
            },
            "(c,) uint8, a new array: a CarriedBy for each contact.")
        .def_property_readonly("previous_pairs", &previous_pairs,
                               "(m,) records, a new array: \"index\" of each pair in the frame before, 0xffffffff "
                               "where there is none, and whether it was \"swapped\".")
        .def(
            "keep",
            [](Warm& warm, py::handle pairs) {
        Column kept;
        const auto asleep = pairs_of(pairs, kept);
        return value_of(warm.use([&](WarmTable& table) { return table.keep(asleep); }));
            },
            py::arg("pairs"),
            "Remembers pairs of the last begin() that fall asleep, until they come again or drop(). Returns how many "
            "were in that frame.")
        .def(
            "drop",
            [](Warm& warm, py::handle pairs) {
        Column kept;
        const auto gone = pairs_of(pairs, kept);
        check(warm.use([&](WarmTable& table) { return table.drop(gone); }));
            },
            py::arg("pairs"), "Forgets pairs, kept ones and those of the last frame.")
        .def_property_readonly(
            "kept", [](Warm& warm) { return warm.use([](WarmTable& table) { return table.kept(); }); },
            "How many pairs are asleep.")
        .def(
            "remap_bodies",
            [](Warm& warm, py::handle new_index) {
        const Column kept = uint_rows(new_index, "new_index", 0);
        std::vector<std::uint32_t> packed(kept.count);
        for (std::size_t i = 0; i < kept.count; ++i) packed[i] = kept.as<std::uint32_t>()[i];
        check(warm.use([&](WarmTable& table) { return table.remap_bodies(packed); }));
            },
            py::arg("new_index"),
            "Between frames: body i of the last frame is body new_index[i] of the next one, or abut.REMOVED_BODY.")
        .def(
            "swap_remove",
            [](Warm& warm, std::uint32_t body, std::uint32_t last) {
        check(warm.use([&](WarmTable& table) { return table.swap_remove(body, last); }));
            },
            py::arg("body"), py::arg("last"),
            "The same for one body that is removed while the last body takes its index.")
        .def("clear", &Warm::clear, "Forgets everything.")
        .def(
            "reserve",
            [](Warm& warm, std::size_t pairs, std::size_t contacts) {
        check(warm.use([&](WarmTable& table) { return table.reserve(pairs, contacts); }));
            },
            py::arg("pairs"), py::arg("contacts") = 0,
            "Makes room for frames of that many pairs and contacts, and for as many asleep.")
        .def(
            "copy", [](const Warm& warm) { return std::make_shared<Warm>(warm); },
            "A snapshot of everything, for a rollback.")
        .def("to_bytes", &table_bytes, "The same as bytes, for a file or another process. Equal on every machine.")
        .def_static("from_bytes", &warm_from, py::arg("data"),
                    "From bytes of unknown origin, which are checked: Error names the first fault.")
        .def(py::pickle(&table_bytes, [](const py::bytes& bytes) { return warm_from(bytes); }))
        .def("__copy__", [](const Warm& warm) { return std::make_shared<Warm>(warm); })
        .def("__deepcopy__", [](const Warm& warm, const py::dict&) { return std::make_shared<Warm>(warm); });
}

}  // namespace abut::python
