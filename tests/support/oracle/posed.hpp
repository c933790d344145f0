// A polytope moved into the pair's frame (world axes, A's position the origin), and its support.
#pragma once

#include <vector>

#include "support/oracle/polytope.hpp"
#include "support/oracle/vec.hpp"

namespace abut::oracle {

struct Posed {
    const Polytope* core = nullptr;
    std::vector<Vec3d> vertices, normals, directions;  // as core's vertices, normals, arcs
    Vec3d centre;

    void move(const Polytope& polytope, const Rotation& rotation, const Vec3d& offset) {
        core = &polytope;
        centre = rotation * polytope.centre + offset;
        vertices.clear(), normals.clear(), directions.clear();
        for (const Vec3d& v : polytope.vertices) vertices.push_back(rotation * v + offset);
        for (const Vec3d& n : polytope.normals) normals.push_back(rotation * n);
        for (const Arc& arc : polytope.arcs) directions.push_back(rotation * arc.direction);
    }

    const Vec3d& support(const Vec3d& direction) const {
        std::size_t best = 0;
        double most = dot(direction, vertices[0]);
        for (std::size_t i = 1; i < vertices.size(); ++i) {
            const double reach = dot(direction, vertices[i]);
            if (reach > most) most = reach, best = i;
        }
        return vertices[best];
    }
};

}  // namespace abut::oracle
