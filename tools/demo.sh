#!/usr/bin/env bash
# bash tools/demo.sh: on a bare Debian machine, installs what is missing, builds the command line, and replays the recorded pile of
# bodies that is built into it, through each of the three queries. The widest instruction set of this machine alone is compiled; tools/test.sh
# compiles all.
# shellcheck source=tools/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

install_missing "${abut_build_packages[@]}"

# Of the table of instruction sets the last one whose features this machine's CPU has; nothing where that cannot be told.
widest_isa() {
    local name features feature
    while IFS='|' read -r name features; do
        for feature in $features; do
            grep -m1 '^flags' /proc/cpuinfo | grep -qw "$feature" || continue 2
        done
        widest=$name
    done < <(sed -nE 's/^ABUT_INSTRUCTION_SET\((\w+), .*"'"$(uname -m)"'", "[^"]*", "([^"]*)"\)$/\1|\2/p' include/abut/isa_sets.inc)
    printf '%s' "${widest:-}"
}

# A tree that is already configured keeps its tests, benchmarks and instruction sets.
if [ -f build/release/build.ninja ]; then
    configure release
else
    isa=$(widest_isa)
    configure release -D ABUT_BUILD_TESTS=OFF -D ABUT_BUILD_EXAMPLES=OFF -D ABUT_BUILD_BENCHMARKS=OFF -D ABUT_BUILD_PYTHON=OFF ${isa:+-D ABUT_ISAS="$isa"}
fi
say "building build/release/bin/abut"
cmake --build --preset release --target bin/abut || die "the build failed (see above)"

abut=build/release/bin/abut
for query in overlap distance collide; do
    printf '\n== %s replay --query %s\n' "$abut" "$query"
    "$abut" replay --query "$query"
done
