#!/bin/bash
# Options whose values contradict each other, and those that an engine refuses: messages name the option.
# shellcheck source=lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
model=$models/light_squeezenet.onnx

# Two values for one tensor or key. If the option is given again, the later value counts.
refuses 2 "--input-shapes gives 'data_0' two values, \[1,3,8,8\] and \[1,3,9,9\]\. Give one" \
  assay run "$model" --onnxrt --input-shapes "data_0:[1,3,8,8]" "data_0:[1,3,9,9]"
refuses 2 "--val-range gives 'data_0' two values" assay run "$model" --onnxrt --val-range "data_0:[0,1]" "data_0:[0,2]"
refuses 2 "--atol gives 'out' two values, 1 and 2" assay run "$model" --onnxrt --onnxrt --atol out:1 1e-5 out:2
refuses 2 "--check-error-stat gives 'out' two values" assay run "$model" --onnxrt --onnxrt --check-error-stat out:max out:mean
refuses 2 "--postprocess gives 'out' two values" assay run "$model" --onnxrt --onnxrt --postprocess out:top-1 out:top-2
refuses 2 "--model-input-shapes gives 'data_0' two values" \
  assay debug reduce "$model" -o out.onnx --model-input-shapes "data_0:[1]" "data_0:[2]" --check false
refuses 2 "--override-input-shapes gives 'data_0' two values" \
  assay surgeon sanitize "$model" -o out.onnx --override-input-shapes "data_0:[1]" "data_0:[2]"
refuses 2 "--session-config gives 'a' two values, 1 and 2" assay run "$model" --onnxrt --session-config a=1 a=2
assay run "$model" --onnxrt --onnxrt --atol 1 2 --atol softmaxout_1:1 --atol softmaxout_1:2 > log.txt ||
  fail "a repeated option: $(tail -n 3 log.txt)"

# Invalid ranges are refused even if no inputs are generated.
refuses 1 "'abc' is not a valid value \(in --val-range\)" assay surgeon sanitize "$model" -o out.onnx --val-range abc
refuses 1 "'\[1,2,3\]' is not a valid value \(in --val-range\)" \
  assay surgeon extract "$model" -o out.onnx --outputs softmaxout_1:auto --val-range "[1,2,3]"
refuses 1 "'data_0:\[1\]' is not a valid value \(in --val-range\)" assay check lint "$model" --val-range "data_0:[1]"
refuses 1 "the range '\[1,0\]' is empty \(in --val-range\)" \
  assay debug reduce "$model" -o out.onnx --val-range "[1,0]" --check false
assay run "$model" --onnxrt --save-outputs outputs.json > log.txt || fail "saves outputs: $(tail -n 3 log.txt)"
refuses 1 "'abc' is not a valid value \(in --val-range\)" assay run --load-outputs outputs.json --val-range abc
refuses 1 "the value must be a whole number, but is 1\.5 \(in --index-tolerance\)" \
  assay run "$model" --onnxrt --onnxrt --compare indices --index-tolerance 1.5

# Options that have no effect say so.
warns() {  # PATTERN COMMAND...
  "${@:2}" > log.txt 2>&1 || fail "${*:2}: $(tail -n 3 log.txt)"
  says log.txt "$1" || fail "${*:2}: says nothing like '$1': $(cat log.txt)"
}
warns "--atol has no effect: nothing is compared, because only one engine runs" assay run "$model" --onnxrt --atol 1e-3
warns "--layers has no effect: nothing is compared" assay run "$model" --onnxrt --layers all
warns "--save-heatmaps has no effect: it needs --compare simple" \
  assay run "$model" --onnxrt --onnxrt --compare l2 --save-heatmaps pictures
[ ! -e pictures ] || fail "a folder for pictures that are never drawn"
warns "--warm-up has no effect: no engine runs" assay run --load-outputs outputs.json outputs.json --warm-up 2
for options in "--onnxrt --atol 1e-3" "--postprocess top-1" "--load-outputs outputs.json --layers all"; do
  # shellcheck disable=SC2086
  assay run "$model" --onnxrt $options > log.txt || fail "$options: $(tail -n 3 log.txt)"
  says log.txt "has no effect" && fail "$options: $(cat log.txt)"
done

# Settings of engines.
run() { assay run "$model" "$@"; }
refuses 1 "--providers: this ONNX Runtime has no execution provider 'abacus'\. It has .*CPUExecutionProvider" \
  run --onnxrt --providers abacus
refuses 1 "--provider-options: 'cuda\.device_id' is for an execution provider that isn't used\. .*--providers chooses" \
  run --onnxrt --provider-options cuda.device_id=1
refuses 1 "--provider-options: 'device_id' doesn't name a provider and its option\. Write PROVIDER\.KEY=VALUE" \
  run --onnxrt --provider-options device_id=1
refuses 1 "'key' lacks a key or a value \(in --session-config\)\. Write KEY=VALUE" run --onnxrt --session-config key
refuses 1 "--custom-ops: .*nothing\.so" run --onnxrt --custom-ops nothing.so
refuses 1 "--threads: 'many' is not a number from 0 to" run --onnxrt=a:threads=many
refuses 1 "--graph-optimization-level: there is no optimisation level 'FAST'\. Use one of ORT_DISABLE_ALL" \
  run --onnxrt=a:graph-optimization-level=FAST
refuses 1 "none of the given engines has this setting \(in --openvino-config\)\. .*or add the engine .*: --openvino" \
  run --onnxrt --openvino-config A=1
refuses 1 "nothing to save because no engine runs \(in --save-inputs\)" run --save-inputs inputs.json
if [ -n "${ASSAY_FETCHED_OPENVINO_LIB:-}" ]; then
  refuses 1 "starting: --openvino-device TPU: .*TPU" run --openvino --openvino-device TPU
  refuses 1 "starting: --openvino-config SPEED=11: .*SPEED" run --openvino --openvino-config SPEED=11
fi

# Outputs that don't exist.
refuses 1 "no such tensor: softmaxout_2 \(in --onnx-outputs\)\. Did you mean softmaxout_1" \
  run --onnxrt --onnx-outputs softmaxout_2
refuses 1 "no such output: nothing \(in --onnx-exclude-outputs\)" run --onnxrt --onnx-exclude-outputs nothing
refuses 1 "no outputs would remain \(in --onnx-exclude-outputs\)" run --onnxrt --onnx-exclude-outputs softmaxout_1
refuses 1 "no node of type Nothing \(in --onnx-outputs-by-type\)" run --onnxrt --onnx-outputs-by-type Nothing
refuses 1 "range out of order .*\(in --onnx-outputs: " run --onnxrt --onnx-outputs "[z-a]*"
refuses 1 "stands for a file of names.*\(in --onnx-outputs: nothing\.txt\)" run --onnxrt --onnx-outputs @nothing.txt
refuses 1 "no such tensor: nothing \(in --outputs\)" assay surgeon sanitize "$model" -o out.onnx --outputs nothing
assay debug reduce "$model" -o out.onnx --model-input-shapes "data_0:[1,3,224,224]" --load-inputs nothing.json --check true > log.txt
says log.txt "has no effect" && fail "debug reduce doesn't generate the inputs, but their shapes have an effect: $(cat log.txt)"
refuses 1 "there is no option --check" assay diagnose "$model" --onnxrt --check false
finish
