/// @file
/// The library's version, also the package's.
#pragma once

#include <abut/version.h>
#include <abut/compiler.hpp>

namespace abut {

/// The version of the library that runs, e.g. "0.1.0". It differs from ABUT_VERSION if the program was compiled with
/// other headers.
ABUT_API const char* version();

}  // namespace abut
