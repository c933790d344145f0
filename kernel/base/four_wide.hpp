// Four floats at a time in baseline code. Explicit, because compilers do not vectorize these loops.
#pragma once

#include <cmath>
#include <cstring>

#include <abut/compiler.hpp>

namespace abut {

ABUT_VECTOR(Float4, float, 4);

inline Float4 load4(const float* p) {
    Float4 v;
    std::memcpy(&v, p, sizeof v);
    return v;
}

inline Float4 square_root(Float4 v) {
    for (int i = 0; i < 4; ++i) v[i] = std::sqrt(v[i]);
    return v;
}

inline float greater(float a, float b) { return a > b ? a : b; }
inline float lesser(float a, float b) { return a < b ? a : b; }

inline void store4(float* p, Float4 v) { std::memcpy(p, &v, sizeof v); }

#if defined(ABUT_GNU_EXTENSIONS)
inline Float4 greater(Float4 a, Float4 b) { return a > b ? a : b; }
inline Float4 lesser(Float4 a, Float4 b) { return a < b ? a : b; }
#else
inline Float4 greater(const Float4& a, const Float4& b) {
    return Float4::each([&](int i) { return a[i] > b[i] ? a[i] : b[i]; });
}
inline Float4 lesser(const Float4& a, const Float4& b) {
    return Float4::each([&](int i) { return a[i] < b[i] ? a[i] : b[i]; });
}
#endif

}  // namespace abut
