// The tests' main function: Catch2 v2 has none ready-made that a package would link.
#define CATCH_CONFIG_RUNNER
#include "catch.hpp"

#include <cstdio>

#include <abut/host.hpp>

int main(int argc, char** argv) {
    if (const abut::CallResult result = abut::read_environment(); !result) {
        std::fprintf(stderr, "%s\n", result.error().message.c_str());
        return 2;
    }
    return Catch::Session().run(argc, argv);
}
