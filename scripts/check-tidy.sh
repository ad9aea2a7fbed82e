#!/bin/bash
# check-tidy.sh [--all] [--seconds N] [BUILD]: runs clang-tidy 16 with the checks of .clang-tidy on everything that
# changed since the branch left main (including uncommitted changes), or on all files. BUILD must contain
# compile_commands.json. Stops after the given time and says how many files it checked. Exit status 77: clang-tidy isn't
# installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
tidy=${CLANG_TIDY:-clang-tidy-16} all=no seconds=0 build=build/release
while [ $# -gt 0 ]; do
  case $1 in
    --all) all=yes ;;
    --seconds) seconds=$2 && shift ;;
    *) build=$1 ;;
  esac
  shift
done
if ! command -v "$tidy" > /dev/null; then
  echo "skipped: $tidy is not installed (scripts/setup.sh --lint installs it)"
  exit 77
fi
[ -e "$build/compile_commands.json" ] || { echo "error: $build is not configured; run make first"; exit 1; }

candidates() {
  if [ "$all" = yes ]; then
    git ls-files -co --exclude-standard
  else
    git diff --name-only "$(git merge-base HEAD main 2> /dev/null || git rev-parse HEAD)"
    git ls-files -o --exclude-standard
  fi
}
# A header is checked through the .cc of the same name; files that no target compiles are skipped.
mapfile -t files < <(candidates | sed -n 's/\.h$/.cc/p; /\.cc$/p' | sort -u | while read -r file; do
  ! grep -qF "\"file\": \"$PWD/$file\"" "$build/compile_commands.json" || printf '%s\n' "$file"
done)
[ "${#files[@]}" -gt 0 ] || { echo "clang-tidy: no file to check"; exit 0; }

marks=$(mktemp -d)
trap 'rm -rf "$marks"' EXIT
# The build uses GCC: Clang can't read its precompiled headers, and doesn't have all of its warnings.
precompiled=' (-include [^ ]*/cmake_pch\.hxx|-Winvalid-pch|-fpch-preprocess)'
sed -E "s#$precompiled##g" "$build/compile_commands.json" > "$marks/compile_commands.json"
check() {  # checks one file; leaves a mark if it was checked, and another if it failed
  if [ "$seconds" -gt 0 ] && [ "$SECONDS" -ge "$seconds" ]; then return 0; fi
  "$tidy" --quiet --extra-arg=-Wno-unknown-warning-option -p "$marks" "$1" 2> "$marks/stderr.$BASHPID" ||
    touch "$marks/failed.${1//\//_}"
  touch "$marks/done.${1//\//_}"
}
for file in "${files[@]}"; do
  check "$file" &
  while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n || true; done
done
wait
reached=$(find "$marks" -name 'done.*' | wc -l) failed=$(find "$marks" -name 'failed.*' | wc -l)
echo "clang-tidy: $reached of ${#files[@]} files checked, $failed with findings"
[ "$failed" -eq 0 ] && [ "$reached" -gt 0 ]
