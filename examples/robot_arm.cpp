// For the author of a planner: a robot arm of six joints in 10,000 configurations. One call has the least distance of
// each, and a gradient leads an arm that is too near away from the obstacle. The program fails if the gradient is not
// the slope of the distance, or the arm stays too near.

#include <abut/abut.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

#include "vectors.hpp"

constexpr std::size_t kJoints = 6;
constexpr float kClearance = 0.05f;  // metres
using Angles = std::array<float, kJoints>;

// The axis of a joint in the frame of its link, and the way along the link's Y axis to the next joint.
struct Joint {
    abut::Vec3 axis;
    float length;
};
constexpr abut::Vec3 kY = {0, 1, 0}, kZ = {0, 0, 1};
constexpr std::array<Joint, kJoints> kArm = {{{kY, 0.3f}, {kZ, 0.4f}, {kZ, 0.4f}, {kY, 0.3f}, {kZ, 0.2f}, {kY, 0.1f}}};
using Pose = abut::RelativePose;

// Forward kinematics: the frame of each link, whose origin is its joint.
std::array<Pose, kJoints> links_of(const Angles& angles) {
    std::array<Pose, kJoints> links;
    Pose at;
    for (std::size_t i = 0; i < kJoints; ++i) {
        at.orientation = normalised(at.orientation * about(kArm[i].axis, angles[i]));
        links[i] = at;
        at.position = at.position + rotate(at.orientation, kY * kArm[i].length);
    }
    return links;
}

struct Planner {
    abut::ShapeStore shapes;
    std::vector<abut::ShapeId> links;
    std::vector<abut::Body> obstacles;
    std::vector<abut::Pair> pairs;  // links that are not neighbours, and links with obstacles, whose indices follow
    abut::NarrowPhase narrow;

    bool build() {
        for (const Joint& joint : kArm) {  // a capsule from each joint to the next
            const abut::ShapeAxis axis = abut::axis_between({}, kY * joint.length);
            const auto link = shapes.add_capsule(0.06f, axis.half_height, {.pose = axis.pose});
            if (!link) return false;
            links.push_back(*link);
        }
        const auto table = shapes.add_box({1, 0.05f, 1}), post = shapes.add_cylinder(0.1f, 0.5f);
        if (!table || !post) return false;
        obstacles = {{{1.4f, 0.2f, 0}, *table, {}}, {{0.6f, 0.75f, 0.3f}, *post, {}}};
        for (std::uint32_t a = 0; a < kJoints; ++a)
            for (std::uint32_t b = a + 2; b < kJoints + obstacles.size(); ++b)
                if (b < kJoints || a > 0) pairs.push_back({a, b});
        return true;
    }

    abut::LeastDistances least_distance(const std::vector<Angles>& configurations) {
        std::vector<Pose> poses;  // of the links in each configuration, one after another
        for (const Angles& angles : configurations)
            for (const Pose& link : links_of(angles)) poses.push_back(link);
        const abut::Configurations all = {.shapes = &shapes,
                                          .bodies = links,
                                          .pairs = pairs,
                                          .positions = {&poses[0].position, poses.size(), sizeof(Pose)},
                                          .orientations = {&poses[0].orientation, poses.size(), sizeof(Pose)},
                                          .obstacles = obstacles};
        abut::LeastDistances least;
        if (!narrow.least_distance(all, least)) least.signed_distance.assign(configurations.size(), -1);
        return least;
    }

    // The derivative of a pair's distance by each joint: the joint's rotation moves all links after it.
    Angles gradient(const Angles& angles, const abut::Pair& pair) {
        const std::array<Pose, kJoints> poses = links_of(angles);
        std::vector<abut::Body> placed;
        for (std::size_t i = 0; i < kJoints; ++i) placed.push_back({poses[i].position, links[i], poses[i].orientation});
        placed.insert(placed.end(), obstacles.begin(), obstacles.end());
        const abut::Frame frame{&shapes, placed, std::span(&pair, 1)};
        abut::Distances d;
        abut::Gradients g;
        Angles by_joint = {};
        if (!narrow.distance(frame, d) || !abut::distance_gradients(frame, d, g)) return by_joint;
        for (std::size_t j = 0; j < kJoints; ++j) {
            const abut::Vec3 axis = rotate(poses[j].orientation, kArm[j].axis);
            const auto part = [&](std::uint32_t body, abut::Vec3 position, abut::Vec3 rotation) {
                const bool moves = body < kJoints && body >= j;
                return moves
                           ? dot(cross(axis, placed[body].position - poses[j].position), position) + dot(axis, rotation)
                           : 0;
            };
            by_joint[j] =
                part(pair.a, g.position_a[0], g.rotation_a[0]) + part(pair.b, g.position_b[0], g.rotation_b[0]);
        }
        return by_joint;
    }
};

int main() {
    Planner planner;
    if (!planner.build()) return 1;
    std::vector<Angles> samples(10000);
    std::uint32_t state = 1;
    for (Angles& angles : samples)
        for (float& angle : angles)
            angle = (float((state = state * 1664525u + 1013904223u) >> 8) / float(1 << 23) - 1) * 2;
    const abut::LeastDistances least = planner.least_distance(samples);
    const auto hits =
        std::count_if(least.signed_distance.begin(), least.signed_distance.end(), [](float d) { return d <= 0; });
    std::printf("%zu configurations, %zu pairs each: %.0f%% collide\n", samples.size(), planner.pairs.size(),
                100.0 * double(hits) / double(samples.size()));

    // The first sample that is free, but too near to something.
    std::size_t near = 0;
    while (least.signed_distance[near] < 0.01f || least.signed_distance[near] > 0.02f) ++near;
    Angles angles = samples[near];
    abut::LeastDistances now = planner.least_distance({angles});
    int steps = 0;
    float error = 0;
    for (; now.signed_distance[0] < kClearance && steps < 100; ++steps) {
        const Angles slope = planner.gradient(angles, planner.pairs[now.pair[0]]);
        float squared = 0;
        for (const float s : slope) squared += s * s;
        for (std::size_t j = 0; j < kJoints; ++j) angles[j] += 0.005f * slope[j] / std::max(squared, 1e-3f);
        const abut::LeastDistances next = planner.least_distance({angles});
        if (steps == 0) error = std::abs((next.signed_distance[0] - now.signed_distance[0]) / 0.005f - 1);  // of 5 mm
        now = next;
    }
    if (error > 0.1f || now.signed_distance[0] < kClearance) {
        std::fprintf(stderr, "a step gains %g times its share, %g m after %d steps\n", double(1 + error),
                     double(now.signed_distance[0]), steps);
        return 1;
    }
    std::printf("one that is 1 to 2 cm from a collision moves along the gradient until it is 5 cm away\n");
}
