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
              py::handle user_values);
    MeshOptions options() const { return {sides, tolerance, values}; }

    std::vector<Vec3> vertices;
    std::vector<MeshTriangle> triangles;
    std::vector<std::uint32_t> values;
    MeshSides sides;
    float tolerance;
};

}  // namespace abut::python
