# Functions for the scripts in this folder. Commands run in work/ of a temporary folder. Everything that a script starts
# has a mark in its environment, by which remaining processes are found.
set -uo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
models=$source/tests/models
folder=$(realpath "$(mktemp -d)")  # as /proc/self/mountinfo has it
# Unmounts what is mounted in the folder, the deepest first, and removes it.
clean_up() {
  local place
  while read -r place; do umount -l "$place"; done < <(cut -d ' ' -f 5 /proc/self/mountinfo | grep -F "$folder/" | sort -r)
  rm -rf "$folder"
}
trap clean_up EXIT
mkdir "$folder/work" && cd "$folder/work" || exit 1
export ASSAY_TEST_MARK=$folder
failures=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# says LOG PATTERN: succeeds if the log matches, across line ends too. Lines that repeat the command are ignored, since
# any names in it would match.
says() { grep -v ' | Command: ' "$1" | grep -zE -- "$2" > /dev/null; }

# Prints the processes that this script started, except its own shells, in any session and group. The search itself has
# no mark.
list_left_processes() {
  (unset ASSAY_TEST_MARK && grep -lszxF "ASSAY_TEST_MARK=$folder" /proc/[0-9]*/environ | cut -d / -f 3)
}

# fail_if_processes_are_left COMMAND...: fails and kills them if processes of the command remain.
fail_if_processes_are_left() {
  local process command
  for process in $(list_left_processes); do
    command=$(tr '\0' ' ' 2> /dev/null < "/proc/$process/cmdline") || continue
    fail "$*: a process is left: $process $command"
    kill -KILL "$process"
  done
}

# interrupt COMMAND...: waits until the command has created the file `ready`, interrupts its process group as a terminal
# does, sets `status`, and writes its output to log.txt. The command must be a program: the shell of a function would be
# interrupted, too.
interrupt() {
  rm -f ready
  set -m  # the job is a process group of its own
  "$@" > log.txt 2>&1 &
  local group=$!
  set +m
  until [ -e ready ] || ! kill -0 "$group" 2> /dev/null; do read -rt 0.02 <> <(:) || true; done
  kill -INT -- "-$group" 2> /dev/null
  wait "$group"
  status=$?
  fail_if_processes_are_left "$@"
}

# refuses STATUS PATTERN COMMAND...: the command must exit with that status, print something that matches, and leave no
# new files.
refuses() {
  local status=$1 pattern=$2 output=$folder/output.txt
  shift 2
  local got before after
  before=$(find . | sort)
  "$@" > "$output" 2>&1
  got=$?
  after=$(find . | sort)
  [ "$got" -eq "$status" ] || fail "$*: exit status $got, not $status: $(tail -n 5 "$output")"
  says "$output" "$pattern" || fail "$*: says nothing like '$pattern': $(tail -n 5 "$output")"
  [ "$before" = "$after" ] || fail "$*: leaves $(diff <(echo "$before") <(echo "$after"))"
}

# full KIB COMMAND...: runs a command with a limit on the size of files, which acts like a full disk, for root as well: a
# write fails half way.
full() { (ulimit -f "$1" && shift && trap '' XFSZ && "$@"); }

# mount_small SIZE FOLDER: creates a folder that is a disk of this size. Fails, with a message, if nothing can be mounted.
mount_small() {
  mkdir -p "$2"
  mount -t tmpfs -o "size=$1" tmpfs "$2" 2> /dev/null || { echo "skipped: no full disk, since nothing can be mounted"; return 1; }
}

# make_readonly FOLDER: creates a folder in which nothing can be written. For root, only a read-only mount is read-only.
# Fails, with a message, if nothing can be mounted.
make_readonly() {
  mkdir -p "$1"
  if [ "$(id -u)" -ne 0 ]; then
    chmod 555 "$1"
  elif ! mount -t tmpfs -o ro tmpfs "$1" 2> /dev/null; then
    rmdir "$1"
    echo "skipped: no read-only folder, since nothing can be mounted for root"
    return 1
  fi
}

# Prints a line with "Op: " for each node of a model.
nodes_of() { assay inspect model "$1" --show layers > nodes.txt && grep 'Op: ' nodes.txt; }

# Input scripts need NumPy; the set-up installs a Python that has it.
if [ -n "${ASSAY_TEST_PYTHON:-}" ]; then PATH=$(dirname "$ASSAY_TEST_PYTHON"):$PATH; fi
has_numpy() { python3 -c 'import numpy' 2> /dev/null || { echo "skipped: python3 has no NumPy for scripts"; return 1; }; }

finish() {
  fail_if_processes_are_left "the whole script"
  [ "$failures" -eq 0 ] || exit 1
  echo "all as expected"
}
