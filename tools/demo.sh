#!/usr/bin/env bash
# bash tools/demo.sh: on a bare Debian machine, installs what is missing, builds the command line, and replays the recorded pile of
# bodies that is built into it, through each of the three queries.
# shellcheck source=tools/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

install_missing "${abut_build_packages[@]}"

# A tree that is already configured keeps its tests and benchmarks.
if [ -f build/release/build.ninja ]; then
    configure release
else
    configure release -D ABUT_BUILD_TESTS=OFF -D ABUT_BUILD_BENCHMARKS=OFF
fi
say "building build/release/bin/abut"
cmake --build --preset release --target bin/abut || die "the build failed (see above)"

abut=build/release/bin/abut
for query in overlap distance collide; do
    printf '\n== %s replay --query %s\n' "$abut" "$query"
    "$abut" replay --query "$query"
done
