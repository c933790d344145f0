/// @file Code that differs between compilers, for the public headers. kernel/base/compiler_support.hpp adds the parts
/// that only the library needs.
///
/// g++ and clang are tested; the lines for MSVC are not (docs/platforms.md). ABUT_NO_EXTENSIONS selects standard C++
/// everywhere except in the export macro. Unknown compilers get this; the tests select it with g++.
#pragma once

#include <abut/export.h>  // ABUT_API

#if (defined(__GNUC__) || defined(__clang__)) && !defined(ABUT_NO_EXTENSIONS)
#define ABUT_GNU_EXTENSIONS
#endif

#if defined(__has_builtin)
#define ABUT_HAS_BUILTIN(name) __has_builtin(name)
#else
#define ABUT_HAS_BUILTIN(name) 0
#endif

// ABUT_VECTOR(Float4, float, 4): Float4 is four floats with element-wise arithmetic. Comparisons give integers, 0 or
// -1. It is a vector type of the compiler, or an array if the compiler has none.
#if defined(ABUT_GNU_EXTENSIONS)
// NOLINTNEXTLINE(bugprone-macro-parentheses): a name cannot have parentheses.
#define ABUT_VECTOR(name, T, count) using name [[gnu::vector_size(sizeof(T) * (count))]] = T
#else
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace abut {

// The operations that the library uses, for compilers without vector types.
template <class T, int kCount>
struct PlainVector {
    T at[kCount];

    using Truth = PlainVector<std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>, kCount>;

    constexpr T& operator[](int i) { return at[i]; }
    constexpr const T& operator[](int i) const { return at[i]; }

    template <class Out = PlainVector, class F>
    static constexpr Out each(F&& f) {
        Out out{};
        for (int i = 0; i < kCount; ++i) out.at[i] = f(i);
        return out;
    }
    static constexpr PlainVector all(T value) {
        return each([&](int) { return value; });
    }

    friend constexpr PlainVector operator-(const PlainVector& a) {
        return each([&](int i) { return -a[i]; });
    }
    friend constexpr PlainVector operator~(const PlainVector& a) {
        return each([&](int i) { return ~a[i]; });
    }

#define ABUT_ELEMENTS(op, Out, value)                                                   \
    friend constexpr Out operator op(const PlainVector& a, const PlainVector& b) {      \
        return each<Out>([&](int i) { return value; });                                 \
    }                                                                                   \
    friend constexpr Out operator op(const PlainVector& a, T b) { return a op all(b); } \
    friend constexpr Out operator op(T a, const PlainVector& b) { return all(a) op b; }
    ABUT_ELEMENTS(+, PlainVector, a[i] + b[i])
    ABUT_ELEMENTS(-, PlainVector, a[i] - b[i])
    ABUT_ELEMENTS(*, PlainVector, a[i] * b[i])
    ABUT_ELEMENTS(/, PlainVector, a[i] / b[i])
    ABUT_ELEMENTS(&, PlainVector, a[i] & b[i])
    ABUT_ELEMENTS(|, PlainVector, a[i] | b[i])
    ABUT_ELEMENTS(<, Truth, a[i] < b[i] ? -1 : 0)
    ABUT_ELEMENTS(<=, Truth, a[i] <= b[i] ? -1 : 0)
    ABUT_ELEMENTS(>, Truth, a[i] > b[i] ? -1 : 0)
    ABUT_ELEMENTS(>=, Truth, a[i] >= b[i] ? -1 : 0)
#undef ABUT_ELEMENTS

    template <class Other>
    constexpr PlainVector& operator+=(const Other& b) {
        return *this = *this + b;
    }
    template <class Other>
    constexpr PlainVector& operator-=(const Other& b) {
        return *this = *this - b;
    }
};

}  // namespace abut

#define ABUT_VECTOR(name, T, count) using name = ::abut::PlainVector<T, count>
#endif
