// Doubles, one per lane, for computations entirely in double: arrays of lanes, masks, and transposed records of
// doubles.
#pragma once

#include "simd/vec.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

ABUT_INLINE LaneArray<double> lanes_of(const DoubleW& x) {
    LaneArray<double> a;
    x.lo.store_aligned(a.at), x.hi.store_aligned(a.at + kLanes / 2);
    return a;
}
ABUT_INLINE DoubleW load(const LaneArray<double>& a) {
    return {DoubleW::BatchD::load_aligned(a.at), DoubleW::BatchD::load_aligned(a.at + kLanes / 2)};
}

ABUT_INLINE DoubleMaskW operator~(DoubleMaskW a) { return {~a.lo, ~a.hi}; }
ABUT_INLINE bool any(DoubleMaskW a) { return any(a.lo | a.hi); }

ABUT_INLINE DVec3W select(DoubleMaskW m, const DVec3W& yes, const DVec3W& no) {
    return {select(m, yes.x, no.x), select(m, yes.y, no.y), select(m, yes.z, no.z)};
}
ABUT_INLINE DVec3W operator-(const DVec3W& a) { return {-a.x, -a.y, -a.z}; }
ABUT_INLINE DVec3W multiply(const DVec3W& a, const DVec3W& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
ABUT_INLINE DVec3W abs(const DVec3W& a) { return {abs(a.x), abs(a.y), abs(a.z)}; }
ABUT_INLINE DoubleW norm(const DVec3W& a) { return sqrt(dot(a, a)); }

template <class Row>
ABUT_INLINE const double* doubles_at(const Row* row, int offset) {
    return reinterpret_cast<const double*>(row) + offset;
}

// Four doubles at rows[lane] + offset for every lane, transposed: column c holds double c of every lane's record.
#if ABUT_ISA_LANES == 8
ABUT_INLINE void transpose4(__m256d (&r)[4]) {
    const __m256d a = _mm256_unpacklo_pd(r[0], r[1]), b = _mm256_unpackhi_pd(r[0], r[1]);
    const __m256d c = _mm256_unpacklo_pd(r[2], r[3]), d = _mm256_unpackhi_pd(r[2], r[3]);
    r[0] = _mm256_permute2f128_pd(a, c, 0x20), r[1] = _mm256_permute2f128_pd(b, d, 0x20);
    r[2] = _mm256_permute2f128_pd(a, c, 0x31), r[3] = _mm256_permute2f128_pd(b, d, 0x31);
}
template <class Row>
ABUT_INLINE void transpose_doubles4(const Row* const* rows, DoubleW (&column)[4], int offset = 0) {
    __m256d lo[4], hi[4];
    for (int i = 0; i < 4; ++i)
        lo[i] = _mm256_loadu_pd(doubles_at(rows[i], offset)), hi[i] = _mm256_loadu_pd(doubles_at(rows[i + 4], offset));
    transpose4(lo), transpose4(hi);
    for (int c = 0; c < 4; ++c) column[c] = {DoubleW::BatchD(lo[c]), DoubleW::BatchD(hi[c])};
}
// The inverse: stores four doubles per lane at rows[lane] + offset.
ABUT_INLINE void store_doubles4(const DoubleW (&column)[4], double* const* rows, int offset = 0) {
    __m256d lo[4] = {column[0].lo, column[1].lo, column[2].lo, column[3].lo},
            hi[4] = {column[0].hi, column[1].hi, column[2].hi, column[3].hi};
    transpose4(lo), transpose4(hi);
    for (int i = 0; i < 4; ++i)
        _mm256_storeu_pd(rows[i] + offset, lo[i]), _mm256_storeu_pd(rows[i + 4] + offset, hi[i]);
}
#else
template <class Row>
ABUT_INLINE void transpose_doubles4(const Row* const* rows, DoubleW (&column)[4], int offset = 0) {
    LaneArray<double> a[4];
    for (int lane = 0; lane < kLanes; ++lane)
        for (int c = 0; c < 4; ++c) a[c][lane] = doubles_at(rows[lane], offset)[c];
    for (int c = 0; c < 4; ++c) column[c] = load(a[c]);
}
ABUT_INLINE void store_doubles4(const DoubleW (&column)[4], double* const* rows, int offset = 0) {
    for (int c = 0; c < 4; ++c) {
        const LaneArray<double> a = lanes_of(column[c]);
        for (int lane = 0; lane < kLanes; ++lane) rows[lane][offset + c] = a[lane];
    }
}
#endif

}  // namespace abut::ABUT_ISA_NAMESPACE
