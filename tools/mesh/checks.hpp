// What a mesh file must satisfy before assimp sees it: assimp 5.2 takes much that is cut short or wrong for good, and
// ends the program on some of it. Each throws InputError with the file's name, where in it and what is wrong.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace abut::tools {

void check_obj(std::string_view text, const std::string& name);
void check_stl(std::string_view bytes, const std::string& name);
void check_ply(std::string_view bytes, const std::string& name);

// What assimp is to read in place of a glTF file: a .glb where it begins with "glTF", else a .gltf. `triangles` are
// those of all nodes.
struct CheckedGltf {
    std::string document;
    std::size_t triangles = 0;
};
CheckedGltf check_gltf(std::string_view bytes, const std::string& name);

// Whether the size is what the binary header's count of triangles makes it.
bool is_binary_stl(std::string_view bytes);

}  // namespace abut::tools
