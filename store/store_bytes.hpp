// A store as bytes, and back.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include <abut/status.hpp>

#include "shapes/tables.hpp"

namespace abut {

// 0 where a shape of a program's own lives, whose functions no bytes can hold.
std::size_t store_byte_count(const ShapeTables& tables);
// `out` has exactly that many.
void write_store(const ShapeTables& tables, std::span<std::byte> out);
// Trusts nothing. `tables` are those of a new store. If it fails, they are of no use.
std::optional<Error> read_store(std::span<const std::byte> bytes, ShapeTables& tables);

}  // namespace abut
