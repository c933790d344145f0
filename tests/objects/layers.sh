#!/usr/bin/env bash
# layers.sh ROOMS LIST: the objects of a layer need no symbol that only layers above it define. ROOMS is kernel/rooms.txt, from the bottom to the top;
# an object's layer is the folder below its target's: .../abut.dir/LAYER/..., or that of its room: .../abut.dir/Unity/unity_LAYER_ROOM...
set -euo pipefail
rooms=$1 list=$2
mapfile -t layers < <(grep '^[a-z]' "$rooms" | sed 's|/.*||' | uniq)
mapfile -t objects < <(cut -f2 "$list" | grep . | sed 's|/\./|/|g')

names() { "${NM:-nm}" --extern-only -P "$@" | awk 'NF > 1 { print $1 }' | sort -u; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
below="$folder/below" failed=0
: >"$below"
for layer in "${layers[@]}"; do
    mapfile -t own < <(printf '%s\n' "${objects[@]}" | grep -E "\.dir/(Unity/unity_)?$layer[/_]" || true)
    [ ${#own[@]} -gt 0 ] || { echo "layers.sh: layer $layer has no object"; exit 2; }
    names --defined-only "${own[@]}" >"$folder/own"
    sort -u -o "$below" "$below" "$folder/own"
    mapfile -t others < <(printf '%s\n' "${objects[@]}" | grep -vE "\.dir/(Unity/unity_)?($(grep '^[a-z]' "$rooms" | sed "s|/.*||" | uniq | sed "/^$layer\$/q" | paste -sd'|'))[/_]" || true)
    [ ${#others[@]} -gt 0 ] || continue
    found=$(names --undefined-only "${own[@]}" | comm -23 - "$below" | comm -12 - <(names --defined-only "${others[@]}") | c++filt)
    [ -z "$found" ] || { echo "$layer needs these of layers above it:"; echo "$found"; failed=1; }
done
echo "${#objects[@]} objects in ${#layers[@]} layers"
exit $failed
