#!/bin/bash
# Compares Assay with Polygraphy, using the Python environment that scripts/setup.sh --test creates. `make bench` runs
# this.
#   bench/run.sh [OPTION...]      options of bench.py, e.g. --only inspect
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../scripts/setup/cache.sh"
python=$(setting ASSAY_TEST_PYTHON)
if [ -z "$python" ]; then
  echo "error: no Python environment with Polygraphy found; run scripts/setup.sh --test to create it"
  exit 1
fi
models=${ASSAY_SHARED_DIR:-$here/../../shared}/models
[ -d "$models" ] || { echo "error: no models in $models; set ASSAY_SHARED_DIR to the folder that contains models/"; exit 1; }
status=0
"$python" "$here/bench.py" --assay "$(command -v assay)" --polygraphy "$(dirname "$python")/polygraphy" --models "$models" "$@" || status=1
# Two tensors of 1 GiB. Polygraphy takes minutes and 8 GB of memory for this.
if [ $# -eq 0 ] && [ -x "${ASSAY_BENCH_COMPARE:-}" ]; then
  "$python" "$here/compare_tensors.py" --bench "$ASSAY_BENCH_COMPARE" --python "$python" || status=1
fi
# The Python package. Comparing results of 1 GiB takes Polygraphy minutes, too.
if [ $# -eq 0 ] && [ -d "${ASSAY_BENCH_PACKAGE:-}" ]; then
  "$python" "$here/python_time.py" --package "$ASSAY_BENCH_PACKAGE" || status=1
fi
# The overhead over the engines.
openvino=$(setting ASSAY_FETCHED_OPENVINO_LIB)
if [ $# -eq 0 ] && [ -n "$openvino" ]; then
  ASSAY_OPENVINO_LIB=$openvino "$python" "$here/engine_time.py" --assay "$(command -v assay)" \
    --polygraphy "$(dirname "$python")/polygraphy" --models "$models/light_squeezenet.onnx" \
    "${TMPDIR:-/tmp}/assay-bench/inline_1g.onnx" || status=1
fi
# The overhead over TensorRT, if there is a GPU.
tensorrt=${ASSAY_TENSORRT_LIB:-$(setting ASSAY_FETCHED_TENSORRT_LIB)}
[ ! -d "$tensorrt" ] || tensorrt=$(compgen -G "$tensorrt/libnvinfer.so.1[01]" | head -n 1 || true)
if [ $# -eq 0 ]; then
  if [ -n "$tensorrt" ] && [ -x "${ASSAY_BENCH_TENSORRT:-}" ]; then
    "$python" "$here/tensorrt_time.py" --assay "$(command -v assay)" --library "$tensorrt" --bare "$ASSAY_BENCH_TENSORRT" \
      --polygraphy "$(dirname "$python")/polygraphy" --models "$models/light_squeezenet.onnx" "$models/light_resnet50.onnx" || status=1
  else
    echo '`run --trt` is left out: this build has no worker for TensorRT, or the library was not found (ASSAY_TENSORRT_LIB)'
  fi
fi
exit "$status"
