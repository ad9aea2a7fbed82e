#!/bin/bash
# check-format.sh [--fix]: lists the source files that clang-format 16 would change; with --fix, formats them. Requires
# version 16, since versions disagree about details. Exit status 77: it isn't installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
formatter=${CLANG_FORMAT:-clang-format-16}
if ! command -v "$formatter" > /dev/null; then
  echo "skipped: $formatter is not installed (scripts/setup.sh --test installs it)"
  exit 77
fi
git rev-parse --git-dir > /dev/null 2>&1 || { echo "skipped: not a checkout, git does not list the files"; exit 77; }
# Every file in the index or untracked, except ignored and deleted ones.
mapfile -t files < <(comm -23 <(git ls-files -co --exclude-standard '*.cc' '*.h' | sort -u) <(git ls-files -d | sort -u))
[ "${#files[@]}" -gt 0 ] || { echo "error: no source files found"; exit 1; }
if [ "${1:-}" = --fix ]; then
  "$formatter" -i "${files[@]}"
  exit 0
fi
wrong=$("$formatter" --dry-run "${files[@]}" 2>&1 | sed -n 's/^\([^: ]*\):[0-9]*:[0-9]*: warning.*clang-format-violations.*/\1/p' | sort | uniq -c)
[ -z "$wrong" ] || { printf 'not formatted (places, file); fix with make format:\n%s\n' "$wrong"; exit 1; }
echo "${#files[@]} files are formatted"
