// In place of read_mesh.cpp where assimp is not installed.
#include <fmt/format.h>

#include "files.hpp"
#include "mesh.hpp"

namespace abut::tools {

bool can_read_meshes() { return false; }

Mesh read_mesh(const std::string& path, double) {
    throw InputError(fmt::format(
        "{}: this abut was built without assimp, which reads meshes; install libassimp-dev and build it again", path));
}

}  // namespace abut::tools
