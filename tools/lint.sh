#!/usr/bin/env bash
# bash tools/lint.sh [--fix]: what machines can check of the house style. Layout by clang-format; --fix lays the files out.
# shellcheck source=tools/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

install_missing clang-format
files=()
while IFS= read -r -d '' file; do
    [ ! -e "$file" ] || files+=("$file")
done < <(git ls-files -z --cached --others --exclude-standard '*.cpp' '*.hpp')
if [ "${1:-}" = --fix ]; then
    clang-format -i "${files[@]}"
elif ! clang-format --dry-run --Werror "${files[@]}"; then
    die "files differ from .clang-format: bash tools/lint.sh --fix lays them out"
fi
say "${#files[@]} files have the layout of .clang-format"
