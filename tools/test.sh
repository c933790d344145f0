#!/usr/bin/env bash
# bash tools/test.sh [CTEST ARGUMENT...]: on a bare Debian machine, installs what is missing, builds everything and runs every test.
# With CI=true warnings are errors.
# shellcheck source=tools/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

install_missing "${abut_test_packages[@]}"
configure release -U ABUT_ISAS -U ABUT_BUILD_GOLDEN -D ABUT_BUILD_TOOLS=ON -D ABUT_BUILD_TESTS=ON -D ABUT_BUILD_EXAMPLES=ON -D ABUT_BUILD_BENCHMARKS=ON -D ABUT_BUILD_PYTHON=ON
say "building build/release"
cmake --build --preset release || die "the build failed (see above)"
say "testing build/release"
ctest --preset release "$@"
