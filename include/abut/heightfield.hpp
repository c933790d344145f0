// Height fields: a grid of samples, two triangles for each cell.
#pragma once

#include <cstddef>
#include <cstdint>

#include <abut/cooked_mesh.hpp>

namespace abut {

struct HeightfieldOptions {
    float spacing_x = 1.0f, spacing_z = 1.0f;  // metres between samples, above 0
    MeshSides sides = MeshSides::front;        // the front is +Y
};

// The result of cooking.
struct HeightfieldReport {
    std::uint32_t rows = 0, columns = 0;
    std::uint32_t triangles = 0;  // whose three samples are there
    std::uint32_t holes = 0;      // samples that are NaN
    float spacing_x = 0, spacing_z = 0;
    MeshSides sides = MeshSides::front;
    std::size_t bytes = 0;  // of memory, for all instances together
};

}  // namespace abut
