#!/bin/bash
# Files that `inspect` and `template` can't show: missing, cut off, text, folders, of another kind.
# shellcheck source=lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
data=$source/src/data/testdata

head -c 2000 "$data/outputs.json" > truncated.json
echo "this is no data" > text.json
mkdir empty_folder
: > empty.json
cp "$models/light_squeezenet.onnx" model.json

for command in "inspect data" "inspect tactics" "inspect diff-tactics --bad $data/inputs.json --good"; do
  # shellcheck disable=SC2086
  refuses 1 "(cannot open|no such file).*missing\.json" assay $command missing.json
  # shellcheck disable=SC2086
  refuses 1 "not a JSON file.*truncated\.json" assay $command truncated.json
  # shellcheck disable=SC2086
  refuses 1 "not a JSON file.*text\.json" assay $command text.json
  # shellcheck disable=SC2086
  refuses 1 "not a JSON file.*empty\.json" assay $command empty.json
  # shellcheck disable=SC2086
  refuses 1 "not a JSON file.*model\.json" assay $command model.json
done
refuses 1 "folder has no \.json or \.npz files and no data sets of ONNX \(in empty_folder\)" assay inspect data empty_folder
refuses 1 "not a regular file \(in empty_folder\)" assay inspect tactics empty_folder
refuses 1 "not a tactic replay \(in .*inputs\.json\)" assay inspect tactics "$data/inputs.json"
refuses 1 "cannot open: No such file.*missing" assay inspect diff-tactics --good missing --bad empty_folder
refuses 1 "no folder 'good' of replays\. Give --dir, or both --good and --bad" assay inspect diff-tactics
refuses 1 "no folder 'bad' of replays\. Give --dir, or both --good and --bad" assay inspect diff-tactics --good empty_folder
mkdir -p all_good/good all_bad/bad  # debug build creates no folder without files
echo '{"replay": {}, "polygraphy_class": "TacticReplayData"}' > all_bad/bad/replay.json
refuses 1 "no replays that are known to be bad \(in all_good/bad\)" assay inspect diff-tactics --dir all_good
assay inspect diff-tactics --dir all_bad > log.txt || fail "bad replays alone are refused: $(cat log.txt)"
rm -r all_good all_bad log.txt
echo '{"polygraphy_class": "Other"}' > other.json
refuses 1 "not a file of inputs, but of Other \(in other\.json\)" assay inspect data other.json
refuses 2 "--num-items must be at least -1, but is -2" assay inspect data "$data/inputs.json" -n -2
refuses 2 "--line-width must be at least -1, but is -3" assay inspect data "$data/inputs.json" --line-width -3
refuses 1 "two files are needed.*--compare" assay inspect data "$data/inputs.json" --compare
refuses 1 "no such file.*missing\.json" assay inspect data "$data/inputs.json" missing.json --compare
for options in --all --show-values --histogram "--num-items 1" "--line-width 9"; do
  # shellcheck disable=SC2086
  assay inspect data "$data/inputs.json" "$data/inputs.json" --compare $options > log.txt || fail "$options: $(cat log.txt)"
  says log.txt "${options%% *} has no effect with --compare" || fail "no warning for $options"
done
rm log.txt
assay inspect data "$data/inputs.json" missing.json --format json > out.json 2> log.txt && fail "a missing file is no error"
python3 -c 'import json; assert json.load(open("out.json"))["error"]["kind"] == "not_found"' || fail "no JSON, or no error: $(head -c 100 out.json)"
rm out.json log.txt

# The layers of a TensorRT engine, and options that are for ONNX models.
engines=$source/src/tensorrt/testdata
head -c 700 "$engines/engine_detailed.json" > cut.json
refuses 1 "cannot open: No such file.*missing\.json" assay inspect model missing.json
refuses 1 "not a regular file \(in empty_folder\)" assay inspect model empty_folder --model-type engine-info
refuses 1 "not a JSON file.*\(in cut\.json\).*trtexec" assay inspect model cut.json
for file in text.json empty.json model.json; do refuses 1 "not a JSON file.*\(in $file\)" assay inspect model $file; done
refuses 1 "not the layers of a TensorRT engine \(in .*inputs\.json\)" assay inspect model "$data/inputs.json"
echo '{"Layers": [{"Name": "conv", "Inputs": "x"}]}' > types.json
refuses 1 "'Inputs' isn't a list \(in types\.json: layer 0, 'conv'\)" assay inspect model types.json --show layers
for options in --visual "--visual-port 0" "--report page.html" "--save-visual page.html" --list-unbounded-dds \
    --shape-inference --no-onnxruntime-shape-inference --ignore-external-data "--external-data-dir ."; do
  # shellcheck disable=SC2086
  refuses 1 "this option is for ONNX models" assay inspect model "$engines/engine_detailed.json" $options
done
refuses 1 "don't include its weights \(in --show weights\)" assay inspect model "$engines/engine_names.json" --show layers weights
refuses 1 "cannot open: No such file or directory \(in some\.engine\)" assay inspect model some.engine  # not what of TensorRT is missing
: > empty.engine
refuses 1 "TensorRT" assay inspect model empty.engine  # whatever of it is missing
rm empty.engine
refuses 2 "--model-type" assay run some.onnx --model-type engine-info --onnxrt
rm cut.json types.json

# Two arrays of the same name: JSON readers keep the last one.
echo '[{"x": 1, "x": 2}]' > twice.json
refuses 1 "x \| cannot be read: not an array" assay inspect data twice.json

head -c 1000000 "$models/polygraphy_reduce_example.onnx" > truncated.onnx
for command in "inspect sparsity" "template onnx-gs -o out.py"; do
  # shellcheck disable=SC2086
  refuses 1 "cannot open: No such file.*missing\.onnx" assay $command missing.onnx
  # shellcheck disable=SC2086
  refuses 1 "cut off.*truncated\.onnx" assay $command truncated.onnx
  # shellcheck disable=SC2086
  refuses 1 "is text, not an ONNX model.*text\.json" assay $command text.json
  # shellcheck disable=SC2086
  refuses 1 "not a regular file \(in empty_folder\)" assay $command empty_folder
done
refuses 1 "no such tensor: nothing" assay template onnx-gs "$models/light_squeezenet.onnx" -o out.py --onnx-outputs nothing
refuses 1 "it is a folder \(in empty_folder\)" assay template onnx-gs "$models/light_squeezenet.onnx" -o empty_folder

refuses 1 "isn't a Python file, whose name ends in \.py \(in --model-type trt-network-script\)" \
  assay template trt-network "$models/light_squeezenet.onnx" -o out.py --model-type trt-network-script
refuses 1 "nothing\.py" assay template trt-network nothing.py -o out.py

# A file called "-" would surprise users; commands that print have it for standard output.
refuses 2 "--output must be a file, since this command can't write to standard output" assay data merge "$data/inputs.json" -o -
refuses 2 "--output must be a file" assay surgeon sanitize "$models/light_squeezenet.onnx" -o -

# Hints for sharding.
refuses 2 "--hint FILE or --one-shot is required" assay multi-device shard "$models/light_squeezenet.onnx" -o out.onnx
for command in "template shard-hints" "multi-device shard --one-shot"; do
  # shellcheck disable=SC2206
  words=(assay $command "$models/light_squeezenet.onnx" -o out.file)
  for option in "--q-shuffle 1" "--k-shuffle 1" "--v-shuffle 1" --is-causal; do
    # shellcheck disable=SC2086
    refuses 1 "the option is for a fused operator \(in ${option% 1}\)\. Add --cp-type fused" "${words[@]}" $option
  done
  refuses 1 "dimension 1 is missing in the order of dimensions \(in --k-shuffle\)" \
    "${words[@]}" --cp-type fused --k-shuffle 0 2
done
parallel=(assay multi-device shard "$models/light_squeezenet.onnx" -o out.onnx --one-shot --parallelism TP --nb-rank 2)
refuses 1 "no layer whose weights could be split \(in --parallelism\)\. TP splits AttentionPlugin" "${parallel[@]}"
refuses 1 "each device's weights are in one file" "${parallel[@]}" --no-save-all-tensors-to-one-file
refuses 1 "in a file named after its model \(in --save-external-data\)" "${parallel[@]}" --save-external-data weights

# Bytes of a file that aren't text are shown as numbers.
printf '\xff\xfe{' > bytes.json
refuses 1 "last read: '.xff'" assay inspect data bytes.json
if LC_ALL=C grep -q $'\xff' "$folder/output.txt"; then fail "raw bytes reach the terminal"; fi

# Plug-ins: folders, configurations, and a port that is taken or not allowed.
model=$models/light_squeezenet.onnx
refuses 1 "no such folder \(in nowhere\)" assay plugin list "$model" --plugin-dir nowhere
refuses 1 "No such file.*nowhere\.yaml" assay plugin replace "$model" --plugin-dir empty_folder --config nowhere.yaml -o out.onnx
refuses 1 "is text, not an ONNX model" assay plugin match text.json --plugin-dir empty_folder
refuses 1 "no such folder \(in nowhere\)" assay plugin replace "$model" --plugin-dir nowhere --config text.json -o out.onnx
assay plugin list "$model" --plugin-dir empty_folder > log.txt
says log.txt "There is no plug-in in empty_folder: each is a folder there with a file pattern\.py" || fail "plugin list: $(cat log.txt)"
if python3 -c 'import onnx_graphsurgeon' 2> /dev/null; then
  assay plugin replace "$model" --plugin-dir empty_folder --config empty.json -o out.onnx > log.txt || fail "plugin replace: $(cat log.txt)"
  says log.txt "empty\.json names no sub-graphs, so nothing is replaced" || fail "plugin replace: $(cat log.txt)"
  rm out.onnx
fi
refuses 1 "it is a folder \(in empty_folder\)" assay inspect model "$model" --save-visual empty_folder
for options in "--show layers" --list-unbounded-dds "--format json"; do
  # shellcheck disable=SC2086
  refuses 1 "the page of --visual doesn't depend on this option \(in ${options%% *}" assay inspect model "$model" --visual $options
done
refuses 2 "visual-port" assay inspect model "$model" --visual --visual-port 70000
finish
