// See instance_pose.hpp.
#include "shapes/instance_pose.hpp"

namespace abut {

using exact::Quatd;
using exact::Vec3d;

const RelativePose* instance_pose(const ShapeTables& tables, ShapeId id) {
    if (!tables.has_poses || !tables.lives(id)) return nullptr;
    const RelativePose& pose = tables.kinds[std::uint32_t(id.kind())].sources[id.slot()].pose;
    return is_posed(pose) ? &pose : nullptr;
}

Vec3d compose_pose(const ShapeTables& tables, Body& body) {
    const RelativePose* const pose = instance_pose(tables, body.shape);
    if (pose == nullptr) return {0, 0, 0};
    const Quatd given = exact::to_double(body.orientation);
    const Vec3d offset = exact::rotation(given) * exact::to_double(pose->position);
    if (pose->orientation == Quat{}) return offset;  // to the bit
    const Quatd q = given * exact::normalised(exact::to_double(pose->orientation));
    body.orientation = {float(q.x), float(q.y), float(q.z), float(q.w)};
    if (body.shape.kind() != ShapeKind::hull) return offset;
    // As pairs/child_poses.hpp: the rounded orientation moves a core that lies far from its origin.
    const InstanceRecord& record = tables.record(body.shape);
    const Vec3d centre = exact::times(exact::to_double(tables.hulls[record.geometry].centre), {record.extent_x, record.extent_y, record.extent_z});
    return offset + exact::rotation(q) * centre - exact::rotation(exact::to_double(body.orientation)) * centre;
}

}  // namespace abut
