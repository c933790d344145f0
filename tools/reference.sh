#!/usr/bin/env bash
# bash tools/reference.sh: the reference of the public headers (docs/Doxyfile) in build/reference/index.html. Fails if a public name has no comment, or
# Doxygen does not understand one.
# shellcheck source=tools/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

install_missing doxygen python3
mkdir -p build/reference
warnings=$(doxygen docs/Doxyfile 2>&1) || die "doxygen failed: $warnings"
if [ -n "$warnings" ]; then
    printf '%s\n' "$warnings" >&2
    die "public names have no comment, or one that Doxygen does not understand (see above)"
fi
say "build/reference/index.html is the reference of the public headers"
