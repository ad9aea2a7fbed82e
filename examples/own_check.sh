#!/bin/bash
# A check of your own, own_check.py: it finds the nodes whose fusion in ONNX Runtime changes the outputs.
#   examples/own_check.sh [FOLDER]     writes its files to FOLDER (default: a temporary folder that is removed)
#
# Needs a Python with NumPy and onnxruntime ($ASSAY_TEST_PYTHON, else python3); without one, the exit status is 77.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
command -v assay > /dev/null || { echo "error: assay is not on PATH; build it with make, then add build/release/bin"; exit 1; }
python=${ASSAY_TEST_PYTHON:-python3}
"$python" -c 'import numpy, onnxruntime' 2> /dev/null || { echo "skipped: $python lacks NumPy or onnxruntime"; exit 77; }
if [ $# -gt 0 ]; then
  mkdir -p "$1" && cd "$1"
else
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  cd "$folder"
fi

check=("$python" "$here/own_check.py")
assay debug reduce "$here/models/qdq_multi_consumer.onnx" -o reduced.onnx --jobs 2 --check "${check[@]}" '{model}'

echo "== The check by itself (exit status 1: it fails)"
status=0
"${check[@]}" reduced.onnx || status=$?
[ "$status" -eq 1 ] || { echo "error: exit status $status"; exit 1; }
nodes=$(assay inspect model reduced.onnx --show layers | grep -c '\[Op: ')
[ "$nodes" -lt 8 ] || { echo "error: $nodes nodes are left"; exit 1; }

echo "== A file that is no model can't be judged (exit status 125)"
echo "no model" > broken.onnx
status=0
"${check[@]}" broken.onnx || status=$?
[ "$status" -eq 125 ] || { echo "error: exit status $status"; exit 1; }
