#pragma once

#include <memory>
#include <vector>

#include <abut/cooking.hpp>

#include "errors.hpp"

namespace abut::python {

using MeshPtr = std::shared_ptr<CookedMesh>;

// The caller's arrays, copied, and options.
struct GivenMesh {
    GivenMesh(py::handle given_vertices, py::handle given_triangles, bool both_sides, float weld_tolerance,
              py::handle user_values, bool solid);
    MeshOptions options() const { return {sides, tolerance, values, is_solid}; }

    std::vector<Vec3> vertices;
    std::vector<MeshTriangle> triangles;
    std::vector<std::uint32_t> values;
    MeshSides sides;
    float tolerance;
    bool is_solid;
};

}  // namespace abut::python
