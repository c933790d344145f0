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

// PreviousPair or PreviousManifold.
template <class Previous, class F>
py::array copied_previous(Warm& warm, F&& f) {
    static_assert(sizeof(Previous) == 8 && offsetof(Previous, swapped) == 4);
    py::dict layout;
    layout["names"] = py::make_tuple("index", "swapped");
    layout["formats"] = py::make_tuple("=u4", "?");
    layout["offsets"] = py::make_tuple(0, 4);
    layout["itemsize"] = sizeof(Previous);
    return copied<Previous>(warm, py::dtype::from_args(layout), f);
}

// The named tuple TouchChanges of what find(table) has found, as new arrays.
template <class Find>
py::object changes_of(Warm& warm, Find&& find) {
    std::vector<std::uint32_t> began, stayed;
    std::vector<EndedTouch> ended;
    check(warm.use([&](WarmTable& table) -> CallResult {
        const Expected<TouchChanges> found = find(table);
        if (!found) return found.error();
        began.assign(found->began.begin(), found->began.end());
        stayed.assign(found->stayed.begin(), found->stayed.end());
        ended.assign(found->ended.begin(), found->ended.end());
        return {};
    }));
    const py::dtype index("=u4");
    return record_dtype("TouchChanges")(copy_of<std::uint32_t>(began, index), copy_of<std::uint32_t>(stayed, index),
                                        copy_of<EndedTouch>(ended, record_dtype("ended_dtype")));
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
    read_columns();
}

Warm::Warm(WarmTable&& table) : table_(std::move(table)) { read_columns(); }

void Warm::read_columns() {
    auto columns = columns_.take();
    {
        const py::gil_scoped_release release;
        const std::lock_guard lock(mutex_);
        const auto read = [](auto from, auto& to) { to.assign(from.begin(), from.end()); };
        read(table_.impulses(), columns->impulses);
        read(table_.contact_floats(), columns->contact_floats);
        read(table_.manifold_floats(), columns->manifold_floats);
        columns->per_contact = table_.floats_per_contact(), columns->per_manifold = table_.floats_per_manifold();
    }
    columns_.commit(std::move(columns));
}

void Warm::begin(Strided<Pair> pairs) {
    use([&](WarmTable& table) { caches_ = table.begin(pairs); });
    read_columns();
    if (caches_.size() != pairs.size()) raise({ErrorCode::out_of_memory, "out of memory"});
}

void Warm::clear() {
    use([&](WarmTable& table) {
        table.clear();
        caches_ = {};
    });
    read_columns();
}

void Warm::set_floats(std::size_t per_contact, std::size_t per_manifold) {
    const CallResult result = use([&](WarmTable& table) { return table.set_floats(per_contact, per_manifold); });
    read_columns();
    check(result);
}

py::array Warm::impulses() const {
    const auto& columns = columns_.current();
    return view_of<ContactImpulse>(columns->impulses, record_dtype("impulse_dtype"), {}, columns);
}

namespace {

py::array rows_of(const std::vector<float>& floats, std::size_t per_row, const std::shared_ptr<const void>& owner) {
    const auto width = py::ssize_t(per_row), count = width ? py::ssize_t(floats.size()) / width : 0;
    return view_of<float>(floats, py::dtype("=f4"), {}, owner).attr("reshape")(count, width).cast<py::array>();
}

}  // namespace

py::array Warm::contact_floats() const {
    const auto& columns = columns_.current();
    return rows_of(columns->contact_floats, columns->per_contact, columns);
}
py::array Warm::manifold_floats() const {
    const auto& columns = columns_.current();
    return rows_of(columns->manifold_floats, columns->per_manifold, columns);
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
            "in metres; joined: the manifolds are joined (manifold_angle). Raises Error where the pairs are not those "
            "of begin() or the manifolds are not of as many pairs; then nothing changes.")
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
        .def_property_readonly(
            "previous_contacts",
            [](Warm& warm) {
        return copied<std::uint32_t>(warm, py::dtype("=u4"),
                                     [](WarmTable& table) { return table.previous_contacts(); });
            },
            "(c,) uint32, a new array: the index of each contact in the frame before, 0xffffffff where it is new.")
        .def_property_readonly(
            "previous_manifolds",
            [](Warm& warm) {
        return copied_previous<PreviousManifold>(warm, [](WarmTable& table) { return table.previous_manifolds(); });
            },
            "(k,) records, a new array, one for each manifold: as previous_pairs.")
        .def_property_readonly(
            "manifolds_before",
            [](Warm& warm) {
        return copied<Manifold>(warm, record_dtype("manifold_dtype"),
                                [](WarmTable& table) { return table.manifolds_before(); });
            },
            "(n,) manifold_dtype, a new array: the manifolds of the frame before.")
        .def_property_readonly(
            "next_manifolds",
            [](Warm& warm) {
        return copied<std::uint32_t>(warm, py::dtype("=u4"), [](WarmTable& table) { return table.next_manifolds(); });
            },
            "(n,) uint32, a new array: the index now of each of manifolds_before, 0xffffffff where it has ended.")
        .def("set_floats", &Warm::set_floats, py::arg("per_contact"), py::arg("per_manifold"),
             "How many floats of the caller's own each contact and each manifold has. They follow their contact or "
             "manifold; those of new ones are zeros.")
        .def_property_readonly("contact_floats", &Warm::contact_floats,
                               "(c, per_contact) float32, writable as impulses. Empty after begin().")
        .def_property_readonly("manifold_floats", &Warm::manifold_floats,
                               "(k, per_manifold) float32, writable as impulses. Empty after begin().")
        .def(
            "touch_changes",
            [](Warm& warm, float begin_distance, float end_distance) {
        return changes_of(warm, [&](WarmTable& table) { return table.touch_changes({begin_distance, end_distance}); });
            },
            py::arg("begin_distance") = TouchOptions{}.begin_distance,
            py::arg("end_distance") = TouchOptions{}.end_distance,
            "TouchChanges(began, stayed, ended) by the contacts of the last carry_over: began and stayed are indices "
            "of "
            "this frame's pairs, ended is ended_dtype: bodies, the pair's index or 0xffffffff, and bits of removed "
            "bodies. A pair begins to touch at begin_distance and ends at end_distance, metres. Call it in every "
            "frame, or never.")
        .def(
            "overlap_changes",
            [](Warm& warm, const Result<Overlaps>& overlaps) {
        const std::shared_ptr<Overlaps> now = overlaps.pool.current();
        return changes_of(warm, [&](WarmTable& table) { return table.overlap_changes(now->bits); });
            },
            py::arg("overlaps"),
            "The same for sensors, by the Overlaps of the pairs of the last begin(). Use a table for their pairs "
            "alone.")
        .def_property_readonly(
            "previous_pairs",
            [](Warm& warm) {
        return copied_previous<PreviousPair>(warm, [](WarmTable& table) { return table.previous_pairs(); });
            },
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
            "The same for one body that is removed while the last body takes its index. body may be last.")
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
