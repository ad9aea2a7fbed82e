#!/bin/bash
# assay diff: models that no engine accepts, missing weights, and options.
# shellcheck source=lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

good=$models/light_squeezenet.onnx

cp "$models/ext_weights.onnx" no_weights.onnx
refuses 0 "The models are equal.*Weights in external files were not compared" \
  assay diff no_weights.onnx "$models/ext_weights.onnx" --ignore-external-data

# Models that no engine accepts are compared like others.
sed 's/Softmax/Xoftmax/' "$good" > unknown_op.onnx
refuses 1 "The models differ: 1 operator changed.*Softmax -> Xoftmax" assay diff "$good" unknown_op.onnx
sed "s/r13/r12/" "$good" > same_names.onnx  # a Relu reads its own output
refuses 0 "The models are equal" assay diff same_names.onnx same_names.onnx
refuses 1 "The models differ" assay diff "$good" same_names.onnx

refuses 0 "The models are equal" assay diff "$good" "$good" --ignore names,order,doc-strings
refuses 2 "--ignore must be one of names, order, doc-strings, but is weights" assay diff "$good" "$good" --ignore weights
refuses 2 "second_model is required" assay diff "$good"
refuses 2 "--limit must be at least 0, but is -1" assay diff "$good" "$good" --limit -1
finish
