// JointTree against matrices in double and libm, on every instruction set.
#include "support/catch.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <abut/abut.hpp>

#include "scenes/random.hpp"
#include "support/pair_answer.hpp"

using namespace abut;

namespace {

using Matrix = std::array<std::array<double, 4>, 4>;  // [row][column]

constexpr Matrix kIdentity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};

Matrix operator*(const Matrix& a, const Matrix& b) {
    Matrix out = {};
    for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 4; ++c)
            for (int i = 0; i < 4; ++i) out[r][c] += a[r][i] * b[i][c];
    return out;
}

// Rodrigues' formula, or a translation along the axis.
Matrix motion(const Joint& joint, double by) {
    Matrix out = kIdentity;
    const double length =
        std::sqrt(joint.axis.x * joint.axis.x + joint.axis.y * joint.axis.y + joint.axis.z * joint.axis.z);
    const double u[3] = {joint.axis.x / length, joint.axis.y / length, joint.axis.z / length};
    if (joint.kind == JointKind::prismatic)
        for (int r = 0; r < 3; ++r) out[r][3] = u[r] * by;
    if (joint.kind != JointKind::revolute) return out;
    const double cross[3][3] = {{0, -u[2], u[1]}, {u[2], 0, -u[0]}, {-u[1], u[0], 0}};
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            out[r][c] += std::sin(by) * cross[r][c] + (1 - std::cos(by)) * (u[r] * u[c] - (r == c ? 1 : 0));
    return out;
}

Matrix matrix_of(const DPose& pose) {
    const DQuat q = pose.orientation;
    const double s = 2 / (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return {
        {{1 - s * (q.y * q.y + q.z * q.z), s * (q.x * q.y - q.w * q.z), s * (q.x * q.z + q.w * q.y), pose.position.x},
         {s * (q.x * q.y + q.w * q.z), 1 - s * (q.x * q.x + q.z * q.z), s * (q.y * q.z - q.w * q.x), pose.position.y},
         {s * (q.x * q.z - q.w * q.y), s * (q.y * q.z + q.w * q.x), 1 - s * (q.x * q.x + q.y * q.y), pose.position.z},
         {0, 0, 0, 1}}};
}

struct Robot {
    std::vector<Joint> joints;
    std::vector<JointBody> bodies;

    // By body.
    std::vector<Matrix> exact(const double* values, const DPose& base) const {
        std::vector<Matrix> frames, out;
        const auto frame = [&](std::uint32_t joint) {
            return joint == kWorldFrame ? kIdentity : joint == kBaseFrame ? matrix_of(base) : frames[joint];
        };
        for (const Joint& joint : joints)
            frames.push_back(frame(joint.parent) * matrix_of(joint.origin) *
                             motion(joint, joint.multiplier * values[joint.value] + joint.offset));
        for (const JointBody& body : bodies) out.push_back(frame(body.joint) * matrix_of(body.pose));
        return out;
    }
};

DPose random_pose(scenes::Random& random) {
    const auto d = random.direction();
    const Quat q = random.orientation();
    return {{0.3 * d.x, 0.3 * d.y, 0.3 * d.z}, {q.x, q.y, q.z, q.w}};
}

// A tree of all kinds of joints, some along an axis of their frames, some that follow the value of another.
Robot random_robot(scenes::Random& random, std::uint32_t joints, std::uint32_t values) {
    Robot robot;
    for (std::uint32_t i = 0; i < joints; ++i) {
        const auto d = random.direction();
        Joint joint = {.parent = i == 0   ? kBaseFrame
                                 : i == 5 ? kWorldFrame
                                          : std::uint32_t(i - 1 - random.below(i < 4 ? 1 : 3)),
                       .kind = i % 4 == 3   ? JointKind::fixed
                               : i % 5 == 4 ? JointKind::prismatic
                                            : JointKind::revolute,
                       .value = std::uint32_t(random.below(values)),
                       .origin = i % 3 == 0 ? DPose() : random_pose(random),
                       .axis = {2 * d.x, 2 * d.y, 2 * d.z}};
        if (i % 3 == 1) joint.axis = i % 2 == 0 ? DVec3{0, 0, -1} : DVec3{0, 1, 0};
        if (i % 4 == 2) joint.multiplier = -0.5, joint.offset = 0.25;
        robot.joints.push_back(joint);
        robot.bodies.push_back({i, i % 2 == 0 ? DPose() : random_pose(random)});
    }
    robot.bodies.push_back({kBaseFrame, random_pose(random)});
    robot.bodies.push_back({kWorldFrame, random_pose(random)});
    return robot;
}

double error_of(const Matrix& exact, const DVec3& position, const Quat& orientation) {
    const Matrix made = matrix_of({position, {orientation.x, orientation.y, orientation.z, orientation.w}});
    double most = 0;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 4; ++c)
            most = std::max(most, std::fabs(exact[r][c] - made[r][c]) / std::max(1.0, std::fabs(exact[r][c])));
    return most;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && std::memcmp(static_cast<const void*>(a.data()), b.data(), a.size() * sizeof(T)) == 0;
}

struct Poses {
    std::vector<Vec3> position;
    std::vector<DVec3> double_position;
    std::vector<Quat> orientation;

    explicit Poses(std::size_t count) : position(count), double_position(count), orientation(count) {}
    BodyPoseColumns columns() { return {position, double_position, orientation}; }
    bool operator==(const Poses& other) const {
        return same_bits(position, other.position) && same_bits(double_position, other.double_position) &&
               same_bits(orientation, other.orientation);
    }
};

}  // namespace

TEST_CASE("kinematics: the poses of trees of joints, with the same bits on every instruction set", "[configurations]") {
    scenes::Random random(31);
    constexpr std::uint32_t kValues = 6;
    constexpr std::size_t kConfigurations = 37;
    for (int round = 0; round < 6; ++round) {
        const Robot robot = random_robot(random, 12, kValues);
        const std::size_t bodies = robot.bodies.size();
        std::vector<double> values, columns(kConfigurations * kValues);
        for (std::size_t i = 0; i < kConfigurations * kValues; ++i)
            values.push_back(random.uniform(-1, 1) * (round == 0 ? 0.1 : round == 5 ? 2e7 : 8));
        std::vector<DPose> bases = {random_pose(random)};
        for (std::size_t c = 1; c < kConfigurations && round % 2 != 0; ++c) bases.push_back(random_pose(random));
        for (std::size_t i = 0; i < values.size(); ++i)
            columns[(i % kValues) * kConfigurations + i / kValues] = values[i];
        Poses first(0);
        for (const Isa isa : test::usable_isas()) {
            auto tree = JointTree::make(robot.joints, robot.bodies, isa);
            REQUIRE(tree);
            REQUIRE(tree->values() <= kValues);
            Poses made(kConfigurations * bodies), by_column(kConfigurations * bodies);
            REQUIRE(
                (*tree).pose({.values = values, .stride = kValues, .configurations = kConfigurations, .bases = bases},
                             made.columns()));
            REQUIRE((*tree).pose({.values = columns,
                                  .stride = 1,
                                  .value_stride = kConfigurations,
                                  .configurations = kConfigurations,
                                  .bases = bases},
                                 by_column.columns()));
            CHECK(made == by_column);
            if (first.position.empty()) first = made;
            CHECK(made == first);
        }
        double most = 0;
        for (std::size_t c = 0; c < kConfigurations; ++c) {
            const std::vector<Matrix> exact =
                robot.exact(values.data() + c * kValues, bases[bases.size() == 1 ? 0 : c]);
            for (std::size_t b = 0; b < bodies; ++b) {
                const std::size_t at = c * bodies + b;
                most = std::max(most, error_of(exact[b], first.double_position[at], first.orientation[at]));
                const DVec3 p = first.double_position[at];
                CHECK(first.position[at] == Vec3{float(p.x), float(p.y), float(p.z)});
            }
        }
        CHECK(most < 1e-6);
    }
}

TEST_CASE("kinematics: robots share columns; values that are not finite make bad poses",
          "[configurations][contained]") {
    const std::vector<Joint> joints = {{.kind = JointKind::prismatic, .axis = {1, 0, 0}}};
    const std::vector<JointBody> bodies = {{0, {}}, {kBaseFrame, {}}};
    auto tree = JointTree::make(joints, bodies);
    REQUIRE(tree);
    const std::vector<double> q = {1, NAN, HUGE_VAL};
    std::vector<Vec3> positions(12, Vec3{7, 7, 7});
    std::vector<Quat> orientations(12);
    REQUIRE((*tree).pose({.values = q}, {.position = positions, .orientation = orientations, .stride = 4, .first = 1}));
    CHECK(positions[0] == Vec3{7, 7, 7});
    CHECK(std::fabs(positions[1].x - 1) + std::fabs(positions[1].y) + std::fabs(positions[1].z) < 1e-6f);
    CHECK(positions[2] == Vec3{0, 0, 0});
    CHECK(positions[3] == Vec3{7, 7, 7});
    CHECK(std::isnan(positions[5].x));
    CHECK(positions[6] == Vec3{0, 0, 0});
    ShapeStore store;
    const ShapeId ball = *store.add_sphere(0.4f);
    const std::vector<ShapeId> shapes(4, ball);
    const std::vector<Pair> pairs = {{1, 2}};
    NarrowPhase narrow;
    AnyOverlaps any;
    REQUIRE(narrow.any_overlap(
        {.shapes = &store, .bodies = shapes, .pairs = pairs, .positions = positions, .orientations = orientations},
        any));
    CHECK(any.unanswered == std::vector<std::uint32_t>{0, 1, 1});
}

TEST_CASE("kinematics: errors name what is wrong", "[configurations][contained]") {
    const auto message = [](Joint joint, JointBody body) {
        const std::vector<Joint> joints = {{}, joint};
        const auto tree = JointTree::make(joints, {&body, 1});
        return tree ? std::string() : std::string(tree.error().message);
    };
    const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
    const Joint good = {.parent = 0, .kind = JointKind::revolute};
    CHECK(message(good, {1, {}}).empty());
    Joint bad = good;
    bad.parent = 1;
    CHECK(has(message(bad, {}), "joints[1].parent is 1"));
    bad = good, bad.axis = {};
    CHECK(has(message(bad, {}), "joints[1].axis"));
    bad = good, bad.origin.orientation.w = 1.1;
    CHECK(has(message(bad, {}), "joints[1].origin.orientation"));
    bad = good, bad.kind = JointKind(9);
    CHECK(has(message(bad, {}), "kind is 9"));
    CHECK(has(message(good, {2, {}}), "bodies[0].joint is 2"));
    CHECK(has(message(good, {1, {{NAN, 0, 0}, {}}}), "bodies[0].pose.position"));

    auto tree = JointTree::make({&good, 0}, {});
    const Joint first = {.kind = JointKind::revolute, .value = 2};
    const JointBody body = {0, {}};
    tree = JointTree::make({&first, 1}, {&body, 1});
    REQUIRE(tree);
    CHECK(tree->values() == 3);
    const std::vector<double> q(6);
    std::vector<Vec3> positions(2);
    const std::vector<DPose> bases(3);
    const auto refused = [&](const JointStates& states, const BodyPoseColumns& out, const char* part) {
        const CallResult result = (*tree).pose(states, out);
        CHECK(!result);
        CHECK(has(result ? "" : std::string(result.error().message), part));
    };
    CHECK((*tree).pose({.values = q}, {.position = positions}));
    refused({.values = q, .configurations = 3}, {.position = positions}, "values is too short");
    refused({.values = q, .bases = bases}, {.position = positions}, "bases has 3");
    refused({.values = q}, {.position = std::span(positions).first(1)}, "position is too short");
    refused({.values = q}, {.position = positions, .stride = 1, .first = 1}, "stride is 1");
    refused({.values = {static_cast<const double*>(nullptr), 6}}, {.position = positions}, "values is null");
    JointTree moved = std::move(*tree);
    refused({.values = q}, {.position = positions}, "moved from");
    CHECK(moved.bodies() == 1);
}
