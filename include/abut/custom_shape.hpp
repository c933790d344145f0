// A convex shape of your own, compiled into the library: ShapeKind::custom.
//
// Write a header that defines `abut::CustomShape`, and configure with -DABUT_CUSTOM_SHAPE=path/to/header.hpp:
//
//     #include <abut/custom_shape.hpp>
//     namespace mine {
//     struct Lens {
//         static constexpr const char* name = "lens";
//         template <class Real>
//         static abut::Point<Real> support(const abut::Point<Real>& lengths, const abut::Point<Real>& d);
//     };
//     }
//     namespace abut { using CustomShape = mine::Lens; }
//
// `support` gives the point of the shape that is farthest along d (any length but 0, any direction), about the local origin, for up to three
// lengths of the instance (ShapeStore::add_custom). It is compiled for double and for every width of the lanes, so it has no branches on
// values: choose with `select`. Its point must be right to rounding, and scale with the lengths: support(s * lengths, d) is
// s * support(lengths, d). That is all: bounds, size, GJK, depth, its proof and the exact path follow from it; contacts have one point.
// tests/custom/lens.hpp is an example, tests/custom/ its tests.
//
// Besides + - * / and comparisons there are, for any Real: sqrt, abs, min, max, copysign and select(condition, yes, no). Call them
// unqualified after `using namespace abut::real;`. A constant is Real(0.5f). Nothing of std:: may be called (CONTRIBUTING.md says why).
#pragma once

namespace abut {

template <class Real>
struct Point {
    Real x, y, z;
};

// What lanes have by themselves, for double.
namespace real {

inline double sqrt(double x) { return __builtin_sqrt(x); }
inline double abs(double x) { return __builtin_fabs(x); }
inline double min(double a, double b) { return a < b ? a : b; }
inline double max(double a, double b) { return a > b ? a : b; }
inline double copysign(double magnitude, double sign) { return __builtin_copysign(magnitude, sign); }
inline double select(bool condition, double yes, double no) { return condition ? yes : no; }

}  // namespace real

}  // namespace abut
