/// @file
/// PlainVector: the type of ABUT_VECTOR (compiler.hpp) for compilers without vector types. It has the operations that
/// the library uses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace abut {

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
