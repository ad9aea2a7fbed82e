#!/bin/bash
# Wrong results, the short way: where do two settings of an engine diverge, and which nodes cause it?
#   examples/locate.sh [FOLDER]     writes its files to FOLDER (default: a temporary folder that is removed)
#
# The model is quantised. With optimisations, ONNX Runtime fuses groups of nodes into integer kernels, which round
# differently from the nodes in the file. Marking every tensor as an output would hide that.
set -euo pipefail
model=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/models/qdq_multi_consumer.onnx
command -v assay > /dev/null || { echo "error: assay is not on PATH; build it with make, then add build/release/bin"; exit 1; }
if [ $# -gt 0 ]; then
  mkdir -p "$1" && cd "$1"
else
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  cd "$folder"
fi

echo "== Where do they diverge? (exit status 1: they do)"
status=0
assay debug locate "$model" --onnxrt=plain:graph-optimization-level=ORT_DISABLE_ALL --onnxrt=fused --atol 0.05 --rtol 0.01 -o piece.onnx || status=$?
[ "$status" -eq 1 ] || { echo "error: exit status $status"; exit 1; }

echo "== The piece"
assay inspect model piece.onnx --show layers
nodes=$(assay inspect model piece.onnx --show layers | grep -c '\[Op: ')
all=$(assay inspect model "$model" --show layers | grep -c '\[Op: ')
[ "$nodes" -lt "$all" ] || { echo "error: the piece has $nodes of $all nodes"; exit 1; }

echo "== The piece differs by itself"
if assay run piece.onnx --onnxrt=plain:graph-optimization-level=ORT_DISABLE_ALL --onnxrt=fused --load-inputs piece_inputs.json \
    --atol 0.05 --rtol 0.01 > run.txt; then
  echo "error: it does not"
  exit 1
fi
grep "elements differ" run.txt
