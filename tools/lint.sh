#!/usr/bin/env bash
# bash tools/lint.sh [--fix]: what machines can check of the house style. Layout by clang-format; --fix lays the files out, and checks no more.
# Shell scripts by shellcheck, the comments of public headers by Doxygen (tools/reference.sh), and the library's parts that hold no wide code by clang-tidy (.clang-tidy), which takes minutes.
# shellcheck source=tools/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

install_missing clang-format
files=()
while IFS= read -r -d '' file; do
    [ ! -e "$file" ] || files+=("$file")
done < <(git ls-files -z --cached --others --exclude-standard '*.cpp' '*.hpp' '*.c' '*.h')
if [ "${1:-}" = --fix ]; then
    clang-format -i "${files[@]}"
elif ! clang-format --dry-run --Werror "${files[@]}"; then
    die "files differ from .clang-format: bash tools/lint.sh --fix lays them out"
fi
say "${#files[@]} files have the layout of .clang-format"
[ "${1:-}" != --fix ] || exit 0

# docs/glossary.md; comments may use the words in their plain sense. The first list has words that no part of an identifier may be, the second whole
# identifiers: their words are retired in one meaning alone.
parts='[Ss]ink|[Ll]ever|[Ll]eeway|[Ss]eal|[Uu]nsure|[Ss]till|[Ss]ideways|[Pp]ulled'
whole='Waiting|Carried|NothingW|Touching|Hold|Bend|turned_by|turned_in_surface|turn_back|side_of|side_by_side|nearest_way|way_into|good_pose|axes_about|touching_|owners'
if git grep -nP "^((?!//).)*((?<![A-Za-z])($parts)(?![a-z])|(?<=[a-z0-9])(?![a-z])($parts)(?![a-z])|\\b($whole)\\b)" -- 'kernel/*.[ch]pp' >&2; then
    die "retired words are back in identifiers (see above and docs/glossary.md)"
fi

install_missing shellcheck
shellcheck -x tools/*.sh .ci/run || die "shellcheck has findings (see above)"

bash tools/reference.sh || die "the reference of the public headers has findings (see above)"

install_missing clang-tidy g++ cmake ninja-build libxsimd-dev
# By rooms, as a unity build compiles them: each header is checked once per room, which takes a quarter of the time.
rm -rf build/lint/kernel/CMakeFiles/abut.dir/Unity
cmake --preset library -B build/lint -D ABUT_WITH_TBB=OFF -D CMAKE_DISABLE_PRECOMPILE_HEADERS=ON -D CMAKE_UNITY_BUILD=ON >/dev/null
rooms=(build/lint/kernel/CMakeFiles/abut.dir/Unity/*.cxx)
printf '%s\0' "${rooms[@]}" | xargs -0 -P "$CMAKE_BUILD_PARALLEL_LEVEL" -n 1 clang-tidy -p build/lint --quiet --checks=-bugprone-suspicious-include 2>/dev/null ||
    die "clang-tidy has findings (see above)"
say "${#rooms[@]} rooms pass .clang-tidy"
