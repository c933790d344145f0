// Loads words of several tables: each lane has a table and an index of its own.
#pragma once

#include "simd/gather.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// The word at tables[table] + 4 * index of each lane. Neither number may be negative.
ABUT_INLINE IntW gather_from(const void* const* tables, IntW table, IntW index) {
#if ABUT_ISA_LANES == 16
    const auto half = [&](__m256i which, __m256i at) {
        const __m512i from = _mm512_i32gather_epi64(which, tables, 8);
        return _mm512_i64gather_epi32(_mm512_add_epi64(from, _mm512_slli_epi64(_mm512_cvtepu32_epi64(at), 2)), nullptr,
                                      1);
    };
    const __m512i which = RegI(table.v), at = RegI(index.v);
    const __m256i low = half(_mm512_castsi512_si256(which), _mm512_castsi512_si256(at)),
                  high = half(_mm512_extracti64x4_epi64(which, 1), _mm512_extracti64x4_epi64(at, 1));
    return {BatchI(_mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1))};
#elif ABUT_ISA_LANES == 8
    const auto half = [&](__m128i which, __m128i at) {
        const __m256i from = _mm256_i32gather_epi64(reinterpret_cast<const long long*>(tables), which, 8);
        return _mm256_i64gather_epi32(nullptr, _mm256_add_epi64(from, _mm256_slli_epi64(_mm256_cvtepu32_epi64(at), 2)),
                                      1);
    };
    const __m256i which = RegI(table.v), at = RegI(index.v);
    const __m128i low = half(_mm256_castsi256_si128(which), _mm256_castsi256_si128(at)),
                  high = half(_mm256_extracti128_si256(which, 1), _mm256_extracti128_si256(at, 1));
    return {BatchI(_mm256_set_m128i(high, low))};
#else
    const LaneArray<std::int32_t> which = lanes_of(table), at = lanes_of(index);
    return each_lane([&](int lane) { return word_at(tables[which[lane]], std::ptrdiff_t(at[lane]) * 4); });
#endif
}

}  // namespace abut::ABUT_ISA_NAMESPACE
