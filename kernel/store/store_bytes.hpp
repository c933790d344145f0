// A store as bytes, and back.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include <abut/status.hpp>

#include "shapes/tables.hpp"

namespace abut {

// 0 if the store has a custom shape, because bytes cannot hold its functions.
std::size_t store_byte_count(const ShapeTables& tables);
// `out` has exactly store_byte_count() bytes.
void write_store(const ShapeTables& tables, std::span<std::byte> out);
// Checks all bytes. `tables` are those of a new store, and undefined after an error.
std::optional<Error> read_store(std::span<const std::byte> bytes, ShapeTables& tables);

}  // namespace abut
