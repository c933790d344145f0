#!/usr/bin/env bash
# commands.sh SOURCE BUILD WORK CMAKE: runs the blocks of README.md and examples/README.md below the comment <!-- run --> as they are written, in a
# folder that has the sources and in which build/library is BUILD, with a home of its own. To build the library again would take minutes: `cmake
# --preset library` is the test library_alone.cmake, and does nothing here.
set -euo pipefail
source=$1 build=$2 work=$3 real_cmake=$4

rm -rf "$work"
mkdir -p "$work/bin" "$work/home" "$work/checkout/build/library"
for entry in "$source"/*; do
    [ "$(basename "$entry")" = build ] || ln -s "$entry" "$work/checkout/"
done
cp "$build/cmake_install.cmake" "$build/CPackConfig.cmake" "$work/checkout/build/library/"
cat >"$work/bin/cmake" <<SHIM
#!/bin/sh
case "\$*" in
    "--preset library" | "--build --preset library") exit 0 ;;
esac
exec "$real_cmake" "\$@"
SHIM
ln -s "${CXX:-c++}" "$work/bin/c++"
ln -s "$(dirname "$real_cmake")/cpack" "$work/bin/cpack"
chmod +x "$work/bin/cmake"
export HOME="$work/home" PATH="$work/bin:$PATH"
unset PKG_CONFIG_PATH CMAKE_PREFIX_PATH

# Prints the blocks of a page. Without one the page and this test have parted.
blocks() {
    awk '/^<!-- run -->$/ { marked = 1; next }
         marked && /^```sh$/ { inside = 1; marked = 0; found = 1; next }
         inside && /^```$/ { inside = 0; next }
         inside { print }
         END { exit !found }' "$1" || { echo "$1 has no block below <!-- run -->" >&2 && exit 1; }
}
expect() {
    "$1" | diff - "$source/examples/output/$2.txt" || { echo "$1 does not print what examples/output/$2.txt has" >&2 && exit 1; }
}

# Where the library is shared, its folder is none that the loader knows.
LD_LIBRARY_PATH="$work/home/abut/$(sed -n 's/^CMAKE_INSTALL_LIBDIR:[A-Z]*=//p' "$build/CMakeCache.txt")"
export LD_LIBRARY_PATH

cd "$work/checkout"
cp "$source/examples/first_steps.cpp" engine.cpp
{ echo 'set -eux' && blocks "$source/README.md"; } >"$work/readme.sh"
bash "$work/readme.sh"
expect ./a.out first_steps
[ -n "$(find build/library -name '*.deb')" ] || { echo "cpack made no package" >&2 && exit 1; }

{ echo 'set -eux' && blocks "$source/examples/README.md"; } >"$work/examples.sh"
bash "$work/examples.sh"
expect build/examples/first_steps_c first_steps
expect build/examples/rollback rollback
