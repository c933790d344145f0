// Values from other lanes, and all pairs of values of two short lists.
#pragma once

#include "simd/vec.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

alignas(64) inline constexpr float kFloatIota[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

// In each lane the x of the lane numbered `lane`. Bits above the number of lanes are ignored.
ABUT_INLINE FloatW pick(FloatW x, IntW lane) { return pick_lanes(x.reg(), RegI(lane.v)); }
ABUT_INLINE Vec3W pick(const Vec3W& v, IntW lane) { return {pick(v.x, lane), pick(v.y, lane), pick(v.z, lane)}; }

// All pairs of one of `rows` values and one of `columns` values (at most kLanes each), kLanes pairs at a time. Lists
// are short, so a vector per row would leave most lanes empty. Whole vectors of both lists are read.
class LanePairs {
public:
    ABUT_INLINE LanePairs(std::uint32_t rows, std::uint32_t columns)
        : rows_(rows), per_row_(static_cast<float>(columns)) {}

    // Calls f() for each vector of pairs; the functions below refer to that vector.
    template <class F>
    ABUT_INLINE void for_each(F&& f) {
#if ABUT_ISA_LANES == 4
        // Without an instruction that permutes lanes: one row at a time.
        for (std::uint32_t row = 0; row < rows_; ++row) {
            row_ = row;
            f();
        }
#else
        const float all = static_cast<float>(rows_) * per_row_, inverse = 1.0f / per_row_;
        for (float first = 0.0f; first < all; first += kLanes) {
            const FloatW magic = kMagic, pair = FloatW::load(kFloatIota) + FloatW(first);
            // The quotient, by rounding to the nearest: half a row is subtracted from the middle of the pair.
            row_ = pair * FloatW(inverse) + FloatW(0.5f * inverse - 0.5f) + magic;
            column_ = pair - (row_ - magic) * FloatW(per_row_) + magic;
            is_pair_ = pair < FloatW(all);
            f();
        }
#endif
    }

#if ABUT_ISA_LANES == 4
    ABUT_INLINE MaskW is_pair() const { return FloatW::load(kFloatIota) < FloatW(per_row_); }
    ABUT_INLINE FloatW row() const { return static_cast<float>(row_); }
    ABUT_INLINE FloatW column() const { return FloatW::load(kFloatIota); }
    ABUT_INLINE FloatW of_row(const float* values) const { return values[row_]; }
    ABUT_INLINE FloatW of_column(const float* values) const { return FloatW::load_unaligned(values); }
#else
    ABUT_INLINE MaskW is_pair() const { return is_pair_; }
    ABUT_INLINE FloatW row() const { return row_ - FloatW(kMagic); }
    ABUT_INLINE FloatW column() const { return column_ - FloatW(kMagic); }
    ABUT_INLINE FloatW of_row(const float* values) const { return pick(FloatW::load_unaligned(values), bits_of(row_)); }
    ABUT_INLINE FloatW of_column(const float* values) const {
        return pick(FloatW::load_unaligned(values), bits_of(column_));
    }
#endif

private:
    static constexpr float kMagic =
        12582912.0f;  // 1.5 * 2^23: added to a small number it rounds it to an integer, in the low bits

    std::uint32_t rows_;
    float per_row_;
#if ABUT_ISA_LANES == 4
    std::uint32_t row_ = 0;
#else
    FloatW row_, column_;
    MaskW is_pair_;
#endif
};

}  // namespace abut::ABUT_ISA_NAMESPACE
