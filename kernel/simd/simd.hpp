// FloatW, IntW, MaskW, DoubleW: one value per lane. The one file that names xsimd (8.1 and later); wide code uses these
// and no std:: function template, so that every symbol an ISA's object defines carries that ISA's name
// (docs/data-flow.md).
//
// Every operation here gives the same bits on every ISA: no FMA, no approximate reciprocal, minimum and maximum by
// comparison (x < y ? x : y, which is what minps does), negation by flipping the sign bit.
#pragma once

#include <cstdint>

#include <xsimd/xsimd.hpp>

#if ABUT_ISA_LANES == 16
#define ABUT_XSIMD_ARCH xsimd::avx512bw
#elif ABUT_ISA_LANES == 8
#define ABUT_XSIMD_ARCH xsimd::avx2
#elif defined(__ARM_NEON)
#define ABUT_XSIMD_ARCH xsimd::neon64
#else
#define ABUT_XSIMD_ARCH xsimd::sse2
#endif

#include "base/compiler_support.hpp"
#include "simd/registers.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

using Arch = ABUT_XSIMD_ARCH;
using BatchF = xsimd::batch<float, Arch>;
using BatchI = xsimd::batch<std::int32_t, Arch>;
using BatchM = xsimd::batch_bool<float, Arch>;

inline constexpr int kLanes = ABUT_ISA_LANES;
inline constexpr std::uint32_t kAllLanes = (1u << kLanes) - 1;
static_assert(BatchF::size == kLanes);

// Clears the upper halves of AVX registers when a function returns to the baseline. While they are in use, SSE
// instructions merge into them and take up to twice their time [Intel's optimization manual, "Mixing AVX code with SSE
// code"]: Bullet's step with 500 boxes took 10 instead of 5 ms after a call. gcc 12 clears them at most returns, but
// not in functions with wide arguments or after calls of these.
struct WideCode {
    WideCode() = default;
    ~WideCode() { clear_upper(); }
    WideCode(const WideCode&) = delete;
    WideCode& operator=(const WideCode&) = delete;
};

struct MaskW {
    BatchM m;
    ABUT_INLINE MaskW() : m(mask_from_bits(0)) {}
    ABUT_INLINE MaskW(BatchM mask) : m(mask) {}
    ABUT_INLINE static MaskW from_bits(std::uint32_t bits) { return {BatchM(mask_from_bits(bits))}; }
    ABUT_INLINE std::uint32_t bits() const { return mask_bits(RegM(m)); }
};
ABUT_INLINE MaskW operator&(MaskW a, MaskW b) { return {a.m & b.m}; }
ABUT_INLINE MaskW operator|(MaskW a, MaskW b) { return {a.m | b.m}; }
ABUT_INLINE MaskW operator~(MaskW a) { return {~a.m}; }
ABUT_INLINE MaskW& operator&=(MaskW& a, MaskW b) { return a = a & b; }
ABUT_INLINE MaskW& operator|=(MaskW& a, MaskW b) { return a = a | b; }
ABUT_INLINE bool any(MaskW a) { return a.bits() != 0; }
ABUT_INLINE bool all(MaskW a) { return a.bits() == kAllLanes; }

struct FloatW {
    BatchF v;
    FloatW() = default;
    ABUT_INLINE FloatW(BatchF x) : v(x) {}
    ABUT_INLINE FloatW(RegF x) : v(x) {}
    ABUT_INLINE FloatW(float x) : v(x) {}
    ABUT_INLINE static FloatW load(const float* p) { return {BatchF::load_aligned(p)}; }
    ABUT_INLINE static FloatW load_unaligned(const float* p) { return {BatchF::load_unaligned(p)}; }
    ABUT_INLINE void store(float* p) const { v.store_aligned(p); }
    ABUT_INLINE void store_unaligned(float* p) const { v.store_unaligned(p); }
    ABUT_INLINE RegF reg() const { return RegF(v); }
};
ABUT_INLINE FloatW operator+(FloatW a, FloatW b) { return {a.v + b.v}; }
ABUT_INLINE FloatW operator-(FloatW a, FloatW b) { return {a.v - b.v}; }
ABUT_INLINE FloatW operator*(FloatW a, FloatW b) { return {a.v * b.v}; }
ABUT_INLINE FloatW& operator+=(FloatW& a, FloatW b) { return a = a + b; }
ABUT_INLINE FloatW& operator-=(FloatW& a, FloatW b) { return a = a - b; }
ABUT_INLINE FloatW& operator*=(FloatW& a, FloatW b) { return a = a * b; }
ABUT_INLINE MaskW operator<(FloatW a, FloatW b) { return {a.v < b.v}; }
ABUT_INLINE MaskW operator<=(FloatW a, FloatW b) { return {a.v <= b.v}; }
ABUT_INLINE MaskW operator>(FloatW a, FloatW b) { return {a.v > b.v}; }
ABUT_INLINE MaskW operator>=(FloatW a, FloatW b) { return {a.v >= b.v}; }
ABUT_INLINE MaskW operator==(FloatW a, FloatW b) { return {a.v == b.v}; }
ABUT_INLINE FloatW select(MaskW m, FloatW yes, FloatW no) { return {xsimd::select(m.m, yes.v, no.v)}; }

#if defined(__ARM_NEON)
// On NEON xsimd computes quotients and roots of floats by Newton steps.
ABUT_INLINE FloatW operator/(FloatW a, FloatW b) { return {vdivq_f32(a.reg(), b.reg())}; }
ABUT_INLINE FloatW sqrt(FloatW a) { return {vsqrtq_f32(a.reg())}; }
ABUT_INLINE FloatW min(FloatW a, FloatW b) { return select(a < b, a, b); }
ABUT_INLINE FloatW max(FloatW a, FloatW b) { return select(a > b, a, b); }
#else
ABUT_INLINE FloatW operator/(FloatW a, FloatW b) { return {a.v / b.v}; }
ABUT_INLINE FloatW sqrt(FloatW a) { return {xsimd::sqrt(a.v)}; }
// Later releases of xsimd swap the operands, which matters for NaN and signed zeros.
ABUT_INLINE FloatW min(FloatW a, FloatW b) { return {least(a.reg(), b.reg())}; }
ABUT_INLINE FloatW max(FloatW a, FloatW b) { return {most(a.reg(), b.reg())}; }
#endif

struct IntW {
    BatchI v;
    IntW() = default;
    ABUT_INLINE IntW(BatchI x) : v(x) {}
    ABUT_INLINE IntW(std::int32_t x) : v(x) {}
    ABUT_INLINE static IntW load(const std::int32_t* p) { return {BatchI::load_aligned(p)}; }
    ABUT_INLINE static IntW load_unaligned(const std::int32_t* p) { return {BatchI::load_unaligned(p)}; }
    ABUT_INLINE void store(std::int32_t* p) const { v.store_aligned(p); }
    ABUT_INLINE void store_unaligned(std::int32_t* p) const { v.store_unaligned(p); }
    // Stores values of 0 to 255 as kLanes bytes.
    ABUT_INLINE void store_bytes(std::uint8_t* p) const { store_low_bytes(RegI(v), p); }
};
ABUT_INLINE IntW operator&(IntW a, IntW b) { return {a.v & b.v}; }
ABUT_INLINE IntW operator|(IntW a, IntW b) { return {a.v | b.v}; }
ABUT_INLINE IntW operator^(IntW a, IntW b) { return {a.v ^ b.v}; }
ABUT_INLINE IntW operator+(IntW a, IntW b) { return {a.v + b.v}; }
ABUT_INLINE IntW operator-(IntW a, IntW b) { return {a.v - b.v}; }
ABUT_INLINE MaskW operator==(IntW a, IntW b) { return {BatchM(equal_lanes(RegI(a.v), RegI(b.v)))}; }
ABUT_INLINE IntW operator>>(IntW a, int n) { return {BatchI(shift_right(RegI(a.v), n))}; }  // logical
ABUT_INLINE IntW operator<<(IntW a, int n) { return {BatchI(shift_left(RegI(a.v), n))}; }

ABUT_INLINE IntW bits_of(FloatW a) { return {BatchI(cast_int(a.reg()))}; }
ABUT_INLINE FloatW float_of(IntW a) { return {BatchF(cast_float(RegI(a.v)))}; }
// -1 in the lanes of a mask, else 0.
ABUT_INLINE IntW words_of(MaskW m) { return {BatchI(mask_words(RegM(m.m)))}; }
ABUT_INLINE IntW select(MaskW m, IntW yes, IntW no) { return bits_of(select(m, float_of(yes), float_of(no))); }

inline constexpr std::int32_t kSignBit = INT32_MIN;
ABUT_INLINE FloatW operator-(FloatW a) { return float_of(bits_of(a) ^ IntW(kSignBit)); }
ABUT_INLINE FloatW abs(FloatW a) { return float_of(bits_of(a) & IntW(INT32_MAX)); }
ABUT_INLINE FloatW copysign(FloatW magnitude, FloatW sign) {
    return float_of((bits_of(magnitude) & IntW(INT32_MAX)) | (bits_of(sign) & IntW(kSignBit)));
}
// x with its sign flipped where `sign` is negative.
ABUT_INLINE FloatW flip_sign(FloatW x, FloatW sign) { return float_of(bits_of(x) ^ (bits_of(sign) & IntW(kSignBit))); }

// One double per lane, in two registers, for the few sums with cancellation.
struct DoubleW {
    using BatchD = xsimd::batch<double, Arch>;
    BatchD lo, hi;
    ABUT_INLINE DoubleW(BatchD l, BatchD h) : lo(l), hi(h) {}
    ABUT_INLINE DoubleW(double x) : lo(x), hi(x) {}
};
ABUT_INLINE DoubleW operator+(DoubleW a, DoubleW b) { return {a.lo + b.lo, a.hi + b.hi}; }
ABUT_INLINE DoubleW operator-(DoubleW a, DoubleW b) { return {a.lo - b.lo, a.hi - b.hi}; }
ABUT_INLINE DoubleW operator*(DoubleW a, DoubleW b) { return {a.lo * b.lo, a.hi * b.hi}; }
ABUT_INLINE DoubleW operator/(DoubleW a, DoubleW b) { return {a.lo / b.lo, a.hi / b.hi}; }
ABUT_INLINE DoubleW operator-(DoubleW a) { return {-a.lo, -a.hi}; }
ABUT_INLINE DoubleW abs(DoubleW a) { return {xsimd::abs(a.lo), xsimd::abs(a.hi)}; }
ABUT_INLINE DoubleW sqrt(DoubleW a) { return {xsimd::sqrt(a.lo), xsimd::sqrt(a.hi)}; }
ABUT_INLINE DoubleW widen(FloatW x) { return {DoubleW::BatchD(widen_lo(x.reg())), DoubleW::BatchD(widen_hi(x.reg()))}; }
ABUT_INLINE FloatW narrow(DoubleW x) { return {narrow(RegD(x.lo), RegD(x.hi))}; }

struct DoubleMaskW {
    using BatchDM = xsimd::batch_bool<double, Arch>;
    BatchDM lo, hi;
};
ABUT_INLINE DoubleMaskW operator<(DoubleW a, DoubleW b) { return {a.lo < b.lo, a.hi < b.hi}; }
ABUT_INLINE DoubleMaskW operator==(DoubleW a, DoubleW b) { return {a.lo == b.lo, a.hi == b.hi}; }
ABUT_INLINE DoubleMaskW operator&(DoubleMaskW a, DoubleMaskW b) { return {a.lo & b.lo, a.hi & b.hi}; }
ABUT_INLINE DoubleMaskW operator|(DoubleMaskW a, DoubleMaskW b) { return {a.lo | b.lo, a.hi | b.hi}; }
ABUT_INLINE DoubleW select(DoubleMaskW m, DoubleW yes, DoubleW no) {
    return {xsimd::select(m.lo, yes.lo, no.lo), xsimd::select(m.hi, yes.hi, no.hi)};
}
#if defined(__ARM_NEON)
ABUT_INLINE DoubleW min(DoubleW a, DoubleW b) { return select(a < b, a, b); }
ABUT_INLINE DoubleW max(DoubleW a, DoubleW b) { return select(b < a, a, b); }
#else
ABUT_INLINE DoubleW min(DoubleW a, DoubleW b) {
    return {DoubleW::BatchD(least(RegD(a.lo), RegD(b.lo))), DoubleW::BatchD(least(RegD(a.hi), RegD(b.hi)))};
}
ABUT_INLINE DoubleW max(DoubleW a, DoubleW b) {
    return {DoubleW::BatchD(most(RegD(a.lo), RegD(b.lo))), DoubleW::BatchD(most(RegD(a.hi), RegD(b.hi)))};
}
#endif

// Lanes in a stack array, for code that visits lanes one by one.
template <class T>
struct alignas(64) LaneArray {
    T at[kLanes];
    T& operator[](int lane) { return at[lane]; }
    const T& operator[](int lane) const { return at[lane]; }
};
ABUT_INLINE LaneArray<float> lanes_of(FloatW x) {
    LaneArray<float> a;
    x.store(a.at);
    return a;
}
ABUT_INLINE LaneArray<std::int32_t> lanes_of(IntW x) {
    LaneArray<std::int32_t> a;
    x.store(a.at);
    return a;
}
ABUT_INLINE FloatW load(const LaneArray<float>& a) { return FloatW::load(a.at); }
ABUT_INLINE IntW load(const LaneArray<std::int32_t>& a) { return IntW::load(a.at); }

// The first `count` lanes, or all.
ABUT_INLINE std::uint32_t lane_bits(std::uint32_t count) { return count >= kLanes ? kAllLanes : (1u << count) - 1; }

// Calls f(lane) for each set bit, lowest first.
template <class F>
ABUT_INLINE void for_each_lane(std::uint32_t bits, F&& f) {
    for (; bits != 0; bits &= bits - 1) f(lowest_bit(bits));
}

// Stores the lanes of `bits` contiguously; may write a whole vector.
ABUT_INLINE void store_lanes(FloatW x, std::uint32_t bits, float* to) { pack_store(x.reg(), bits, to); }
ABUT_INLINE void store_lanes(IntW x, std::uint32_t bits, std::int32_t* to) { pack_store(RegI(x.v), bits, to); }

// Four floats at rows[lane] + offset for every lane, transposed: column c holds float c of every lane's record.
template <class Row>
ABUT_INLINE void transpose_records4(const Row* const* rows, FloatW (&column)[4], int offset = 0) {
    const RegF r0 = load_blocks(rows, 0, offset), r1 = load_blocks(rows, 1, offset);
    const RegF r2 = load_blocks(rows, 2, offset), r3 = load_blocks(rows, 3, offset);
    const RegF a = interleave_lo(r0, r1), b = interleave_lo(r2, r3);
    const RegF c = interleave_hi(r0, r1), d = interleave_hi(r2, r3);
    column[0] = pair_lo(a, b);
    column[1] = pair_hi(a, b);
    column[2] = pair_lo(c, d);
    column[3] = pair_hi(c, d);
}

// The inverse of transpose_records4: stores four values per lane as a 16-byte record at to(lane), in ascending order of
// lanes.
template <int block, class To>
ABUT_INLINE void store_records4(const RegF (&records)[4], To&& to) {
    for (int i = 0; i < 4; ++i) store_block<block>(records[i], to(4 * block + i));
    if constexpr (4 * (block + 1) < kLanes) store_records4<block + 1>(records, to);
}
template <class To>
ABUT_INLINE void store_records4(FloatW x, FloatW y, FloatW z, FloatW w, To&& to) {
    const RegF a = interleave_lo(x.reg(), y.reg()), b = interleave_lo(z.reg(), w.reg());
    const RegF c = interleave_hi(x.reg(), y.reg()), d = interleave_hi(z.reg(), w.reg());
    // One block holds lanes 0, 4, 8, ..., the next lanes 1, 5, 9, ...
    store_records4<0>({pair_lo(a, b), pair_hi(a, b), pair_lo(c, d), pair_hi(c, d)}, to);
}

// Loads and transposes the words of all lanes' rows. The last four are loaded together and may overlap the ones before.
template <int words>
ABUT_INLINE void load_rows(const float* const* rows, FloatW (&value)[words]) {
    static_assert(words >= 4);
    ABUT_UNROLL(10)
    for (int i = 0; i < words; i += 4) {
        const int at = i + 4 <= words ? i : words - 4;
        FloatW four[4];
        transpose_records4(rows, four, at);
        for (int k = 0; k < 4; ++k) value[at + k] = four[k];
    }
}

// Stores the first `words` (at least four) values of each lane contiguously at row(lane). The last four are stored
// together, over the ones before.
template <class Row>
ABUT_INLINE void store_rows(const FloatW* value, int words, Row&& row) {
    for (int i = 0; i < words; i += 4) {
        const int at = i + 4 <= words ? i : words - 4;
        store_records4(value[at], value[at + 1], value[at + 2], value[at + 3],
                       [&](int lane) { return row(lane) + at; });
    }
}

// Four values of each lane, stored lane by lane on the stack.
struct alignas(64) LaneRecords4 {
    float at[4 * kLanes];

    ABUT_INLINE LaneRecords4(FloatW x, FloatW y, FloatW z, FloatW w) {
        store_records4(x, y, z, w, [this](int lane) { return at + 4 * lane; });
    }
    ABUT_INLINE const float* operator[](int lane) const { return at + 4 * lane; }
};

// Stores three values per lane, lane by lane: 3 * kLanes floats.
ABUT_INLINE void store_threes(FloatW x, FloatW y, FloatW z, float* out) {
    // The fourth float of a record is overwritten by the first of the next.
    float last[4];
    store_records4(x, y, z, z, [&](int lane) { return lane == kLanes - 1 ? last : out + 3 * lane; });
    std::memcpy(out + 3 * (kLanes - 1), last, 3 * sizeof(float));
}

// The maxima of kLanes vectors: lane l of the result is the maximum of v[l]. One transposed reduction computes all of
// them.
ABUT_INLINE FloatW reduce_max_each(const FloatW (&v)[kLanes]) {
    FloatW quad[kLanes / 4];
    for (int q = 0; q < kLanes / 4; ++q) {
        const RegF r0 = v[4 * q].reg(), r1 = v[4 * q + 1].reg(), r2 = v[4 * q + 2].reg(), r3 = v[4 * q + 3].reg();
        const FloatW a = max(FloatW(interleave_lo(r0, r1)), FloatW(interleave_hi(r0, r1)));
        const FloatW b = max(FloatW(interleave_lo(r2, r3)), FloatW(interleave_hi(r2, r3)));
        quad[q] = max(FloatW(pair_lo(a.reg(), b.reg())), FloatW(pair_hi(a.reg(), b.reg())));
    }
#if ABUT_ISA_LANES == 16
    const __m512 q0 = quad[0].reg(), q1 = quad[1].reg(), q2 = quad[2].reg(), q3 = quad[3].reg();
    const FloatW a = max(FloatW(_mm512_shuffle_f32x4(q0, q1, 0x44)), FloatW(_mm512_shuffle_f32x4(q0, q1, 0xee)));
    const FloatW b = max(FloatW(_mm512_shuffle_f32x4(q2, q3, 0x44)), FloatW(_mm512_shuffle_f32x4(q2, q3, 0xee)));
    return max(FloatW(_mm512_shuffle_f32x4(a.reg(), b.reg(), 0x88)),
               FloatW(_mm512_shuffle_f32x4(a.reg(), b.reg(), 0xdd)));
#elif ABUT_ISA_LANES == 8
    const __m256 q0 = quad[0].reg(), q1 = quad[1].reg();
    return max(FloatW(_mm256_permute2f128_ps(q0, q1, 0x20)), FloatW(_mm256_permute2f128_ps(q0, q1, 0x31)));
#else
    return quad[0];
#endif
}

// The maximum over all lanes, whose order does not matter.
ABUT_INLINE float reduce_max(FloatW v) {
    const LaneArray<float> lane = lanes_of(v);
#if ABUT_ISA_LANES == 16
    const __m256 h = _mm256_max_ps(_mm256_load_ps(lane.at), _mm256_load_ps(lane.at + 8));
    const __m128 q = _mm_max_ps(_mm256_castps256_ps128(h), _mm256_extractf128_ps(h, 1));
#elif ABUT_ISA_LANES == 8
    const __m128 q = _mm_max_ps(_mm_load_ps(lane.at), _mm_load_ps(lane.at + 4));
#endif
#if ABUT_ISA_LANES >= 8
    const __m128 d = _mm_max_ps(q, _mm_movehl_ps(q, q));
    return _mm_cvtss_f32(_mm_max_ss(d, _mm_shuffle_ps(d, d, 1)));
#else
    const float a = lane[0] > lane[1] ? lane[0] : lane[1], b = lane[2] > lane[3] ? lane[2] : lane[3];
    return a > b ? a : b;
#endif
}

// For code written once for scalars and vectors.
ABUT_INLINE float sqrt_of(float x) { return ::sqrtf(x); }
ABUT_INLINE float abs_of(float x) { return ::fabsf(x); }
ABUT_INLINE float max_of(float a, float b) { return a < b ? b : a; }
ABUT_INLINE FloatW sqrt_of(FloatW x) { return sqrt(x); }
ABUT_INLINE FloatW abs_of(FloatW x) { return abs(x); }
ABUT_INLINE FloatW max_of(FloatW a, FloatW b) { return max(a, b); }

}  // namespace abut::ABUT_ISA_NAMESPACE
