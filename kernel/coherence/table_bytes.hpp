// The content of a WarmTable as bytes, and back.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include <abut/status.hpp>

#include "coherence/remembered.hpp"

namespace abut {

// Everything that a table remembers. Its other members follow from this.
struct TableContent {
    Vector<Pair> names;
    Vector<WarmCache> caches;
    Vector<PreviousPair> previous;
    Vector<std::uint32_t> keep_requests;
    RememberedFrame before, now;
    Vector<CarriedBy> by;
    bool has_contacts = false;  // `now` and `by` are of the last begin()'s pairs, not of an older frame
    KeptPairs kept;
};

std::size_t table_byte_count(const TableContent& content);
// `out` has exactly table_byte_count() bytes.
void write_table(const TableContent& content, std::span<std::byte> out);
// Checks all bytes. Precondition: `content` is empty.
std::optional<Error> read_table(std::span<const std::byte> bytes, TableContent& content);

}  // namespace abut
