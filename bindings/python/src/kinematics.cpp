// The poses of a robot's bodies, for abut._robot, which makes the arrays. The GIL is released while they are computed.
#include <mutex>
#include <vector>

#include <abut/kinematics.hpp>

#include "arrays.hpp"
#include "frames.hpp"

namespace abut::python {
namespace {

template <class T>
using Packed = py::array_t<T, py::array::c_style | py::array::forcecast>;

struct Tree {
    explicit Tree(JointTree&& of) : joints(std::move(of)) {}

    JointTree joints;
    std::mutex mutex;
};

// Rows of x, y, z and the quaternion x, y, z, w.
DPose pose_of(const double* row) { return {{row[0], row[1], row[2]}, {row[3], row[4], row[5], row[6]}}; }

std::vector<DPose> poses_of(const Packed<double>& rows) {
    if (rows.ndim() != 2 || rows.shape(1) != 7) value_error("poses: they must be (n, 7)");
    std::vector<DPose> out;
    for (py::ssize_t i = 0; i < rows.shape(0); ++i) out.push_back(pose_of(rows.data(i, 0)));
    return out;
}

std::unique_ptr<Tree> make_tree(const py::list& joints, const Packed<std::uint32_t>& body_joints,
                                const Packed<double>& body_poses) {
    std::vector<Joint> all;
    for (const py::handle item : joints) {
        const auto [kind, parent, value, pose, axis, multiplier, offset] = py::cast<
            std::tuple<unsigned, std::uint32_t, std::uint32_t, Packed<double>, Packed<double>, double, double>>(item);
        if (pose.size() != 7 || axis.size() != 3) value_error("joints: a pose has 7 numbers, an axis 3");
        const double* const a = axis.data();
        all.push_back({parent, JointKind(kind), value, pose_of(pose.data()), {a[0], a[1], a[2]}, multiplier, offset});
    }
    std::vector<JointBody> bodies;
    const std::vector<DPose> poses = poses_of(body_poses);
    if (body_joints.ndim() != 1 || std::size_t(body_joints.size()) != poses.size())
        value_error("bodies: each needs a joint and a pose");
    for (std::size_t i = 0; i < poses.size(); ++i) bodies.push_back({body_joints.at(i), poses[i]});
    return std::make_unique<Tree>(value_of(JointTree::make(all, bodies)));
}

py::tuple pose(Tree& tree, const Packed<double>& values, const Packed<double>& bases) {
    const std::size_t bodies = tree.joints.bodies();
    if (values.ndim() != 2 || std::size_t(values.shape(1)) < tree.joints.values())
        value_error(described(values, "values") + "; it must be (configurations, values)");
    const std::vector<DPose> base = poses_of(bases);
    const auto count = std::size_t(values.shape(0));
    py::array_t<double> positions({py::ssize_t(count), py::ssize_t(bodies), py::ssize_t(3)});
    py::array_t<float> orientations({py::ssize_t(count), py::ssize_t(bodies), py::ssize_t(4)});
    if (count == 0 || bodies == 0) return py::make_tuple(positions, orientations);
    JointStates states = {.values = {values.data(), std::size_t(values.size())},
                          .stride = std::size_t(values.shape(1)),
                          .configurations = count,
                          .bases = base};
    const BodyPoseColumns out = {
        .double_position = {reinterpret_cast<DVec3*>(positions.mutable_data()), count * bodies},
        .orientation = {reinterpret_cast<Quat*>(orientations.mutable_data()), count * bodies}};
    CallResult outcome;
    {
        const py::gil_scoped_release release;
        const std::lock_guard alone(tree.mutex);
        outcome = tree.joints.pose(states, out);
    }
    check(outcome);
    return py::make_tuple(positions, orientations);
}

}  // namespace

void define_kinematics(py::module_& module) {
    py::class_<Tree>(module, "_JointTree", "The joints of a robot and its bodies, for abut.urdf.Robot.")
        .def(py::init(&make_tree), py::arg("joints"), py::arg("body_joints"), py::arg("body_poses"))
        .def("pose", &pose, py::arg("values"), py::arg("bases"),
             "Positions (c, n, 3) float64 and orientations (c, n, 4) float32 of all bodies.");
}

}  // namespace abut::python
