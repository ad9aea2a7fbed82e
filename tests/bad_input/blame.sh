#!/bin/bash
# `assay debug optimizers`, `precision`, `build` and `versions`: missing or unsuitable engines, broken models, checks
# that don't exist, Ctrl-C.
# shellcheck source=lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
model=$models/polygraphy_reduce_example.onnx
head -c 3000 "$model" > truncated.onnx
echo "not a model" > text.onnx
sed 's/Softmax/Xoftmax/' "$models/light_squeezenet.onnx" > unknown_op.onnx
cp "$models/ext_weights.onnx" no_weights.onnx

optimizers() { assay debug optimizers "$@"; }
refuses 1 "0 engines are given, but one engine is compared with itself\. Give one engine" optimizers "$model"
refuses 1 "2 engines are given" optimizers "$model" --onnxrt --onnxrt
refuses 1 "no optimisations that can be disabled.*\. Give one engine" optimizers "$model" --reference
refuses 1 "the reference is the run at this level.*\(in --graph-optimization-level\)\. Leave it out" \
  optimizers "$model" --onnxrt --graph-optimization-level ORT_DISABLE_ALL
refuses 2 "--iterations must be at least 1, but is 0" optimizers "$model" --onnxrt --iterations 0
refuses 1 "without its weights \(in --ignore-external-data\)\. Leave it out" \
  optimizers "$model" --onnxrt --ignore-external-data
refuses 1 "cannot open: No such file or directory \(in missing\.onnx\)" optimizers missing.onnx --onnxrt
refuses 1 "the file is cut off: .*\(in truncated\.onnx\)" optimizers truncated.onnx --onnxrt
refuses 1 "the file is text, not an ONNX model \(in text\.onnx\)" optimizers text.onnx --onnxrt
refuses 1 "cannot find external data: .*\(in no_weights\.onnx: tensor" optimizers no_weights.onnx --onnxrt
refuses 1 "the engine failed while .*\(in ONNX Runtime\)" optimizers unknown_op.onnx --onnxrt

precision() { assay debug precision "$@"; }
refuses 2 "--iterations must be at least 1, but is 0" precision "$model" --onnxrt --iterations 0
refuses 1 "only one engine or one check can judge\. Give one engine" precision "$model" --onnxrt --onnxrt
refuses 1 "only one engine or one check can judge\. Give one engine" precision "$model" --onnxrt --check true
refuses 1 "would have to run in int8, which needs TensorRT \(in --precision\)\. Add --trt, or leave it out" precision "$model" --onnxrt -p float16
refuses 1 "minimal mode doesn't begin at one end \(in --dir\)\. Leave it out, or use --mode" \
  precision "$model" --onnxrt --mode minimal --dir reverse
refuses 1 "no outputs are compared, so .*\(in --rtol\)\. Leave it out" precision "$model" --rtol 1e-3 --check true
refuses 1 "a setting of engines, and none runs \(in --threads\)\. Leave it out" precision "$model" --threads 2 --check true
refuses 1 "a setting of engines, and none runs \(in --engine-timeout\)" precision "$model" --engine-timeout 5 --check true
refuses 1 "an engine judges without a file or a command \(in --artifacts\)" precision "$model" --onnxrt --artifacts x
refuses 1 "cannot open: No such file or directory \(in missing\.onnx\)" precision missing.onnx --onnxrt
refuses 1 "truncated" precision truncated.onnx --onnxrt
refuses 1 "not an ONNX model|isn't an ONNX model" precision text.onnx --onnxrt
refuses 1 "the engine failed while loading the model: .*Xoftmax" precision unknown_op.onnx --onnxrt
refuses 1 "\./nothing\.sh" precision "$model" --check ./nothing.sh
touch polygraphy_debug_replay.json polygraphy_debug_replay_skip_current.json  # as any run of a check leaves them
refuses 1 "fails even if all nodes stay in float32.*debug reduce" precision "$model" --check false
# With --format json, standard output is one JSON document, whatever the check prints; errors are JSON, too.
assay debug precision "$model" -o printed.onnx --format json --check sh -c 'echo noise' > out.json 2> log.txt ||
  fail "precision: no JSON: $(tail -n 3 log.txt)"
grep -q '^  "names": \[\],$' out.json || fail "precision: $(cat out.json)"
grep -q '^  "model": "printed.onnx",$' out.json || fail "precision: $(cat out.json)"
[ "$(head -c 1 out.json)" = "{" ] || fail "something stands before the JSON: $(head -n 2 out.json)"
assay debug precision "$model" --format json --check false > out.json 2> log.txt && fail "a failing check is no failure with --format json"
grep -q '"kind": "invalid_input"' out.json || fail "precision: no error as JSON: $(cat out.json)"
refuses 1 "questions to a person would be mixed with the JSON \(in --format json\)\. Name a command" precision "$model" --format json
touch polygraphy_debug.onnx
refuses 1 "polygraphy_debug\.onnx" precision "$model" --check true
refuses 1 "polygraphy_debug\.onnx" assay debug build "$model" --onnxrt --until 1 --check true
rm polygraphy_debug.onnx

refuses 1 "2 engines are given, but one is built\. Give one engine" \
  assay debug build "$model" --onnxrt --onnxrt --until 1 --check true
refuses 1 "TensorRT" env ASSAY_TENSORRT_LIB=none assay debug build "$model" --until 1 --check true
refuses 1 "builds nothing that could be saved" assay debug build "$model" --reference --until 1 --check true
for until in often 0; do
  refuses 2 "--until must be good, bad or a number above 0, but is $until" \
    assay debug build "$model" --onnxrt --until "$until" --check true
done
refuses 2 "--until" assay debug build "$model" --onnxrt --check true
assay debug build text.onnx --onnxrt --until bad --check true > log.txt || fail "build: $(tail -n 3 log.txt)"
says log.txt "Iteration 1: FAILED: the engine failed while loading" || fail "build: $(cat log.txt)"

refuses 2 "--onnxrt-libs" assay debug versions "$model"
refuses 1 "there is no ONNX Runtime at nowhere \(in --onnxrt-libs\)" assay debug versions "$model" --onnxrt-libs nowhere
if [ -n "${ASSAY_FETCHED_ONNXRUNTIME_LIB:-}" ]; then
  refuses 1 "the settings of one --onnxrt" \
    assay debug versions "$model" --onnxrt-libs "$ASSAY_FETCHED_ONNXRUNTIME_LIB" --reference
  for setting in "--threads 1" "--trt-device 1"; do
    # shellcheck disable=SC2086  # an option and its value
    refuses 1 "a setting of engines, and none runs \(in ${setting% *}\)\. Leave it out, or add the engine" \
      assay debug versions "$model" --onnxrt-libs "$ASSAY_FETCHED_ONNXRUNTIME_LIB" $setting
  done
  refuses 1 "FIRST FAILURE.*failed while loading" assay debug versions text.onnx --onnxrt-libs "$ASSAY_FETCHED_ONNXRUNTIME_LIB"
fi

# Ctrl-C while the check runs.
printf '#!/bin/bash\ntouch ready\nwhile :; do read -rt 1 <> <(:) || true; done\n' > hang.sh
chmod +x hang.sh
interrupt assay debug precision "$model" -o mixed.onnx --check ./hang.sh
[ "$status" -eq 130 ] || fail "precision: exit status $status: $(tail -n 3 log.txt)"
interrupt assay debug build "$model" --onnxrt --until 3 --check ./hang.sh
[ "$status" -eq 130 ] || fail "build: exit status $status: $(tail -n 3 log.txt)"
for file in polygraphy_debug.onnx mixed.onnx; do [ -e "$file" ] && fail "$file is left"; done
finish
