#!/bin/bash
# `assay debug reduce` with the default mode, minimal: user errors, and full or read-only disks.
# shellcheck source=lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
model=$models/light_squeezenet.onnx
# shellcheck disable=SC2016  # expanded by the check
printf 'grep -q Softmax "$1" || exit 0\necho "NOT_IMPLEMENTED: Softmax"\nexit 1\n' > softmax.sh
reduce() { assay debug reduce "$model" "$@"; }

# Replay files, which Polygraphy always leaves, go elsewhere, so that no other file may be left.
replay=(--save-debug-replay "$folder/replay/replay.json")

refuses 1 "does not fail the check \(in .*light_squeezenet\.onnx\)\. Run the check on it by hand" \
  reduce -o out.onnx "${replay[@]}" --check true
refuses 1 "there is no program '\./no_such_check\.sh'.*\. Check the path" \
  reduce -o out.onnx "${replay[@]}" --check ./no_such_check.sh
refuses 1 "the command is missing \(in --check\)\. Put the command" reduce -o out.onnx "${replay[@]}" --check
refuses 1 "there is no file for the result \(in -o, --min-good\)\. Give -o FILE" reduce "${replay[@]}" --check false
refuses 1 "Put -o before --check: all words after --check" reduce "${replay[@]}" --check false -o small.onnx
refuses 1 "cannot open: No such file or directory \(in missing\.onnx\)\. Check the path" \
  assay debug reduce missing.onnx -o out.onnx --check false
echo '{"_N0_outputs": {}}' > replay.json
refuses 1 "not a debug replay: key 'iteration_info' not found \(in replay\.json\)\. Name a file" \
  reduce -o out.onnx --load-debug-replay replay.json "${replay[@]}" --check false
rm replay.json
refuses 1 "The check ended \(exit status 1\), but the options don't count that as the failure\. Run the check" \
  reduce -o out.onnx --fail-code 3 "${replay[@]}" --check false
refuses 1 "The check's output ends with \"two\" \(exit status 0 without a match of --fail-regex\)\. In a pattern, \^ and .* after \(\?m\)" \
  reduce -o out.onnx --fail-regex '^two' "${replay[@]}" --check sh -c 'echo one; echo two'
refuses 1 "The check can't judge it: exit status 125\. Run the check" reduce -o out.onnx "${replay[@]}" --check sh -c 'exit 125'
refuses 1 "The check can't judge it: exit status 125\. Its output ends with \"no kernel\"" \
  reduce -o out.onnx "${replay[@]}" --check sh -c 'echo first; echo no kernel; exit 125'
refuses 1 "the model has no input tensor 'zz' \(in --model-input-shapes\)\. Its inputs are: " \
  reduce -o out.onnx --model-input-shapes 'zz:[1]' "${replay[@]}" --check true
head -c 10000 "$model" > truncated.onnx
refuses 1 "cut off: it ends, after 10000 bytes, .*\(in truncated\.onnx\)\. Copy or download it again" \
  assay debug reduce truncated.onnx -o out.onnx --check false
rm truncated.onnx
touch polygraphy_debug.onnx
refuses 1 "exists already .*\(in polygraphy_debug\.onnx\)\. Remove it, or name another with --iter-artifact" \
  reduce -o out.onnx "${replay[@]}" --check false
rm polygraphy_debug.onnx
mkdir folder
refuses 1 "cannot write: it is a folder \(in folder\)\. Give the name of a file" reduce -o folder "${replay[@]}" --check false

# Saving must not overwrite files that are read or other outputs.
refuses 1 "-o and --iter-artifact would write to the same place \(in .*polygraphy_debug\.onnx\)" \
  reduce -o ./polygraphy_debug.onnx --mode bisect "${replay[@]}" --check false
refuses 1 "-o and --min-good would write to the same place" reduce -o out.onnx --min-good out.onnx "${replay[@]}" --check false
cp "$model" copy.onnx
refuses 1 "-o would write to what the model reads \(in copy\.onnx\)\. Save to another file" \
  assay debug reduce copy.onnx -o copy.onnx "${replay[@]}" --check false
cmp -s copy.onnx "$model" || fail "the model is gone"
rm copy.onnx
refuses 1 "--fail-ratio needs --repeat greater than 1 \(in --fail-ratio\)\. Set --repeat" \
  reduce -o out.onnx --fail-ratio 0.5 "${replay[@]}" --check false
refuses 2 "--memory-budget must be a size above 0, such as 512M or 4G, but is 0" \
  reduce -o out.onnx --memory-budget 0 "${replay[@]}" --check false
refuses 1 "not a regular expression: missing closing parenthesis at position 4 \(in --fail-regex: \(end\). Correct" \
  reduce -o out.onnx --fail-regex '(end' "${replay[@]}" --check false
refuses 1 "takes too many steps \(in --fail-regex: \^\(x\+x\+\)\+y\). Write it without repetitions" \
  reduce -o out.onnx --fail-regex '^(x+x+)+y' "${replay[@]}" --check sh -c 'printf "%0100d\n%s" 0 "zy" | tr 0 x'

# A corrected check runs again although its name is the same.
echo 'exit 0' > mended.sh
refuses 1 "does not fail the check \(in .*light_squeezenet\.onnx\)\. Run the check on it by hand" \
  reduce -o out.onnx "${replay[@]}" --check sh mended.sh '{model}'
echo 'exit 0' > plain  # the name needs no extension
refuses 1 "does not fail the check" reduce -o out.onnx "${replay[@]}" --check sh plain '{model}'
cp softmax.sh plain
reduce -o out.onnx "${replay[@]}" --check sh plain '{model}' > log.txt 2>&1 || fail "a mended check of no ending: $(tail -n 3 log.txt)"
rm out.onnx plain
cp softmax.sh mended.sh
reduce -o out.onnx "${replay[@]}" --check sh mended.sh '{model}' > log.txt 2>&1 || fail "a mended check: $(tail -n 3 log.txt)"
[[ "$(nodes_of out.onnx)" == *"Op: Softmax]" ]] || fail "not the one Softmax is left, but: $(cat nodes.txt)"
rm out.onnx

# With --format json, standard output is one JSON document, whatever the check prints; errors are JSON, too.
reduce -o out.onnx --format json "${replay[@]}" --check sh softmax.sh '{model}' > out.json 2> log.txt || fail "no JSON: $(tail -n 3 log.txt)"
python3 - << 'END' || fail "the JSON of a reduction: $(head -n 20 out.json)"
import json
result = json.load(open("out.json"))
assert result["is_minimal"] and result["end"] == "minimal", result
assert result["nodes_after"] == 1 and result["nodes"][0].startswith("Softmax "), result
assert "NOT_IMPLEMENTED" in result["failure"] and result["files"]["model"] == "out.onnx", result
END
rm out.onnx
reduce -o out.onnx --format json "${replay[@]}" --check true > out.json 2> log.txt && fail "a passing check is no failure with --format json"
grep -q '"kind":"invalid_input"\|"kind": "invalid_input"' out.json || fail "the error isn't JSON: $(cat out.json)"
refuses 1 "questions to a person would be mixed with the JSON \(in --format json\)\. Name a command" \
  reduce -o out.onnx --format json "${replay[@]}"
rm out.json log.txt

# A file that isn't a journal belongs to the user, whatever its name.
echo "my diary" > out.onnx.journal
refuses 1 "not a journal of verdicts, or is damaged \(in out\.onnx\.journal\)\. Name another file" \
  reduce -o out.onnx "${replay[@]}" --check false
refuses 1 "not a journal of verdicts, or is damaged \(in out\.onnx\.journal\)\. Name another file" \
  reduce -o other.onnx --journal out.onnx.journal "${replay[@]}" --check false
[ "$(cat out.onnx.journal)" = "my diary" ] || fail "a file that is no journal is written over"
rm out.onnx.journal
refuses 1 "cannot open the journal of verdicts: it is a folder \(in folder\)\. Name another file for the journal" \
  reduce -o out.onnx --journal folder "${replay[@]}" --check false

# Missing folders are created.
reduce -o new/er/out.onnx --max-checks 2 "${replay[@]}" --check sh softmax.sh '{model}' > log.txt || fail "no folder is made: $(tail -n 3 log.txt)"
[ -s new/er/out.onnx ] || fail "nothing in the folder that was made"
rm -r new

# A limit on file size acts like a full disk: first for the journal, then for candidates, then in the middle of the
# journal, whose complete part is used once there is space again.
refuses 1 "cannot open the journal of verdicts: disk I/O error \(in out\.onnx\.journal\)\. Check the disk and the limit on the size of files" \
  full 4 assay debug reduce "$model" -o out.onnx "${replay[@]}" \
  --check sh softmax.sh '{model}'
full 30 assay debug reduce "$model" -o out.onnx --iter-weights external "${replay[@]}" --check sh softmax.sh '{model}' > log.txt 2>&1 &&
  fail "a full disk is not noticed"
says log.txt "cannot write .*: .*\(in (out\.onnx\.journal|polygraphy_debug.*)\)" ||
  fail "a full disk: $(tail -n 3 log.txt)"
[ -s out.onnx ] || fail "a full disk: the best so far is lost"
compgen -G 'polygraphy_debug*' > /dev/null && fail "a full disk: candidates are left: $(ls -A)"
reduce -o out.onnx --iter-weights external "${replay[@]}" --check sh softmax.sh '{model}' > log.txt 2>&1 || fail "space again: $(tail -n 3 log.txt)"
[ -e out.onnx.journal ] && fail "space again: the journal is left"
rm -f out.onnx

# Real disks.
if mount_small 16k disk; then
  refuses 1 "disk is full \(in disk/out\.onnx\.journal\)\. Free some space on that disk" \
    reduce -o disk/out.onnx "${replay[@]}" --check sh softmax.sh '{model}'
  umount disk
fi
if mount_small 12k disk; then
  refuses 1 "cannot write: No space left on device \(in disk/it\.onnx\)\. Free some space on that disk" \
    reduce -o out.onnx --iter-artifact disk/it.onnx "${replay[@]}" \
    --check sh softmax.sh disk/it.onnx
  umount disk
fi
if make_readonly disk; then
  why="(Read-only file system|Permission denied)"
  refuses 1 "cannot write: $why \(in disk/out\.onnx\)\. Check the permissions" \
    reduce -o disk/out.onnx "${replay[@]}" --check false
  refuses 1 "cannot open the journal of verdicts: .*$why.*\(in disk/verdicts\)\. Check the permissions of the file" \
    reduce -o out.onnx --journal disk/verdicts "${replay[@]}" --check false
  refuses 1 "cannot write: $why \(in disk/it\.onnx\)\. Check the permissions.*--iter-artifact" \
    reduce -o out.onnx --iter-artifact disk/it.onnx "${replay[@]}" --check false
  refuses 1 "cannot write: $why \(in disk/replay\.json\)\. Check the permissions.*--save-debug-replay" \
    reduce -o out.onnx --save-debug-replay disk/replay.json --check false
fi
finish
