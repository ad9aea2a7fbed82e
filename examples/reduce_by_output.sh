#!/bin/bash
# Recognises a failure by what the check prints: here, the only Mul node of a model is the culprit.
#   examples/reduce_by_output.sh [FOLDER]
set -euo pipefail
model=$(cd "$(dirname "${BASH_SOURCE[0]}")/../tests/models" && pwd)/polygraphy_reduce_example.onnx
command -v assay > /dev/null || { echo "error: assay is not on PATH; build it with make, then add build/release/bin"; exit 1; }
if [ $# -gt 0 ]; then
  mkdir -p "$1" && cd "$1"
else
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  cd "$folder"
fi

# Bisection finds the neighbourhood, linear mode the culprit.
check=(--fail-regex "Op: Mul" --hide-fail-output --check assay inspect model polygraphy_debug.onnx --show layers)
assay debug reduce "$model" -o halved.onnx --mode=bisect "${check[@]}"
assay debug reduce halved.onnx -o reduced.onnx --mode=linear "${check[@]}"
assay inspect model reduced.onnx --show layers | tee reduced.txt
if [ "$(grep -c 'Op: ' reduced.txt)" -ne 1 ] || ! grep -q 'Op: Mul' reduced.txt; then
  echo "error: the result is not the Mul node alone"
  exit 1
fi
