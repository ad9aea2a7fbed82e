#!/bin/bash
# gpu-bundle.sh [FOLDER [BUILD]]: packs the program and the tests that need a GPU for a machine with one, on which nothing
# can be built or fetched. Writes FOLDER/gpu-bundle.01, .02, ... and their sums (default: dist) from a build folder
# (default: build/release), and prints how to unpack and run them there.
#   ASSAY_PART_SIZE     the size of the largest part (default: 48M)
#   ASSAY_COMPRESSION   gzip (the default), which takes a minute, or xz, which takes ten and makes the bundle a third
#                       smaller: worth it if the way to the other machine is slow
#   ASSAY_TENSORRT_LIB  libnvinfer.so.10 or .11, of the version whose headers the worker was built with (default: what
#                       scripts/setup.sh --tensorrt fetched). TensorRT's other libraries are next to it
#   ASSAY_GPU_ARCH      the architecture of the GPU (default: sm90), of which the builder's kernels are packed. `ptx`: those
#                       for any GPU, which need a driver at least as new as the CUDA with which TensorRT was built. Older
#                       versions of TensorRT, such as 10.6, have one library with the kernels of all architectures
#   ASSAY_OTHER_KERNELS keep (the default), or clear: in TensorRT's libraries, the code for other architectures becomes
#                       zeros, which halves the bundle of TensorRT 10.6 (scripts/keep_kernels.py). No GPU has run such
#                       libraries yet
#
# The tests know the paths of this machine, so they are the same there. TensorRT's libraries come into a folder of the
# bundle: if their own is one of the system's, it belongs to the other machine.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mkdir -p "${1:-dist}"
folder=$(cd "${1:-dist}" && pwd)
build=$(cd "${2:-build/release}" && pwd)
fail() {
  printf 'gpu-bundle: %s\n' "$1" >&2
  exit 1
}
[ -x "$build/libexec/assay/assay-worker-tensorrt" ] ||
  fail "$build has no worker for TensorRT. Configure it with TENSORRT_ROOT, as docs/tensorrt.md says, and build it"

. scripts/setup/cache.sh
tensorrt=${ASSAY_TENSORRT_LIB:-$(setting ASSAY_FETCHED_TENSORRT_LIB)}
onnxruntime=$(setting ASSAY_FETCHED_ONNXRUNTIME_LIB)
node_tests=$(setting ASSAY_ONNX_BACKEND_TESTS)
shared=$(sed -n 's/^ASSAY_SHARED_DIR:PATH=\(\/.*\)/\1/p' "$build/CMakeCache.txt")
[ -e "$tensorrt" ] || fail 'the libraries of TensorRT are missing. Run scripts/setup.sh --tensorrt'
{ [ -e "$onnxruntime" ] && [ -e "$node_tests" ]; } ||
  fail 'ONNX Runtime or the node tests of ONNX are missing. Run scripts/setup.sh --test'
headers=$(sed -n 's/^TENSORRT_INCLUDE_DIR:PATH=//p' "$build/CMakeCache.txt")
major=$(grep -m 1 -oE '(NV_TENSORRT|TRT)_MAJOR[A-Z_]* +[0-9]+' "$headers/NvInferVersion.h" | grep -oE '[0-9]+$')
[[ $tensorrt == *.so."$major"* ]] ||
  fail "the worker was built with headers of TensorRT $major, and the library is $tensorrt. Set ASSAY_TENSORRT_LIB"

# pack_tensorrt LIBRARY MAJOR ARCHITECTURE FOLDER: copies TensorRT's libraries that the tests need into the folder.
pack_tensorrt() {
  local from kernels name others
  from=$(dirname "$1")
  mapfile -t kernels < <(compgen -G "$from/libnvinfer_builder_resource_$3.so*" ||
    compgen -G "$from/libnvinfer_builder_resource.so*")
  if [ ${#kernels[@]} -eq 0 ]; then
    others=$(compgen -G "$from/libnvinfer_builder_resource_*" | sed 's,.*/,,' | paste -sd ' ' || true)
    fail "$from has no libnvinfer_builder_resource_$3.so, without which TensorRT can't build engines for this GPU (it has: \
${others:-none}). Put that of the same version, to the last number, next to it, from NVIDIA's packages of TensorRT's \
libraries. Or set ASSAY_GPU_ARCH: scripts/gpu-bundle.sh says to what"
  fi
  mkdir -p "$4"
  cp -L "$1" "$4/libnvinfer.so.$2"
  for name in libnvinfer_plugin libnvonnxparser; do
    [ ! -e "$from/$name.so.$2" ] || cp -L "$from/$name.so.$2" "$4/"
  done
  cp -L "${kernels[@]}" "$4/"
  case ${ASSAY_OTHER_KERNELS:-keep}-$3 in
    keep-*) ;;
    clear-sm*) for name in "$4"/*; do chmod u+w "$name" && python3 scripts/keep_kernels.py "$name" "${3#sm}"; done ;;
    *) fail "ASSAY_OTHER_KERNELS can be keep or, if ASSAY_GPU_ARCH names an architecture such as sm90, clear" ;;
  esac
}

# The other machine may have no other program than gzip.
case ${ASSAY_COMPRESSION:-gzip} in
  gzip) compress=(gzip -1) decompress='gzip -dc' ;;
  xz) compress=(xz -T0) decompress='xz -dc -T0' ;;
  *) fail "ASSAY_COMPRESSION is $ASSAY_COMPRESSION, but can be gzip or xz" ;;
esac

cmake --build "$build" -- assay_gpu_test assay_node_tests assay_bench_tensorrt

stage=$build/gpu-bundle
rm -rf "$stage"
mkdir -p "$stage/lib"
pack_tensorrt "$tensorrt" "$major" "${ASSAY_GPU_ARCH:-sm90}" "$stage/tensorrt"
programs=("$build/bin/assay" "$build"/libexec/assay/assay-* "$build/tests/gpu/assay_gpu_test"
  "$build/tests/engines/assay_node_tests" "$build/bench/assay_bench_tensorrt")
fake=$(find "$build" -name assay-worker-fake -type f)
# The C and C++ runtimes belong to the other machine. A worker may be a script, on which ldd fails.
{ ldd "${programs[@]}" 2> /dev/null || true; } | awk '$2 == "=>" && $3 ~ /^\// {print $3}' | sort -u |
  { grep -vE '/(libc|libm|libdl|librt|libpthread|libgcc_s|libstdc\+\+)\.so' || true; } | xargs -r cp -L -t "$stage/lib"

# Tests with plug-ins need a Python with onnx, which the other machine may have, and this package, which is Python alone.
test_python=$(setting ASSAY_TEST_PYTHON)
[ -z "$test_python" ] || mkdir "$stage/python"
[ -z "$test_python" ] || cp -r "$(dirname "$test_python")"/../lib/python3*/site-packages/onnx_graphsurgeon "$stage/python/"

cp scripts/gpu-run.sh "$stage/run"
{
  printf '# Written by scripts/gpu-bundle.sh\n'
  printf '%s=%q\n' source "$PWD" build "$build" shared "$shared" node_tests "$node_tests" onnxruntime "$onnxruntime" \
    tensorrt "$stage/tensorrt/libnvinfer.so.$major"
} > "$stage/settings"

files=("$stage" "${programs[@]}" "$build/libexec/assay" "$PWD/tests/models" "$PWD/bench" "$PWD/docs"
  "$(dirname "$onnxruntime")" "$node_tests")
[ -z "$fake" ] || files+=("$fake")
[ ! -d "$shared/models" ] || files+=("$shared/models")
rm -f "$folder"/gpu-bundle.*
tar -C / -c -- "${files[@]#/}" | "${compress[@]}" |
  split -b "${ASSAY_PART_SIZE:-48M}" --numeric-suffixes=1 -a 2 - "$folder/gpu-bundle."
parts=("$folder"/gpu-bundle.*)
(cd "$folder" && sha256sum "${parts[@]##*/}") > "$folder/gpu-bundle-sums"
du -h --apparent-size "${parts[@]}"
cat << STEPS

On the machine with the GPU, as root:
1. Copy the parts 01 to ${parts[-1]##*.} and gpu-bundle-sums into a folder, in any order
2. There: sha256sum --check --quiet gpu-bundle-sums && cat gpu-bundle.* | $decompress | tar -x -C /
3. $stage/run first
$stage/run says what else it can run.
STEPS
