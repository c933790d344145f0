// What the C++ library of emscripten 3.1.6 lacks of C++20. Included before each source by
// cmake/wasm32-emscripten.cmake; empty for newer ones.
#pragma once

#include <version>

#if !defined(__cpp_lib_bit_cast)
#include <bit>
#include <type_traits>

namespace std {

template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
    static_assert(sizeof(To) == sizeof(From) && is_trivially_copyable_v<To> && is_trivially_copyable_v<From>);
    return __builtin_bit_cast(To, from);
}

}  // namespace std
#endif

#if !defined(__cpp_lib_to_chars)
#include <charconv>
#include <cstdio>
#include <cstdlib>

namespace std {

// Of messages and file names only: the shortest of 1 to 17 digits that reads back as the same value.
template <class Real>
requires is_floating_point_v<Real> to_chars_result to_chars(char* first, char* last, Real value) {
    char text[32];
    int length = 0;
    for (int digits = 1; digits <= 17; ++digits) {
        length = snprintf(text, sizeof text, "%.*g", digits, double(value));
        if (Real(strtod(text, nullptr)) == value) break;
    }
    if (last - first < length) return {last, errc::value_too_large};
    for (int i = 0; i < length; ++i) first[i] = text[i];
    return {first + length, errc{}};
}

}  // namespace std
#endif

#if !defined(__cpp_lib_ranges)
#include <algorithm>
#include <functional>
#include <iterator>

// Of scenes and their oracle, which the golden checksums need.
namespace std::ranges {

template <class Range, class Predicate>
bool all_of(Range&& range, Predicate predicate) {
    return std::all_of(std::begin(range), std::end(range), predicate);
}
template <class Range, class Predicate>
bool any_of(Range&& range, Predicate predicate) {
    return std::any_of(std::begin(range), std::end(range), predicate);
}
template <class Range, class Predicate>
bool none_of(Range&& range, Predicate predicate) {
    return std::none_of(std::begin(range), std::end(range), predicate);
}
template <class Range, class Less>
void sort(Range&& range, Less less) {
    std::sort(std::begin(range), std::end(range), less);
}
template <class Range>
void reverse(Range&& range) {
    std::reverse(std::begin(range), std::end(range));
}
template <class Range, class Projection>
auto max_element(Range&& range, std::less<>, Projection projection) {
    return std::max_element(std::begin(range), std::end(range), [&](const auto& a, const auto& b) {
        return std::invoke(projection, a) < std::invoke(projection, b);
    });
}

}  // namespace std::ranges
#endif
