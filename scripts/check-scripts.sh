#!/bin/bash
# check-scripts.sh: checks that every shell script parses (and passes shellcheck, if that is installed) and is executable if
# meant to be run, and that no file contains a path into a home folder.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
git rev-parse --git-dir > /dev/null 2>&1 || { echo "skipped: not a checkout, git does not list the files"; exit 77; }
status=0
mapfile -t scripts < <(git ls-files -co --exclude-standard '*.sh' '.ci/run' | sort -u)
for script in "${scripts[@]}"; do
  bash -n "$script" || status=1
  case $script in scripts/setup/*) ;; *) [ -x "$script" ] || { echo "$script: not executable"; status=1; } ;; esac
done
if command -v shellcheck > /dev/null; then shellcheck --severity=warning "${scripts[@]}" || status=1; fi
if git grep -nE '[^|]\| *grep -[a-zA-Z]*q' -- '*.sh'; then
  echo "error: grep -q ends at its first match, which kills the program before it in the pipe; with pipefail that is a failure"
  status=1
fi
if git grep -nE '(^|[^a-zA-Z0-9_.])/(root|home)/[a-z.]' -- . ':!scripts/check-scripts.sh'; then
  echo "error: these lines contain a path of one machine"
  status=1
fi
[ "$status" -ne 0 ] || echo "${#scripts[@]} scripts parse"
exit "$status"
