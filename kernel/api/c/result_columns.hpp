// Columns of answers: the members of the C structs have the same names as those of C++.
#pragma once

#include <type_traits>

#include "api/c/convert.hpp"
#include "api/c/sized.hpp"

namespace abut::c {

template <class From, class To>
void copy_counts(const From& from, To& to) {
    if constexpr (requires { from.hit_count; }) to.hit_count = from.hit_count;
    if constexpr (requires { from.pair_count; }) to.pair_count = from.pair_count;
    if constexpr (requires { from.manifold_count; })
        to.manifold_count = from.manifold_count, to.manifolds_needed = from.manifolds_needed;
    if constexpr (requires { from.contact_count; })
        to.contact_count = from.contact_count, to.contacts_needed = from.contacts_needed;
}

template <class Columns, class Given>
Columns columns_of(const Given& given) {
    using enum detail::ColumnKind;
    constexpr bool kHasOneCount = requires { given.count; };
    std::size_t counts[unsigned(one_per_contact) + 1] = {};
    const auto count_of = [&](detail::ColumnKind kind) -> std::size_t& { return counts[unsigned(kind)]; };
    if constexpr (kHasOneCount) {
        count_of(one_each) = count_of(optional) = given.count, count_of(bit_words) = (given.count + 31) / 32;
    } else {
        count_of(optional) = given.status_count;
    }
    if constexpr (requires { given.bit_words; }) count_of(bit_words) = given.bit_words;
    if constexpr (requires { given.hit_room; }) count_of(hit_list) = given.hit_room;
    if constexpr (requires { given.manifold_room; })
        count_of(first_list) = given.first_manifold_count, count_of(manifold_list) = given.manifold_room;
    if constexpr (requires { given.slot_count; }) count_of(one_per_contact) = given.slot_count;
    if constexpr (requires { given.pair_room; }) count_of(contact_list) = given.pair_room;
    if constexpr (requires { given.contact_room; })
        count_of(contact_list) = count_of(one_per_contact) = given.contact_room;
    Columns columns;
    const auto set = [&](detail::ColumnKind kind, const char*, auto& to, auto* from) {
        using Item = typename std::remove_reference_t<decltype(to)>::element_type;
        // Optional columns may be null, as may columns that share a count.
        const bool may_be_null = kind == one_per_contact || (kind == optional && kHasOneCount);
        to = may_be_null ? part<Item>(from, count_of(kind)) : items<Item>(from, count_of(kind));
        return true;
    };
    Columns::each(set, columns, given);
    copy_counts(given, columns);
    return columns;
}

// Fills columns of C from manifolds that grow.
template <class Columns, class Given, class Manifolds>
Given columns_in_c(const Manifolds& m) {
    Given columns = {};
    // The caller may write to these columns in other calls; the answer only reads them.
    const auto set = []<class To>(detail::ColumnKind, const char*, To*& to, const auto& column) {
        to = const_cast<To*>(reinterpret_cast<const To*>(column.data()));
        return true;
    };
    Columns::each(set, columns, m);
    columns.first_manifold_count = m.first_manifold.size();
    columns.status_count = m.status.size();
    columns.manifold_room = columns.manifold_count = columns.manifolds_needed = m.manifolds.size();
    if constexpr (requires { columns.contact_room; })
        columns.contact_room = columns.contact_count = columns.contacts_needed = m.contacts.size();
    return columns;
}

// Runs query(columns), which fills the columns of `out`; sets the counts of `out`.
template <class Columns, class Given, class Query>
CallResult fill(Given* out, Query&& query) {
    std::remove_const_t<Given> given = {};
    if (CallResult r = read_sized(out, given); !r) return r;
    auto columns = columns_of<Columns>(given);
    CallResult result = query(columns);
    if constexpr (
        requires { given.hit_count; } || requires { given.pair_count; } || requires { given.manifold_count; }) {
        copy_counts(columns, given);
        write_sized(out, given);
    }
    return result;
}

inline CallResult write_counters(abut_counters* to, const Counters& all) {
    if (CallResult r = check_sized(to); !r) return r;
    write_sized(to, abut_counters{sizeof(abut_counters), all.pairs, all.wide, all.exact, all.child_pairs,
                                  all.most_child_pairs});
    return {};
}

}  // namespace abut::c
