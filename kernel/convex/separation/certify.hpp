// Proves an answer from GJK's final simplex: an upper bound by two points, a lower bound by two support planes.
#pragma once

#include "convex/lanes/answer.hpp"
#include "convex/separation/gjk.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// True if |v| exceeds the distance of the support planes along v by at most `allowed`. Tests full-precision supports,
// because packed ones may have fallen short. Does not compare with the distance of the cores, which means nothing
// beside large radii. `gap`: the distance of the support planes times |v|.
ABUT_INLINE MaskW is_lower_bound(FloatW gap, Vec3W v, FloatW allowed) {
    const FloatW vv = length_squared(v), short_by = vv - gap;
    return (short_by <= FloatW(0.0f)) | (short_by * short_by <= allowed * allowed * vv);
}
template <class CoreA, class CoreB>
ABUT_INLINE MaskW is_lower_bound(const PairW<CoreA, CoreB>& pair, Vec3W v, FloatW allowed, std::uint32_t lanes) {
    return is_lower_bound(gap_along(pair, v, lanes), v, allowed);
}
ABUT_INLINE MaskW is_lower_bound(const PairW<ExtentCore, ExtentCore>&, Vec3W, FloatW, std::uint32_t) {
    return MaskW::from_bits(kAllLanes);  // GJK's own supports are never packed
}

// True if the distance of a simplex is at most `limit`. Checks the points of the shapes, because v follows from a
// face's normal, which is inexact for a sliver.
template <class CoreA, class CoreB>
ABUT_INLINE MaskW is_within(const PairW<CoreA, CoreB>& pair, const SimplexW& s, FloatW limit) {
    const FloatW allowed = limit + FloatW(kCertificateShare) * pair.tolerance;
    return length_squared(point_on_b(pair, s) - point_on_a(pair, s)) <= allowed * allowed;
}

struct CertifiedW {
    AnswerW answer;
    MaskW certified;
};

// The largest allowed difference of the bounds of a certified distance.
template <class Pair>
ABUT_INLINE FloatW allowed_error(const Pair& pair, FloatW signed_distance) {
    return max(FloatW(kCertificateShare) * pair.tolerance, FloatW(kGjkStopRelative) * signed_distance);
}

// The answer of a simplex. Certified if |v| is both a lower bound on the distance, is_lower(allowed), and an upper
// bound: the points of the shapes must be that far apart, because v follows from a face's normal, which is inexact for
// a sliver.
template <class CoreA, class CoreB, class IsLower>
ABUT_INLINE CertifiedW certify_by(const PairW<CoreA, CoreB>& pair, const SimplexW& s, IsLower&& is_lower) {
    const Vec3W on_a = point_on_a(pair, s), on_b = point_on_b(pair, s);
    const FloatW squared = length_squared(s.v), distance = sqrt(squared), half = 0.5f;
    const Vec3W normal = s.v * (FloatW(1.0f) / distance);
    CertifiedW out;
    out.answer = {distance - pair.radius, normal,
                  (on_a + on_b) * half + normal * ((pair.radius_a - pair.radius_b) * half)};
    const FloatW allowed = allowed_error(pair, out.answer.signed_distance);
    out.certified = (length_squared(on_b - on_a - s.v) <= allowed * allowed) & is_lower(allowed);
    return out;
}
template <class CoreA, class CoreB>
ABUT_INLINE CertifiedW certify(const PairW<CoreA, CoreB>& pair, const SimplexW& s, std::uint32_t lanes) {
    return certify_by(pair, s, [&](FloatW allowed) { return is_lower_bound(pair, s.v, allowed, lanes); });
}

}  // namespace abut::ABUT_ISA_NAMESPACE
