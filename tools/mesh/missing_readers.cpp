// In place of readers whose libraries are not installed (readers.cmake).
#include "output_file.hpp"
#include "triangle_file.hpp"

namespace abut::tools {

#ifndef ABUT_READS_DAE
TriangleFile read_dae(std::string_view, const std::string& name) {
    throw InputError(name + ": this abut was built without pugixml, which Collada needs");
}
#endif
#ifndef ABUT_READS_3MF
TriangleFile read_3mf(std::string_view, const std::string& name) {
    throw InputError(name + ": this abut was built without pugixml and minizip, which 3MF needs");
}
#endif
#ifndef ABUT_READS_GLTF
TriangleFile read_gltf(std::string_view, const std::string& name) {
    throw InputError(name + ": this abut was built without nlohmann_json and fmt, which glTF needs");
}
#endif

}  // namespace abut::tools
