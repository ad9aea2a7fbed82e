#!/bin/bash
# gpu-run.sh: runs what scripts/gpu-bundle.sh has packed, on the machine with the GPU, where it is BUILD/gpu-bundle/run:
#   run first              the GPU, the versions, and the tests of `run tests`, each by itself and with a limit, until
#                          ASSAY_GPU_SECONDS (default: 480) are used. Prints a line for each test as it ends; all output is
#                          in gpu-first.log, in the folder $OUT (default: the working folder)
#   run next               the same with the tests that `run first` and earlier `run next` have left out
#   run tests [OPTION...]  the tests of `ctest -L gpu`; the options are GoogleTest's
#   run nodes [OPTION...]  ONNX's node tests; the options are those of assay_node_tests
#   run bench OPTION...    the overhead over TensorRT; the options are those of bench/tensorrt_time.py
# ASSAY_TENSORRT_LIB is another libnvinfer.so than the one that was packed.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# It sets source, build, shared, node_tests, onnxruntime and tensorrt.
# shellcheck source=/dev/null
. "$here/settings"
export ASSAY_TENSORRT_LIB=${ASSAY_TENSORRT_LIB:-$tensorrt}
libraries=$ASSAY_TENSORRT_LIB
[ -d "$libraries" ] || libraries=$(dirname "$libraries")
# TensorRT's builder opens the library of its kernels by name.
export LD_LIBRARY_PATH="$here/lib:$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" PATH="$build/bin:$PATH"
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

# run_test NAME LIMIT: runs one test, which is stopped after this many seconds, and appends its output to $log. Prints a
# line, and sets `result`.
run_test() {
  local status=0 begin=$SECONDS from note skipped
  printf '==== %s\n' "$1" >> "$log"
  from=$(stat -c %s "$log")
  # Its output doesn't go through a pipe, which a process that outlives it could keep open.
  timeout -k 5 "$2" "$program" "--gtest_filter=$1" >> "$log" 2>&1 || status=$?
  skipped=$(tail -c "+$((from + 1))" "$log" | grep -cF '[  SKIPPED ]' || true)
  note=$(tail -c "+$((from + 1))" "$log" | awk '/^note: / && !found++ {
    print " (" (length > 126 ? substr($0, 7, 120) "..." : substr($0, 7)) ")"}')
  case $status in
    0) result=passed ;;
    124 | 137) result=stopped ;;
    *) result=failed ;;
  esac
  [ "$skipped" -eq 0 ] || [ "$result" = failed ] || result=skipped
  printf '%-7s %3d s  %s%s\n' "$result" $((SECONDS - begin)) "$1" "$note"
}

# The program lists the most valuable tests first, and the models from small to large. If the first test fails, which runs
# a model with one node, no other can pass.
first() {
  local -A count=([passed]=0 [failed]=0 [stopped]=0 [skipped]=0)
  local budget=${ASSAY_GPU_SECONDS:-480} ended=0 usable=1 earlier tests name limit rest result
  log=${OUT:-.}/gpu-first.log
  { nvidia-smi; assay --version; } 2>&1 | tee "$log" || true  # without them, the first test says what is missing
  mapfile -t tests < <("$program" --gtest_list_tests "$filter" | awk '/^[^ ]/ {suite = $1} /^ / {print suite $1}' |
    { grep -vxFf "$ended_before" || true; })
  earlier=$(wc -l < "$ended_before")
  for name in "${tests[@]}"; do
    [ "$SECONDS" -lt "$budget" ] || break
    case $name in
      */Models.*) limit=40 ;;
      *Probe*) limit=120 ;; # it loads everything from the disk
      *Leaves | Killed.* | *TwoWorkers* | *LayersThatOverflow* | GpuAutotune.*) limit=150 ;; # many workers or builds
      *) limit=60 ;;
    esac
    rest=$((budget + 100 - SECONDS)) # the command itself may be limited to ten minutes
    run_test "$name" $((limit < rest ? limit : rest))
    [ "$result" = stopped ] && [ "$rest" -lt "$limit" ] || printf '%s\n' "$name" >> "$ended_before"
    count[$result]=$((count[$result] + 1))
    ended=$((ended + 1))
    if [ "$earlier" -eq 0 ] && [ "$ended" -eq 1 ] && [ "$result" != passed ]; then
      tail -n 60 "$log"
      : > "$ended_before"
      usable=0
      break
    fi
  done
  printf '%d tests: %d passed, %d failed, %d stopped at their limits, %d skipped, %d left out\n' ${#tests[@]} \
    "${count[passed]}" "${count[failed]}" "${count[stopped]}" "${count[skipped]}" $((${#tests[@]} - ended)) | tee -a "$log"
  [ "$usable" -eq 0 ] || [ "$ended" -eq ${#tests[@]} ] || printf '%s next runs those that are left out\n' "$here/run"
  [ "${count[failed]}${count[stopped]}" = 00 ]
}

what=${1:-}
shift || true
case $what in
  first) : > "$ended_before" && first ;;
  next) : >> "$ended_before" && first ;;
  tests) exec "$program" "$filter" "$@" ;;
  nodes) exec "$build/tests/engines/assay_node_tests" --workers "$build/libexec/assay" --tensorrt "$@" ;;
  bench) exec python3 "$source/bench/tensorrt_time.py" --assay "$build/bin/assay" --library "$ASSAY_TENSORRT_LIB" \
    --bare "$build/bench/assay_bench_tensorrt" "$@" ;;
  *) sed -n '2,/^set/{/^#/p}' "${BASH_SOURCE[0]}" | sed 's/^# \{0,1\}//' >&2 && exit 2 ;;
esac
