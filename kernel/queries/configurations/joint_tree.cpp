// JointTree: joints are checked, fixed ones joined to their parents, and all axes become the z axis of their frames, so
// that a step is a product with constants and a rotation of two pairs of numbers.
#include <abut/kinematics.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/double_math.hpp"
#include "base/memory.hpp"
#include "base/message.hpp"
#include "base/parallel/guarded_call.hpp"
#include "base/tolerances.hpp"
#include "cooking/shape_checks.hpp"
#include "queries/configurations/joint_chunk.hpp"

namespace abut {
namespace {

using maths::Quatd;
using maths::Vec3d;

constexpr std::uint32_t kMostLanes = 16, kWorldStep = 0, kBaseStep = 1, kFirstStep = 2;

struct JointFrame {
    Quatd orientation = {0, 0, 0, 1};
    Vec3d position = {0, 0, 0};
};
JointFrame operator*(const JointFrame& a, const JointFrame& b) {
    return {maths::normalised(a.orientation * b.orientation), a.position + maths::rotation(a.orientation) * b.position};
}

bool is_finite(const DVec3& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }
bool is_unit(const DQuat& q) {
    const double squared = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    return squared >= kUnitSquaredLow && squared <= kUnitSquaredHigh;
}
JointFrame frame_of(const DPose& pose) {
    const DQuat& q = pose.orientation;
    const DVec3& p = pose.position;
    return {maths::normalised({q.x, q.y, q.z, q.w}), {p.x, p.y, p.z}};
}

StepPose step_pose(const JointFrame& frame) {
    const Quatd& q = frame.orientation;
    const Vec3d& p = frame.position;
    return {{q.x, q.y, q.z, q.w}, {p.x, p.y, p.z}, q.x != 0 || q.y != 0 || q.z != 0};
}

// The shortest rotation from the z axis to `axis`.
Quatd from_z(const Vec3d& axis) {
    const Vec3d u = axis * (1 / maths::norm(axis));
    if (u.x == 0 && u.y == 0) return u.z > 0 ? Quatd{0, 0, 0, 1} : Quatd{1, 0, 0, 0};
    return u.z > -0.5 ? maths::normalised({-u.y, u.x, 0, 1 + u.z}) : maths::normalised({1 - u.z, 0, u.x, -u.y});
}
Quatd inverse(const Quatd& q) { return {-q.x, -q.y, -q.z, q.w}; }

std::optional<Error> check_pose(const Message& name, const DPose& pose) {
    if (!is_finite(pose.position)) return bad_argument(message_of(name, ".position is not finite"));
    if (is_unit(pose.orientation)) return std::nullopt;
    return bad_argument(message_of(name, ".orientation must be of unit length to within 1%"));
}

std::optional<Error> check_frame(const Message& name, const char* field, std::uint32_t frame, std::size_t before) {
    if (frame < before || frame == kBaseFrame || frame == kWorldFrame) return std::nullopt;
    return bad_argument(message_of(name, field, " is ", frame, ", which is no earlier joint"));
}

std::optional<Error> check_joint(const Message& name, const Joint& joint, std::size_t i) {
    if (auto error = check_frame(name, ".parent", joint.parent, i)) return error;
    if (auto error = check_pose(message_of(name, ".origin"), joint.origin)) return error;
    if (joint.kind == JointKind::fixed) return std::nullopt;
    if (joint.kind != JointKind::revolute && joint.kind != JointKind::prismatic)
        return bad_argument(message_of(name, ".kind is ", unsigned(joint.kind), ", which is no JointKind"));
    const double length = maths::norm(Vec3d{joint.axis.x, joint.axis.y, joint.axis.z});
    if (!(length > 0 && std::isfinite(1 / length) && std::isfinite(length)))
        return bad_argument(message_of(name, ".axis has no direction"));
    if (std::isfinite(joint.multiplier) && std::isfinite(joint.offset)) return std::nullopt;
    return bad_argument(message_of(name, ".multiplier or .offset is not finite"));
}

// True if the column has the elements c * stride + end - 1 of all configurations c.
bool fits_column(std::size_t size, std::size_t configurations, std::size_t stride, std::size_t end) {
    return configurations == 0 || (end <= size && (stride == 0 || (size - end) / stride >= configurations - 1));
}

}  // namespace

struct JointTree::Impl : HostAllocated<JointTree::Impl> {
    const JointKernels* kernels = nullptr;
    Vector<JointStep> joints;
    Vector<BodyStep> bodies;
    std::size_t values = 0;
    AlignedVector<double> frames;

    // The frames of fixed joints, as poses relative to the frames of steps.
    struct Fixed {
        std::uint32_t step = kBaseStep;
        JointFrame frame = {};
    };

    void add(const Joint& joint, Vector<Fixed>& fixed) {
        Fixed at = fixed_to(joint.parent, fixed);
        at.frame = at.frame * frame_of(joint.origin);
        if (joint.kind != JointKind::fixed) {
            const Quatd to_axis = from_z({joint.axis.x, joint.axis.y, joint.axis.z});
            const JointFrame start = at.frame * JointFrame{to_axis, {0, 0, 0}};
            joints.push_back({step_pose(start), at.step, joint.value, joint.multiplier, joint.offset,
                              joint.kind == JointKind::revolute});
            values = std::max(values, std::size_t(joint.value) + 1);
            at = {std::uint32_t(kFirstStep + joints.size() - 1), {inverse(to_axis), {0, 0, 0}}};
        }
        fixed.push_back(at);
    }
    static Fixed fixed_to(std::uint32_t joint, const Vector<Fixed>& fixed) {
        if (joint == kBaseFrame) return {kBaseStep, {}};
        return joint == kWorldFrame ? Fixed{kWorldStep, {}} : fixed[joint];
    }

    CallResult build(std::span<const Joint> given, std::span<const JointBody> given_bodies) {
        if (auto error = check_data("joints", given)) return *error;
        if (auto error = check_data("bodies", given_bodies)) return *error;
        Vector<Fixed> fixed;
        for (std::size_t i = 0; i < given.size(); ++i) {
            if (auto error = check_joint(numbered("joints", i), given[i], i)) return *error;
            add(given[i], fixed);
        }
        for (std::size_t i = 0; i < given_bodies.size(); ++i) {
            const JointBody& body = given_bodies[i];
            if (auto error = check_frame(numbered("bodies", i), ".joint", body.joint, given.size())) return *error;
            if (auto error = check_pose(message_of(numbered("bodies", i), ".pose"), body.pose)) return *error;
            const Fixed at = fixed_to(body.joint, fixed);
            bodies.push_back({step_pose(at.frame * frame_of(body.pose)), at.step});
        }
        // A row of lanes has at least 64 bytes.
        frames.resize((kFirstStep + joints.size()) * kFrameNumbers * std::max(kernels->lanes, 8u));
        return {};
    }

    // Fills in defaults: strides that were 0, and the number of configurations.
    JointStates completed(JointStates states) const {
        if (states.stride == 0) states.stride = values;
        if (states.configurations == 0)
            states.configurations = states.stride != 0 ? states.values.size() / states.stride
                                                       : std::max<std::size_t>(1, states.bases.size());
        return states;
    }

    std::optional<Error> check(const JointStates& states, const BodyPoseColumns& out, std::size_t stride) const {
        if (auto error = check_data("JointStates::values", states.values)) return error;
        if (auto error = check_data("JointStates::bases", states.bases)) return error;
        const std::size_t count = states.configurations;
        const auto short_of = [](const char* name) {
            return Error{ErrorCode::bad_size, message_of(name, " is too short")};
        };
        if (values != 0 &&
            !fits_column(states.values.size(), count, states.stride, (values - 1) * states.value_stride + 1))
            return short_of("JointStates::values");
        if (states.bases.size() > 1 && states.bases.size() != count)
            return Error{ErrorCode::bad_size, message_of("JointStates::bases has ", states.bases.size(),
                                                         " elements, for ", count, " configurations")};
        if (out.first > stride || stride - out.first < bodies.size())
            return Error{ErrorCode::bad_size, message_of("BodyPoseColumns::stride is ", stride,
                                                         ", less than the bodies from BodyPoseColumns::first on")};
        const auto check_column = [&](const char* name, auto column) -> std::optional<Error> {
            if (auto error = check_data(name, column)) return error;
            if (column.empty() || fits_column(column.size(), count, stride, out.first + bodies.size()))
                return std::nullopt;
            return short_of(name);
        };
        if (auto error = check_column("BodyPoseColumns::position", std::span<const Vec3>(out.position))) return error;
        if (auto error = check_column("BodyPoseColumns::double_position", std::span<const DVec3>(out.double_position)))
            return error;
        return check_column("BodyPoseColumns::orientation", std::span<const Quat>(out.orientation));
    }

    static StepPose base_at(std::span<const DPose> bases, std::size_t configuration) {
        if (bases.empty()) return {};
        const DPose& base = bases[bases.size() == 1 ? 0 : configuration];
        if (is_unit(base.orientation)) return step_pose(frame_of(base));
        constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
        return {{kNan, kNan, kNan, kNan}, {kNan, kNan, kNan}, true};
    }

    void pose(const JointStates& states, const BodyPoseColumns& out, std::size_t stride) {
        StepPose bases[kMostLanes];
        const auto at = [&](auto column, std::size_t first) {
            return column.empty() ? nullptr : column.data() + first * stride + out.first;
        };
        for (std::size_t first = 0; first < states.configurations; first += kernels->lanes) {
            const auto lanes = std::uint32_t(std::min<std::size_t>(kernels->lanes, states.configurations - first));
            for (std::uint32_t lane = 0; lane < kernels->lanes && (first == 0 || states.bases.size() > 1); ++lane)
                bases[lane] = base_at(states.bases, first + std::min(lane, lanes - 1));
            kernels->pose({.joints = joints.data(),
                           .joint_count = std::uint32_t(joints.size()),
                           .bodies = bodies.data(),
                           .body_count = std::uint32_t(bodies.size()),
                           .lanes = lanes,
                           .values = states.values.data() + (values == 0 ? 0 : first * states.stride),
                           .stride = states.stride,
                           .value_stride = states.value_stride,
                           .bases = bases,
                           .frames = frames.data(),
                           .position = reinterpret_cast<float*>(at(out.position, first)),
                           .double_position = reinterpret_cast<double*>(at(out.double_position, first)),
                           .orientation = reinterpret_cast<float*>(at(out.orientation, first)),
                           .body_stride = stride});
        }
    }
};

JointTree::JointTree(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
JointTree::~JointTree() = default;
JointTree::JointTree(JointTree&&) noexcept = default;
JointTree& JointTree::operator=(JointTree&&) noexcept = default;

Expected<JointTree> JointTree::make(std::span<const Joint> joints, std::span<const JointBody> bodies,
                                    Isa isa) noexcept {
    return guarded_call([&]() -> Expected<JointTree> {
        const auto resolved = resolve_isa(isa);
        if (!resolved) return resolved.error();
        auto impl = std::make_unique<Impl>();
        impl->kernels = kernels_for<JointKernels>(*resolved);
        if (CallResult built = impl->build(joints, bodies); !built) return built.error();
        return JointTree(std::move(impl));
    });
}

std::size_t JointTree::bodies() const { return impl_ == nullptr ? 0 : impl_->bodies.size(); }
std::size_t JointTree::values() const { return impl_ == nullptr ? 0 : impl_->values; }

CallResult JointTree::pose(const JointStates& given, const BodyPoseColumns& out) {
    return guarded_call([&]() -> CallResult {
        if (impl_ == nullptr) return bad_argument(message_of("the tree was moved from"));
        const JointStates states = impl_->completed(given);
        const std::size_t stride = out.stride == 0 ? impl_->bodies.size() : out.stride;
        if (auto error = impl_->check(states, out, stride)) return *error;
        impl_->pose(states, out, stride);
        return {};
    });
}

}  // namespace abut
