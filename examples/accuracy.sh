#!/bin/bash
# Wrong results, step by step: record the correct values, and reduce the model to the nodes that make them wrong.
#   examples/accuracy.sh [FOLDER]     writes its files to FOLDER (default: a temporary folder that is removed)
#
# The model is quantised. With optimisations, ONNX Runtime fuses groups of nodes into integer kernels, which round
# differently from the nodes in the file.
set -euo pipefail
model=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/models/qdq_multi_consumer.onnx
input=MobilenetEdgeTPU/expanded_conv_1/project/BatchNorm/FusedBatchNormV3
command -v assay > /dev/null || { echo "error: assay is not on PATH; build it with make, then add build/release/bin"; exit 1; }
if [ $# -gt 0 ]; then
  mkdir -p "$1" && cd "$1"
else
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  cd "$folder"
fi

step() { printf '\n== %s\n' "$*"; }
nodes() { assay inspect model "$1" --show layers | grep -c '\[Op: '; }

step "1. Simplify: fixed shapes, folded constants"
assay surgeon sanitize "$model" -o folded.onnx --fold-constants --override-input-shapes "$input:[1,32,56,56]"

step "2. Record every tensor, without optimisations"
assay run folded.onnx --onnxrt --graph-optimization-level ORT_DISABLE_ALL --onnx-outputs mark all \
  --save-inputs inputs.json --save-outputs layers.json --quiet --quiet

step "3. Turn the recorded tensors into inputs"
assay data merge inputs.json layers.json -o layer_inputs.json

step "4. Reduce, comparing with the record"
check=(assay run polygraphy_debug.onnx --onnxrt --load-inputs layer_inputs.json --load-outputs layers.json --atol 1e-2 --rtol 1e-2)
assay debug reduce folded.onnx -o reduced.onnx --hide-fail-output --check "${check[@]}"

step "The remaining nodes"
assay inspect model reduced.onnx --show layers
before=$(nodes folded.onnx) after=$(nodes reduced.onnx)
cp reduced.onnx polygraphy_debug.onnx
if "${check[@]}" > check.txt; then
  echo "error: the reduced model does not fail"
  exit 1
fi
[ "$after" -lt "$before" ] || { echo "error: still $after of $before nodes"; exit 1; }
echo "Reduced $before nodes to $after, and the model still fails."
