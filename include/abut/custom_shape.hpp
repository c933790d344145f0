/// @file
/// Convex shapes of your own: ShapeKind::custom. Any number of them work without another build of the library.
///
///     #include <abut/abut.hpp>
///     #include <abut/custom_shape.hpp>
///
///     // The points within `radius` of a disc about Y: a coin with a rounded rim.
///     struct Coin {
///         static constexpr const char* name = "coin";
///         template <class Real>
///         static abut::Point<Real> support(const abut::Point<Real>& lengths, const abut::Point<Real>& d) {
///             const Real tiny = Real(1e-30f), aside = sqrt(d.x * d.x + d.z * d.z), length = sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
///             const Real disc = lengths.x / max(aside, tiny), ball = lengths.y / max(length, tiny);
///             return {d.x * (disc + ball), d.y * ball, d.z * (disc + ball)};
///         }
///     };
///
///     abut::ShapeStore shapes;
///     const auto coin = shapes.add_custom(abut::custom_shape<Coin>, {0.5f, 0.1f, 0.0f});
///
/// `support` returns the point of the shape that is farthest along d (any direction, any length except 0), about the
/// local origin, for up to three lengths of the instance. It is compiled for one double and for four floats. Therefore
/// it has no branches on values: choose with `select`. Its point must be right to rounding, depend only on the lengths
/// and on d, and scale with the lengths: support(s * lengths, d) is s * support(lengths, d). Nothing else is needed:
/// bounds, size, mass, GJK, depth, its proof and the exact path follow from it. Contacts have one point.
/// tests/shapes/custom/ has two examples and tests that a shape of your own should also pass.
///
/// Real has + - * /, comparisons, sqrt, abs, min, max, copysign and select(condition, yes, no), called without a
/// namespace. A constant is Real(0.5f). Conditions have & | and ~.
///
/// All instruction sets call this one function, so that their answers have the same bits. Compile it with
/// -ffp-contract=off if programs for other machines or from other compilers must have the same bits, too.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <abut/compiler.hpp>

namespace abut {

/// Three values of one of the types that `support` is compiled for.
template <class Real>
struct Point {
    Real x, y, z;  ///< metres for points; directions have any length
};

/// The data of a shape of your own in a ShapeStore: a constant that must outlive the store. `custom_shape<S>` below
/// makes it.
struct CustomShape {
    const char* name;  ///< distinguishes the shapes of a store
    /// For `count` directions, a multiple of four. The arrays are rows of `count` floats: first all x, then all y, then
    /// all z.
    void (*support_lanes)(std::size_t count, const float* lengths, const float* directions, float* points);
    /// For one direction.
    Point<double> (*support)(const Point<double>& lengths, const Point<double>& d);
};

/// The value types that `support` is compiled for. They are classes, so that unqualified calls find these functions and
/// not the C library's.
namespace real {

struct OneTruth {
    bool is;

    friend OneTruth operator&(OneTruth a, OneTruth b) { return {a.is && b.is}; }
    friend OneTruth operator|(OneTruth a, OneTruth b) { return {a.is || b.is}; }
    friend OneTruth operator~(OneTruth a) { return {!a.is}; }
};

struct OneDouble {
    double value;

    OneDouble() = default;
    explicit OneDouble(double of) : value(of) {}

    friend OneDouble operator+(OneDouble a, OneDouble b) { return OneDouble(a.value + b.value); }
    friend OneDouble operator-(OneDouble a, OneDouble b) { return OneDouble(a.value - b.value); }
    friend OneDouble operator*(OneDouble a, OneDouble b) { return OneDouble(a.value * b.value); }
    friend OneDouble operator/(OneDouble a, OneDouble b) { return OneDouble(a.value / b.value); }
    friend OneDouble operator-(OneDouble a) { return OneDouble(-a.value); }
    friend OneTruth operator<(OneDouble a, OneDouble b) { return {a.value < b.value}; }
    friend OneTruth operator<=(OneDouble a, OneDouble b) { return {a.value <= b.value}; }
    friend OneTruth operator>(OneDouble a, OneDouble b) { return {a.value > b.value}; }
    friend OneTruth operator>=(OneDouble a, OneDouble b) { return {a.value >= b.value}; }
};

inline OneDouble select(OneTruth condition, OneDouble yes, OneDouble no) { return condition.is ? yes : no; }
inline OneDouble sqrt(OneDouble x) { return OneDouble(std::sqrt(x.value)); }
inline OneDouble abs(OneDouble x) { return OneDouble(std::fabs(x.value)); }
inline OneDouble min(OneDouble a, OneDouble b) { return a.value < b.value ? a : b; }
inline OneDouble max(OneDouble a, OneDouble b) { return a.value > b.value ? a : b; }
inline OneDouble copysign(OneDouble magnitude, OneDouble sign) {
    return OneDouble(std::copysign(magnitude.value, sign.value));
}

struct FourTruths {
    ABUT_VECTOR(Bits, std::int32_t, 4);
    Bits bits;  // 0 or -1

    friend FourTruths operator&(FourTruths a, FourTruths b) { return {a.bits & b.bits}; }
    friend FourTruths operator|(FourTruths a, FourTruths b) { return {a.bits | b.bits}; }
    friend FourTruths operator~(FourTruths a) { return {~a.bits}; }
};

struct FourFloats {
    ABUT_VECTOR(Values, float, 4);
    Values values;

    FourFloats() = default;
    explicit FourFloats(float all) : values{all, all, all, all} {}
    explicit FourFloats(Values of) : values(of) {}
    static FourFloats load(const float* from) {
        FourFloats out;
        std::memcpy(&out.values, from, sizeof out.values);
        return out;
    }
    void store(float* to) const { std::memcpy(to, &values, sizeof values); }
    FourTruths::Bits bits() const { return std::bit_cast<FourTruths::Bits>(values); }
    static FourFloats of_bits(FourTruths::Bits bits) { return FourFloats(std::bit_cast<Values>(bits)); }

    friend FourFloats operator+(FourFloats a, FourFloats b) { return FourFloats(a.values + b.values); }
    friend FourFloats operator-(FourFloats a, FourFloats b) { return FourFloats(a.values - b.values); }
    friend FourFloats operator*(FourFloats a, FourFloats b) { return FourFloats(a.values * b.values); }
    friend FourFloats operator/(FourFloats a, FourFloats b) { return FourFloats(a.values / b.values); }
    friend FourFloats operator-(FourFloats a) { return FourFloats(-a.values); }
    friend FourTruths operator<(FourFloats a, FourFloats b) { return {a.values < b.values}; }
    friend FourTruths operator<=(FourFloats a, FourFloats b) { return {a.values <= b.values}; }
    friend FourTruths operator>(FourFloats a, FourFloats b) { return {a.values > b.values}; }
    friend FourTruths operator>=(FourFloats a, FourFloats b) { return {a.values >= b.values}; }
};

inline FourFloats select(FourTruths condition, FourFloats yes, FourFloats no) {
    return FourFloats::of_bits((yes.bits() & condition.bits) | (no.bits() & ~condition.bits));
}
inline FourFloats sqrt(FourFloats x) {
#if defined(ABUT_GNU_EXTENSIONS) && ABUT_HAS_BUILTIN(__builtin_elementwise_sqrt)
    return FourFloats(__builtin_elementwise_sqrt(x.values));
#elif defined(ABUT_GNU_EXTENSIONS) && ABUT_HAS_BUILTIN(__builtin_ia32_sqrtps)
    return FourFloats(__builtin_ia32_sqrtps(x.values));
#else
    for (int i = 0; i < 4; ++i) x.values[i] = std::sqrt(x.values[i]);
    return x;
#endif
}
inline FourFloats abs(FourFloats x) { return FourFloats::of_bits(x.bits() & 0x7fffffff); }
inline FourFloats min(FourFloats a, FourFloats b) { return select(a < b, a, b); }
inline FourFloats max(FourFloats a, FourFloats b) { return select(a > b, a, b); }
inline FourFloats copysign(FourFloats magnitude, FourFloats sign) {
    return FourFloats::of_bits((magnitude.bits() & 0x7fffffff) | (sign.bits() & ~0x7fffffff));
}

}  // namespace real

namespace custom_shape_detail {

template <class Shape>
void support_lanes(std::size_t count, const float* lengths, const float* directions, float* points) {
    using real::FourFloats;
    const auto point_at = [count](const float* rows, std::size_t i) {
        return Point<FourFloats>{FourFloats::load(rows + i), FourFloats::load(rows + count + i),
                                 FourFloats::load(rows + 2 * count + i)};
    };
    for (std::size_t i = 0; i < count; i += 4) {
        const Point<FourFloats> p = Shape::support(point_at(lengths, i), point_at(directions, i));
        p.x.store(points + i), p.y.store(points + count + i), p.z.store(points + 2 * count + i);
    }
}

template <class Shape>
Point<double> support(const Point<double>& lengths, const Point<double>& d) {
    using real::OneDouble;
    const auto of = [](const Point<double>& p) {
        return Point<OneDouble>{OneDouble(p.x), OneDouble(p.y), OneDouble(p.z)};
    };
    const Point<OneDouble> p = Shape::support(of(lengths), of(d));
    return {p.x.value, p.y.value, p.z.value};
}

}  // namespace custom_shape_detail

/// The argument of ShapeStore::add_custom for a struct with a name and a support function as above.
template <class Shape>
inline constexpr CustomShape custom_shape = {Shape::name, custom_shape_detail::support_lanes<Shape>,
                                             custom_shape_detail::support<Shape>};

}  // namespace abut
