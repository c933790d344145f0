// The interface between baseline and wide code of kinematics: a robot's joints as steps, and one configuration per lane.
#pragma once

#include <cstdint>

#include <abut/kinematics.hpp>

#include "simd/kernel_table.hpp"

namespace abut {

// A frame in another one: a unit quaternion, then the position.
struct StepPose {
    double orientation[4] = {0, 0, 0, 1};
    double position[3] = {};
    bool is_rotated = false;  // `orientation` is not the identity
};

// A joint that moves, about or along the z axis of its frame. Frames: that of the world, that of the base, then one per
// step. `parent`: an earlier one.
struct JointStep {
    StepPose pose;
    std::uint32_t parent, value;
    double multiplier, offset;
    bool is_revolute;
};
struct BodyStep {
    StepPose pose;
    std::uint32_t frame;
};

inline constexpr std::uint32_t kFrameNumbers = 7;  // a quaternion and a position, by lane

struct JointChunk {
    const JointStep* joints;
    std::uint32_t joint_count;
    const BodyStep* bodies;
    std::uint32_t body_count;
    std::uint32_t lanes;   // bits of the lanes with configurations of their own; later lanes repeat the last one
    const double* values;  // of the first configuration
    std::size_t stride, value_stride;
    const StepPose* bases;  // of each lane
    void* frames;           // scratch: kFrameNumbers rows of lanes for each frame, aligned to 64 bytes
    // The outputs of the first configuration's first body: 3, 3 and 4 numbers per body, or null.
    float* position;
    double* double_position;
    float* orientation;
    std::size_t body_stride;  // from one configuration to the next
};

struct JointKernels {
    void (*pose)(const JointChunk& chunk);
    std::uint32_t lanes;
};
ABUT_KERNEL_TABLE(JointKernels)

}  // namespace abut
