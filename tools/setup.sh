#!/usr/bin/env bash
# Sourced by demo.sh, test.sh and .ci/run: goes to the repository's root, and installs what a build needs on Debian and its like.
# Nothing is fetched, and neither root nor network needed, once everything is there. ABUT_SKIP_SETUP=1 skips the installing.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf '== %s\n' "$*"; }
die() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

# For the library and the command line; then what tests and benchmarks want on top.
abut_build_packages=(g++ cmake ninja-build libxsimd-dev libtbb-dev libflatbuffers-dev flatbuffers-compiler libcli11-dev
    nlohmann-json3-dev libfmt-dev libpugixml-dev libminizip-dev)
# shellcheck disable=SC2034  # for those that source this
abut_test_packages=("${abut_build_packages[@]}" catch2 libqhull-dev libbenchmark-dev libbullet-dev libbullet-extras-dev libfcl-dev
    libccd-dev libbox2d-dev libchipmunk-dev libeigen3-dev valgrind python3-dev python3-venv python3-pip python3-numpy python3-scipy python3-distributed pybind11-dev mypy)
# Few other systems have it; without it the plug-in for MuJoCo is left out.
if grep -q '^VERSION_CODENAME=bookworm' /etc/os-release 2>/dev/null; then
    abut_test_packages+=(libmujoco-dev)
fi

# True where a package is installed, or a tool of that name is there from elsewhere.
is_there() {
    case $1 in
        g++ | cmake | clang | chromium | npm) command -v "$1" >/dev/null && return ;;
        ninja-build) command -v ninja >/dev/null && return ;;
        nodejs) command -v node >/dev/null && return ;;
    esac
    command -v dpkg-query >/dev/null && [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

# install_missing PACKAGE...
install_missing() {
    [ "${ABUT_SKIP_SETUP:-0}" != 1 ] || return 0
    local package missing=()
    for package in "$@"; do
        is_there "$package" || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0

    command -v apt-get >/dev/null ||
        die "this system has no apt-get; install the likes of: ${missing[*]}; then run this again with ABUT_SKIP_SETUP=1"
    [ "$(id -u)" = 0 ] || command -v sudo >/dev/null ||
        die "${missing[*]} must be installed: run this as root once, or install sudo"

    say "installing ${missing[*]}"
    local log apt=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0)
    log=$(mktemp)
    # A third party's list that cannot be had does not matter, as long as the packages can.
    as_root "${apt[@]}" update </dev/null >"$log" 2>&1 || true
    if ! as_root "${apt[@]}" install -y --no-install-recommends "${missing[@]}" </dev/null >>"$log" 2>&1; then
        tail -n 30 "$log" >&2
        rm -f "$log"
        die "apt-get could not install: ${missing[*]} (its last lines are above)"
    fi
    rm -f "$log"
}

# A compiler on a wide kernel is allowed 2 GiB.
set_parallel_jobs() {
    local cores memory_kib limit jobs
    cores=$(nproc)
    memory_kib=$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo)
    limit=$(cat /sys/fs/cgroup/memory.max 2>/dev/null || true)
    if [[ $limit =~ ^[0-9]{1,15}$ ]] && [ $((limit / 1024)) -lt "$memory_kib" ]; then
        memory_kib=$((limit / 1024))
    fi
    jobs=$((memory_kib / (2 * 1024 * 1024)))
    [ "$jobs" -ge 1 ] || jobs=1
    [ "$jobs" -le "$cores" ] || jobs=$cores
    export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$jobs}
    export CTEST_PARALLEL_LEVEL=${CTEST_PARALLEL_LEVEL:-$cores}
}

# A compiler cache, where ccache is installed: it stays in ~/.cache (or CCACHE_DIR), for all builds of all checkouts. ABUT_COMPILER_CACHE=0: none.
# Without one, rooms are compiled whole (unity builds), which takes half as long as file by file; a cache knows single files.
use_compiler_cache() {
    if [ "${ABUT_COMPILER_CACHE:-1}" = 0 ]; then
        export CMAKE_C_COMPILER_LAUNCHER='' CMAKE_CXX_COMPILER_LAUNCHER=''
        return 0
    fi
    command -v ccache >/dev/null || return 0
    export CMAKE_C_COMPILER_LAUNCHER=${CMAKE_C_COMPILER_LAUNCHER-ccache} CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER-ccache}
    # Precompiled headers are cached only so; paths below the checkout are those below any other.
    export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros} CCACHE_BASEDIR=${CCACHE_BASEDIR:-$PWD}
    # gcc's precompiled headers hold paths, so that a cache would not know their files again in another checkout.
    cache_arguments=(-D CMAKE_DISABLE_PRECOMPILE_HEADERS=ON -D CMAKE_UNITY_BUILD=OFF)
}
cache_arguments=(-D CMAKE_UNITY_BUILD=ON)

# configure PRESET [ARGUMENT...]: quiet unless it fails. In CI warnings are errors.
configure() {
    local preset=$1 log
    shift
    [ -z "${CI:-}" ] || [ "${CI:-}" = false ] || set -- "$@" -D ABUT_WERROR=ON
    say "configuring build/$preset"
    log=$(mktemp)
    if ! cmake --preset "$preset" "${cache_arguments[@]}" "$@" >"$log" 2>&1; then
        cat "$log" >&2
        rm -f "$log"
        die "cmake --preset $preset failed (its output is above)"
    fi
    grep -E '^(CMake (Warning|Deprecation)|-- abut: )' "$log" || true
    rm -f "$log"
}

set_parallel_jobs
use_compiler_cache
