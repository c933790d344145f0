#include <abut/host.hpp>

namespace abut {

const char* version() { return ABUT_VERSION; }

}  // namespace abut
