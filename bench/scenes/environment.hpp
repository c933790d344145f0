// What the programs of tests and benchmarks take from the environment: the library takes nothing by itself.
#pragma once

#include <cstdio>

#include <abut/host.hpp>

namespace abut::scenes {

// Makes ABUT_ISA name the instruction set of this process. Where it cannot, says why and returns false: the program
// then ends with 2.
inline bool obey_environment(const char* program) {
    const CallResult result = read_environment();
    if (!result) std::fprintf(stderr, "%s: %s\n", program, result.error().message.c_str());
    return bool(result);
}

}  // namespace abut::scenes
