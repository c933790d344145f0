// Warm tables.
#include "api/c/c_call.hpp"
#include "api/c/convert.hpp"
#include "api/c/handles.hpp"
#include "api/c/sized.hpp"

namespace abut::c {
namespace {

CallResult read_pairs(const abut_column& from, Strided<Pair>& to) {
    to = column<Pair>(from);
    return check_strided("pairs", to);
}

CallResult carry_over(abut_warm_table* table, const FrameContacts& now, const abut_carry_over_options* options) {
    CarryOverOptions wanted;
    if (CallResult r = to_cpp(options, wanted); !r) return r;
    return table->table.carry_over(now, wanted);
}

// A column of the table, as the C struct that has the same bytes.
template <class Table, class To, class Column>
abut_error_code give_column(Table* table, const char* name, To** items, size_t* count, abut_error* error,
                            Column&& column) {
    return run(error, {{"table", table}, {name, items}, {"count", count}}, [&]() -> CallResult {
        const auto all = column(table->table);
        static_assert(sizeof(To) == sizeof(all[0]));
        *items = reinterpret_cast<To*>(all.data());
        *count = all.size();
        return {};
    });
}

// Writes the changes that `find()` returns.
template <class Find>
CallResult write_changes(abut_touch_changes* to, Find&& find) {
    if (CallResult r = check_sized(to); !r) return r;
    const Expected<TouchChanges> found = find();
    if (!found) return found.error();
    write_sized(
        to, abut_touch_changes{sizeof(abut_touch_changes), found->began.data(), found->began.size(),
                               found->stayed.data(), found->stayed.size(),
                               reinterpret_cast<const abut_ended_touch*>(found->ended.data()), found->ended.size()});
    return {};
}

}  // namespace
}  // namespace abut::c

using namespace abut;

abut_error_code abut_warm_table_create(abut_warm_table** table, abut_error* error) {
    return c::create("table", table, error);
}

void abut_warm_table_destroy(abut_warm_table* table) { delete table; }

abut_error_code abut_warm_table_copy(abut_warm_table* to, const abut_warm_table* from, abut_error* error) {
    return c::run(error, {{"to", to}, {"from", from}}, [&]() -> CallResult {
        if (to == from) return {};
        return to->table.assign(from->table);
    });
}

size_t abut_warm_table_byte_count(const abut_warm_table* table) {
    return table == nullptr ? 0 : table->table.byte_count();
}

abut_error_code abut_warm_table_write(const abut_warm_table* table, void* bytes, size_t room, abut_error* error) {
    return c::run(error, {{"table", table}, {"bytes", bytes}}, [&]() -> CallResult {
        if (table->table.byte_count() == 0) throw std::bad_alloc();
        return c::write_bytes(table->table, "table", bytes, room);
    });
}

abut_error_code abut_warm_table_read(const void* bytes, size_t count, abut_warm_table** table, abut_error* error) {
    return c::run(error, {{"table", table}, {"bytes", bytes}}, [&] {
        return c::give(WarmTable::read({static_cast<const std::byte*>(bytes), count}), table);
    });
}

abut_error_code abut_warm_table_begin(abut_warm_table* table, abut_column pairs, abut_mutable_column* caches,
                                      abut_error* error) {
    return c::run(error, {{"table", table}, {"caches", caches}}, [&]() -> CallResult {
        Strided<Pair> all;
        if (CallResult r = c::read_pairs(pairs, all); !r) return r;
        const std::span<WarmCache> found = table->table.begin(all);
        if (found.size() < all.size()) throw std::bad_alloc();
        *caches = {found.data(), found.size(), sizeof(WarmCache)};
        return {};
    });
}

abut_error_code abut_warm_table_previous_pairs(const abut_warm_table* table, const abut_previous_pair** pairs,
                                               size_t* count, abut_error* error) {
    return c::give_column(table, "pairs", pairs, count, error, [](auto& t) { return t.previous_pairs(); });
}

abut_error_code abut_warm_table_carry_over(abut_warm_table* table, const abut_frame* frame,
                                           const abut_manifold_columns* now, const abut_carry_over_options* options,
                                           abut_error* error) {
    return c::run(error, {{"table", table}, {"frame", frame}, {"now", now}}, [&]() -> CallResult {
        Frame asked;
        ManifoldColumns answer;
        if (CallResult r = c::to_cpp(frame, asked); !r) return r;
        if (CallResult r = c::to_cpp(now, answer); !r) return r;
        if (CallResult r = c::check_answer(answer); !r) return r;
        return c::carry_over(table, frame_contacts(asked, answer), options);
    });
}

abut_error_code abut_warm_table_carry_over_contacts(abut_warm_table* table, const abut_frame_contacts* now,
                                                    const abut_carry_over_options* options, abut_error* error) {
    return c::run(error, {{"table", table}, {"now", now}}, [&]() -> CallResult {
        FrameContacts contacts;
        if (CallResult r = c::to_cpp(now, contacts); !r) return r;
        return c::carry_over(table, contacts, options);
    });
}

abut_error_code abut_warm_table_impulses(abut_warm_table* table, abut_contact_impulse** impulses, size_t* count,
                                         abut_error* error) {
    return c::give_column(table, "impulses", impulses, count, error, [](auto& t) { return t.impulses(); });
}

abut_error_code abut_warm_table_carried_by(const abut_warm_table* table, const abut_carried_by** by, size_t* count,
                                           abut_error* error) {
    return c::give_column(table, "by", by, count, error, [](auto& t) { return t.carried_by(); });
}

abut_error_code abut_warm_table_previous_contacts(const abut_warm_table* table, const uint32_t** contacts,
                                                  size_t* count, abut_error* error) {
    return c::give_column(table, "contacts", contacts, count, error, [](auto& t) { return t.previous_contacts(); });
}

abut_error_code abut_warm_table_previous_manifolds(const abut_warm_table* table,
                                                   const abut_previous_manifold** manifolds, size_t* count,
                                                   abut_error* error) {
    return c::give_column(table, "manifolds", manifolds, count, error, [](auto& t) { return t.previous_manifolds(); });
}

abut_error_code abut_warm_table_manifolds_before(const abut_warm_table* table, const abut_manifold** manifolds,
                                                 size_t* count, abut_error* error) {
    return c::give_column(table, "manifolds", manifolds, count, error, [](auto& t) { return t.manifolds_before(); });
}

abut_error_code abut_warm_table_next_manifolds(const abut_warm_table* table, const uint32_t** manifolds, size_t* count,
                                               abut_error* error) {
    return c::give_column(table, "manifolds", manifolds, count, error, [](auto& t) { return t.next_manifolds(); });
}

abut_error_code abut_warm_table_set_floats(abut_warm_table* table, size_t per_contact, size_t per_manifold,
                                           abut_error* error) {
    return c::run(error, {{"table", table}}, [&] { return table->table.set_floats(per_contact, per_manifold); });
}

abut_error_code abut_warm_table_contact_floats(abut_warm_table* table, float** floats, size_t* count,
                                               abut_error* error) {
    return c::give_column(table, "floats", floats, count, error, [](auto& t) { return t.contact_floats(); });
}

abut_error_code abut_warm_table_manifold_floats(abut_warm_table* table, float** floats, size_t* count,
                                                abut_error* error) {
    return c::give_column(table, "floats", floats, count, error, [](auto& t) { return t.manifold_floats(); });
}

abut_error_code abut_warm_table_touch_changes(abut_warm_table* table, const abut_touch_options* options,
                                              abut_touch_changes* changes, abut_error* error) {
    return c::run(error, {{"table", table}, {"changes", changes}}, [&]() -> CallResult {
        TouchOptions wanted;
        if (CallResult r = c::to_cpp(options, wanted); !r) return r;
        return c::write_changes(changes, [&] { return table->table.touch_changes(wanted); });
    });
}

abut_error_code abut_warm_table_overlap_changes(abut_warm_table* table, const uint32_t* bits, size_t bit_words,
                                                abut_touch_changes* changes, abut_error* error) {
    return c::run(error, {{"table", table}, {"changes", changes}}, [&]() -> CallResult {
        std::span<const std::uint32_t> all;
        if (CallResult r = c::view_items("bits", bits, bit_words, all); !r) return r;
        return c::write_changes(changes, [&] { return table->table.overlap_changes(all); });
    });
}

abut_error_code abut_warm_table_keep(abut_warm_table* table, abut_column pairs, size_t* found, abut_error* error) {
    return c::run(error, {{"table", table}}, [&]() -> CallResult {
        Strided<Pair> all;
        if (CallResult r = c::read_pairs(pairs, all); !r) return r;
        const Expected<std::size_t> kept = table->table.keep(all);
        if (!kept) return kept.error();
        if (found != nullptr) *found = *kept;
        return {};
    });
}

abut_error_code abut_warm_table_drop(abut_warm_table* table, abut_column pairs, abut_error* error) {
    return c::run(error, {{"table", table}}, [&]() -> CallResult {
        Strided<Pair> all;
        if (CallResult r = c::read_pairs(pairs, all); !r) return r;
        return table->table.drop(all);
    });
}

size_t abut_warm_table_kept(const abut_warm_table* table) { return table == nullptr ? 0 : table->table.kept(); }

abut_error_code abut_warm_table_remap_bodies(abut_warm_table* table, const uint32_t* new_index, size_t count,
                                             abut_error* error) {
    return c::run(error, {{"table", table}}, [&]() -> CallResult {
        std::span<const std::uint32_t> all;
        if (CallResult r = c::view_items("new_index", new_index, count, all); !r) return r;
        return table->table.remap_bodies(all);
    });
}

abut_error_code abut_warm_table_swap_remove(abut_warm_table* table, uint32_t body, uint32_t last, abut_error* error) {
    return c::run(error, {{"table", table}}, [&] { return table->table.swap_remove(body, last); });
}

abut_error_code abut_warm_table_clear(abut_warm_table* table, abut_error* error) {
    return c::run(error, {{"table", table}}, [&]() -> CallResult {
        table->table.clear();
        return {};
    });
}

abut_error_code abut_warm_table_reserve(abut_warm_table* table, size_t pairs, size_t contacts, abut_error* error) {
    return c::run(error, {{"table", table}}, [&] { return table->table.reserve(pairs, contacts); });
}
