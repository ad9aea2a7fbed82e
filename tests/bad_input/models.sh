#!/bin/bash
# What is said of models, inputs, libraries and options that are invalid. every_command.sh gives such models to every
# command.
# shellcheck source=lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

refuses 1 "cannot open: No such file or directory \(in missing\.onnx\)\. Check the path" assay inspect model missing.onnx

head -c 1000000 "$models/polygraphy_reduce_example.onnx" > truncated.onnx
refuses 1 "cut off: it ends, after 1000000 bytes, .*\(in truncated\.onnx\)\. Copy or download it again" \
  assay inspect model truncated.onnx

echo "this is no model" > text.onnx
refuses 1 "is text, not an ONNX model .*\(in text\.onnx\)\. Check the path, or download it again" assay inspect model text.onnx

: > empty.onnx
refuses 1 "is empty .*\(in empty\.onnx\)\. Copy or download it again" assay inspect model empty.onnx

cp "$models/ext_weights.onnx" no_weights.onnx
refuses 1 "cannot find external data: No such .*\(in no_weights\.onnx: tensor 'a': .*ext_weights\.data\)\. Put the file" \
  assay inspect model no_weights.onnx

mkdir short && cp "$models/ext_weights.onnx" short/ && head -c 10 "$models/ext_weights.data" > short/ext_weights.data
refuses 1 "12 bytes at offset 0 .* the file has 10 .*\(in short/ext_weights\.onnx: tensor 'a': .*ext_weights\.data\)\. Copy" \
  assay inspect model short/ext_weights.onnx

# Root reads every file, unless it drops these capabilities.
without_override() {
  if [ "$(id -u)" -ne 0 ]; then "$@"; else setpriv --bounding-set=-dac_override,-dac_read_search --inh-caps=-all "$@"; fi
}
mkdir locked && cp "$models/ext_weights.onnx" "$models/ext_weights.data" locked/ && chmod 000 locked/ext_weights.data
if without_override true 2> /dev/null; then
  refuses 1 "Permission denied \(in locked/ext_weights\.onnx: .*ext_weights\.data\)\. Check the permissions of the file" \
    without_override assay inspect model locked/ext_weights.onnx
  says "$folder/output.txt" "write somewhere else" && fail "weights that can't be read: advice about writing"
else
  echo "skipped: root can't drop its right to read every file"
fi

mkdir -p inside && sed 's/ext_weights.data/..\/weights0.data/' "$models/ext_weights.onnx" > inside/outside.onnx
cp "$models/ext_weights.data" weights0.data
refuses 1 "outside the model's folder: '\.\./weights0\.data' .*\(in inside/outside\.onnx: tensor 'a'\)\. Keep the data" \
  assay inspect model inside/outside.onnx

# Showing the structure only needs no weights.
assay inspect model no_weights.onnx --ignore-external-data > /dev/null || fail "--ignore-external-data needs the weights"

# Pipes. The named one has no writer.
mkfifo pipe.onnx
refuses 1 "not a regular file \(in pipe\.onnx\)\. Write its content to a file first" timeout 60 assay inspect model pipe.onnx
# shellcheck disable=SC2016  # the inner bash expands $0
for command in 'inspect model <(cat "$0")' 'run "$0" --onnxrt --load-inputs <(echo "[{}]")'; do
  refuses 1 "not a regular file \(in /dev/fd/[0-9]+\)\. Write its content to a file first" \
    bash -c "assay $command" "$models/light_squeezenet.onnx"
done

# An unknown operator: the engine rejects it, other commands must not.
sed 's/Softmax/Xoftmax/' "$models/light_squeezenet.onnx" > unknown_op.onnx
refuses 1 "failed while loading the model: .*Xoftmax.*\(in ONNX Runtime\)" assay run unknown_op.onnx --onnxrt
[[ "$(nodes_of unknown_op.onnx)" == *"Op: Xoftmax"* ]] || fail "an unknown operator is not shown"

# Inputs that don't fit. Like Polygraphy, Assay only warns of wrong shapes.
refuses 0 "data_0.*\[1, 2, 3\] does not fit the model's, \[1, 3, 224, 224\]" \
  assay run "$models/light_squeezenet.onnx" --onnxrt --input-shapes "data_0:[1,2,3]"
refuses 1 "'data_0:\[a,b\]' is not a valid value \(in --val-range\)\. Give it as .*name:\[low,high\]" \
  assay run "$models/light_squeezenet.onnx" --onnxrt --val-range "data_0:[a,b]"
echo '[{"wrong": 1}]' > not_arrays.json
refuses 1 "not an array \(in not_arrays\.json: iteration 0: array 'wrong'\)\. Save the arrays by name" \
  assay run "$models/light_squeezenet.onnx" --onnxrt --load-inputs not_arrays.json
echo '[{' > broken.json
refuses 1 "not a JSON file: .*line 2, column 1.*\(in broken\.json\)\. Use a complete file that --save-inputs" \
  assay run "$models/light_squeezenet.onnx" --onnxrt --load-inputs broken.json
echo '[{}]' > no_inputs.json
refuses 1 "no data for input 'data_0'; available: nothing.*assay data merge" \
  assay run "$models/light_squeezenet.onnx" --onnxrt --load-inputs no_inputs.json
refuses 1 "there is no such file or folder \(in nowhere\.json\)\. [Cc]heck the path" \
  assay run "$models/light_squeezenet.onnx" --onnxrt --load-inputs nowhere.json

# Names that aren't in the model.
refuses 1 "no such tensor: no_such_tensor \(in --[a-z-]*outputs\)\..*assay inspect model .*lists the tensors" \
  assay run "$models/light_squeezenet.onnx" --onnxrt --onnx-outputs no_such_tensor
refuses 1 "the model has no tensor 'no_such_tensor' \(in --outputs\)\. Available: conv1_b_0" \
  assay surgeon extract "$models/light_squeezenet.onnx" -o out.onnx --outputs no_such_tensor:auto

# A library that isn't an engine.
refuses 1 "there is no ONNX Runtime at no_library\.so \(in --onnxrt-lib\)\. Give the path of a libonnxruntime\.so" \
  assay run "$models/light_squeezenet.onnx" --onnxrt --onnxrt-lib no_library.so
refuses 1 "failed while starting: cannot open the library: .*/text\.onnx: .*\(in ONNX Runtime\)" \
  assay run "$models/light_squeezenet.onnx" --onnxrt --onnxrt-lib "$PWD/text.onnx"

# Options that can't work here, and unknown words.
refuses 1 "a setting of TensorRT, which doesn't run \(in --trt-min-shapes\)\. Leave it out, or add --trt" \
  assay run "$models/light_squeezenet.onnx" --onnxrt --trt-min-shapes "x:[1]"
refuses 1 "needs TensorFlow, .*\(in --tf\)\. Leave it out" assay run "$models/light_squeezenet.onnx" --tf
refuses 1 "there is no option --no-such-option.*assay run --help" \
  assay run "$models/light_squeezenet.onnx" --onnxrt --no-such-option
refuses 1 "Did you mean --rtol" assay run "$models/light_squeezenet.onnx" --onnxrt --rtoll 1
refuses 2 "no tool 'fly'\. .assay --help. lists the tools" assay fly
refuses 2 "no tool 'insepct'\. Did you mean inspect\? .assay --help. lists the tools" assay insepct model
refuses 2 "'debug' has no subtool 'reduse'\. Did you mean reduce\? .assay debug --help" assay debug reduse
finish
