// A way around an error of clang 14, which is emscripten 3.1.6's compiler. Included before each wide source by
// kernel/CMakeLists.txt.
//
// The back end may read a number that is splatted from memory once more, after a store that has changed it meanwhile:
// it makes of the load a second one, v128.load32_splat, which it does not order before later stores
// (WebAssemblyTargetLowering::LowerBUILD_VECTOR). The index of `id = IntW(core.supports++)` became the next one, and
// GJK's vertices lost their names. A number that comes from an empty assembler statement is not a load.
#pragma once

#include <emmintrin.h>

namespace abut_splat {

template <class Number>
inline __attribute__((always_inline)) Number not_loaded(Number x) {
    if (!__builtin_constant_p(x)) __asm__("" : "+r"(x));
    return x;
}
inline __attribute__((always_inline)) __m128 of_float(float x) { return (__m128)wasm_f32x4_splat(not_loaded(x)); }
inline __attribute__((always_inline)) __m128d of_double(double x) { return (__m128d)wasm_f64x2_splat(not_loaded(x)); }
inline __attribute__((always_inline)) __m128i of_int(int x) { return (__m128i)wasm_i32x4_splat(not_loaded(x)); }
inline __attribute__((always_inline)) __m128i of_short(short x) {
    return (__m128i)wasm_i16x8_splat(short(not_loaded(int(x))));
}

}  // namespace abut_splat

#undef _mm_set1_ps
#define _mm_set1_ps abut_splat::of_float
#define _mm_set1_pd abut_splat::of_double
#define _mm_set1_epi32 abut_splat::of_int
#define _mm_set1_epi16 abut_splat::of_short
