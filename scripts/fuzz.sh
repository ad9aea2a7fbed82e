#!/bin/bash
# fuzz.sh [TARGET ...] [--seconds N] [--within SECONDS]: builds the fuzz targets and runs each for N seconds (default 60).
#
# A target is a file in tests/fuzz; without names, all of them run, $JOBS at a time. Inputs that reach new code are kept
# in build/fuzz/corpus/TARGET, so the next run gets further. If there is a finding, fix it, and add the reported file to
# tests/fuzz/corpus/TARGET: `make test` runs these files, too.
#
# With --within, building ends after that many seconds: the targets that are ready run, and the others are named.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
targets=() seconds=60 within=
while [ $# -gt 0 ]; do
  case $1 in
    --seconds) seconds=$2 && shift 2 ;;
    --within) within=$2 && shift 2 ;;
    -*) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2 && exit 1 ;;
    *) targets+=("$1") && shift ;;
  esac
done
cmake --preset fuzz
mapfile -t known < <(sed -n 's/^assay_fuzz(\([a-z_]*\).*/\1/p' tests/fuzz/CMakeLists.txt)
[ "${#targets[@]}" -gt 0 ] || targets=("${known[@]}")

ready=() missing=()
for target in "${targets[@]}"; do
  [[ " ${known[*]} " == *" $target "* ]] || { echo "error: no target '$target'. There are: ${known[*]}" >&2 && exit 1; }
  left=$((${within:-0} - SECONDS))
  if [ -n "$within" ] && [ "$left" -le 0 ]; then
    missing+=("$target")
    continue
  fi
  status=0
  ${within:+timeout "$left"} cmake --build --preset fuzz -j "${JOBS:-$(nproc)}" --target "assay_fuzz_$target" || status=$?
  case $status in
    0) ready+=("$target") ;;
    124) missing+=("$target") ;;
    *) exit "$status" ;;
  esac
done
[ "${#missing[@]}" -eq 0 ] || echo "fuzz: after $SECONDS s no time was left to build: ${missing[*]}"

# The targets write many small files, for which memory is faster than a disk.
temporary=$(mktemp -d -p "$([ -w /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}")")
trap 'rm -rf "$temporary"' EXIT
mkdir -p build/fuzz/findings

# run_target NAME: inputs are small, so no single allocation may be large.
run_target() {
  local log=$temporary/$1.txt
  mkdir -p "build/fuzz/corpus/$1"
  if TMPDIR=$temporary "build/fuzz/tests/fuzz/assay_fuzz_$1" -max_total_time="$seconds" -timeout=25 -rss_limit_mb=2048 \
    -malloc_limit_mb=512 -print_final_stats=1 -verbosity=0 -artifact_prefix="build/fuzz/findings/$1-" \
    "build/fuzz/corpus/$1" "tests/fuzz/corpus/$1" > "$log" 2>&1; then
    echo "fuzz: $1: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") tries in $seconds s"
  else
    tail -n 60 "$log"
    echo "error: $1 has a finding in build/fuzz/findings; fix it, and keep the file in tests/fuzz/corpus/$1" >&2
    return 1
  fi
}
export -f run_target
export temporary seconds
printf '%s\n' "${ready[@]}" | xargs -r -P "${JOBS:-$(nproc)}" -I '{}' bash -c 'run_target {}'
