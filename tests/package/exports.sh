#!/usr/bin/env bash
# exports.sh LIBRARY HEADERS: the shared library exports what the headers mark with ABUT_API, all of it and nothing else.
set -euo pipefail
library=$1 headers=$2
nm=${NM:-nm}

names=$("$nm" -D --defined-only -C "$library" | cut -d' ' -f3- | sed 's/(.*//' | sort -u)
if [ -z "$names" ]; then
    echo "$library exports nothing"
    exit 1
fi

# "class ABUT_API X {" and "ABUT_API type f(", with their namespaces: that of a folder has its name.
marked() {
    sed -n "$1" "$headers"/*.hpp
    sed -n "$1" "$headers"/d2/*.hpp | sed 's/^/d2::/'
}
classes=$(marked 's/^ *class ABUT_API \([A-Za-z0-9_]*\) .*/\1/p' | sort -u)
functions=$(marked 's/^ABUT_API [^(]*[ *&]\([a-z_]*\)(.*/\1/p' | sort -u)
if [ -z "$classes" ] || [ -z "$functions" ]; then
    echo "$headers names nothing with ABUT_API"
    exit 1
fi

# Of C: "ABUT_API type abut_f(".
c_functions=$(sed -n 's/^ABUT_API [^(]*[ *]\(abut_[a-z0-9_]*\)(.*/\1/p' "$headers"/c/*.h | sort -u)
[ -n "$c_functions" ] || { echo "$headers/c names nothing with ABUT_API" && exit 1; }

faults=0
fault() {
    echo "$*"
    faults=$((faults + 1))
}
for class in $classes; do
    grep -q "^abut::$class::" <<<"$names" || fault "not exported: abut::$class"
done
for function in $functions; do
    grep -qx "abut::$function" <<<"$names" || fault "not exported: abut::$function"
done
for function in $c_functions; do
    grep -qx "$function" <<<"$names" || fault "not exported: $function"
done
members="^abut::($(paste -sd'|' <<<"$classes"))::[^:]*$"
while IFS= read -r name; do
    [[ $name =~ $members ]] || grep -qx "${name#abut::}" <<<"$functions" || grep -qx "$name" <<<"$c_functions" || fault "exported, but not ABUT_API: $name"
done <<<"$names"
[ "$faults" = 0 ] || exit 1
echo "$(wc -l <<<"$names") names are exported, all of them ABUT_API"
