#!/usr/bin/env bash
# symbols.sh ISA LIST: each symbol that the listed objects define for other objects to see, and each section group the linker may
# take from them, carries the ISA's name. Anything else (std::max<float>, say) might be linked into code that runs on lesser CPUs.
set -euo pipefail
isa=${1%_leak} list=$2

case $isa in
    sse2) tags='sse2' ;;
    avx2) tags='avx2?' ;;  # xsimd's avx2 registers inherit from its avx ones
    avx512) tags='avx512[a-z]*|types::simd_avx512_bool_register' ;;
    neon) tags='neon(64)?' ;;
    *) echo "symbols.sh: unknown instruction set '$isa'"; exit 2 ;;
esac

objects=()
while IFS=$'\t' read -r _ path; do [ -z "$path" ] || objects+=("$path"); done <"$list"
[ ${#objects[@]} -gt 0 ] || { echo "symbols.sh: no object in $list"; exit 2; }

defined=$(mktemp)
trap 'rm -f "$defined"' EXIT
for object in "${objects[@]}"; do
    # Name and kind of each symbol, then the signatures of COMDAT groups: localising a symbol (objcopy) hides it from nm, but the
    # linker still keeps only one group of that signature in the program. Groups of debug types hold no code.
    "${NM:-nm}" --defined-only --extern-only -P "$object" | awk -v f="$object" 'NF > 1 { print f "\t" $2 "\t" $1 }'
    "${READELF:-readelf}" --section-groups --wide "$object" |
        sed -n 's/^COMDAT group section .*`[^]]*'\'' \[\(.*\)\] contains.*/\1/p' | grep -v '^w[it]\.' |
        awk -v f="$object" '{ print f "\tgroup\t" $1 }' || true
done | c++filt >"$defined"
[ -s "$defined" ] || { echo "symbols.sh: the objects define nothing"; exit 2; }

# DW.ref.* are pointers for unwinding: data without code. c++filt leaves lambdas within lambdas as they are: what is local to a function of
# ours begins with its name, mangled.
awk -F '\t' -v own="(abut::$isa|xsimd::($tags))([^A-Za-z0-9_]|\$)|^_ZZ+NK?4abut${#isa}$isa[0-9]" '
    { ++total }
    $3 ~ own || $3 ~ /^DW\.ref\./ || ($3, $1) in seen { next }
    { seen[$3, $1] = 1; ++foreign; if (foreign <= 30) { n = split($1, path, "/"); print "not of this ISA: " $3 " (" $2 ", " path[n] ")" } }
    END {
        print total " definitions in '"${#objects[@]}"' objects of '"$isa"', " foreign + 0 " foreign"
        exit foreign > 0
    }' "$defined"
