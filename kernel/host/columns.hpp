// Scratch of many columns: one call for all of them.
#pragma once

#include <cstddef>

namespace abut {

// `part`: a vector, or a struct of them that counts its own.
template <class Part>
std::size_t bytes_of_one(const Part& part) {
    if constexpr (requires { part.bytes(); })
        return part.bytes();
    else
        return part.capacity() * sizeof(typename Part::value_type);
}

// The memory that they hold.
template <class... Part>
std::size_t bytes_of(const Part&... parts) {
    return (bytes_of_one(parts) + ...);
}

// Scratch whose elements are written before they are read: at least `count` of them.
template <class Column>
void grow(Column& column, std::size_t count) {
    if (column.size() < count) column.resize(count);
}

template <class... Part>
void reserve_all(std::size_t count, Part&... parts) {
    (parts.reserve(count), ...);
}

}  // namespace abut
