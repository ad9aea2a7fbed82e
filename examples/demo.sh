#!/bin/bash
# Reduces a real model that ONNX Runtime refuses from 1,749 nodes (and 242 Constants) to the one node at fault. `make
# demo` runs this.
#   examples/demo.sh [FOLDER]     writes its files to FOLDER (default: a temporary folder that is removed)
set -euo pipefail
model=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/models/densenet_max_int16.onnx
command -v assay > /dev/null || { echo "error: assay is not on PATH; build it with make, then add build/release/bin"; exit 1; }
if [ $# -gt 0 ]; then
  mkdir -p "$1" && cd "$1"
else
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  cd "$folder"
fi

show() { printf '\n$ %s\n' "$*"; }

echo "ONNX Runtime refuses this model:"
show assay run densenet_max_int16.onnx --onnxrt
if assay run "$model" --onnxrt > failure.txt 2>&1; then
  echo "error: the model runs: this ONNX Runtime has a kernel for Max of int16 (see assay --version)"
  exit 1
fi
grep -m 1 'NOT_IMPLEMENTED' failure.txt || { cat failure.txt; exit 1; }

echo
echo "Which of its nodes is the cause? Remove nodes as long as it fails in this way:"
options=(--hide-fail-output --check assay run polygraphy_debug.onnx --onnxrt)
show assay debug reduce densenet_max_int16.onnx -o reduced.onnx "${options[@]}"
assay debug reduce "$model" -o reduced.onnx "${options[@]}"

echo
echo "The remaining node:"
show assay inspect model reduced.onnx --show layers
assay inspect model reduced.onnx --show layers | tee reduced.txt
grep -q 'Nodes (1) ' reduced.txt || { echo "error: more than one node remains"; exit 1; }
