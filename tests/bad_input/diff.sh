#!/bin/bash
# assay diff: files that aren't models, and models that are broken.
# shellcheck source=lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

good=$models/light_squeezenet.onnx

# Runs the comparison with the bad file in either place.
refuses_both() {
  local pattern=$1 model=$2
  refuses 1 "$pattern" assay diff "$model" "$good"
  refuses 1 "$pattern" assay diff "$good" "$model"
}

refuses_both "cannot open: No such file or directory \(in missing\.onnx\)\. Check the path" missing.onnx
head -c 10000 "$good" > truncated.onnx
refuses_both "cut off: it ends, after 10000 bytes, .*\(in truncated\.onnx\)\. Copy or download it again" truncated.onnx
echo "this is no model" > text.onnx
refuses_both "is text, not an ONNX model .*\(in text\.onnx\)\. Check the path" text.onnx

cp "$models/ext_weights.onnx" no_weights.onnx
refuses_both "cannot find external data: No such .*\(in no_weights\.onnx: tensor 'a'.*\)\. Put the file" no_weights.onnx
refuses 0 "The models are equal.*Weights in external files were not compared" \
  assay diff no_weights.onnx "$models/ext_weights.onnx" --ignore-external-data
mkdir short && cp "$models/ext_weights.onnx" short/ && head -c 10 "$models/ext_weights.data" > short/ext_weights.data
refuses_both "12 bytes at offset 0 .* the file has 10 .*\(in short/ext_weights\.onnx: tensor 'a'.*\)\. Copy" \
  short/ext_weights.onnx
mkdir -p inside && sed 's/ext_weights.data/..\/weights0.data/' "$models/ext_weights.onnx" > inside/outside.onnx
cp "$models/ext_weights.data" weights0.data
refuses_both "outside the model's folder" inside/outside.onnx

# Models that no engine accepts are compared like others.
sed 's/Softmax/Xoftmax/' "$good" > unknown_op.onnx
refuses 1 "The models differ: 1 operator changed.*Softmax -> Xoftmax" assay diff "$good" unknown_op.onnx
sed "s/r13/r12/" "$good" > same_names.onnx  # a Relu reads its own output
refuses 0 "The models are equal" assay diff same_names.onnx same_names.onnx
refuses 1 "The models differ" assay diff "$good" same_names.onnx

refuses 0 "The models are equal" assay diff "$good" "$good" --ignore names,order,doc-strings
refuses 2 "--ignore: .*weights" assay diff "$good" "$good" --ignore weights
refuses 2 "second is required" assay diff "$good"
refuses 2 "--limit must be at least 0, but is -1" assay diff "$good" "$good" --limit -1
finish
