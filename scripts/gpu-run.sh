#!/bin/bash
# gpu-run.sh: runs what scripts/gpu-bundle.sh has packed, on the machine with the GPU, where it is BUILD/gpu-bundle/run:
#   run first              the GPU, the versions, and the tests of `run tests`, each in a process of its own and with a
#                          limit, ASSAY_GPU_JOBS (default: 4) at a time, until ASSAY_GPU_SECONDS (default: 480) are used.
#                          Prints a line for each test as it ends; all output is in gpu-first.log, in the folder $OUT
#                          (default: the working folder)
#   run next               the same with the tests that `run first` and earlier `run next` have left out
#   run tests [OPTION...]  the tests of `ctest -L gpu`; the options are GoogleTest's
#   run nodes [OPTION...]  ONNX's node tests; the options are those of assay_node_tests. All results are in gpu-nodes.log,
#                          from which assay_node_tests --results makes a column of docs/engines.md. Runs no test again
#                          for which an earlier `run nodes` with this version of TensorRT has a result
#   run bench OPTION...    the overhead over TensorRT; the options are those of bench/tensorrt_time.py, and models are
#                          relative to the sources
# ASSAY_TENSORRT_LIB is another libnvinfer.so than the one that was packed.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# It sets source, build, shared, node_tests, onnxruntime and tensorrt.
# shellcheck source=/dev/null
. "$here/settings"
export ASSAY_TENSORRT_LIB=${ASSAY_TENSORRT_LIB:-$tensorrt}
libraries=$ASSAY_TENSORRT_LIB
[ -d "$libraries" ] || libraries=$(dirname "$libraries")
# TensorRT's builder opens the library of its kernels by name. The last folder has the driver in some containers.
export LD_LIBRARY_PATH="$here/lib:$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}:/usr/local/nvidia/lib64"
export PATH="$build/bin:$PATH"
export ASSAY_BUILD_DIR="$build" ASSAY_SHARED_DIR="$shared" ASSAY_ONNX_BACKEND_TESTS="$node_tests"
export ASSAY_FETCHED_ONNXRUNTIME_LIB="$onnxruntime"
if PYTHONPATH="$here/python" python3 -c 'import onnx_graphsurgeon' 2> /dev/null; then
  ASSAY_TEST_PYTHON=$(command -v python3)
  export PYTHONPATH="$here/python" ASSAY_TEST_PYTHON
fi
mkdir -p "$build/Testing"
program=$build/tests/gpu/assay_gpu_test
ended_before=$build/Testing/gpu-ended  # the names of the tests that `run first` and `run next` have run
filter='--gtest_filter=-ReasonsToSkip.*'

declare -A running=() output_of=() limits=() begins=() # of the tests that run, by the id of their process
declare -A count=()                                    # of the tests that have ended, by result

# Tests that need the GPU for themselves: they fill its memory, or measure times.
needs_all() { [[ $1 == GpuLimits.TooLittle* || $1 == GpuAutotune.* || $1 == *TimingCache ]]; }

# start_test NAME LIMIT: starts one test, which is stopped after this many seconds.
start_test() {
  # Its output doesn't go through a pipe, which a process that outlives it could keep open.
  local output
  output=$(mktemp -p "$outputs")
  timeout -k 5 "$2" "$program" "--gtest_filter=$1" > "$output" 2>&1 &
  running[$!]=$1
  output_of[$!]=$output
  limits[$!]=$2
  begins[$!]=$SECONDS
}

# end_test PID: prints a line about a test that has ended, and appends its output to $log.
end_test() {
  local name=${running[$1]} output=${output_of[$1]} status=0 note result
  wait "$1" || status=$?
  note=$(awk '/^note: / && !found++ {print " (" (length > 126 ? substr($0, 7, 120) "..." : substr($0, 7)) ")"}' "$output")
  case $status in
    0) result=passed ;;
    124 | 137) result=stopped ;;
    *) result=failed ;;
  esac
  if [ "$result" != failed ] && grep -qF '[  SKIPPED ]' "$output"; then result=skipped; fi
  printf '%-7s %3d s  %s%s\n' "$result" $((SECONDS - begins[$1])) "$name" "$note"
  { printf '==== %s\n' "$name" && cat "$output"; } >> "$log"
  # A test that was stopped because the time for all of them was over runs again in `run next`.
  [ "$result" = stopped ] && [ "${limits[$1]}" -lt "$(limit_of "$name")" ] || printf '%s\n' "$name" >> "$ended_before"
  count[$result]=$((${count[$result]:-0} + 1))
  unset "running[$1]"
}

# end_tests MOST: waits until at most this many tests run.
end_tests() {
  local pid
  while [ ${#running[@]} -gt "$1" ]; do
    wait -n || true
    for pid in "${!running[@]}"; do kill -0 "$pid" 2> /dev/null || end_test "$pid"; done
  done
}

# shellcheck disable=SC2317 # called by a signal
stop_tests() {
  local pid
  for pid in "${!running[@]}"; do
    # timeout and the processes of its test are a group. It doesn't pass on a signal that comes right after its start.
    kill -TERM -- "-$pid" "$pid" 2> /dev/null || true
  done
  wait
  for pid in "${!running[@]}"; do
    { printf '==== %s (stopped)\n' "${running[$pid]}" && cat "${output_of[$pid]}"; } >> "$log"
  done
  rm -rf "$outputs"
  exit "$1"
}

# A worker takes seconds to load TensorRT, and each check of a reduction starts one.
limit_of() {
  case $1 in
    *Leaves | Killed.* | *TwoWorkers* | *LayersThatOverflow* | GpuAutotune.*) echo 300 ;; # many workers or builds
    *) echo 180 ;;
  esac
}

# The program lists the most valuable tests first, and the models from small to large. If the first test fails, which runs
# a model with one node, no other can pass.
first() {
  local budget=${ASSAY_GPU_SECONDS:-480} jobs=${ASSAY_GPU_JOBS:-4} begun=0 usable=1 earlier tests name limit rest
  log=${OUT:-.}/gpu-first.log
  outputs=$(mktemp -d)
  trap 'stop_tests 130' INT
  trap 'stop_tests 143' TERM HUP
  # Without them, the first test says what is missing.
  { timeout 60 nvidia-smi; timeout 60 assay --version; } 2>&1 | tee "$log" || true
  mapfile -t tests < <("$program" --gtest_list_tests "$filter" | awk '/^[^ ]/ {suite = $1} /^ / {print suite $1}' |
    { grep -vxFf "$ended_before" || true; })
  earlier=$(wc -l < "$ended_before")
  [ "$earlier" -eq 0 ] || export ASSAY_GPU_PROBED=1
  for name in "${tests[@]}"; do
    if needs_all "$name"; then end_tests 0; else end_tests $((jobs - 1)); fi
    [ "$SECONDS" -lt "$budget" ] || break
    rest=$((budget + 100 - SECONDS)) # the command itself may be limited to ten minutes
    limit=$(limit_of "$name")
    start_test "$name" $((limit < rest ? limit : rest))
    begun=$((begun + 1))
    if needs_all "$name"; then end_tests 0; fi
    [ -z "${ASSAY_GPU_PROBED:-}" ] || continue
    end_tests 0
    if [ "${count[passed]:-0}" -eq 0 ]; then
      tail -n 60 "$log"
      : > "$ended_before"
      usable=0
      break
    fi
    export ASSAY_GPU_PROBED=1 # the other tests needn't try it
  done
  end_tests 0
  rm -rf "$outputs"
  trap - INT TERM HUP
  printf '%d tests: %d passed, %d failed, %d stopped at their limits, %d skipped, %d left out\n' ${#tests[@]} \
    "${count[passed]:-0}" "${count[failed]:-0}" "${count[stopped]:-0}" "${count[skipped]:-0}" $((${#tests[@]} - begun)) |
    tee -a "$log"
  [ "$usable" -eq 0 ] || [ "$begun" -eq ${#tests[@]} ] || printf '%s next runs those that are left out\n' "$here/run"
  [ "${count[failed]:-0}${count[stopped]:-0}" = 00 ]
}

# The terminal gets what isn't a passed test. If this command is stopped, what it has printed so far counts, too.
nodes() {
  local printed=$build/Testing/gpu-nodes
  cat "$printed" "$printed.now" > "$printed.before" 2> /dev/null || true
  mv "$printed.before" "$printed"
  "$build/tests/engines/assay_node_tests" --workers "$build/libexec/assay" --tensorrt "$@" --known "$printed" |
    tee "$printed.now" "${OUT:-.}/gpu-nodes.log" | { grep -v ' ok$' || true; }
}

what=${1:-}
shift || true
case $what in
  first) : > "$ended_before" && first ;;
  next) : >> "$ended_before" && first ;;
  tests) exec "$program" "$filter" "$@" ;;
  nodes) nodes "$@" ;;
  bench) cd "$source" && exec python3 "$source/bench/tensorrt_time.py" --assay "$build/bin/assay" --library "$ASSAY_TENSORRT_LIB" \
    --bare "$build/bench/assay_bench_tensorrt" "$@" ;;
  *) sed -n '2,/^set/{/^#/p}' "${BASH_SOURCE[0]}" | sed 's/^# \{0,1\}//' >&2 && exit 2 ;;
esac
