// Operations that xsimd lacks, or names differently in each release, per instruction set: register casts, bits of
// masks, and shuffles within 128-bit blocks. Only simd/simd.hpp includes this file.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__ARM_NEON)
#include <arm_neon.h>
#else
#include <immintrin.h>
#endif

namespace abut::ABUT_ISA_NAMESPACE {

// Loads a record of floats.
template <class Row>
inline const float* floats_at(const Row* row, int offset) {
    return reinterpret_cast<const float*>(row) + offset;
}

// Marks the upper halves of all registers as unused (WideCode in simd/simd.hpp).
inline void clear_upper() {
#if defined(__AVX__)
    _mm256_zeroupper();
#endif
}

#if ABUT_ISA_LANES == 16

using RegF = __m512;
using RegI = __m512i;
using RegM = __mmask16;
inline RegI cast_int(RegF x) { return _mm512_castps_si512(x); }
inline RegF cast_float(RegI x) { return _mm512_castsi512_ps(x); }
inline RegF least(RegF a, RegF b) { return _mm512_min_ps(a, b); }
inline RegF most(RegF a, RegF b) { return _mm512_max_ps(a, b); }
inline std::uint32_t mask_bits(RegM m) { return m; }
inline RegM mask_from_bits(std::uint32_t bits) { return static_cast<RegM>(bits); }
inline RegI mask_words(RegM m) { return _mm512_maskz_set1_epi32(m, -1); }
inline RegI shift_right(RegI x, int n) { return _mm512_srli_epi32(x, static_cast<unsigned>(n)); }
inline RegI shift_left(RegI x, int n) { return _mm512_slli_epi32(x, static_cast<unsigned>(n)); }
inline RegM equal_lanes(RegI a, RegI b) { return _mm512_cmpeq_epi32_mask(a, b); }
inline RegF interleave_lo(RegF a, RegF b) { return _mm512_unpacklo_ps(a, b); }
inline RegF interleave_hi(RegF a, RegF b) { return _mm512_unpackhi_ps(a, b); }
inline RegF pair_lo(RegF a, RegF b) {
    return _mm512_castpd_ps(_mm512_unpacklo_pd(_mm512_castps_pd(a), _mm512_castps_pd(b)));
}
inline RegF pair_hi(RegF a, RegF b) {
    return _mm512_castpd_ps(_mm512_unpackhi_pd(_mm512_castps_pd(a), _mm512_castps_pd(b)));
}
// Block k holds the four floats at rows[i + 4 k] + offset.
template <class Row>
inline RegF load_blocks(const Row* const* rows, int i, int offset) {
    __m512 r = _mm512_castps128_ps512(_mm_loadu_ps(floats_at(rows[i], offset)));
    r = _mm512_insertf32x4(r, _mm_loadu_ps(floats_at(rows[i + 4], offset)), 1);
    r = _mm512_insertf32x4(r, _mm_loadu_ps(floats_at(rows[i + 8], offset)), 2);
    return _mm512_insertf32x4(r, _mm_loadu_ps(floats_at(rows[i + 12], offset)), 3);
}
// Stores the four floats of one 128-bit block.
template <int block>
inline void store_block(RegF x, float* out) {
    _mm_storeu_ps(out, _mm512_extractf32x4_ps(x, block));
}
inline void store_low_bytes(RegI x, std::uint8_t* out) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm512_cvtepi32_epi8(x));
}
// Stores the lanes of `bits` contiguously from `out`; writes a whole vector. (The instruction that does both is 40
// times slower on Zen 4.)
inline void pack_store(RegF x, std::uint32_t bits, float* out) {
    _mm512_storeu_ps(out, _mm512_maskz_compress_ps(static_cast<__mmask16>(bits), x));
}
inline void pack_store(RegI x, std::uint32_t bits, std::int32_t* out) {
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi32(static_cast<__mmask16>(bits), x));
}
inline void pack_store_of(const std::uint16_t* x, std::uint32_t bits, std::uint16_t* out) {
    const __m512i wide = _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(x)));
    const __m512i some = _mm512_maskz_compress_epi32(static_cast<__mmask16>(bits), wide);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm512_cvtepi32_epi16(some));
}
inline RegF pick_lanes(RegF x, RegI lane) { return _mm512_permutexvar_ps(lane, x); }
using RegD = __m512d;
inline RegD least(RegD a, RegD b) { return _mm512_min_pd(a, b); }
inline RegD most(RegD a, RegD b) { return _mm512_max_pd(a, b); }
inline RegD widen_lo(RegF x) { return _mm512_cvtps_pd(_mm512_castps512_ps256(x)); }
inline RegD widen_hi(RegF x) { return _mm512_cvtps_pd(_mm512_extractf32x8_ps(x, 1)); }
inline RegF narrow(RegD lo, RegD hi) {
    return _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(lo)), _mm512_cvtpd_ps(hi), 1);
}

#elif ABUT_ISA_LANES == 8

using RegF = __m256;
using RegI = __m256i;
using RegM = __m256;
inline RegI cast_int(RegF x) { return _mm256_castps_si256(x); }
inline RegF cast_float(RegI x) { return _mm256_castsi256_ps(x); }
inline RegF least(RegF a, RegF b) { return _mm256_min_ps(a, b); }
inline RegF most(RegF a, RegF b) { return _mm256_max_ps(a, b); }
inline std::uint32_t mask_bits(RegM m) { return static_cast<std::uint32_t>(_mm256_movemask_ps(m)); }
inline RegI mask_words(RegM m) { return cast_int(m); }
inline RegM mask_from_bits(std::uint32_t bits) {
    const __m256i each = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    const __m256i some = _mm256_and_si256(_mm256_set1_epi32(static_cast<int>(bits)), each);
    return _mm256_castsi256_ps(_mm256_cmpeq_epi32(some, each));
}
inline RegI shift_right(RegI x, int n) { return _mm256_srli_epi32(x, n); }
inline RegI shift_left(RegI x, int n) { return _mm256_slli_epi32(x, n); }
inline RegM equal_lanes(RegI a, RegI b) { return _mm256_castsi256_ps(_mm256_cmpeq_epi32(a, b)); }
inline RegF interleave_lo(RegF a, RegF b) { return _mm256_unpacklo_ps(a, b); }
inline RegF interleave_hi(RegF a, RegF b) { return _mm256_unpackhi_ps(a, b); }
inline RegF pair_lo(RegF a, RegF b) {
    return _mm256_castpd_ps(_mm256_unpacklo_pd(_mm256_castps_pd(a), _mm256_castps_pd(b)));
}
inline RegF pair_hi(RegF a, RegF b) {
    return _mm256_castpd_ps(_mm256_unpackhi_pd(_mm256_castps_pd(a), _mm256_castps_pd(b)));
}
template <class Row>
inline RegF load_blocks(const Row* const* rows, int i, int offset) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(floats_at(rows[i], offset))),
                                _mm_loadu_ps(floats_at(rows[i + 4], offset)), 1);
}
template <int block>
inline void store_block(RegF x, float* out) {
    _mm_storeu_ps(out, _mm256_extractf128_ps(x, block));
}
inline void store_low_bytes(RegI x, std::uint8_t* out) {
    const __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(out), _mm_packus_epi16(words, words));
}
// For each mask: its lanes, lowest first, one byte each; then lane 0.
struct LanesOfMasks {
    std::uint8_t lanes[256][8] = {};
    constexpr LanesOfMasks() {
        for (int bits = 0; bits < 256; ++bits)
            for (int lane = 0, count = 0; lane < 8; ++lane)
                if ((bits >> lane & 1) != 0) lanes[bits][count++] = static_cast<std::uint8_t>(lane);
    }
    __m128i of(std::uint32_t bits) const { return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(lanes[bits])); }
};
inline constexpr LanesOfMasks kLanesOfMasks;
// Stores the lanes of `bits` contiguously from `out`; writes a whole vector.
inline void pack_store(RegI x, std::uint32_t bits, std::int32_t* out) {
    const __m256i some = _mm256_permutevar8x32_epi32(x, _mm256_cvtepu8_epi32(kLanesOfMasks.of(bits)));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), some);
}
inline void pack_store(RegF x, std::uint32_t bits, float* out) {
    pack_store(cast_int(x), bits, reinterpret_cast<std::int32_t*>(out));
}
inline void pack_store_of(const std::uint16_t* x, std::uint32_t bits, std::uint16_t* out) {
    const __m128i lanes = kLanesOfMasks.of(bits), twice = _mm_add_epi8(lanes, lanes);
    const __m128i bytes = _mm_add_epi8(_mm_unpacklo_epi8(twice, twice), _mm_set1_epi16(0x0100));
    const __m128i all = _mm_loadu_si128(reinterpret_cast<const __m128i*>(x));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm_shuffle_epi8(all, bytes));
}
inline RegF pick_lanes(RegF x, RegI lane) { return _mm256_permutevar8x32_ps(x, lane); }
using RegD = __m256d;
inline RegD least(RegD a, RegD b) { return _mm256_min_pd(a, b); }
inline RegD most(RegD a, RegD b) { return _mm256_max_pd(a, b); }
inline RegD widen_lo(RegF x) { return _mm256_cvtps_pd(_mm256_castps256_ps128(x)); }
inline RegD widen_hi(RegF x) { return _mm256_cvtps_pd(_mm256_extractf128_ps(x, 1)); }
inline RegF narrow(RegD lo, RegD hi) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps(lo)), _mm256_cvtpd_ps(hi), 1);
}

#elif defined(__ARM_NEON)

using RegF = float32x4_t;
using RegI = int32x4_t;
using RegM = uint32x4_t;
inline RegI cast_int(RegF x) { return vreinterpretq_s32_f32(x); }
inline RegI mask_words(RegM m) { return vreinterpretq_s32_u32(m); }
inline RegF cast_float(RegI x) { return vreinterpretq_f32_s32(x); }
inline std::uint32_t mask_bits(RegM m) {
    const uint32x4_t each = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(m, each));
}
inline RegM mask_from_bits(std::uint32_t bits) {
    const uint32x4_t each = {1, 2, 4, 8};
    return vceqq_u32(vandq_u32(vdupq_n_u32(bits), each), each);
}
inline RegI shift_right(RegI x, int n) {
    return vreinterpretq_s32_u32(vshlq_u32(vreinterpretq_u32_s32(x), vdupq_n_s32(-n)));
}
inline RegI shift_left(RegI x, int n) { return vshlq_s32(x, vdupq_n_s32(n)); }
inline RegM equal_lanes(RegI a, RegI b) { return vceqq_s32(a, b); }
inline RegF interleave_lo(RegF a, RegF b) { return vzip1q_f32(a, b); }
inline RegF interleave_hi(RegF a, RegF b) { return vzip2q_f32(a, b); }
inline RegF pair_lo(RegF a, RegF b) {
    return vreinterpretq_f32_f64(vzip1q_f64(vreinterpretq_f64_f32(a), vreinterpretq_f64_f32(b)));
}
inline RegF pair_hi(RegF a, RegF b) {
    return vreinterpretq_f32_f64(vzip2q_f64(vreinterpretq_f64_f32(a), vreinterpretq_f64_f32(b)));
}
template <class Row>
inline RegF load_blocks(const Row* const* rows, int i, int offset) {
    return vld1q_f32(floats_at(rows[i], offset));
}
template <int block>
inline void store_block(RegF x, float* out) {
    vst1q_f32(out, x);
}
inline void store_low_bytes(RegI x, std::uint8_t* out) {
    const uint16x4_t words = vmovn_u32(vreinterpretq_u32_s32(x));
    vst1_lane_u32(reinterpret_cast<std::uint32_t*>(out), vreinterpret_u32_u8(vmovn_u16(vcombine_u16(words, words))), 0);
}
using RegD = float64x2_t;
inline RegD widen_lo(RegF x) { return vcvt_f64_f32(vget_low_f32(x)); }
inline RegD widen_hi(RegF x) { return vcvt_high_f64_f32(x); }
inline RegF narrow(RegD lo, RegD hi) { return vcvt_high_f32_f64(vcvt_f32_f64(lo), hi); }

#else

using RegF = __m128;
using RegI = __m128i;
using RegM = __m128;
inline RegI cast_int(RegF x) { return _mm_castps_si128(x); }
inline RegF cast_float(RegI x) { return _mm_castsi128_ps(x); }
inline RegF least(RegF a, RegF b) { return _mm_min_ps(a, b); }
inline RegF most(RegF a, RegF b) { return _mm_max_ps(a, b); }
inline std::uint32_t mask_bits(RegM m) { return static_cast<std::uint32_t>(_mm_movemask_ps(m)); }
inline RegI mask_words(RegM m) { return cast_int(m); }
inline RegM mask_from_bits(std::uint32_t bits) {
    const __m128i each = _mm_setr_epi32(1, 2, 4, 8);
    return _mm_castsi128_ps(_mm_cmpeq_epi32(_mm_and_si128(_mm_set1_epi32(static_cast<int>(bits)), each), each));
}
inline RegI shift_right(RegI x, int n) { return _mm_srli_epi32(x, n); }
inline RegI shift_left(RegI x, int n) { return _mm_slli_epi32(x, n); }
inline RegM equal_lanes(RegI a, RegI b) { return _mm_castsi128_ps(_mm_cmpeq_epi32(a, b)); }
inline RegF interleave_lo(RegF a, RegF b) { return _mm_unpacklo_ps(a, b); }
inline RegF interleave_hi(RegF a, RegF b) { return _mm_unpackhi_ps(a, b); }
inline RegF pair_lo(RegF a, RegF b) { return _mm_movelh_ps(a, b); }
inline RegF pair_hi(RegF a, RegF b) { return _mm_movehl_ps(b, a); }
template <class Row>
inline RegF load_blocks(const Row* const* rows, int i, int offset) {
    return _mm_loadu_ps(floats_at(rows[i], offset));
}
template <int block>
inline void store_block(RegF x, float* out) {
    _mm_storeu_ps(out, x);
}
inline void store_low_bytes(RegI x, std::uint8_t* out) {
    const __m128i words = _mm_packs_epi32(x, x);
    const int bytes = _mm_cvtsi128_si32(_mm_packus_epi16(words, words));
    std::memcpy(out, &bytes, sizeof bytes);
}
using RegD = __m128d;
inline RegD least(RegD a, RegD b) { return _mm_min_pd(a, b); }
inline RegD most(RegD a, RegD b) { return _mm_max_pd(a, b); }
inline RegD widen_lo(RegF x) { return _mm_cvtps_pd(x); }
inline RegD widen_hi(RegF x) { return _mm_cvtps_pd(_mm_movehl_ps(x, x)); }
inline RegF narrow(RegD lo, RegD hi) { return _mm_movelh_ps(_mm_cvtpd_ps(lo), _mm_cvtpd_ps(hi)); }

#endif

#if ABUT_ISA_LANES == 4

inline RegF pick_lanes(RegF x, RegI lane) {
    float from[4], to[4];
    std::int32_t at[4];
    std::memcpy(from, &x, sizeof from);
    std::memcpy(at, &lane, sizeof at);
    for (int i = 0; i < 4; ++i) to[i] = from[at[i] & 3];
    std::memcpy(&x, to, sizeof to);
    return x;
}

// Stores the lanes of `bits` contiguously from `out`; may write up to a vector.
template <class T>
inline void pack_store_of(const T* x, std::uint32_t bits, T* out) {
    for (int lane = 0; lane < ABUT_ISA_LANES; ++lane) {
        *out = x[lane];
        out += bits >> lane & 1;
    }
}
template <class Reg, class T>
inline void pack_store(Reg x, std::uint32_t bits, T* out) {
    T lane[ABUT_ISA_LANES];
    std::memcpy(lane, &x, sizeof lane);
    pack_store_of(lane, bits, out);
}

#endif

}  // namespace abut::ABUT_ISA_NAMESPACE
