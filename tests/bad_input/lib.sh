# Shared by the scripts of this folder: a temporary folder to work in, and ways to say what is expected.
set -uo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
models=$source/tests/models
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# refuses STATUS PATTERN COMMAND...: the command ends with that status, says something that matches, and leaves no file that
# was not there before it.
refuses() {
  local status=$1 pattern=$2 got
  shift 2
  local before after
  before=$(find . | sort)
  "$@" > ../output.$$ 2>&1
  got=$?
  after=$(find . | sort)
  [ "$got" -eq "$status" ] || fail "$*: exit status $got, not $status: $(tail -n 5 ../output.$$)"
  grep -qE -- "$pattern" ../output.$$ || fail "$*: says nothing like '$pattern': $(tail -n 5 ../output.$$)"
  [ "$before" = "$after" ] || fail "$*: leaves $(diff <(echo "$before") <(echo "$after"))"
  rm -f ../output.$$
}

# Workers that this script's commands started and that still run.
workers_left() { pgrep -g 0 -f assay-worker || true; }

finish() {
  [ "$failures" -eq 0 ] || exit 1
  echo "all as expected"
}
