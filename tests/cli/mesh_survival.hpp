// What a broken mesh file must get, whatever its format.
#pragma once

#include "support/catch.hpp"

#include <cstring>
#include <string>

#include "files.hpp"
#include "mesh.hpp"
#include "program.hpp"

namespace abut::tests {

// The file makes a mesh, or a reason that names it.
inline void check_survives(const std::string& name, const std::string& content) {
    const std::string path = write_scratch(name, content);
    try {
        tools::read_mesh(path, 1.0);
    } catch (const tools::InputError& error) {
        CHECK(std::strstr(error.what(), name.c_str()) != nullptr);
    }
}

}  // namespace abut::tests
