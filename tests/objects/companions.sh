#!/usr/bin/env bash
# companions.sh all LIST: the kernel's objects need no symbol that only a companion's objects define (kernel/README.md). Objects of companions have
# "/__/" in their paths, as CMake names sources outside the target's folder.
set -euo pipefail
list=$2

kernel=() companions=()
while IFS=$'\t' read -r _ path; do
    case $path in
        '') ;;
        */__/*) companions+=("$path") ;;
        *) kernel+=("$path") ;;
    esac
done <"$list"
if [ ${#kernel[@]} -eq 0 ] || [ ${#companions[@]} -eq 0 ]; then
    echo "companions.sh: objects of the kernel or of the companions are missing"
    exit 2
fi

names() { "${NM:-nm}" --extern-only -P "$@" | awk 'NF > 1 { print $1 }' | sort -u; }
needed=$(comm -23 <(names --undefined-only "${kernel[@]}") <(names --defined-only "${kernel[@]}"))
found=$(comm -12 <(echo "$needed") <(names --defined-only "${companions[@]}") | c++filt)
echo "${#kernel[@]} objects of the kernel, ${#companions[@]} of companions"
[ -z "$found" ] || { echo "the kernel needs these of companions:"; echo "$found"; exit 1; }
