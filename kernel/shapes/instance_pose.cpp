// See instance_pose.hpp.
#include "shapes/instance_pose.hpp"

namespace abut {

using maths::Quatd;
using maths::Vec3d;

namespace {

// The centre of a hull from its origin.
Vec3d centre_of(const ShapeTables& tables, ShapeId hull) {
    const InstanceRecord& record = tables.record(hull);
    return maths::times(maths::to_double(tables.hulls[record.geometry].centre),
                        {record.extent_x, record.extent_y, record.extent_z});
}

}  // namespace

const RelativePose* instance_pose(const ShapeTables& tables, ShapeId id) {
    if (!tables.has_poses || !tables.lives(id)) return nullptr;
    const RelativePose& pose = tables.kinds[std::uint32_t(id.kind())].sources[id.slot()].pose;
    return is_posed(pose) ? &pose : nullptr;
}

Vec3d compose_pose(const ShapeTables& tables, Body& body) {
    const RelativePose* const pose = instance_pose(tables, body.shape);
    if (pose == nullptr) return {0, 0, 0};
    const Quatd given = maths::to_double(body.orientation);
    const Vec3d offset = maths::rotation(given) * maths::to_double(pose->position);
    if (pose->orientation == Quat{}) return offset;  // bit for bit
    const Quatd q = given * maths::normalised(maths::to_double(pose->orientation));
    body.orientation = {float(q.x), float(q.y), float(q.z), float(q.w)};
    if (body.shape.kind() != ShapeKind::hull) return offset;
    // As in shapes/child_poses.hpp: the rounded orientation moves a core that lies far from its origin.
    const Vec3d centre = centre_of(tables, body.shape);
    return offset + maths::rotation(q) * centre - maths::rotation(maths::to_double(body.orientation)) * centre;
}

void apply_shape_poses(const ShapeTables& tables, const PoseKernels& kernels, std::span<PlacedShape> shapes) {
    PosedShapes posed;
    for (std::size_t next = 0; next < shapes.size();) {
        std::uint32_t count = 0;
        bool have_centres = false;
        for (; next < shapes.size() && count < PosedShapes::kMost; ++next) {
            PlacedShape& shape = shapes[next];
            const RelativePose* const pose = instance_pose(tables, shape.shape);
            if (pose == nullptr) continue;
            const bool has_centre = shape.shape.kind() == ShapeKind::hull && pose->orientation != Quat{};
            const Vec3d centre = has_centre ? centre_of(tables, shape.shape) : Vec3d{0, 0, 0};
            have_centres |= has_centre;
            posed.shapes[count] = &shape, posed.poses[count] = pose;
            double(&to)[4] = posed.centres[count++];
            to[0] = centre.x, to[1] = centre.y, to[2] = centre.z;
        }
        posed.count = count, posed.have_centres = have_centres;
        if (count != 0) kernels.compose_poses(posed);
    }
}

}  // namespace abut
