#!/bin/bash
# An engine with a separate converter program: converter_engine.py, with a fake converter and a fake engine.
#   examples/converter_engine.sh
#
# The fake converter writes its own format, rejects Atan, and converts Sigmoid wrongly. The fake engine lacks int64. `assay
# debug locate` has to find the Sigmoid nevertheless. Needs a Python with NumPy and onnx ($ASSAY_TEST_PYTHON, else
# python3); without one, the exit status is 77.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
command -v assay > /dev/null || { echo "error: assay is not on PATH; build it with make, then add build/release/bin"; exit 1; }
python=${ASSAY_TEST_PYTHON:-python3}
"$python" -c 'import numpy, onnx.reference' 2> /dev/null || { echo "skipped: $python lacks NumPy or onnx"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > model.py << 'MODEL'
import onnx
onnx.save(onnx.parser.parse_model('''<ir_version: 8, opset_import: ["" : 17]>
  g (float[4, 6] x) => (float[4] y) <int64 two = {2}> {
    e = Exp(x)  s = Sigmoid(e)  i = ArgMax <axis = 1, keepdims = 0> (s)  j = Mul(i, two)
    c = Cast <to = 1> (j)  m = ReduceMax <axes = [1], keepdims = 0> (s)  y = Add(c, m) }'''), "model.onnx")
MODEL
cat > convert.py << 'CONVERT'
import sys
import onnx
model = onnx.load(sys.argv[1])
for node in list(model.graph.node):
    if node.op_type == "Atan":
        sys.exit("convert: Atan is not supported")
    if node.op_type == "Sigmoid":
        node.op_type = "HardSigmoid"  # the error
open(sys.argv[2], "wb").write(b"FAKE" + model.SerializeToString())
CONVERT
cat > run.py << 'RUN'
import sys
import numpy
import onnx
import onnx.reference
data = open(sys.argv[1], "rb").read()
assert data[:4] == b"FAKE"
model = onnx.load_model_from_string(data[4:])
types = {value.name: onnx.helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type) for value in model.graph.input}
feeds = numpy.load(sys.argv[2])
assert all(feeds[name].dtype != numpy.int64 for name in feeds), "this engine has no int64"
evaluator = onnx.reference.ReferenceEvaluator(model)
values = evaluator.run(None, {name: feeds[name].astype(types[name]) for name in feeds})
values = [value.astype(numpy.int32) if value.dtype == numpy.int64 else value for value in values]
numpy.savez(sys.argv[3], **dict(zip(evaluator.output_names, values)))
RUN
"$python" model.py
export CONVERT="$python $folder/convert.py {model} {converted}" RUN="$python $folder/run.py {converted} {inputs} {outputs}"

echo "== Where do they diverge? (exit status 1: they do)"
status=0
assay debug locate model.onnx --python "$here/converter_engine.py" --python-interpreter "$python" --onnxrt -o piece.onnx \
  > locate.txt 2>&1 || status=$?
cat locate.txt
[ "$status" -eq 1 ] || { echo "error: exit status $status"; exit 1; }
grep -q "FIRST DIFFERENCE: tensor 's'" locate.txt || { echo "error: the Sigmoid is not named"; exit 1; }
[ "$(grep -c "returns int32 for" locate.txt)" -eq 1 ] || { echo "error: not one warning about int32"; exit 1; }

echo "== The message if the converter's program is missing"
status=0
CONVERT=missing-converter assay run model.onnx --python "$here/converter_engine.py" --python-interpreter "$python" > run.txt 2>&1 || status=$?
grep "there is no program missing-converter. Set CONVERT and RUN" run.txt || { cat run.txt; echo "error: the program is not named"; exit 1; }
[ "$status" -eq 1 ] || { echo "error: exit status $status"; exit 1; }

echo "== The converter's message for a model that it rejects"
sed -i 's/Sigmoid(e)/Atan(e)/' model.py && "$python" model.py
status=0
assay run model.onnx --python "$here/converter_engine.py" --python-interpreter "$python" > run.txt 2>&1 || status=$?
grep "Atan is not supported" run.txt || { cat run.txt; echo "error: the converter's message is lost"; exit 1; }
[ "$status" -eq 1 ] || { echo "error: exit status $status"; exit 1; }
