#!/bin/bash
# `assay diagnose`: missing engines, unsuitable folders, results that don't fit, damaged journals, engines that fail,
# Ctrl-C. A command line that can't work leaves no folder.
# shellcheck source=lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
model=$models/polygraphy_reduce_example.onnx
diagnose() { assay diagnose "$@"; }

refuses 1 "no engine is given.*--onnxrt" diagnose "$model"
refuses 2 "--skip" diagnose "$model" --onnxrt --skip everything
refuses 2 "--budget must be above 0" diagnose "$model" --onnxrt --budget 0
refuses 2 "--iterations must be at least 1, but is 0" diagnose "$model" --onnxrt --iterations 0
refuses 1 "cannot open: No such file or directory \(in missing\.onnx\)" diagnose missing.onnx --onnxrt
head -c 3000 "$model" > truncated.onnx
refuses 1 "truncated" diagnose truncated.onnx --onnxrt
refuses 1 "there is no such file or folder \(in nowhere\.json\)" diagnose "$model" --onnxrt --load-inputs nowhere.json
refuses 1 "there is no such file or folder \(in missing\.json\)" diagnose "$model" --onnxrt --load-outputs missing.json
refuses 1 "compared unchanged \(in --postprocess\)" diagnose "$model" --onnxrt --postprocess top-5
refuses 1 "needs TensorRT.*\(in --trt-outputs\)" diagnose "$model" --onnxrt --trt-outputs mark all
assay run "$models/light_squeezenet.onnx" --onnxrt --save-outputs other.json > /dev/null || fail "no results"
refuses 1 "no output of the model is among the saved results \(in other\.json\)" \
  diagnose "$model" --onnxrt --load-outputs other.json
assay run "$model" --onnxrt --onnxrt --save-outputs two.json > /dev/null || fail "no results of two"
refuses 1 "results of 2 runners, but only one can be compared \(in two\.json\)" \
  diagnose "$model" --onnxrt --load-outputs two.json

refuses 1 "there is no such Python module \(in .*nowhere\.py\)\. Give the path" diagnose "$model" --python nowhere.py
refuses 1 "the module is missing \(in --python\)\. Give the path" diagnose "$model" --python ""

# Folders.
touch file
refuses 1 "this isn't a folder \(in file\)" diagnose "$model" --onnxrt -o file
mkdir full && touch full/mine.txt
refuses 1 "the folder isn't empty \(in full\)\. Add --resume" diagnose "$model" --onnxrt -o full
refuses 1 "no diagnosis that could be resumed \(in full\)" diagnose "$model" --onnxrt -o full --resume
mkdir damaged && echo '{"version": 1' > damaged/diagnosis.json
refuses 1 "journal of the diagnosis is damaged: .* \(in damaged/diagnosis\.json\)" \
  diagnose "$model" --onnxrt -o damaged --resume

# A healthy model; its journal belongs to this model and these options.
few=(--skip repeat finite compare)
diagnose "$model" --onnxrt -o good "${few[@]}" > log.txt || fail "a healthy model: $(tail -n 5 log.txt)"
diagnose "$model" --onnxrt -o good "${few[@]}" --resume > log.txt || fail "--resume: $(tail -n 5 log.txt)"
refuses 1 "the diagnosis of another model, or with other options \(in good\)" \
  diagnose "$model" --onnxrt -o good --atol 0.5 --resume
refuses 1 "the diagnosis of another model, or with other options \(in good\)" \
  diagnose "$models/light_squeezenet.onnx" --onnxrt -o good --resume
echo '<ir_version: 10, opset_import: ["" : 20]> g (float[n] x) => (float[n] y) { y = Neg(x) }' > sizes.onnxtxt
diagnose sizes.onnxtxt --onnxrt -o sizes "${few[@]}" --input-shapes x:[4] > log.txt || fail "sizes: $(tail -n 5 log.txt)"
refuses 1 "the diagnosis of another model, or with other options \(in sizes\)" \
  diagnose sizes.onnxtxt --onnxrt -o sizes "${few[@]}" --input-shapes x:[8] --resume
assay run sizes.onnxtxt --onnxrt --input-shapes x:[4] --save-inputs values.json > /dev/null || fail "no inputs"
diagnose sizes.onnxtxt --onnxrt -o values "${few[@]}" --load-inputs values.json > log.txt || fail "values: $(tail -n 5 log.txt)"
diagnose sizes.onnxtxt --onnxrt -o values "${few[@]}" --load-inputs values.json --resume > log.txt || fail "$(tail -n 5 log.txt)"
assay run sizes.onnxtxt --onnxrt --input-shapes x:[4] --seed 5 --save-inputs values.json > /dev/null || fail "no inputs"
refuses 1 "the diagnosis of another model, or with other options \(in values\)" \
  diagnose sizes.onnxtxt --onnxrt -o values "${few[@]}" --load-inputs values.json --resume
golden=("${few[@]}" --input-shapes x:[4] --load-outputs golden.json)
assay run sizes.onnxtxt --onnxrt --input-shapes x:[4] --save-outputs golden.json > /dev/null || fail "no golden outputs"
diagnose sizes.onnxtxt --onnxrt -o golden "${golden[@]}" > log.txt || fail "golden: $(tail -n 5 log.txt)"
diagnose sizes.onnxtxt --onnxrt -o golden "${golden[@]}" --resume > log.txt || fail "golden: $(tail -n 5 log.txt)"
assay run sizes.onnxtxt --onnxrt --input-shapes x:[4] --seed 5 --save-outputs golden.json > /dev/null || fail "no golden outputs"
refuses 1 "the diagnosis of another model, or with other options \(in golden\)" \
  diagnose sizes.onnxtxt --onnxrt -o golden "${golden[@]}" --resume
diagnose "$model" --onnxrt -o json "${few[@]}" --format json 2> /dev/null | grep '"outcome": "healthy"' > /dev/null ||
  fail "no JSON"

# Without the reference evaluator, the verdict says what wasn't measured.
if has_numpy; then
  mkdir hide && echo 'raise ImportError("hidden")' > hide/onnx.py
  assay run "$model" --onnxrt --seed 2 --save-outputs wrong.json > /dev/null || fail "no results of other inputs"
  PYTHONPATH=$PWD/hide diagnose "$model" --onnxrt --load-outputs wrong.json -o floorless --skip settings locate reduce > log.txt
  says log.txt "Not measured: how much of the difference rounding explains, since the reference evaluator needs the package onnx.*pip install onnx" ||
    fail "no noise floor: $(tail -n 5 log.txt)"
  # If it doesn't run the model, the reason has no Python stack.
  mkdir lame && cat > lame/sitecustomize.py << 'PYTHON'
import onnx.reference

def refuse(model, **options):
    raise RuntimeError("an operator is missing")

onnx.reference.ReferenceEvaluator = refuse
PYTHON
  PYTHONPATH=$PWD/lame diagnose "$model" --onnxrt --load-outputs wrong.json -o lamed --skip settings locate reduce > log.txt
  says log.txt "Not measured: .*since the reference evaluator.*an operator is missing" ||
    fail "no noise floor: $(tail -n 5 log.txt)"
  if says log.txt "File \"|\.py:[0-9]+, in "; then fail "a stack: $(tail -n 9 log.txt)"; fi
fi

# A budget that is too small for an answer is no good news.
diagnose "$model" --onnxrt -o hurried --budget 0.001 > log.txt
[ $? -eq 3 ] || fail "a budget of 1 ms: $(tail -n 5 log.txt)"
says log.txt "Don't know: the budget ended before the outputs were compared" || fail "a budget of 1 ms says: $(cat log.txt)"
says log.txt "continue with more time: .* -o hurried --resume --budget 0\.005" || fail "a budget of 1 ms: no next command: $(cat log.txt)"

# An engine that doesn't run the model, and one that hangs until Ctrl-C.
sed 's/Softmax/Xoftmax/' "$models/light_squeezenet.onnx" > unknown_op.onnx
diagnose unknown_op.onnx --onnxrt -o unknown --report unknown.html > log.txt
[ $? -eq 1 ] || fail "an unknown operator: $(tail -n 5 log.txt)"
says log.txt "doesn't run the model.*the smallest failing model has 1 node" || fail "unknown operator: $(cat log.txt)"
for part in '<th[^>]*>Memory (MB)' '<section id="reduction"' '<th[^>]*>Nodes removed'; do
  grep -q "$part" unknown.html || fail "the report lacks $part"
done
# A full disk: it ends before the first step, since later ones need the inputs.
if mount_small 64k small; then
  diagnose unknown_op.onnx --onnxrt -o small/unknown > log.txt 2>&1
  [ $? -eq 1 ] || fail "a full disk: $(tail -n 5 log.txt)"
  says log.txt "cannot write: No space left on device \(in small/unknown/inputs\.json\)\. Free some space on that disk" ||
    fail "a full disk: $(cat log.txt)"
  says log.txt "What are the inputs" && fail "a full disk doesn't end the diagnosis: $(cat log.txt)"
fi
if has_numpy; then
  cat > hang.py <<'MODULE'
import pathlib, signal
def load(path): return 0
def infer(model, feeds):
    pathlib.Path("ready").touch()
    while True:
        signal.pause()
MODULE
  interrupt assay diagnose "$model" --python hang.py -o hung --report hung.html
  [ "$status" -eq 130 ] || fail "Ctrl-C: exit status $status: $(tail -n 3 log.txt)"
  grep -q '"name": "model"' hung/diagnosis.json || fail "Ctrl-C: the journal lacks finished steps"
  grep -q '"name": "run"' hung/diagnosis.json && fail "Ctrl-C: the journal has the step that was interrupted"
  grep -q 'Stopped after 2 of 10 steps; --resume continues' hung.html || fail "Ctrl-C: no report so far"
  grep -q 'Is the model valid?' hung.html || fail "Ctrl-C: the report lacks finished steps"
  if python3 -c 'import onnx.reference' 2> /dev/null; then
    diagnose "$model" --reference -o reference "${few[@]}" > log.txt || fail "--reference: $(tail -n 5 log.txt)"
  fi
  # A module that can't be imported says nothing about the model.
  echo 'raise RuntimeError("boom")' > broken.py
  diagnose "$model" --python broken.py -o broken > log.txt
  [ $? -eq 1 ] || fail "a broken module: $(tail -n 5 log.txt)"
  says log.txt "The Python engine broken\.py doesn't start \(.*boom" || fail "a broken module says: $(cat log.txt)"
  [ ! -e broken/minimal.onnx ] || fail "a broken module: the model is reduced"
fi
finish
