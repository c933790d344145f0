// Motions of bodies from their first and final poses, one body per lane.
#include "convex/lanes/load.hpp"
#include "queries/casts/motion_chunk.hpp"
#include "queries/casts/rotation_lanes.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

void start_motions(const MotionStarts& starts);

namespace {

// Smaller rotations count as none: they move no point in range (math.hpp) by more than rounding.
constexpr double kLeastHalfAngle = 1e-12;
constexpr double kHalfPi = 1.5707963267948966;

// The angle in [0, pi / 2] of a sine and a cosine, to 1e-15: Newton's method on sin(angle - x), with cubic convergence:
// 5e-3, 2e-8, 1e-24.
ABUT_INLINE DoubleW angle_of(const DoubleW& sine, const DoubleW& cosine) {
    const DoubleW one = 1.0, zero = 0.0, right = kHalfPi;
    const DoubleMaskW is_steep = cosine < sine;
    const DoubleW ratio = select(is_steep, cosine, sine) / select(is_steep, sine, cosine),
                  low = ratio / (one + DoubleW(0.28125) * ratio * ratio);
    DoubleW angle = select(is_steep, right - low, low);
    for (int i = 0; i < 2; ++i) {
        const SinCosW at = sin_cos(angle);
        angle = min(max(angle + (sine * at.cos - cosine * at.sin), zero), right);
    }
    return angle;
}

ABUT_INLINE MaskW is_valid(const DVec3W& position, const QuatW& q) {
    return is_valid_pose(narrow(position), q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
}
ABUT_INLINE MaskW are_same(const QuatW& p, const QuatW& q) {
    return (p.x == q.x) & (p.y == q.y) & (p.z == q.z) & (p.w == q.w);
}

void start_group(const MotionEnds* ends, std::uint32_t count, RigidMotion* motions) {
    const double* doubles[kLanes];
    const float* floats[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) {
        const MotionEnds& one =
            ends[static_cast<std::uint32_t>(lane) < count ? static_cast<std::uint32_t>(lane) : count - 1];
        doubles[lane] = one.from, floats[lane] = one.orientation;
    }
    DoubleW c[4] = {0.0, 0.0, 0.0, 0.0};
    transpose_doubles4(doubles, c);
    const DVec3W from = {c[0], c[1], c[2]};
    DVec3W to = {c[3], 0.0, 0.0};
    transpose_doubles4(doubles, c, 4);  // also loads two doubles that are not used
    to.y = c[0], to.z = c[1];
    FloatW p[4], q[4], centre_in_body[4];
    transpose_records4(floats, p), transpose_records4(floats, q, 4), transpose_records4(floats, centre_in_body, 8);
    const QuatW first = {p[0], p[1], p[2], p[3]}, last = {q[0], q[1], q[2], q[3]};
    const Vec3W centre_local = {centre_in_body[0], centre_in_body[1], centre_in_body[2]};
    const FloatW centre_out = abs(centre_local.x) + abs(centre_local.y) + abs(centre_local.z);
    const std::uint32_t valid =
        (is_valid(from, first) & is_valid(to, last) & (centre_out <= FloatW(float(kMostMetres)))).bits();

    const QuatDW start = normalised(widen(first));
    const DVec3W arm = -widen(centre_local);
    const bool has_arm = any(centre_out > FloatW(0.0f));
    const auto less_arm = [&](const DVec3W& position, const QuatDW& at) {
        return has_arm ? position - rotated_by(at, arm) : position;
    };
    const DVec3W centre = less_arm(from, start);
    const DoubleW zero = 0.0, one = 1.0;
    DVec3W displacement = to - from, axis = {zero, zero, zero};
    DoubleW half_angle = zero;
    const MaskW keeps = are_same(first, last);
    if (!all(keeps)) {
        const QuatDW end = normalised(widen(last)), turned = end * QuatDW{-start.x, -start.y, -start.z, start.w};
        const DoubleMaskW is_long = turned.w < zero;
        const DVec3W along = {turned.x, turned.y, turned.z}, v = select(is_long, -along, along);
        const DoubleW sine = norm(v), cosine = select(is_long, -turned.w, turned.w);
        const DoubleMaskW rotates =
            (DoubleW(kLeastHalfAngle) < sine) & (widen(select(keeps, FloatW(1.0f), FloatW(0.0f))) < one);
        displacement = select(rotates, less_arm(to, end) - centre, displacement);
        axis = select(rotates, v * (one / select(rotates, sine, one)), axis);
        half_angle = select(rotates, angle_of(sine, cosine), zero);
    }

    // Lanes beyond the last body repeat that body.
    double* rows[kLanes];
    LaneArray<double> half_angles = lanes_of(half_angle);
    for (int lane = 0; lane < kLanes; ++lane) {
        RigidMotion& motion =
            motions[static_cast<std::uint32_t>(lane) < count ? static_cast<std::uint32_t>(lane) : count - 1];
        rows[lane] = &motion.start.x, motion.half_angle = half_angles[lane];
    }
    store_doubles4({start.x, start.y, start.z, start.w}, rows);
    store_doubles4({centre.x, centre.y, centre.z, displacement.x}, rows, 4);
    store_doubles4({displacement.y, displacement.z, arm.x, arm.y}, rows, 8);
    store_doubles4({arm.z, axis.x, axis.y, axis.z}, rows, 12);
    for_each_lane(lane_bits(count), [&](int lane) {
        RigidMotion& motion = motions[lane];
        const float* const given = ends[lane].orientation;
        motion.first = {given[0], given[1], given[2], given[3]};
        motion.is_valid = (valid >> lane & 1) != 0;
    });
}

}  // namespace

void start_motions(const MotionStarts& starts) {
    for (std::uint32_t first = 0; first < starts.count; first += kLanes)
        start_group(starts.ends + first, starts.count - first < kLanes ? starts.count - first : kLanes,
                    starts.motions + first);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
