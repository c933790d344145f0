// The bytes and the growth of scratch columns.
#pragma once

#include <cstddef>

namespace abut {

// `part`: a vector, or a struct of vectors with a function bytes().
template <class Part>
std::size_t bytes_of_one(const Part& part) {
    if constexpr (requires { part.bytes(); })
        return part.bytes();
    else
        return part.capacity() * sizeof(typename Part::value_type);
}

// The bytes of memory that all parts hold.
template <class... Part>
std::size_t bytes_of(const Part&... parts) {
    return (bytes_of_one(parts) + ...);
}

// Gives scratch at least `count` elements. It never shrinks, because growing again would clear elements that the caller
// overwrites anyway.
template <class Column>
void grow(Column& column, std::size_t count) {
    if (column.size() < count) column.resize(count);
}

template <class... Part>
void reserve_all(std::size_t count, Part&... parts) {
    (parts.reserve(count), ...);
}

}  // namespace abut
