#!/usr/bin/env bash
# bash tools/web.sh [--update | --pages]: abut as WebAssembly and the pages of bindings/web/. Builds the module and the golden checksums with emscripten and checks
# them in Node and in Chromium; checks that bindings/web/dist is what bindings/web/src gives; runs the tests of the npm package, of `abut view` and of the pages in Chromium.
# --update builds the pages and the module and replaces bindings/web/dist with them. Run it after a change of answers.
# --pages compiles no WebAssembly, which takes ten minutes of one core: the module of bindings/web/dist is tested against the command line.
# shellcheck source=tools/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

mode=${1:-}
packages=(cmake ninja-build libxsimd-dev libcli11-dev)
[ "$mode" = --pages ] || packages+=(emscripten)
[ -n "${ABUT_CHROMIUM:-}" ] || packages+=(chromium)
# Node from elsewhere has npm in it, and conflicts with Debian's.
command -v node >/dev/null || packages+=(nodejs)
command -v npm >/dev/null || packages+=(npm)
install_missing "${packages[@]}"
export NODE_PATH=/usr/share/nodejs # emscripten's own JavaScript finds Debian's acorn there

say "npm packages"
(cd bindings/web && npm ci --no-audit --no-fund --silent)

if [ "$mode" != --pages ]; then
    say "WebAssembly"
    configure wasm
    cmake --build --preset wasm
    node bindings/web/scripts/golden.mjs
fi

if [ "$mode" = --update ]; then
    (cd bindings/web && npm run --silent module && npm run --silent pages)
    exit 0
fi

say "the command line"
if [ -z "${ABUT_PROGRAM:-}" ]; then
    install_missing "${abut_build_packages[@]}"
    configure release
    cmake --build --preset release --target abut_cli
fi

say "pages and tests"
(cd bindings/web && npm run --silent check && npm test --silent)
say "web passed"
