// The library's version, also the package's.
#pragma once

#include <abut/version.h>
#include <abut/compiler.hpp>

namespace abut {

// Of the library that runs, e.g. "0.1.0": differs from ABUT_VERSION where a program was compiled with the headers of another one.
ABUT_API const char* version();

}  // namespace abut
