// Poses of a robot's bodies, one configuration per lane, in double: products of quaternions along the chain of joints.
#include "queries/configurations/joint_chunk.hpp"

#include "base/trigonometry.hpp"
#include "simd/from_baseline.hpp"
#include "simd/rotations.hpp"

namespace abut::ABUT_ISA_NAMESPACE {
namespace {

struct FrameW {
    QuatDW orientation;
    DVec3W position;
};

// The axes of a frame, each computed where it is needed.
ABUT_INLINE DVec3W x_axis(const QuatDW& q) {
    const DoubleW one = 1.0, y2 = q.y + q.y, z2 = q.z + q.z;
    return {one - (q.y * y2 + q.z * z2), q.x * y2 + q.w * z2, q.x * z2 - q.w * y2};
}
ABUT_INLINE DVec3W y_axis(const QuatDW& q) {
    const DoubleW one = 1.0, x2 = q.x + q.x, z2 = q.z + q.z;
    return {q.y * x2 - q.w * z2, one - (q.x * x2 + q.z * z2), q.y * z2 + q.w * x2};
}
ABUT_INLINE DVec3W z_axis(const QuatDW& q) {
    const DoubleW one = 1.0, x2 = q.x + q.x, y2 = q.y + q.y;
    return {q.z * x2 + q.w * y2, q.z * y2 - q.w * x2, one - (q.x * x2 + q.y * y2)};
}
// Most numbers of a robot's constants are 0: products with them are left out.
ABUT_INLINE FrameW in_parent(const FrameW& parent, const StepPose& pose) {
    const QuatDW& q = parent.orientation;
    FrameW out = parent;
    if (pose.position[0] != 0) out.position = out.position + x_axis(q) * DoubleW(pose.position[0]);
    if (pose.position[1] != 0) out.position = out.position + y_axis(q) * DoubleW(pose.position[1]);
    if (pose.position[2] != 0) out.position = out.position + z_axis(q) * DoubleW(pose.position[2]);
    if (!pose.is_rotated) return out;
    const double* const by = pose.orientation;
    const DoubleW w = by[3];
    QuatDW& r = out.orientation;
    r = {q.x * w, q.y * w, q.z * w, q.w * w};
    if (by[0] != 0) {
        const DoubleW s = by[0];
        r = {r.x + q.w * s, r.y + q.z * s, r.z - q.y * s, r.w - q.x * s};
    }
    if (by[1] != 0) {
        const DoubleW s = by[1];
        r = {r.x - q.z * s, r.y + q.w * s, r.z + q.x * s, r.w - q.y * s};
    }
    if (by[2] != 0) {
        const DoubleW s = by[2];
        r = {r.x + q.y * s, r.y - q.x * s, r.z + q.w * s, r.w - q.z * s};
    }
    return out;
}

// Sine and cosine to 1e-11 and 1e-16, by power series up to half pi. Both may be negated, which gives the same
// rotation. Angles beyond 2^52 give invalid rotations.
struct SinCosW {
    DoubleW sine, cosine;
};
ABUT_INLINE SinCosW sin_cos(DoubleW angle) {
    constexpr TaylorSeries kSeries = taylor_series();
    constexpr double kHalfTurn[2] = {0x1.921fb544p+1, 0x1.0b4611a6p-33};  // as in base/trigonometry.cpp
    const DoubleW round = 0x1.8p52, one = 1.0;
    const DoubleW halves = (angle * DoubleW(0x1.45f306dc9c883p-2) + round) - round;
    const DoubleW y = (angle - halves * DoubleW(kHalfTurn[0])) - halves * DoubleW(kHalfTurn[1]), z = y * y;
    DoubleW s = kSeries.sin[6], c = DoubleW(kSeries.cos[7]) * z + DoubleW(kSeries.cos[6]);
    ABUT_UNROLL(6)
    for (int i = 5; i >= 0; --i) s = s * z + DoubleW(kSeries.sin[i]), c = c * z + DoubleW(kSeries.cos[i]);
    return {y + y * (s * z), one + c * z};
}

class Poses {
public:
    explicit Poses(const JointChunk& chunk) : chunk_(chunk) {
        for (std::uint32_t lane = 0; lane < kLanes; ++lane)
            offsets_[lane] = (lane < chunk.lanes ? lane : chunk.lanes - 1) * chunk.stride;
    }

    void run() {
        store(0, {{0.0, 0.0, 0.0, 1.0}, {0.0, 0.0, 0.0}});
        store(1, base());
        for (std::uint32_t i = 0; i < chunk_.joint_count; ++i) store(2 + i, moved(chunk_.joints[i]));
        for (std::uint32_t i = 0; i < chunk_.body_count; ++i)
            write(i, in_parent(frame(chunk_.bodies[i].frame), chunk_.bodies[i].pose));
    }

private:
    ABUT_INLINE LaneArray<double>* rows(std::uint32_t frame) const {
        return static_cast<LaneArray<double>*>(chunk_.frames) + frame * kFrameNumbers;
    }
    ABUT_INLINE FrameW frame(std::uint32_t i) const {
        const LaneArray<double>* const r = rows(i);
        return {{load(r[0]), load(r[1]), load(r[2]), load(r[3])}, {load(r[4]), load(r[5]), load(r[6])}};
    }
    ABUT_INLINE void store(std::uint32_t i, const FrameW& f) const {
        const QuatDW& q = f.orientation;
        const DoubleW numbers[kFrameNumbers] = {q.x, q.y, q.z, q.w, f.position.x, f.position.y, f.position.z};
        for (std::uint32_t number = 0; number < kFrameNumbers; ++number) rows(i)[number] = lanes_of(numbers[number]);
    }

    FrameW base() const {
        LaneArray<double> numbers[kFrameNumbers];
        for (int lane = 0; lane < kLanes; ++lane) {
            const StepPose& pose = chunk_.bases[lane];
            for (int i = 0; i < 4; ++i) numbers[i][lane] = pose.orientation[i];
            for (int i = 0; i < 3; ++i) numbers[4 + i][lane] = pose.position[i];
        }
        return {{load(numbers[0]), load(numbers[1]), load(numbers[2]), load(numbers[3])},
                {load(numbers[4]), load(numbers[5]), load(numbers[6])}};
    }

    ABUT_INLINE DoubleW value(const JointStep& joint) const {
        const double* const from = chunk_.values + joint.value * chunk_.value_stride;
        LaneArray<double> values;
        for (int lane = 0; lane < kLanes; ++lane) values[lane] = from[offsets_[lane]];
        return load(values) * DoubleW(joint.multiplier) + DoubleW(joint.offset);
    }

    ABUT_INLINE FrameW moved(const JointStep& joint) const {
        FrameW f = in_parent(frame(joint.parent), joint.pose);
        const DoubleW by = value(joint);
        if (!joint.is_revolute) {
            f.position = f.position + z_axis(f.orientation) * by;
            return f;
        }
        const auto [s, c] = sin_cos(by * DoubleW(0.5));
        const QuatDW q = f.orientation;
        f.orientation = {q.x * c + q.y * s, q.y * c - q.x * s, q.z * c + q.w * s, q.w * c - q.z * s};
        return f;
    }

    // Stores four floats per lane, of which only some bytes count: the bytes behind belong to the next body, which is
    // written later.
    ABUT_INLINE void write(FloatW x, FloatW y, FloatW z, FloatW w, float* to, std::size_t stride,
                           std::size_t bytes) const {
        if (chunk_.lanes == kLanes && bytes == sizeof(Quat))
            return store_records4(x, y, z, w, [&](int lane) { return to + std::size_t(lane) * stride; });
        const LaneRecords4 records(x, y, z, w);
        for (std::uint32_t lane = 0; lane < chunk_.lanes; ++lane)
            std::memcpy(to + lane * stride, records[int(lane)], bytes);
    }
    ABUT_INLINE void write(std::uint32_t body, const FrameW& f) const {
        const DVec3W& p = f.position;
        if (chunk_.orientation != nullptr) {
            const QuatW q = narrow(f.orientation);
            write(q.x, q.y, q.z, q.w, chunk_.orientation + 4 * body, 4 * chunk_.body_stride, sizeof(Quat));
        }
        if (chunk_.position != nullptr) {
            const FloatW z = narrow(p.z);
            write(narrow(p.x), narrow(p.y), z, z, chunk_.position + 3 * body, 3 * chunk_.body_stride,
                  body + 1 == chunk_.body_count ? sizeof(Vec3) : sizeof(Quat));
        }
        if (chunk_.double_position == nullptr) return;
        const LaneArray<double> x = lanes_of(p.x), y = lanes_of(p.y), z = lanes_of(p.z);
        for (std::uint32_t lane = 0; lane < chunk_.lanes; ++lane) {
            double* const to = chunk_.double_position + 3 * (lane * chunk_.body_stride + body);
            to[0] = x[int(lane)], to[1] = y[int(lane)], to[2] = z[int(lane)];
        }
    }

    const JointChunk& chunk_;
    std::size_t offsets_[kLanes];  // to the values of each configuration
};

void pose(const JointChunk& chunk) { Poses(chunk).run(); }

}  // namespace

constexpr JointKernels kJointKernels = {FromBaseline<pose>::call, kLanes};

}  // namespace abut::ABUT_ISA_NAMESPACE
