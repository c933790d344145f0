// Meshes of files (triangle_file.hpp) and cooked ones, in float32.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <abut/cooking.hpp>
#include <abut/math.hpp>

namespace abut::tools {

struct Mesh {
    std::vector<Vec3> positions;                          // metres
    std::vector<std::array<std::uint32_t, 3>> triangles;  // indices into positions
    std::vector<std::uint32_t> object_of;                 // by triangle
    std::vector<std::string> objects;                     // names, empty where the file gives none
};

// The file's ending says which format it is in. Coordinates are multiplied by `scale`. Throws InputError, which names
// the file and what is wrong, also where a number is not finite. A file of points has no triangles.
Mesh read_mesh(const std::string& path, double scale);

// A file of cooked bytes; InputError names the first fault.
CookedMesh read_cooked_mesh(const std::string& path);
// The triangles that cooking kept, in the input's order. `name` is for messages.
Mesh mesh_of(const CookedMesh& cooked, double scale, const std::string& name);

}  // namespace abut::tools
