// An intrinsic that emscripten 3.1.6 translates wrongly: _mm_cvttps_epi32 rounds to the nearest integer instead of towards zero. Included before the
// sources of the kernels.
#pragma once

#include <emmintrin.h>
#include <wasm_simd128.h>

// As SSE2: what is past an int's range becomes the least int.
static inline __m128i abut_truncate(__m128 x) {
    const v128_t in_range = wasm_f32x4_lt(wasm_f32x4_abs((v128_t)x), wasm_f32x4_splat(2147483648.0f));
    return (__m128i)wasm_v128_bitselect(wasm_i32x4_trunc_sat_f32x4((v128_t)x), wasm_i32x4_splat(-2147483647 - 1), in_range);
}
#define _mm_cvttps_epi32 abut_truncate
