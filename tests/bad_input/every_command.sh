#!/bin/bash
# Every command that reads a model, given each kind of model that can't be loaded or that contradicts itself, and each
# kind of place that can't be written. The other scripts test what single commands say; this one leaves out no command.
# shellcheck source=lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
good=$models/light_squeezenet.onnx
mkdir plugins

# MODEL and OUT stand for files.
readers=(
  "diff MODEL $good"
  "diff $good MODEL"
  "inspect model MODEL"
  "inspect sparsity MODEL"
  "plugin list MODEL --plugin-dir plugins"
  "debug optimizers MODEL --onnxrt"
)
writers=(
  "run MODEL --onnxrt --save-outputs OUT"
  "run MODEL --onnxrt --save-inputs OUT"
  "convert MODEL -o OUT --convert-to onnx"
  "convert MODEL -o OUT --convert-to onnx --fp-to-fp16"
  "surgeon extract MODEL -o OUT --inputs r0:auto:auto"
  "surgeon sanitize MODEL -o OUT --cleanup"
  "surgeon sanitize MODEL -o OUT --fold-constants"
  "surgeon sanitize MODEL -o OUT --remove-no-ops --merge-duplicates"
  "surgeon insert MODEL -o OUT --op Identity --inputs r0 --outputs r0"
  "surgeon prune MODEL -o OUT"
  "surgeon weight-strip MODEL -o OUT"
  "surgeon weight-reconstruct MODEL -o OUT"
  "template onnx-gs MODEL -o OUT"
  "template shard-hints MODEL -o OUT"
  "template trt-network MODEL -o OUT --trt-outputs r0"
  "template trt-config MODEL -o OUT --calibration-cache c --load-timing-cache t --preview-features --quantization-flags"
  "multi-device shard MODEL -o OUT --one-shot --gpus 2"
  "plugin match MODEL --plugin-dir plugins -o OUT"
  "plugin autotune MODEL --plugin-dir plugins -o OUT"
  "debug reduce MODEL -o OUT --mode bisect --check false"
  "debug reduce MODEL -o OUT --check false"
  "debug locate MODEL --onnxrt=a --onnxrt=b:threads=1 -o OUT"
  "debug precision MODEL --onnxrt -o OUT --rtol 1 --atol 1"
)
# A model that can't be loaded isn't an error of these: they report it (lint.sh, blame.sh, diagnose.sh), read other files, or need
# TensorRT.
others=("diagnose" "check lint" "debug build" "debug versions" "debug repeat" "check accuracy" "data merge" "data concat"
  "inspect data" "inspect capability" "inspect tactics" "inspect diff-tactics" "plugin replace")

# A new command has to be added to one of the lists.
known=$'\n'$(printf '%s \n' "${readers[@]}" "${writers[@]}" "${others[@]}")
rows_of_help() { sed -n "/^$1:/,/^\$/s/^  \([a-z][a-z-]*\) .*/\1/p"; }
count=0
for tool in $(assay --help | rows_of_help Tools); do
  nouns=$(assay "$tool" --help | rows_of_help Subtools)
  for noun in ${nouns:-""}; do
    count=$((count + 1))
    [[ $known == *$'\n'"$tool ${noun:+$noun }"* ]] || fail "no test of 'assay $tool $noun': add it to a list above"
  done
done
[ "$count" -ge 36 ] || fail "only $count commands are found in the help"

# set_words COMMAND MODEL OUT: sets the array `words` to the words of a command line.
set_words() {
  local text=${1//MODEL/$2}
  read -ra words <<< "${text//OUT/$3}"
}

# Models that can't be loaded: status 1, a reason, no file. Commands that begin with the third word are left out.
for_each_command() {
  local command
  for command in "${readers[@]}" "${writers[@]}"; do
    [[ -z ${3:-} || $command != "$3"* ]] || continue
    set_words "$command" "$2" out.file
    refuses 1 "$1" assay "${words[@]}"
  done
}
for_each_command "cannot open: No such file or directory \(in missing\.onnx\)" missing.onnx
head -c 10000 "$good" > truncated.onnx
for_each_command "cut off: it ends, after 10000 bytes, .*\(in truncated\.onnx\)" truncated.onnx
echo "this is no model" > text.onnx
for_each_command "is text, not an ONNX model .*\(in text\.onnx\)" text.onnx
: > empty.onnx
for_each_command "is empty .*\(in empty\.onnx\)" empty.onnx
mkdir folder.onnx
for_each_command "not a regular file \(in folder\.onnx\)" folder.onnx
no_weights="template trt-config"  # reads nothing but the names of the inputs
cp "$models/ext_weights.onnx" no_weights.onnx
for_each_command "cannot find external data: No such .*\(in no_weights\.onnx: tensor 'a'" no_weights.onnx "$no_weights"
mkdir short && cp "$models/ext_weights.onnx" short/ && head -c 10 "$models/ext_weights.data" > short/ext_weights.data
for_each_command "12 bytes at offset 0 .* the file has 10 .*\(in short/ext_weights\.onnx: tensor 'a'" short/ext_weights.onnx "$no_weights"
mkdir inside && sed 's/ext_weights.data/..\/weights0.data/' "$models/ext_weights.onnx" > inside/outside.onnx
cp "$models/ext_weights.data" weights0.data
for_each_command "outside the model's folder: '\.\./weights0\.data' .*\(in inside/outside\.onnx: tensor 'a'" inside/outside.onnx "$no_weights"

# Models that can be loaded but contradict themselves. What a command says of them is its own affair, but it must end
# with status 0 or 1, give a reason for 1, and write OUT completely or not at all.
for_each_defect() {
  local command status
  for command in "${readers[@]}" "${writers[@]}"; do
    set_words "$command" "$1" out.file
    rm -rf out.file
    assay "${words[@]}" > "$folder/output.txt" 2>&1
    status=$?
    [ "$status" -le 1 ] || fail "assay ${words[*]}: exit status $status: $(tail -n 5 "$folder/output.txt")"
    [ "$status" -eq 0 ] || [ -s "$folder/output.txt" ] || fail "assay ${words[*]}: no reason"
    says "$folder/output.txt" "std::|terminate|bad_alloc|core dumped" && fail "assay ${words[*]}: $(tail -n 5 "$folder/output.txt")"
    if [ -e out.file ] && [[ $command == surgeon* || $command == convert* ]]; then
      assay inspect model out.file > "$folder/output.txt" 2>&1 || fail "assay ${words[*]}: writes a file that can't be read"
    fi
    [ -z "$(find . -name '.*.assay-*')" ] || fail "assay ${words[*]}: leaves $(find . -name '.*.assay-*')"
    fail_if_processes_are_left "assay ${words[*]}"
  done
  rm -rf out.file
}
sed 's/Softmax/Xoftmax/' "$good" > unknown_op.onnx
for_each_defect unknown_op.onnx
sed 's/r13/r12/' "$good" > same_names.onnx  # two nodes compute r12, and one of them reads it
for_each_defect same_names.onnx
for_each_defect "$source/tests/fuzz/corpus/model/twice"
for_each_defect "$source/tests/fuzz/corpus/model/cycle"

# Places that can't be written: a full disk, a folder, and a read-only folder. What was there before stays.
make_readonly readonly
for command in "${writers[@]}"; do
  [[ $command != plugin* ]] || continue  # plug-ins need packages of Python before anything is written (inspect.sh)
  # With --fold-constants the limit hits the shared memory of the worker first; hints are smaller than the limit.
  if [[ $command != *--fold-constants* && $command != *shard-hints* ]]; then
    echo "what was there before" > old.file
    set_words "$command" "$good" old.file
    refuses 1 "File too large|limit on the size of files" full 1 env HOME=/dev/null assay "${words[@]}"
    [ "$(tr -d '\0' < old.file)" = "what was there before" ] || fail "assay ${words[*]}: a full disk loses the old file"
    rm -f old.file
  fi
  if [[ $command != run* ]]; then
    set_words "$command" "$good" plugins
    refuses 1 "it is a folder \(in plugins\)" assay "${words[@]}"
  fi
  if [ -d readonly ]; then
    set_words "$command" "$good" readonly/out.file
    refuses 1 "(Read-only file system|Permission denied) \(in readonly" assay "${words[@]}"
  fi
done

# A file in place of the model that was read. Only a model may replace it.
for command in "${writers[@]}"; do
  [[ $command != surgeon* && $command != convert* && $command != multi-device* ]] || continue
  cp "$good" same.onnx
  set_words "$command" same.onnx same.onnx
  refuses 1 "would write to what the model reads \(in same\.onnx\)" assay "${words[@]}"
  cmp -s "$good" same.onnx || fail "assay ${words[*]}: the model is gone"
done
finish
