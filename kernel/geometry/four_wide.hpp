// Four floats at a time in baseline code: spelt out because compilers do not find it by themselves.
#pragma once

#include <cstring>

namespace abut {

using Float4 [[gnu::vector_size(16)]] = float;

inline Float4 load4(const float* p) {
    Float4 v;
    std::memcpy(&v, p, sizeof v);
    return v;
}

inline void store4(float* p, Float4 v) { std::memcpy(p, &v, sizeof v); }

inline Float4 greater(Float4 a, Float4 b) { return a > b ? a : b; }

}  // namespace abut
