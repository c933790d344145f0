// Looks up 32 bytes at a time in a table of up to 128, by shuffles where the ISA has them.
#pragma once

#include "simd/simd.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

#if ABUT_ISA_LANES == 16

// Entries are stored as 16-bit words, because one AVX-512BW instruction looks up 32 words in a table of 64. A lookup of
// bytes needs AVX-512 VBMI.
class ByteTable {
public:
    // `bytes` is readable up to the next multiple of 64 beyond `count`.
    ABUT_INLINE ByteTable(const std::uint8_t* bytes, std::uint32_t count) : large_(count > 64) {
        for (int i = 0; i < (large_ ? 4 : 2); ++i) part_[i] = widen(bytes + 32 * i);
    }

    // Bit i: table[x[i]] & table[y[i]] is 0. Reads 32 aligned bytes of each.
    ABUT_INLINE std::uint32_t disjoint(const std::uint8_t* x, const std::uint8_t* y) const {
        return _mm512_testn_epi16_mask(look_up(x), look_up(y));
    }

private:
    // Loads 16 bytes at a time, as they were written: longer loads would wait for several stores.
    ABUT_INLINE static __m512i widen(const std::uint8_t* at) {
        const auto half = [](const std::uint8_t* p) {
            return _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
        };
        return _mm512_inserti64x4(_mm512_castsi256_si512(half(at)), half(at + 16), 1);
    }
    ABUT_INLINE __m512i look_up(const std::uint8_t* at) const {
        const __m512i index = _mm512_cvtepu8_epi16(_mm256_load_si256(reinterpret_cast<const __m256i*>(at)));
        const __m512i first = _mm512_permutex2var_epi16(part_[0], index, part_[1]);
        if (!large_) return first;
        const __mmask32 beyond = _mm512_test_epi16_mask(index, _mm512_set1_epi16(64));
        return _mm512_mask_mov_epi16(first, beyond, _mm512_permutex2var_epi16(part_[2], index, part_[3]));
    }

    __m512i part_[4];
    bool large_;
};

#elif ABUT_ISA_LANES == 8

class ByteTable {
public:
    // `bytes` is readable up to the next multiple of 64 beyond `count`.
    ABUT_INLINE ByteTable(const std::uint8_t* bytes, std::uint32_t count)
        : parts_(count <= 16   ? 1
                 : count <= 32 ? 2
                 : count <= 64 ? 4
                               : 8) {
        for (int i = 0; i < parts_; ++i)
            part_[i] = _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + 16 * i)));
    }

    // Bit i: table[x[i]] & table[y[i]] is 0. Reads 32 aligned bytes of each.
    ABUT_INLINE std::uint32_t disjoint(const std::uint8_t* x, const std::uint8_t* y) const {
        const __m256i both = _mm256_and_si256(look_up(x), look_up(y));
        return static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(both, _mm256_setzero_si256())));
    }

private:
    ABUT_INLINE __m256i look_up(const std::uint8_t* at) const {
        const __m256i index = _mm256_load_si256(reinterpret_cast<const __m256i*>(at));
        if (parts_ == 1) return _mm256_shuffle_epi8(part_[0], index);
        const __m256i low = _mm256_and_si256(index, _mm256_set1_epi8(15));
        // Bits 4, 5 and 6 of the index, moved to the bit that a blend reads.
        const __m256i bit4 = _mm256_slli_epi16(index, 3), bit5 = _mm256_slli_epi16(index, 2);
        if (parts_ == 2) return two(0, low, bit4);
        const __m256i first = _mm256_blendv_epi8(two(0, low, bit4), two(2, low, bit4), bit5);
        if (parts_ == 4) return first;
        return _mm256_blendv_epi8(first, _mm256_blendv_epi8(two(4, low, bit4), two(6, low, bit4), bit5),
                                  _mm256_slli_epi16(index, 1));
    }
    ABUT_INLINE __m256i two(int i, __m256i low, __m256i bit4) const {
        return _mm256_blendv_epi8(_mm256_shuffle_epi8(part_[i], low), _mm256_shuffle_epi8(part_[i + 1], low), bit4);
    }

    __m256i part_[8];
    int parts_;  // number of parts of 16 bytes that are searched
};

#else

class ByteTable {
public:
    ABUT_INLINE ByteTable(const std::uint8_t* bytes, std::uint32_t) : bytes_(bytes) {}

    ABUT_INLINE std::uint32_t disjoint(const std::uint8_t* x, const std::uint8_t* y) const {
        std::uint32_t bits = 0;
        for (int i = 0; i < 32; ++i) bits |= static_cast<std::uint32_t>((bytes_[x[i]] & bytes_[y[i]]) == 0) << i;
        return bits;
    }

private:
    const std::uint8_t* bytes_;
};

#endif

}  // namespace abut::ABUT_ISA_NAMESPACE
