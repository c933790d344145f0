// Loads by index or by address, one per lane, by a gather instruction where there is one.
#pragma once

#include "simd/simd.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

#if ABUT_ISA_LANES == 16

// The word at base + index * kScale of each lane. An index may be negative.
template <int kScale>
ABUT_INLINE IntW gather(const void* base, IntW index) {
    return {BatchI(_mm512_i32gather_epi32(RegI(index.v), base, kScale))};
}

// Stores base + index * stride of each lane.
ABUT_INLINE void store_addresses(const void* base, IntW index, std::uint32_t stride, void* to) {
    const __m512i i = RegI(index.v), by = _mm512_set1_epi64(stride),
                  from = _mm512_set1_epi64(reinterpret_cast<long long>(base));
    const auto half = [&](__m256i x) { return _mm512_add_epi64(from, _mm512_mul_epu32(_mm512_cvtepu32_epi64(x), by)); };
    _mm512_storeu_si512(to, half(_mm512_castsi512_si256(i)));
    _mm512_storeu_si512(static_cast<std::byte*>(to) + 64, half(_mm512_extracti64x4_epi64(i, 1)));
}

ABUT_INLINE IntW load_bytes(const std::uint8_t* bytes) {
    return {BatchI(_mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes))))};
}
ABUT_INLINE IntW least_unsigned(IntW a, IntW b) { return {BatchI(_mm512_min_epu32(RegI(a.v), RegI(b.v)))}; }
ABUT_INLINE IntW times(IntW a, std::uint32_t b) {
    return {BatchI(_mm512_mullo_epi32(RegI(a.v), _mm512_set1_epi32(static_cast<int>(b))))};
}

// Loads pairs of words: the first words, and the second words.
ABUT_INLINE void load_twos(const void* from, IntW& first, IntW& second) {
    const __m512i lo = _mm512_loadu_si512(from), hi = _mm512_loadu_si512(static_cast<const std::byte*>(from) + 64);
    const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    first = {BatchI(_mm512_permutex2var_epi32(lo, even, hi))};
    second = {BatchI(_mm512_permutex2var_epi32(lo, _mm512_add_epi32(even, _mm512_set1_epi32(1)), hi))};
}

#elif ABUT_ISA_LANES == 8

// The word at base + index * kScale of each lane. An index may be negative.
template <int kScale>
ABUT_INLINE IntW gather(const void* base, IntW index) {
    return {BatchI(_mm256_i32gather_epi32(static_cast<const int*>(base), RegI(index.v), kScale))};
}

// Stores base + index * stride of each lane.
ABUT_INLINE void store_addresses(const void* base, IntW index, std::uint32_t stride, void* to) {
    const __m256i i = RegI(index.v), by = _mm256_set1_epi64x(stride),
                  from = _mm256_set1_epi64x(reinterpret_cast<long long>(base));
    const auto half = [&](__m128i x) { return _mm256_add_epi64(from, _mm256_mul_epu32(_mm256_cvtepu32_epi64(x), by)); };
    _mm256_storeu_si256(static_cast<__m256i*>(to), half(_mm256_castsi256_si128(i)));
    _mm256_storeu_si256(static_cast<__m256i*>(to) + 1, half(_mm256_extracti128_si256(i, 1)));
}

ABUT_INLINE IntW load_bytes(const std::uint8_t* bytes) {
    return {BatchI(_mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(bytes))))};
}
ABUT_INLINE IntW least_unsigned(IntW a, IntW b) { return {BatchI(_mm256_min_epu32(RegI(a.v), RegI(b.v)))}; }
ABUT_INLINE IntW times(IntW a, std::uint32_t b) {
    return {BatchI(_mm256_mullo_epi32(RegI(a.v), _mm256_set1_epi32(static_cast<int>(b))))};
}

// Loads pairs of words: the first words, and the second words.
ABUT_INLINE void load_twos(const void* from, IntW& first, IntW& second) {
    const __m256 lo = _mm256_loadu_ps(static_cast<const float*>(from)),
                 hi = _mm256_loadu_ps(static_cast<const float*>(from) + 8);
    const auto in_order = [](__m256 x) { return _mm256_permute4x64_epi64(_mm256_castps_si256(x), 0xd8); };
    first = {BatchI(in_order(_mm256_shuffle_ps(lo, hi, 0x88)))};
    second = {BatchI(in_order(_mm256_shuffle_ps(lo, hi, 0xdd)))};
}

#else

template <class F>
ABUT_INLINE IntW each_lane(F&& f) {
    LaneArray<std::int32_t> out;
    for (int lane = 0; lane < kLanes; ++lane) out[lane] = f(lane);
    return load(out);
}
ABUT_INLINE std::int32_t word_at(const void* base, std::ptrdiff_t bytes) {
    std::int32_t word;
    std::memcpy(&word, static_cast<const std::byte*>(base) + bytes, sizeof word);
    return word;
}

// The word at base + index * kScale of each lane. An index may be negative.
template <int kScale>
ABUT_INLINE IntW gather(const void* base, IntW index) {
    const LaneArray<std::int32_t> at = lanes_of(index);
    return each_lane([&](int lane) { return word_at(base, std::ptrdiff_t(at[lane]) * kScale); });
}

// Stores base + index * stride of each lane.
ABUT_INLINE void store_addresses(const void* base, IntW index, std::uint32_t stride, void* to) {
    const LaneArray<std::int32_t> at = lanes_of(index);
    const void* address[kLanes];
    for (int lane = 0; lane < kLanes; ++lane)
        address[lane] =
            static_cast<const std::byte*>(base) + std::size_t(static_cast<std::uint32_t>(at[lane])) * stride;
    std::memcpy(to, address, sizeof address);
}

ABUT_INLINE IntW load_bytes(const std::uint8_t* bytes) {
    return each_lane([&](int lane) { return bytes[lane]; });
}
ABUT_INLINE IntW least_unsigned(IntW a, IntW b) {
    const LaneArray<std::int32_t> x = lanes_of(a), y = lanes_of(b);
    return each_lane([&](int lane) {
        return static_cast<std::uint32_t>(x[lane]) < static_cast<std::uint32_t>(y[lane]) ? x[lane] : y[lane];
    });
}
ABUT_INLINE IntW times(IntW a, std::uint32_t b) {
    const LaneArray<std::int32_t> x = lanes_of(a);
    return each_lane([&](int lane) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(x[lane]) * b); });
}

// Loads pairs of words: the first words, and the second words.
ABUT_INLINE void load_twos(const void* from, IntW& first, IntW& second) {
    first = each_lane([&](int lane) { return word_at(from, 8 * lane); });
    second = each_lane([&](int lane) { return word_at(from, 8 * lane + 4); });
}

#endif

// True if the numbers (below 2^15) are n, n + 1, n + 2, ..., one per lane.
ABUT_INLINE bool are_in_sequence(const std::uint16_t* numbers) {
#if ABUT_ISA_LANES == 16
    const __m256i up = _mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m256i wanted = _mm256_add_epi16(_mm256_set1_epi16(static_cast<short>(numbers[0])), up);
    const __m256i are = _mm256_cmpeq_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(numbers)), wanted);
    return _mm256_movemask_epi8(are) == -1;
#elif ABUT_ISA_LANES == 8
    const __m128i wanted =
        _mm_add_epi16(_mm_set1_epi16(static_cast<short>(numbers[0])), _mm_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7));
    const __m128i are = _mm_cmpeq_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(numbers)), wanted);
    return _mm_movemask_epi8(are) == 0xffff;
#else
    const std::uint16_t n = numbers[0];
    return numbers[1] == n + 1 && numbers[2] == n + 2 && numbers[3] == n + 3;
#endif
}

// The byte at base + index of each lane. Reads three bytes more.
ABUT_INLINE IntW gather_bytes(const std::uint8_t* base, IntW index) { return gather<1>(base, index) & IntW(0xff); }

// 0, 1, 2 and so on.
struct LaneNumbers : LaneArray<std::int32_t> {
    constexpr LaneNumbers() : LaneArray{} {
        for (int lane = 0; lane < kLanes; ++lane) at[lane] = lane;
    }
};
inline constexpr LaneNumbers kLaneNumbers;
ABUT_INLINE IntW lane_numbers() { return load(kLaneNumbers); }

// All bits set in lanes that are negative, none in others.
ABUT_INLINE IntW sign_of(IntW x) { return IntW(0) - (x >> 31); }

}  // namespace abut::ABUT_ISA_NAMESPACE
