# Shared by the scripts of this folder: a temporary folder, in which work/ is where the commands run, and ways to say what is
# expected of them.
set -uo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
models=$source/tests/models
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/work" && cd "$folder/work" || exit 1
failures=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# refuses STATUS PATTERN COMMAND...: the command ends with that status, says something that matches, and leaves no file that
# was not there before it.
refuses() {
  local status=$1 pattern=$2 output=$folder/output.txt
  shift 2
  local got before after
  before=$(find . | sort)
  "$@" > "$output" 2>&1
  got=$?
  after=$(find . | sort)
  [ "$got" -eq "$status" ] || fail "$*: exit status $got, not $status: $(tail -n 5 "$output")"
  grep -qE -- "$pattern" "$output" || fail "$*: says nothing like '$pattern': $(tail -n 5 "$output")"
  [ "$before" = "$after" ] || fail "$*: leaves $(diff <(echo "$before") <(echo "$after"))"
}

# A model's nodes, a line each with "Op: ".
nodes_of() { assay inspect model "$1" --show layers > nodes.txt && grep 'Op: ' nodes.txt; }

# Scripts that make inputs need NumPy; set-up brings a Python that has it.
if [ -n "${ASSAY_PEER_PYTHON:-}" ]; then PATH=$(dirname "$ASSAY_PEER_PYTHON"):$PATH; fi
has_numpy() { python3 -c 'import numpy' 2> /dev/null || { echo "skipped: python3 has no NumPy for scripts"; return 1; }; }

finish() {
  [ "$failures" -eq 0 ] || exit 1
  echo "all as expected"
}
