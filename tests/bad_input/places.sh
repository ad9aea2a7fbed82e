#!/bin/bash
# Unwritable places: a full disk, a read-only folder, a folder in place of a file. Existing files must survive.
# shellcheck source=lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
model=$models/polygraphy_reduce_example.onnx

# A full disk.
for output in new.onnx old.onnx; do
  [ "$output" = new.onnx ] || echo "what was there before" > "$output"
  refuses 1 "cannot write: File too large \(in $output\)\. Raise the limit" full 100 assay surgeon sanitize "$model" -o "$output"
  refuses 1 "cannot write: File too large \(in $output\)\. Raise the limit" \
    full 100 assay surgeon extract "$model" -o "$output" --inputs x0:auto:auto x1:auto:auto
done
# Without the trap, the signal of the limit must not kill Assay, which would leave its temporary file.
refuses 1 "cannot write: File too large \(in old\.onnx\)" bash -c 'ulimit -f 100 && assay surgeon sanitize "$0" -o old.onnx' "$model"
[ -z "$(find . -name '.old.onnx*')" ] || fail "a full disk leaves a temporary file"
[ "$(cat old.onnx)" = "what was there before" ] || fail "a full disk loses the old file"
# HOME is unset, since ONNX Runtime writes a file there, which the limit may hit first.
refuses 1 "cannot write: File too large \(in inputs\.json\)" \
  full 100 env HOME=/dev/null assay run "$model" --onnxrt --save-inputs inputs.json --save-outputs out.json

# A real one.
if mount_small 256k small; then
  refuses 1 "cannot write: No space left on device \(in small/out\.onnx\)\. Free some space" \
    assay surgeon sanitize "$model" -o small/out.onnx
  refuses 1 "cannot write: No space left on device \(in small/out\.json\)\. Free some space" \
    assay run "$model" --onnxrt --save-outputs small/out.json
  # An artifact that doesn't fit stays where it was, and no part of it is in its folder.
  assay debug repeat --until 1 --artifacts big.bin --artifacts-dir small/sorted \
    --check bash -c 'head -c 1000000 /dev/zero > big.bin' > log.txt
  says log.txt "Cannot move artifact big\.bin: cannot write: No space left on device \(in small/sorted/good/big_" ||
    fail "an artifact that doesn't fit: $(cat log.txt)"
  [ "$(stat -c %s big.bin)" = 1000000 ] || fail "an artifact that doesn't fit is lost"
  [ -z "$(find small/sorted -type f)" ] || fail "a part of an artifact is left"
fi

mkdir folder
refuses 1 "cannot write: it is a folder \(in folder\)\. Give the name of a file" assay surgeon sanitize "$model" -o folder

if make_readonly readonly; then
  cannot="cannot write: (Read-only file system|Permission denied)"
  refuses 1 "$cannot \(in readonly/out\.onnx\)\. Check the permissions, or write somewhere else" \
    assay surgeon sanitize "$model" -o readonly/out.onnx
  refuses 1 "$cannot \(in readonly/out\.json\)\. Check the permissions, or write somewhere else" \
    assay run "$model" --onnxrt --save-outputs readonly/out.json
  refuses 1 "$cannot \(in readonly/out\.onnx\)\. Check the permissions, or write somewhere else" \
    assay debug reduce "$model" -o readonly/out.onnx --mode bisect --check false
  refuses 1 "$cannot \(in readonly/report\.json\)\. .*The option that names the file is -o" \
    assay check lint "$model" -o readonly/report.json  # before anything is checked
fi

# A place that can't be written is found before anything is read.
touch file
for line in "surgeon extract missing.onnx -o file/out --inputs x0:auto:auto" "surgeon sanitize missing.onnx -o file/out" \
  "surgeon insert missing.onnx -o file/out --op Identity --inputs x0 --outputs x0" "surgeon prune missing.onnx -o file/out" \
  "surgeon weight-strip missing.onnx -o file/out" "surgeon weight-reconstruct missing.onnx -o file/out" \
  "convert missing.onnx -o file/out.onnx" "convert missing.onnx -o file/out.plan" \
  "multi-device shard missing.onnx -o file/out --one-shot --gpus 2" "inspect capability missing.onnx -o file/out" \
  "plugin match missing.onnx --plugin-dir . -o file/out" "plugin replace missing.onnx --plugin-dir . -o file/out" \
  "data merge missing.json -o file/out" "data concat missing.json -o file/out"; do
  read -ra words <<< "$line"
  refuses 1 "Not a directory \(in file\).*The option that names the file is -o" assay "${words[@]}"
done

mkdir -p defaults/config.yaml defaults/replaced.onnx
cp "$model" defaults/m.onnx
refuses 1 "it is a folder \(in defaults/config\.yaml\)" assay plugin match defaults/m.onnx --plugin-dir nowhere
refuses 1 "it is a folder \(in defaults/replaced\.onnx\)" assay plugin replace defaults/m.onnx --plugin-dir nowhere

# An empty name, as an unset variable leaves it: the results would be lost.
for option in --save-outputs --report --load-inputs --onnxrt-lib; do
  refuses 2 "$option: must not be empty" assay run "$model" --onnxrt "$option" ""
done

# Files that are read, or saved by another option, must not be overwritten.
assay run "$model" --onnxrt --save-outputs gold.json > log.txt || fail "cannot save results: $(tail -n 2 log.txt)"
cp gold.json kept.json
refuses 1 "--save-outputs would write to what --load-outputs reads \(in gold\.json\)\. Save to another file" \
  assay run "$model" --onnxrt --load-outputs ./gold.json --save-outputs gold.json
cmp -s gold.json kept.json || fail "the results that were compared with are gone"
refuses 1 "--save-inputs and --save-outputs would write to the same place \(in both\.json\)" \
  assay run "$model" --onnxrt --save-inputs both.json --save-outputs both.json
mkdir weights && cp "$models"/ext_weights.* weights/
for line in "run weights/ext_weights.onnx --onnxrt --save-inputs" "run weights/ext_weights.onnx --onnxrt --gen-script" \
  "inspect model weights/ext_weights.onnx --report" "check lint weights/ext_weights.onnx -o" \
  "diff $model weights/ext_weights.onnx --report" "template onnx-gs weights/ext_weights.onnx -o"; do
  read -ra words <<< "$line"
  refuses 1 "would write to what the (second )?model reads \(in weights/ext_weights\.data\)" \
    assay "${words[@]}" weights/ext_weights.data
done
cmp -s "$models/ext_weights.data" weights/ext_weights.data || fail "the weights are gone"
cp "$model" model.onnx
for line in "check lint model.onnx -o model.onnx" "run model.onnx --onnxrt --gen-script model.onnx"; do
  read -ra words <<< "$line"
  refuses 1 "would write to what the model reads \(in model\.onnx\)" assay "${words[@]}"
done
assay run "$model" --onnxrt --save-inputs in.json > log.txt || fail "cannot save inputs: $(tail -n 2 log.txt)"
refuses 1 "--gen-script would write to what --load-inputs reads \(in in\.json\)" \
  assay run model.onnx --onnxrt --load-inputs in.json --gen-script in.json
assay run "$model" --onnxrt --onnxrt --save-accuracy-results accuracy.json > log.txt || fail "cannot save: $(tail -n 2 log.txt)"
refuses 1 "--save-accuracy-results would write to what the file of results reads \(in accuracy\.json\)" \
  assay check accuracy accuracy.json --save-accuracy-results accuracy.json
# The log replaces a file before the command reads anything. Without a name for it, its option takes that of the model.
refuses 2 "the log would replace a file that isn't text \(in --log-file model\.onnx\)" assay run --onnxrt --log-file model.onnx
refuses 2 "the log would replace the file of model_file" assay inspect model model.onnx --log-file ./model.onnx
refuses 2 "the log would replace the file of --load-inputs" assay run model.onnx --onnxrt --load-inputs in.json --log-file in.json
cmp -s "$model" model.onnx || fail "the model is gone"
mkfifo pipe
refuses 2 "no program reads the pipe for the log \(in pipe\)" assay inspect model model.onnx --log-file pipe
cat pipe > read.log &
until assay inspect model model.onnx --log-file pipe > log.txt 2>&1; do says log.txt "no program reads" || break; done
wait "$!"
grep -q PASSED read.log || fail "the log in a pipe: $(cat read.log)"
for run in 1 2; do
  assay inspect model model.onnx --log-file a.log > log.txt || fail "log file, run $run: $(tail -n 2 log.txt)"
done
assay inspect model "$model" > /dev/full 2> log.txt && fail "an output that is cut off is no error"
says log.txt "cannot write to standard output" || fail "of an output that is cut off: $(cat log.txt)"

# An output that is a symbolic link: the file that it leads to is written, and the link stays.
mkdir far && echo old > far/target.onnx && ln -s far/target.onnx link.onnx
assay surgeon sanitize "$model" -o link.onnx > log.txt || fail "cannot write to a link: $(tail -n 2 log.txt)"
[ -L link.onnx ] || fail "the link is replaced"
assay inspect model far/target.onnx > /dev/null || fail "the target of the link isn't written"
ln -s far/new.json dangling.json
assay run "$model" --onnxrt --save-outputs dangling.json > log.txt || fail "cannot write to a dangling link: $(tail -n 2 log.txt)"
[ -L dangling.json ] && [ -s far/new.json ] || fail "the target of the dangling link isn't created"
ln -s lost/model.onnx lost.onnx
refuses 1 "this symbolic link leads to 'lost/model\.onnx', in a missing folder \(in lost\.onnx\)\. Create that folder" \
  assay surgeon sanitize "$model" -o lost.onnx
ln -s far folder.onnx
refuses 1 "cannot write: it is a folder \(in folder\.onnx\)" assay surgeon sanitize "$model" -o folder.onnx
refuses 1 "leads to 'far/target\.onnx', and the weights would not be in that folder \(in link\.onnx\)" \
  assay surgeon sanitize "$model" -o link.onnx --save-external-data weights.data

# The source may also be the destination.
cp "$model" same.onnx
assay surgeon sanitize same.onnx -o same.onnx > log.txt || fail "cannot write over the source: $(tail -n 2 log.txt)"
assay inspect model same.onnx > /dev/null || fail "writing over the source breaks it"
finish
