#!/usr/bin/env bash
# duplicates.sh all LIST: no symbol is defined by the objects of two labels, of which the linker would keep one for both.
set -euo pipefail
list=$2
defined=$(mktemp)
trap 'rm -f "$defined"' EXIT
while IFS=$'\t' read -r label path; do
    [ -n "$path" ] || continue
    "${NM:-nm}" --defined-only --extern-only -P "$path" | awk -v l="$label" 'NF > 1 { print l "\t" $1 }'
done <"$list" | c++filt >"$defined"
[ -s "$defined" ] || { echo "duplicates.sh: the objects define nothing"; exit 2; }

awk -F '\t' '
    $2 ~ /^DW\.ref\./ { next }
    !($2 in first) { first[$2] = $1; ++total; next }
    first[$2] != $1 && !(($2, $1) in seen) { seen[$2, $1] = 1; if (++shared <= 30) print "in " first[$2] " and in " $1 ": " $2 }
    END { print total " symbols, " shared + 0 " shared"; exit shared > 0 }' "$defined"
