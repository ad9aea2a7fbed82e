#!/bin/bash
# `assay debug locate`: missing sides or too many, results that don't fit, engines that fail during a run, Ctrl-C.
# shellcheck source=lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
model=$models/polygraphy_reduce_example.onnx
locate() { assay debug locate "$@"; }

refuses 1 "no engine is given.*--onnxrt" locate "$model"
refuses 1 "a single engine has nothing to be compared with" locate "$model" --onnxrt
refuses 1 "3 sides are given" locate "$model" --onnxrt --onnxrt --onnxrt
refuses 1 "cannot open: No such file or directory \(in missing\.onnx\)\. Check the path" \
  locate missing.onnx --onnxrt --onnxrt
refuses 1 "cannot open: No such file or directory \(in missing\.onnx\)\. Check the path" \
  locate "$model" --onnxrt --against missing.onnx
refuses 1 "there is no such file or folder \(in missing\.json\)\. [Cc]heck the path" \
  locate "$model" --onnxrt --load-outputs missing.json
refuses 2 "--against can't be combined with --load-outputs|--load-outputs can't be combined with --against" \
  locate "$model" --onnxrt --against "$model" --load-outputs x.json
refuses 1 "a second engine would be a third side.*--fp16" locate "$model" --onnxrt --onnxrt --fp16
refuses 1 "--against would be a third side.*--fp16" locate "$model" --onnxrt --fp16 --against "$model"
refuses 1 "--load-outputs would be a third side.*--fp16" locate "$model" --onnxrt --fp16 --load-outputs golden.json
refuses 1 "no engine is given.*--fp16" locate "$model" --fp16
refuses 1 "no saved piece whose inputs could be saved \(in --save-inputs\)\. Add -o FILE" \
  locate "$model" --onnxrt --onnxrt --save-inputs in.json
refuses 2 "--iterations must be at least 1, but is 0" locate "$model" --onnxrt --onnxrt --iterations 0
refuses 2 "--memory-budget must be a size above 0, such as 512M or 4G, but is lots" \
  locate "$model" --onnxrt --onnxrt --memory-budget lots
refuses 2 "--engine-memory must be a size above 0, such as 512M or 4G, but is lots" \
  locate "$model" --onnxrt --onnxrt --engine-memory lots
refuses 2 "--engine-memory must be a size above 0, such as 512M or 4G, but is 0" \
  locate "$model" --onnxrt --onnxrt --engine-memory 0
refuses 1 "compared unchanged \(in --postprocess\)\. Leave it out" \
  locate "$model" --onnxrt --onnxrt --postprocess top-5
refuses 1 "needs TensorRT.*\(in --trt-outputs\)\. Leave it out" locate "$model" --onnxrt --trt-outputs mark all
refuses 1 "without its weights \(in --ignore-external-data\)\. Leave it out" \
  locate "$model" --onnxrt --onnxrt --ignore-external-data
refuses 1 "no output of the model is an output of the other one" \
  locate "$model" --onnxrt --against "$models/light_squeezenet.onnx"
refuses 1 "there is no such file or folder \(in nowhere\.json\)\. [Cc]heck the path" \
  locate "$model" --onnxrt --onnxrt --load-inputs nowhere.json

# Files next to the piece, which an earlier run may have written.
assay run "$model" --onnxrt --save-inputs piece_inputs.json --save-outputs piece_golden.json > /dev/null || fail "no inputs"
cp "$model" piece_against.onnx
refuses 1 "-o would write to what --load-inputs reads \(in piece_inputs\.json\)\. Save to another file" \
  locate "$model" --onnxrt --openvino --load-inputs piece_inputs.json -o piece.onnx
refuses 1 "-o would write to what --load-outputs reads \(in piece_golden\.json\)\. Save to another file" \
  locate "$model" --onnxrt --load-outputs piece_golden.json -o piece.onnx
refuses 1 "-o would write to what --against reads \(in piece_against\.onnx\)\. Save to another file" \
  locate "$model" --onnxrt --against piece_against.onnx -o piece.onnx
locate piece_against.onnx --onnxrt --onnxrt --load-inputs piece_inputs.json --save-inputs in.json -o piece.onnx \
  > log.txt || fail "files that aren't written: $(tail -n 3 log.txt)"

# Saved results of other models, and of several runners.
assay run "$models/light_squeezenet.onnx" --onnxrt --save-outputs other.json > /dev/null || fail "no results"
refuses 1 "no output of the model is among the saved results \(in other\.json\)" locate "$model" --onnxrt --load-outputs other.json
assay run "$model" --onnxrt --onnxrt --save-outputs two.json > /dev/null || fail "no results of two"
refuses 1 "results of 2 runners, but only one can be compared \(in two\.json\)\. Save the results of one runner" \
  locate "$model" --onnxrt --load-outputs two.json
echo '{"lst": [], "polygraphy_class": "RunResults"}' > none.json
mkdir empty
for command in run "debug locate"; do
  # shellcheck disable=SC2086 # the words of the command
  refuses 1 "there are no results to compare with \(in none\.json\)\. Use a file that --save-outputs wrote" \
    assay $command "$model" --onnxrt --load-outputs none.json
  # shellcheck disable=SC2086
  refuses 1 "no \.json or \.npz files and no data sets of ONNX \(in empty\)\. Use a folder that --save-inputs or --save-outputs wrote" \
    assay $command "$model" --onnxrt --load-outputs empty
done
echo '[{"not": "results"}]' > inputs.json
refuses 1 "not a file of outputs \(in inputs\.json\)\. [Uu]se a file that --save-outputs wrote" \
  locate "$model" --onnxrt --load-outputs inputs.json

# Unwritable outputs, which are reported before any engine runs.
if make_readonly readonly; then
  refuses 1 "cannot write: (Read-only file system|Permission denied) \(in readonly/piece\.onnx\)\. Check the permissions" \
    locate "$model" --onnxrt --onnxrt -o readonly/piece.onnx
fi
touch file
refuses 1 "Not a directory \(in file.*\)\. Check the path" locate "$model" --onnxrt --onnxrt -o file/piece.onnx

# Sides that agree.
locate "$model" --onnxrt --onnxrt > log.txt || fail "two equal engines: $(tail -n 3 log.txt)"
grep -q "NO DIFFERENCE" log.txt || fail "equal engines: $(cat log.txt)"
locate "$model" --onnxrt --onnxrt --format json 2> /dev/null | grep '"verdict": "agree"' > /dev/null || fail "no JSON"

# An engine that fails: immediately, or only if many tensors are marked, which must not end the search.
sed 's/Softmax/Xoftmax/' "$models/light_squeezenet.onnx" > unknown_op.onnx
refuses 1 "failed while loading the model: .*Xoftmax.*\(in onnxrt N0\)" locate unknown_op.onnx --onnxrt --onnxrt
refuses 1 "failed while loading the model: .*Xoftmax.*\(in onnxrt N0 in float16\)" \
  locate unknown_op.onnx --onnxrt --fp16
if has_numpy; then
  printf 'import os\ndef load(path): os.abort()\ndef infer(model, feeds): return {}\n' > crash.py
  refuses 1 "the engine crashed with signal 6 \(Aborted\).*\(in crash N0\)" \
    locate "$model" --python crash.py --onnxrt -o piece.onnx
  printf 'def load(path): return 0\ndef infer(model, feeds): raise ValueError("no answer today")\n' > raise.py
  refuses 1 "infer\(\) of raise\.py failed: ValueError: no answer today.*raise\.py:2, .*\(in raise N0\)" \
    locate "$model" --python raise.py --onnxrt -o piece.onnx
  cat > hang.py <<'MODULE'
import pathlib, signal
def load(path): return 0
def infer(model, feeds):
    pathlib.Path("ready").touch()
    while True:
        signal.pause()
MODULE
  touch ready
  refuses 1 "the engine did not end within 2 s \(in hang N0\)" \
    locate "$model" --python hang.py --onnxrt -o piece.onnx --engine-timeout 2
  interrupt assay debug locate "$model" --python hang.py --onnxrt -o piece.onnx
  [ "$status" -eq 130 ] || fail "Ctrl-C: exit status $status: $(tail -n 3 log.txt)"
  [ -e piece.onnx ] && fail "a piece is left"
fi
finish
