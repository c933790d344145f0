#!/usr/bin/env bash
# Replays the recorded pile with the command line of every build folder, on every instruction set of this machine and with
# several numbers of threads, and prints a table of the checksums for docs/platforms.md. Exit code 1 if two differ.
#
#     bash tools/determinism.sh [BUILD_FOLDER...]     # without one: all of build/
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ $# -gt 0 ]]; then folders=("$@"); else folders=(build/*/); fi

value() { sed -n "s/^$2:[A-Z]*=//p" "$1/CMakeCache.txt"; }

declare -A sums=()
echo "| system | compiler, build type | instruction set | threads | overlap | distance | collide |"
echo "|---|---|---|---|---|---|---|"
for folder in "${folders[@]}"; do
    program=$folder/bin/abut
    [[ -x $program && -f $folder/CMakeCache.txt ]] || continue
    compiler=$("$(value "$folder" CMAKE_CXX_COMPILER)" --version | head -n 1)
    for isa in $("$program" info --json | grep -o '"name":"[a-z0-9]*","compiled":true,"supported":true' | cut -d '"' -f 4); do
        row=""
        for query in overlap distance collide; do
            found=()
            for threads in 1 2 7; do
                found+=("$("$program" replay --checksum --query "$query" --isa "$isa" --threads "$threads")")
            done
            mapfile -t different < <(printf '%s\n' "${found[@]}" | sort -u)
            for sum in "${different[@]}"; do sums["$query $sum"]=1; done
            row+=" ${different[*]} |"
        done
        echo "| $(uname -sm) | $compiler, $(value "$folder" CMAKE_BUILD_TYPE) | $isa | 1, 2, 7 |$row"
    done
done
[[ ${#sums[@]} -eq 3 ]] || { echo "the checksums differ, or no program was found" >&2; exit 1; }
