// The rows that are measured: those of the shared scenes and, where the build has it, the embedded capture of a pile.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/row.hpp"

namespace abut::bench {

// In the order they are printed.
std::vector<std::string> row_names();
// Precondition: `name` is one of them. At most so many pairs; 0: as many as the row has.
Row make_row(const std::string& name, std::size_t most_pairs = 0);
// The row last asked for, kept, as benchmarks of one row follow each other.
const Row& kept_row(const std::string& name, std::size_t most_pairs = 0);

// So many pairs, evenly from the whole row.
Row every_nth(const Row& row, std::size_t pairs);
// The row's bodies and pairs over again until there are `pairs` of them: other addresses, the same work.
Row tiled(const Row& row, std::size_t pairs);
// tiled(kept_row(name), pairs), kept likewise.
const Row& kept_tiles(const std::string& name, std::size_t pairs);
// The kinds of a pair, lower first, as one number.
unsigned kind_of(const Row& row, std::size_t pair);
// The same pairs, those of one kind together, as if the caller had sorted them.
Row sorted_by_kind(const Row& row);

}  // namespace abut::bench
