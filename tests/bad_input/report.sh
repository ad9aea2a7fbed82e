#!/bin/bash
# Reports that can't be written, and reports of commands that end early: never half a file, never a lost one.
# shellcheck source=lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
model=$models/light_squeezenet.onnx
other=$models/mnist_quantized.onnx
mkdir folder
assay run "$model" --onnxrt --onnxrt --compare l2 --save-accuracy-results accuracy.json > log.txt || fail "no results: $(tail -n 2 log.txt)"

commands=("inspect model $model" "diff $model $other" "check accuracy accuracy.json" "run $model --onnxrt --onnxrt"
  "debug locate $model --onnxrt --onnxrt")

# A path that can't be written is refused before the work: nothing is run or printed.
for command in "${commands[@]}"; do
  # shellcheck disable=SC2086
  refuses 1 "cannot write: it is a folder \(in folder\).*The option that names the file is --report" assay $command --report folder
  grep -qE "Comparing|Run 1|Inputs" "$folder/output.txt" && fail "$command works before it refuses: $(head -c 300 "$folder/output.txt")"
done
refuses 1 "it is a folder \(in folder\).*--report" assay debug reduce "$model" -o out.onnx --report folder --check false

# A full disk is found when the page is written. What was there before stays, and what was found is printed all the same.
findings=(. "The models differ" . "agree" "NO DIFFERENCE")
for i in "${!commands[@]}"; do
  # shellcheck disable=SC2086
  refuses 1 "No space left on device \(in /dev/full\).*--report" assay ${commands[i]} --report /dev/full
  grep -q "${findings[i]}" "$folder/output.txt" || fail "${commands[i]} doesn't print what it found"
done
assay debug reduce "$model" -o full.onnx --report /dev/full --check false > log.txt 2>&1 && fail "reduce can't write its report"
grep -q "No space left on device (in /dev/full).*--report" log.txt || fail "reduce doesn't say what it couldn't write"
grep -q "Reduced 105 nodes to 1" log.txt || fail "reduce doesn't print what it found"
[ -e full.onnx.journal ] || fail "the journal is removed, although the command failed"
assay debug reduce "$model" -o /dev/full --check false > log.txt 2>&1 && fail "reduce can't save its result"
grep -q "Reduced 105 nodes to 1" log.txt || fail "reduce doesn't print what it couldn't save"

if make_readonly readonly; then
  refuses 1 "cannot write: (Read-only file system|Permission denied) \(in readonly/r\.html\)" \
    assay inspect model "$model" --report readonly/r.html
fi

# Messages name the spelling that the user gave.
refuses 1 "it is a folder \(in folder\).*The option that names the file is --save-visual" \
  assay inspect model "$model" --save-visual folder

# Files that are read, or written by another option, must not be overwritten.
cp "$model" mine.onnx
refuses 1 "--report would write to what the model reads \(in \./mine\.onnx\)" assay inspect model mine.onnx --report ./mine.onnx
refuses 1 "--report would write to what the second model reads" assay diff "$model" mine.onnx --report mine.onnx
refuses 1 "--report would write to what the file of results reads" assay check accuracy accuracy.json --report accuracy.json
refuses 1 "--save-outputs and --report would write to the same place" \
  assay run "$model" --onnxrt --save-outputs both --report both
refuses 1 "-o and --report would write to the same place" assay debug reduce "$model" -o both --report both --check false
refuses 1 "there is nothing to report because no engine runs" assay run "$model" --report r.html
refuses 1 "there is nothing to report because no engine runs" assay run "$model" --format json
cmp -s "$model" mine.onnx || fail "the model is overwritten"

# A command that ends with exit status 1 writes its report.
assay diff "$model" "$other" --report diff.html > log.txt && fail "different models are equal"
grep -q "The models differ" diff.html || fail "no verdict in the report of diff"
assay debug reduce "$model" -o out.onnx --report passes.html --check true > log.txt && fail "a model that passes is reduced"
grep -q "Not decided" passes.html || fail "the report of a reduction without a failure claims a problem"
cp "$source/tests/models/README.md" text.onnx
assay run text.onnx --onnxrt --report engine.html > log.txt && fail "a text is run"
grep -q "<" engine.html || fail "no report of an engine that fails"

# Ctrl-C: the report has the best so far, and says so.
cat > fail_once.sh <<'CHECK'
#!/bin/bash
[ -e first ] || { touch first; exit 1; }
echo $$ > ready
while :; do read -rt 1 <> <(:) || true; done
CHECK
chmod +x fail_once.sh
interrupt assay debug reduce "$model" -o reduced.onnx --mode bisect --report stopped.html --repro bug --check ./fail_once.sh
[ "$status" -eq 130 ] || fail "reduce: exit status $status: $(tail -n 3 log.txt)"
[ ! -e bug ] || fail "the folder for the bug report is there already, so the command that resumes is refused"
grep -q "Stopped early: the smallest failing model so far has" stopped.html || fail "the report doesn't say that it was stopped"
[ -z "$(find . -name '.*.assay-*')" ] || fail "a temporary file is left"
finish
