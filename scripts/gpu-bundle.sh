#!/bin/bash
# gpu-bundle.sh [FOLDER [BUILD]]: packs the program and the tests that need a GPU for a machine with one, on which nothing
# can be built or fetched. Writes FOLDER/gpu-bundle.1, .2, ... (default: dist) from a build folder (default: build/release).
# ASSAY_PART_SIZE (default: 60M) is the size of the largest part. ASSAY_TENSORRT_LIB (default: what scripts/setup.sh
# --tensorrt fetched) is libnvinfer.so.10 or .11, of the version whose headers the worker was built with; the libraries
# next to it are packed too.
#
# There, as root, because the tests know the paths of this machine:
#   cat gpu-bundle.* | zstd -dc | tar -x -C / && BUILD/gpu-bundle/run tests|nodes|bench [OPTION...]
# BUILD is the absolute path of the build folder here. `tests` are those of `ctest -L gpu`, whose options are GoogleTest's;
# `nodes` runs ONNX's node tests; `bench` measures the overhead over TensorRT.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mkdir -p "${1:-dist}"
folder=$(cd "${1:-dist}" && pwd)
build=$(cd "${2:-build/release}" && pwd)
fail() {
  printf 'gpu-bundle: %s\n' "$1" >&2
  exit 1
}
command -v zstd > /dev/null || fail 'zstd is missing. Install it (apt install zstd)'
[ -x "$build/libexec/assay/assay-worker-tensorrt" ] ||
  fail "$build has no worker for TensorRT. Configure it with TENSORRT_ROOT, as docs/tensorrt.md says, and build it"

. scripts/setup/cache.sh
tensorrt=${ASSAY_TENSORRT_LIB:-$(setting ASSAY_FETCHED_TENSORRT_LIB)}
onnxruntime=$(setting ASSAY_FETCHED_ONNXRUNTIME_LIB)
node_tests=$(setting ASSAY_ONNX_BACKEND_TESTS)
shared=$(sed -n 's/^ASSAY_SHARED_DIR:PATH=\(\/.*\)/\1/p' "$build/CMakeCache.txt")
[ -e "$tensorrt" ] || fail 'the libraries of TensorRT are missing. Run scripts/setup.sh --tensorrt'
headers=$(sed -n 's/^TENSORRT_INCLUDE_DIR:PATH=//p' "$build/CMakeCache.txt")
major=$(grep -m 1 -oE '(NV_TENSORRT|TRT)_MAJOR[A-Z_]* +[0-9]+' "$headers/NvInferVersion.h" | grep -oE '[0-9]+$')
[[ $tensorrt == *.so."$major"* ]] ||
  fail "the worker was built with headers of TensorRT $major, and the library is $tensorrt. Set ASSAY_TENSORRT_LIB"

# The builder opens a library with the kernels for the GPU's architecture. Those that set-up fetches have PTX alone.
if ! compgen -G "$(dirname "$tensorrt")/libnvinfer_builder_resource*" | grep -v _ptx > /dev/null; then
  printf 'gpu-bundle: warning: %s has libnvinfer_builder_resource_ptx alone, with which TensorRT may not build engines. ' \
    "$(dirname "$tensorrt")" >&2
  printf 'Set ASSAY_TENSORRT_LIB, here or on the machine with the GPU, to a complete installation (pip install tensorrt)\n' >&2
fi

cmake --build "$build" -- assay_gpu_test assay_node_tests assay_bench_tensorrt

stage=$build/gpu-bundle
rm -rf "$stage"
mkdir -p "$stage/lib"
programs=("$build/bin/assay" "$build"/libexec/assay/assay-* "$build/tests/gpu/assay_gpu_test"
  "$build/tests/engines/assay_node_tests" "$build/bench/assay_bench_tensorrt")
fake=$(find "$build" -name assay-worker-fake -type f)
# The C and C++ runtimes belong to the other machine. A worker may be a script, on which ldd fails.
{ ldd "${programs[@]}" 2> /dev/null || true; } | awk '$2 == "=>" && $3 ~ /^\// {print $3}' | sort -u |
  grep -vE '/(libc|libm|libdl|librt|libpthread|libgcc_s|libstdc\+\+)\.so' | xargs -r cp -L -t "$stage/lib"

# Tests with plug-ins need a Python with onnx, which the other machine may have, and this package, which is Python alone.
test_python=$(setting ASSAY_TEST_PYTHON)
[ -z "$test_python" ] || mkdir "$stage/python"
[ -z "$test_python" ] || cp -r "$(dirname "$test_python")"/../lib/python3*/site-packages/onnx_graphsurgeon "$stage/python/"

cat > "$stage/run" << RUN
#!/bin/bash
# Written by scripts/gpu-bundle.sh.
set -euo pipefail
export LD_LIBRARY_PATH="$stage/lib\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}" PATH="$build/bin:\$PATH"
export ASSAY_BUILD_DIR="$build" ASSAY_SHARED_DIR="$shared" ASSAY_ONNX_BACKEND_TESTS="$node_tests"
export ASSAY_FETCHED_ONNXRUNTIME_LIB="$onnxruntime" ASSAY_TENSORRT_LIB="\${ASSAY_TENSORRT_LIB-$tensorrt}"
if PYTHONPATH="$stage/python" python3 -c 'import onnx_graphsurgeon' 2> /dev/null; then
  export PYTHONPATH="$stage/python" ASSAY_TEST_PYTHON=\$(command -v python3)
fi
mkdir -p "$build/Testing"
what=\${1:-tests}
shift || true
case \$what in
  tests) exec "$build/tests/gpu/assay_gpu_test" --gtest_filter=-ReasonsToSkip.* "\$@" ;;
  nodes) exec "$build/tests/engines/assay_node_tests" --workers "$build/libexec/assay" --tensorrt "\$@" ;;
  bench) exec python3 "$PWD/bench/tensorrt_time.py" --assay "$build/bin/assay" --library "\$ASSAY_TENSORRT_LIB" \\
    --bare "$build/bench/assay_bench_tensorrt" "\$@" ;;
  *) echo "run: '\$what' isn't tests, nodes or bench" >&2 && exit 2 ;;
esac
RUN
chmod +x "$stage/run"

files=("$stage" "${programs[@]}" "$build/libexec/assay" "$PWD/tests/models" "$PWD/bench" "$PWD/docs"
  "$(dirname "$tensorrt")" "$(dirname "$onnxruntime")" "$node_tests")
[ -z "$fake" ] || files+=("$fake")
[ ! -d "$shared/models" ] || files+=("$shared/models")
rm -f "$folder"/gpu-bundle.*
tar -c -P --transform 's,^/,,' "${files[@]}" | zstd -q -10 -T0 |
  split -b "${ASSAY_PART_SIZE:-60M}" --numeric-suffixes=1 -a 2 - "$folder/gpu-bundle."
ls -lh "$folder"/gpu-bundle.* | awk '{print $5, $9}'
