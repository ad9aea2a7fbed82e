#!/bin/bash
# Packs a bundle for a machine with a GPU (scripts/gpu-bundle.sh) from a build folder of stand-ins, and runs its tests
# (scripts/gpu-run.sh).
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed() { echo "FAILED: $*"; exit 1; }

stand_in() {
  mkdir -p "$(dirname "$folder/$1")"
  printf '#!/bin/bash\n%s\n' "$2" > "$folder/$1"
  chmod +x "$folder/$1"
}
stand_in bin/cmake 'exit 0'
# shellcheck disable=SC2016
stand_in build/bin/assay 'for word; do [[ $word != *.onnx || -e $word ]] || exit 1; done; echo assay 0'
stand_in build/libexec/assay/assay-worker-tensorrt 'exit 0'
# shellcheck disable=SC2016
stand_in build/tests/engines/assay_node_tests 'echo "known: $(grep -c . "${@: -1}")"
  for name in ${NODES:-}; do echo "test_$name ok"; done
  [ -n "${STOPPED:-}" ] || echo "TensorRT 10.6.0: 1 ok"'
stand_in build/bench/assay_bench_tensorrt 'echo 1000'
# shellcheck disable=SC2016
stand_in build/tests/gpu/assay_gpu_test 'case $* in
  *list_tests*)
    printf "%s\n" "Running main()" Probe. "  Runs" Gpu. "  Passes" "  Fails" "  Skips" "  Hangs" Real/Models. "  Runs/a  # GetParam() = a" ;;
  *=Probe.Runs) exit "${PROBE:-0}" ;;
  *=Gpu.Fails) echo "it fails" && exit 1 ;;
  *=Gpu.Skips) echo "[  SKIPPED ] Gpu.Skips" ;;
  *=Gpu.Hangs) exit 124 ;; # as timeout says it
  *=Real/Models.Runs/a) printf "note: refused %0120d\n" 0 && echo "the search path is $LD_LIBRARY_PATH" ;;
  *=Gpu.Passes) [ -z "${WAITS:-}" ] || { echo "it waits" && exec 3> "$WAITS" && echo begins >&3 && exec tail -f /dev/null; } ;;
  *) exit 2 ;;
esac'
mkdir -p "$folder/include" "$folder/system" "$folder/onnxruntime" "$folder/node" "$folder/cache"
echo '#define NV_TENSORRT_MAJOR 10' > "$folder/include/NvInferVersion.h"
printf '%s\n' "TENSORRT_INCLUDE_DIR:PATH=$folder/include" > "$folder/build/CMakeCache.txt"
printf '%s\n' "set(ASSAY_FETCHED_ONNXRUNTIME_LIB \"$folder/onnxruntime/libonnxruntime.so\")" \
  "set(ASSAY_ONNX_BACKEND_TESTS \"$folder/node\")" > "$folder/cache/deps.cmake"
touch "$folder/onnxruntime/libonnxruntime.so"
# Debian's package puts TensorRT's libraries, which are links, among those of the system.
for name in libnvinfer.so.10.15.1 libnvinfer_plugin.so.10 libnvonnxparser.so.10 libnvinfer_builder_resource_sm80.so.10.15.1 \
  libnvinfer_builder_resource_sm90.so.10.15.1 libc.so.6; do
  echo "$name" > "$folder/system/$name"
done
ln -s libnvinfer.so.10.15.1 "$folder/system/libnvinfer.so.10"
export ASSAY_CACHE_DIR="$folder/cache" ASSAY_TENSORRT_LIB="$folder/system/libnvinfer.so.10"
bundle() { PATH=$folder/bin:$PATH "$source/scripts/gpu-bundle.sh" "$folder/dist" "$folder/build" 2>&1; }

# The bundle has the libraries that the tests need, in a folder of its own, and no others. A small part size makes parts.
words=$(ASSAY_PART_SIZE=50K bundle) || failed "no bundle: $words"
[ -e "$folder/dist/gpu-bundle.02" ] || failed "the bundle is one file"
mkdir "$folder/there"
(cd "$folder/dist" && sha256sum --check --quiet gpu-bundle-sums) || failed "the sums differ"
cat "$folder"/dist/gpu-bundle.* | tar -xz -C "$folder/there"
packed=$folder/there$folder/build/gpu-bundle
[ "$(ls "$packed/tensorrt")" = "$(printf '%s\n' libnvinfer.so.10 libnvinfer_builder_resource_sm90.so.10.15.1 \
  libnvinfer_plugin.so.10 libnvonnxparser.so.10)" ] || failed "packed libraries: $(ls "$packed/tensorrt")"
[ "$(cat "$packed/tensorrt/libnvinfer.so.10")" = libnvinfer.so.10.15.1 ] || failed "a link was packed"
[ ! -e "$folder/there$folder/system" ] || failed "the system's libraries were packed"
[ -e "$folder/there$source/tests/models/scan_1.onnx" ] || failed "the models weren't packed"
xz=$(ASSAY_COMPRESSION=xz bundle) || failed "no bundle of xz: $xz"
cat "$folder"/dist/gpu-bundle.* | xz -dc | tar -t > "$folder/listed" || failed "xz doesn't unpack its bundle"
[[ $xz == *"cat gpu-bundle.* | xz -dc -T0 | tar -x -C /"* ]] || failed "steps with xz: $xz"
words=$(ASSAY_COMPRESSION=zip bundle) && failed "an unknown compression: $words"
[[ $words == *"ASSAY_COMPRESSION is zip"* ]] || failed "an unknown compression: $words"
words=$(ASSAY_PART_SIZE=50K bundle)
[[ $words == *"cat gpu-bundle.* | gzip -dc | tar -x -C /"*"$folder/build/gpu-bundle/run first"* ]] || failed "steps: $words"

# Without the kernels for the GPU's architecture, TensorRT can't build engines.
words=$(ASSAY_GPU_ARCH=ptx bundle) && failed "a bundle without kernels: $words"
[[ $words == *libnvinfer_builder_resource_ptx.so*libnvinfer_builder_resource_sm80.so.10.15.1*ASSAY_GPU_ARCH* ]] ||
  failed "without kernels: $words"
# TensorRT 10.6 has one library for all architectures.
mkdir "$folder/older"
touch "$folder/older/libnvinfer.so.10" "$folder/older/libnvinfer_builder_resource.so.10.6.0"
words=$(ASSAY_TENSORRT_LIB=$folder/older/libnvinfer.so.10 bundle) || failed "no bundle of TensorRT 10.6: $words"
[ -e "$folder/build/gpu-bundle/tensorrt/libnvinfer_builder_resource.so.10.6.0" ] || failed "no kernels of TensorRT 10.6"
words=$(ASSAY_GPU_ARCH=sm80 bundle) || failed "no bundle for sm80: $words"

echo library > "$folder/older/libnvinfer.so.10"
# On request, it has only the code of one architecture, as NVIDIA's compiler stores it: in lists of entries.
python3 - "$folder/older/libnvinfer_builder_resource.so.10.6.0" << 'PYTHON'
import struct, sys

def fatbin(*entries):
    listed = b"".join(struct.pack("<HHIQ12xI32x", kind, 257, 64, len(code), sm) + code for kind, sm, code in entries)
    return struct.pack("<IHHQ", 0xBA55ED50, 1, 16, len(listed)) + listed

open(sys.argv[1], "wb").write(
    b"ELF" + fatbin((2, 80, b"older code"), (2, 90, b"own code"), (1, 80, b"PTX beside it"))
    + fatbin((2, 80, b"code without"), (1, 86, b"PTX alone")) + b"\x50\xed\x55\xba no list")
PYTHON
whole=$(sha256sum < "$folder/older/libnvinfer_builder_resource.so.10.6.0")
words=$(ASSAY_OTHER_KERNELS=clear ASSAY_TENSORRT_LIB=$folder/older/libnvinfer.so.10 bundle) || failed "cleared: $words"
packed=$folder/build/gpu-bundle/tensorrt/libnvinfer_builder_resource.so.10.6.0
for expected in 'own code' 'code without' 'PTX alone' 'no list'; do
  grep -qaF "$expected" "$packed" || failed "'$expected' was cleared"
done
for other in 'older code' 'PTX beside it'; do grep -qaF "$other" "$packed" && failed "'$other' wasn't cleared"; done
[ "$(stat -c %s "$packed")" = "$(stat -c %s "$folder/older/libnvinfer_builder_resource.so.10.6.0")" ] || failed "its size"
[ "$(sha256sum < "$folder/older/libnvinfer_builder_resource.so.10.6.0")" = "$whole" ] || failed "the original has changed"
words=$(ASSAY_OTHER_KERNELS=none bundle) && failed "an unknown choice of kernels: $words"
[[ $words == *"ASSAY_OTHER_KERNELS can be keep"* ]] || failed "an unknown choice of kernels: $words"
bundle > /dev/null

# Each test gets a line, and each kind of result is counted.
mkdir "$folder/out"
unset ASSAY_TENSORRT_LIB
first() { OUT=$folder/out "$folder/build/gpu-bundle/run" first; }
words=$(first) && failed "failed tests pass: $words"
counts='6 tests: 3 passed, 1 failed, 1 stopped at their limits, 1 skipped, 0 left out'
for expected in 'assay 0' 'Probe.Runs' $'\nfailed ' 'Models.Runs/a (refused 0' '00...)' "$counts"; do
  [[ $words == *"$expected"* ]] || failed "no '$expected' in: $words"
done
[[ $(cat "$folder/out/gpu-first.log") == *"it fails"*"the search path is "*/build/gpu-bundle/tensorrt* ]] ||
  failed "the log: $(cat "$folder/out/gpu-first.log")"
words=$(ASSAY_GPU_SECONDS=0 first) || failed "no test runs, and one fails: $words"
[[ $words == *"6 tests: 0 passed, "*", 6 left out"* ]] || failed "without time: $words"
# A further run has the tests that those before it have left out, unless the probe failed.
next() { OUT=$folder/out "$folder/build/gpu-bundle/run" next; }
words=$(next) && failed "failed tests pass: $words"
[[ $words == *"$counts"* ]] || failed "next, after nothing: $words"
words=$(next) || failed "nothing is left, and that fails: $words"
[[ $words == *"0 tests: 0 passed, "* ]] || failed "next, after everything: $words"
PROBE=1 first > "$folder/out/words" || true
words=$(next) && failed "failed tests pass: $words"
[[ $words == *"$counts"* ]] || failed "next, after a failed probe: $words"
words=$(PROBE=1 first) && failed "a failed probe passes: $words"
[[ $words == *"6 tests: 0 passed, 1 failed, "*", 5 left out"* ]] || failed "after a failed probe: $words"
# A signal to the script alone stops the tests, too. The test that waits keeps a pipe open, which ends with it.
mkfifo "$folder/waits"
for signal in INT TERM; do
  WAITS=$folder/waits OUT=$folder/out env --default-signal=INT "$folder/build/gpu-bundle/run" first > "$folder/out/words" &
  exec 4< "$folder/waits"
  read -r -u 4
  kill -"$signal" $!
  status=0
  wait $! || status=$?
  [ "$status" -eq $((128 + $(kill -l "$signal"))) ] || failed "after $signal, the status is $status"
  status=0
  read -r -t 60 -u 4 || status=$?
  [ "$status" -eq 1 ] || failed "after $signal, a test still runs"
  [[ $(cat "$folder/out/gpu-first.log") == *"==== Gpu.Passes (stopped)"*"it waits"* ]] || failed "after $signal, no output"
  exec 4<&-
done
# The node tests continue after a run that was stopped, too.
nodes() { OUT=$folder/out "$folder/build/gpu-bundle/run" nodes "$@" > "$folder/out/words" && head -n 1 "$folder/out/gpu-nodes.log"; }
[ "$(NODES='a b' STOPPED=yes nodes --jobs 2)" = 'known: 0' ] || failed "the first node tests"
[ "$(NODES='c' nodes)" = 'known: 3' ] || failed "what was known is lost: $(cat "$folder/build/Testing/gpu-nodes")"
[ "$(nodes)" = 'known: 6' ] || failed "what was known is lost: $(cat "$folder/build/Testing/gpu-nodes")"
# The benchmark finds its models from any folder.
words=$(cd "$folder" && build/gpu-bundle/run bench --models tests/models/scan_1.onnx --runs 1 2>&1) || failed "bench: $words"
[[ $words == *"scan_1 | "*" | met |"* ]] || failed "bench: $words"
words=$("$folder/build/gpu-bundle/run" 2>&1) && failed "nothing to run is no error"
[[ $words == *"run first "* ]] || failed "the help: $words"
echo "the bundle has what the tests need, and runs them"
