// Triangles of a mesh file, as the file has them. The readers check every size and index before they use it, and need
// the standard library alone (Collada: pugixml; 3MF: minizip, too; glTF: nlohmann_json), so that the Python package has
// them as well.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace abut::tools {

using Position = std::array<double, 3>;
using Corners = std::array<std::uint32_t, 3>;

struct TriangleFile {
    std::vector<Position> positions;       // in the file's unit; of Collada and 3MF, which tell their unit, in metres
    std::vector<Corners> triangles;        // indices into positions; faces with more corners are cut into fans
    std::vector<std::uint32_t> object_of;  // by triangle
    // Names of OBJ objects and groups, STL solids, Collada and glTF nodes, 3MF objects; empty where the file gives
    // none.
    std::vector<std::string> objects;
    std::vector<std::string> remarks;  // what is irregular and has one meaning all the same

    // The object that the next triangles are in.
    void begin_object(std::string_view name) { objects.emplace_back(name); }
    // A polygon of positions that are there.
    void add_fan(const std::vector<std::uint32_t>& corners);
};

// Each throws InputError with the file's name, where in it and what is wrong. A file of points alone has no triangles.
TriangleFile read_obj(std::string_view text, const std::string& name);
TriangleFile read_stl(std::string_view bytes, const std::string& name);
TriangleFile read_ply(std::string_view bytes, const std::string& name);
TriangleFile read_off(std::string_view text, const std::string& name);
TriangleFile read_dae(std::string_view text, const std::string& name);
TriangleFile read_3mf(std::string_view bytes, const std::string& name);  // reads the file `name`, not `bytes`
TriangleFile read_gltf(std::string_view bytes, const std::string& name);

// Of a file called `name`, whose ending says which format it has. Also throws where nothing can be read, or a position
// is not finite.
TriangleFile read_triangle_file(std::string_view bytes, const std::string& name);
// The endings, for messages: ".obj, .stl, ...".
const char* triangle_file_endings();

// As UTF-8: without a byte-order mark, and of UTF-16 with one. `owner` keeps what has to be converted.
std::string_view utf8_of(std::string_view bytes, std::string& owner);

}  // namespace abut::tools
