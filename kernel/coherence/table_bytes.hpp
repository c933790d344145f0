// The content of a WarmTable as bytes, and back.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include <abut/status.hpp>

#include "coherence/remembered.hpp"
#include "coherence/touch_state.hpp"

namespace abut {

// Everything that a table remembers. The other members of a table follow from this.
struct TableContent {
    // The pairs of the last begin(), with the present indices of bodies; a forgotten pair has a removed body.
    Vector<Pair> names;
    Vector<WarmCache> caches;
    Vector<PreviousPair> previous;
    Vector<std::uint32_t> keep_requests;  // indices into `names`
    RememberedFrame before, now;
    Vector<CarriedBy> by;
    Vector<std::uint32_t> previous_contacts, next_manifolds;
    Vector<PreviousManifold> previous_manifolds;
    bool is_begun = false;
    bool has_new_names = false;  // bodies were renamed or pairs dropped since the last begin()
    bool has_contacts = false;   // the columns of contacts are of the last begin()'s pairs, not of an older frame
    FloatCounts floats;
    TouchState touches;
    KeptPairs kept;
};

std::size_t table_byte_count(const TableContent& content);
// `out` has exactly table_byte_count() bytes.
void write_table(const TableContent& content, std::span<std::byte> out);
// Checks all bytes. Precondition: `content` is empty.
std::optional<Error> read_table(std::span<const std::byte> bytes, TableContent& content);

}  // namespace abut
