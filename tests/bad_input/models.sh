#!/bin/bash
# Models that are none, or that lie about themselves, given to every command that reads one.
# shellcheck source=lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# Every command that loads a model, on the same bad file.
for_each_command() {
  local pattern=$1 model=$2
  refuses 1 "$pattern" assay inspect model "$model"
  refuses 1 "$pattern" assay run "$model" --onnxrt
  refuses 1 "$pattern" assay surgeon sanitize "$model" -o out.onnx --fold-constants
  refuses 1 "$pattern" assay surgeon extract "$model" -o out.onnx --inputs x:auto:auto
  refuses 1 "$pattern" assay debug reduce "$model" -o out.onnx --mode bisect --check false
}

for_each_command "missing.onnx.*Check the path" missing.onnx

head -c 1000000 "$models/polygraphy_reduce_example.onnx" > truncated.onnx
for_each_command "truncated.onnx" truncated.onnx

echo "this is no model" > text.onnx
for_each_command "text" text.onnx

: > empty.onnx
for_each_command "empty" empty.onnx

cp "$models/ext_weights.onnx" no_weights.onnx
for_each_command "ext_weights.data" no_weights.onnx

mkdir short && cp "$models/ext_weights.onnx" short/ && head -c 10 "$models/ext_weights.data" > short/ext_weights.data
for_each_command "ext_weights.data" short/ext_weights.onnx

mkdir -p inside && sed 's/ext_weights.data/..\/weights0.data/' "$models/ext_weights.onnx" > inside/outside.onnx
cp "$models/ext_weights.data" weights0.data
for_each_command "weights0.data" inside/outside.onnx

# Structure only needs no weights.
assay inspect model no_weights.onnx --ignore-external-data > /dev/null || fail "--ignore-external-data needs the weights"

# An operator that nobody knows: seen by the engine, and no reason for the others to stop.
sed 's/Softmax/Xoftmax/' "$models/light_squeezenet.onnx" > unknown_op.onnx
refuses 1 "Xoftmax" assay run unknown_op.onnx --onnxrt
[[ "$(nodes_of unknown_op.onnx)" == *"Op: Xoftmax"* ]] || fail "an unknown operator is not shown"

# Inputs that do not fit.
refuses 1 "data_0" assay run "$models/light_squeezenet.onnx" --onnxrt --input-shapes "data_0:[1,2,3]" --val-range "data_0:[a,b]"
echo '[{"wrong": 1}]' > not_arrays.json
refuses 1 "not_arrays.json" assay run "$models/light_squeezenet.onnx" --onnxrt --load-inputs not_arrays.json
echo '[{' > broken.json
refuses 1 "broken.json" assay run "$models/light_squeezenet.onnx" --onnxrt --load-inputs broken.json
echo '[{}]' > no_inputs.json
refuses 1 "data_0" assay run "$models/light_squeezenet.onnx" --onnxrt --load-inputs no_inputs.json
refuses 1 "nowhere.json" assay run "$models/light_squeezenet.onnx" --onnxrt --load-inputs nowhere.json

# Names that the model does not have.
refuses 1 "no_such_tensor" assay run "$models/light_squeezenet.onnx" --onnxrt --onnx-outputs no_such_tensor
refuses 1 "no_such_tensor" assay surgeon extract "$models/light_squeezenet.onnx" -o out.onnx --outputs no_such_tensor:auto

# A library that is no engine.
refuses 1 "no_library.so" assay run "$models/light_squeezenet.onnx" --onnxrt --onnxrt-lib no_library.so
refuses 1 "text.onnx" assay run "$models/light_squeezenet.onnx" --onnxrt --onnxrt-lib "$PWD/text.onnx"

# Options that cannot work here, and words that are no options.
refuses 1 "TensorRT" assay run "$models/light_squeezenet.onnx" --trt
refuses 1 "TensorRT" assay run "$models/light_squeezenet.onnx" --onnxrt --trt-min-shapes "x:[1]"
refuses 1 "TensorFlow" assay run "$models/light_squeezenet.onnx" --tf
refuses 1 "no-such-option" assay run "$models/light_squeezenet.onnx" --onnxrt --no-such-option
refuses 2 "no tool" assay fly
finish
