#!/bin/bash
# assay check lint: files that aren't models, and models with every kind of defect.
# shellcheck source=lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

good=$models/light_squeezenet.onnx
report=$folder/report.json  # outside of the folder whose files refuses() compares

# lints STATUS PATTERN FILE [OPTION...]: the command must say the pattern, and the report must be JSON.
lints() {
  local status=$1 pattern=$2
  shift 2
  rm -f "$report"
  refuses "$status" "$pattern" assay check lint "$@" -o "$report"
  grep -q '"lint_entries"' "$report" || fail "check lint $*: there is no report"
}

# Files that can't be read are in the report, too.
lints 1 "cannot open: No such file or directory \(in missing\.onnx\)\. Check the path" missing.onnx
grep -q '"source": "onnx_loader"' "$report" || fail "the report doesn't say that the model can't be loaded"
head -c 10000 "$good" > truncated.onnx
lints 1 "cut off: it ends, after 10000 bytes, .*\(in truncated\.onnx\)\. Copy or download it again" truncated.onnx
echo "this is no model" > text.onnx
lints 1 "is text, not an ONNX model .*\(in text\.onnx\)\. Check the path" text.onnx
cp "$models/ext_weights.onnx" no_weights.onnx
lints 1 "cannot find external data: No such .*\(in no_weights\.onnx: tensor 'a'.*\)\. Put the file" no_weights.onnx
mkdir short && cp "$models/ext_weights.onnx" short/ && head -c 10 "$models/ext_weights.data" > short/ext_weights.data
lints 1 "12 bytes at offset 0 .* the file has 10 .*\(in short/ext_weights\.onnx: tensor 'a'.*\)\. Copy" short/ext_weights.onnx

# Models with defects: what the checker says and what the engine says are two columns.
lints 0 "0 errors, .* 0 of [0-9]+ nodes rejected" "$good"
sed 's/Softmax/Xoftmax/' "$good" > unknown_op.onnx
lints 1 "1 of [0-9]+ nodes rejected.*checker  ONNX Runtime.*Xoftmax .*fails +fails.*No Op registered for Xoftmax" unknown_op.onnx
sed "s/r13/r12/" "$good" > same_names.onnx  # a Relu reads its own output, which another node computes as well
lints 1 "The tensor 'r12' is defined by .*node #[0-9]+\) and again by Relu .*node #[0-9]+\)" same_names.onnx

# With --format json, standard output is the report, and the exit status is the same.
assay check lint unknown_op.onnx --format json -o "$report" > out.json 2> log.txt && fail "a defect is no failure with --format json"
cmp -s out.json "$report" || fail "--format json prints something else than -o saves: $(head -n 3 out.json)"
assay check lint missing.onnx --format json > out.json 2> log.txt && fail "a missing file is no failure with --format json"
grep -q '"source": "onnx_loader"' out.json || fail "--format json doesn't say that the model can't be loaded"
grep -q "cannot open" log.txt || fail "--format json hides the error from people: $(tail -n 3 log.txt)"
rm out.json log.txt

# Options.
refuses 1 "there is no ONNX Runtime at no_library\.so \(in --onnxrt-lib\)" assay check lint "$good" --onnxrt-lib no_library.so
assay check lint "$good" --fp-to-fp16 > log.txt || fail "a converted model is rejected: $(tail -n 3 log.txt)"
grep -q "Converted to float16" log.txt || fail "check lint doesn't convert the model"
refuses 1 "give it a model that .assay convert --fp-to-fp16. saved" assay debug locate "$good" --onnxrt --onnxrt --fp-to-fp16
refuses 1 "there is no such file or folder \(in nowhere\.json\)" assay check lint "$good" --load-inputs nowhere.json
refuses 1 "not available in this library: tensorrt|[Pp]rovider" assay check lint "$good" --providers nonsense
mkdir locked && chmod 500 locked
if ! touch locked/probe 2> /dev/null; then
  refuses 1 "locked" assay check lint "$good" -o locked/report.json
fi
rm -f locked/probe
finish
