/// @file
/// Kinematics: the poses of a robot's bodies in many configurations from the values of its joints, in the columns that
/// Configurations takes (configurations.hpp). One configuration per lane.
///
///     auto arm = JointTree::make(joints, bodies);  // or why not
///     (*arm).pose({.values = q}, {.position = positions, .orientation = orientations});
///     narrow.any_overlap({.shapes = &store, .bodies = shapes, .pairs = pairs, .positions = positions,
///                         .orientations = orientations}, any);
///
/// Computed in double, to 1e-10, and rounded once; without libm, so that the bits are equal on every machine and
/// instruction set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include <abut/compiler.hpp>
#include <abut/host.hpp>
#include <abut/math.hpp>
#include <abut/status.hpp>

namespace abut {

/// Rotation x*i + y*j + z*k + w, of unit length to within 1% (normalised when it is read).
struct DQuat {
    double x = 0, y = 0, z = 0, w = 1;  ///< w is the real part
};
/// A frame in another one.
struct DPose {
    DVec3 position = {};     ///< of its origin, metres
    DQuat orientation = {};  ///< of its axes
};

/// How a joint moves its frame. A joint with several values is several joints, one after another.
enum class JointKind : std::uint8_t {
    fixed,      ///< not
    revolute,   ///< about its axis, radians
    prismatic,  ///< along its axis, metres
};

inline constexpr std::uint32_t kBaseFrame = 0xffffffffu;   ///< the robot's base instead of a joint
inline constexpr std::uint32_t kWorldFrame = 0xfffffffeu;  ///< the world instead of a joint

/// A joint and the frame that it moves, that of its link.
struct Joint {
    std::uint32_t parent = kBaseFrame;  ///< an earlier joint of the list, kBaseFrame or kWorldFrame
    JointKind kind = JointKind::fixed;  ///< how it moves
    /// the index of its value among those of a configuration. Joints may share one: they mimic each other
    std::uint32_t value = 0;
    DPose origin = {};                  ///< of its frame in the parent's, where it moves by 0
    DVec3 axis = {0, 0, 1};             ///< in its own frame, of any length but 0
    double multiplier = 1, offset = 0;  ///< it moves by multiplier * value + offset
};

/// A body: its pose in the frame of a joint, of the base (kBaseFrame) or of the world (kWorldFrame; an obstacle).
struct JointBody {
    std::uint32_t joint = kBaseFrame;  ///< an index of the joints, kBaseFrame or kWorldFrame
    DPose pose = {};                   ///< in that frame
};

/// What moves in each configuration.
struct JointStates {
    /// of all joints, radians and metres: value v in configuration c is at c * stride + v * value_stride. A value that
    /// is not finite, or an angle past 1e15, makes the poses that depend on it bad ones, which no query answers
    std::span<const double> values;
    std::size_t stride = 0;             ///< between configurations; 0: JointTree::values(), one row after another
    std::size_t value_stride = 1;       ///< 1, or, of columns, the number of configurations (then `stride` is 1)
    std::size_t configurations = 0;     ///< 0: values.size() / stride
    std::span<const DPose> bases = {};  ///< of the base in the world: none, one for all, or one per configuration
};

/// Poses: that of body b in configuration c is at c * stride + first + b, so that several robots share columns.
struct BodyPoseColumns {
    std::span<Vec3> position = {};          ///< metres; may be empty
    std::span<DVec3> double_position = {};  ///< the same before rounding; may be empty
    std::span<Quat> orientation = {};       ///< unit; may be empty
    std::size_t stride = 0;                 ///< bodies in a configuration; 0: JointTree::bodies()
    std::size_t first = 0;                  ///< of this robot
};

/// A robot, checked and prepared once. Calls of one tree from one thread at a time. After its first call it allocates
/// nothing.
class ABUT_API JointTree {
public:
    /// O(joints + bodies). An error names the first parent, index, quaternion, axis or number that is wrong.
    static Expected<JointTree> make(std::span<const Joint> joints, std::span<const JointBody> bodies,
                                    Isa isa = Isa::best) noexcept;
    ~JointTree();
    JointTree(JointTree&&) noexcept;
    JointTree& operator=(JointTree&&) noexcept;

    std::size_t bodies() const;  ///< bodies in each configuration
    std::size_t values() const;  ///< the largest index of a value, and 1; 0: no joint has one
    /// Writes the poses of all bodies. An error names a column that is too short or bases of another number, and
    /// nothing is written. O(configurations * (joints + bodies)).
    CallResult pose(const JointStates& states, const BodyPoseColumns& out);

private:
    struct Impl;
    explicit JointTree(std::unique_ptr<Impl> impl) noexcept;
    std::unique_ptr<Impl> impl_;
};

}  // namespace abut
