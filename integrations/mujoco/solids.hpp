// Geoms as the tests' double-precision oracle takes them.
#pragma once

#include <mujoco/mujoco.h>

#include "support/oracle/oracle.hpp"

namespace abut::tools {

// Of a plane, sphere, capsule, ellipsoid, cylinder, box or mesh.
inline oracle::Solid solid_of(const mjModel& model, int geom) {
    const mjtNum* const size = model.geom_size + 3 * geom;
    const float x = float(size[0]), y = float(size[1]), z = float(size[2]);
    switch (model.geom_type[geom]) {
        case mjGEOM_PLANE: return oracle::halfspace({0, 0, 1}, 0);
        case mjGEOM_SPHERE: return oracle::sphere(x);
        case mjGEOM_CAPSULE: return oracle::capsule(x, y);
        case mjGEOM_ELLIPSOID: return oracle::ellipsoid({x, y, z});
        case mjGEOM_CYLINDER: return oracle::cylinder(x, y);
        case mjGEOM_BOX: return oracle::box({x, y, z});
    }
    const int mesh = model.geom_dataid[geom];
    std::vector<Vec3> points;
    for (int i = 0; i < model.mesh_vertnum[mesh]; ++i) {
        const float* const v = model.mesh_vert + 3 * (model.mesh_vertadr[mesh] + i);
        points.push_back({v[0], v[1], v[2]});
    }
    return oracle::hull(std::move(points));
}

// The oracle has the axes of capsules and cylinders on Y.
inline oracle::Pose pose_of(const mjModel& model, const mjData& data, int geom) {
    const mjtNum* const p = data.geom_xpos + 3 * geom;
    const mjtNum* const m = data.geom_xmat + 9 * geom;
    const int type = model.geom_type[geom];
    const auto row = [&](int i) {
        const mjtNum* const r = m + 3 * i;
        return type == mjGEOM_CAPSULE || type == mjGEOM_CYLINDER ? oracle::Vec3d(r[0], r[2], -r[1])
                                                                 : oracle::Vec3d(r[0], r[1], r[2]);
    };
    return {{p[0], p[1], p[2]}, {row(0), row(1), row(2)}};
}

}  // namespace abut::tools
