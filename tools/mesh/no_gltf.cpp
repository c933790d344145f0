// In place of read_gltf.cpp in a Python package that was built without fmt and nlohmann_json.
#include "output_file.hpp"
#include "triangle_file.hpp"

namespace abut::tools {

TriangleFile read_gltf(std::string_view, const std::string& name) {
    throw InputError(name + ": this abut was built without nlohmann_json and fmt, which glTF needs");
}

}  // namespace abut::tools
