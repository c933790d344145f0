// In place of hacd.cpp where HACD is not installed.
#include <stdexcept>

#include "hacd.hpp"

namespace abut::tools {

bool can_decompose() { return false; }

std::vector<std::uint32_t> hacd_clusters(const GridMesh&, double, std::uint32_t, const std::string&) {
    throw std::runtime_error("built without HACD");
}

}  // namespace abut::tools
