#!/bin/bash
# Options whose values contradict each other.
# shellcheck source=lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
model=$models/light_squeezenet.onnx

# Two values for one tensor or key. If the option is given again, the later value counts.
refuses 2 "--input-shapes gives 'data_0' two values, \[1,3,8,8\] and \[1,3,9,9\]\. Give one" \
  assay run "$model" --onnxrt --input-shapes "data_0:[1,3,8,8]" "data_0:[1,3,9,9]"
refuses 2 "--val-range gives 'data_0' two values" assay run "$model" --onnxrt --val-range "data_0:[0,1]" "data_0:[0,2]"
refuses 2 "--atol gives 'out' two values, 1 and 2" assay run "$model" --onnxrt --onnxrt --atol out:1 1e-5 out:2
refuses 2 "--error-stat|--check-error-stat" assay run "$model" --onnxrt --onnxrt --check-error-stat out:max out:mean
refuses 2 "--postprocess gives 'out' two values" assay run "$model" --onnxrt --onnxrt --postprocess out:top-1 out:top-2
refuses 2 "--model-input-shapes gives 'data_0' two values" \
  assay debug reduce "$model" -o out.onnx --model-input-shapes "data_0:[1]" "data_0:[2]" --check false
refuses 2 "--override-input-shapes gives 'data_0' two values" \
  assay surgeon sanitize "$model" -o out.onnx --override-input-shapes "data_0:[1]" "data_0:[2]"
refuses 2 "--session-config gives 'a' two values, 1 and 2" assay run "$model" --onnxrt --session-config a=1 a=2
assay run "$model" --onnxrt --onnxrt --atol 1 2 --atol softmaxout_1:1 --atol softmaxout_1:2 > log.txt ||
  fail "a repeated option: $(tail -n 3 log.txt)"
finish
