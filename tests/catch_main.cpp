// The tests' main function: Catch2 v2 has none ready-made that a package would link.
#define CATCH_CONFIG_RUNNER
#include "catch.hpp"

int main(int argc, char** argv) { return Catch::Session().run(argc, argv); }
