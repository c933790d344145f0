// The library's version, also the package's.
#pragma once

#include <abut/compiler.hpp>

#define ABUT_VERSION_MAJOR 0
#define ABUT_VERSION_MINOR 1
#define ABUT_VERSION_PATCH 0
#define ABUT_VERSION "0.1.0"

namespace abut {

// Of the library that runs, e.g. "0.1.0": differs from ABUT_VERSION where a program was compiled with the headers of another one.
ABUT_API const char* version();

}  // namespace abut
