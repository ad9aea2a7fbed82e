#!/bin/bash
# Unwritable places, given to every command that changes a model as a whole, and user errors of single commands.
# shellcheck source=lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# insert MODEL OUTPUT: the commands under test, each as a function.
insert() { assay surgeon insert "$1" -o "$2" --op Identity --inputs "$tensor" --outputs "$tensor"; }
weight_strip() { assay surgeon weight-strip "$1" -o "$2"; }
weight_reconstruct() { assay surgeon weight-reconstruct "$1" -o "$2"; }
prune() { assay surgeon prune "$1" -o "$2"; }
convert() { assay convert "$1" -o "$2" --convert-to onnx; }
float16() { assay convert "$1" -o "$2" --convert-to onnx --fp-to-fp16; }
commands=(insert weight_strip weight_reconstruct prune convert float16)

# A model in which no weight is empty: one message.
weight_reconstruct "$models/light_squeezenet.onnx" full.onnx > log.txt 2>&1 || fail "weight-reconstruct: $(tail -n 2 log.txt)"
says log.txt "has no weights that .surgeon weight-strip. has emptied, so it is saved unchanged" || fail "no empty weights: $(cat log.txt)"
says log.txt "Filled" && fail "no empty weights: $(cat log.txt)"

# Places that can't be written.
model=$models/light_squeezenet.onnx tensor=conv1_b_0
mkdir folder
for command in "${commands[@]}"; do
  echo "what was there before" > old.onnx
  refuses 1 "cannot write: File too large \(in (old|new)\.onnx\)\. Raise the limit" full 2 "$command" "$model" new.onnx
  refuses 1 "cannot write: File too large \(in (old|new)\.onnx\)\. Raise the limit" full 2 "$command" "$model" old.onnx
  [ "$(cat old.onnx)" = "what was there before" ] || fail "$command: a full disk loses the old file"
  refuses 1 "cannot write: it is a folder \(in folder\)\. Give the name of a file" "$command" "$model" folder
  cp "$model" same.onnx
  "$command" same.onnx same.onnx > log.txt || fail "$command: cannot write over the source: $(tail -n 2 log.txt)"
  assay inspect model same.onnx > log.txt || fail "$command: writing over the source breaks it: $(tail -n 2 log.txt)"
done
if make_readonly readonly; then
  for command in "${commands[@]}"; do
    refuses 1 "cannot write: (Read-only file system|Permission denied) \(in readonly/out\.onnx\)" \
      "$command" "$model" readonly/out.onnx
  done
fi

# An unknown operator is none of these commands' business.
sed 's/Softmax/Xoftmax/' "$model" > unknown_op.onnx
for command in "${commands[@]}"; do
  "$command" unknown_op.onnx known.onnx > log.txt || fail "$command: refuses an unknown operator: $(tail -n 2 log.txt)"
  [[ "$(nodes_of known.onnx)" == *"Op: Xoftmax"* ]] || fail "$command: loses an unknown operator"
done

# surgeon insert.
refuses 1 "no tensor 'nowhere' \(in --inputs\)" assay surgeon insert "$model" -o out.onnx --op F --inputs nowhere --outputs conv1_b_0
refuses 1 "is an input of the model, .*\(in --outputs\)" \
  assay surgeon insert "$model" -o out.onnx --op F --inputs conv1_b_0 --outputs data_0
refuses 1 "would create a cycle" assay surgeon insert "$model" -o out.onnx --op F --inputs r1 --outputs r0
refuses 1 "'axis' is not an attribute \(in --attrs\)\. Give it as name=value" \
  assay surgeon insert "$model" -o out.onnx --op F --inputs r0 --outputs r0 --attrs axis

# Hints name the option that the command has.
assay surgeon sanitize "$model" -o open.onnx --override-input-shapes "data_0:[N,3,224,224]" > log.txt
assay surgeon sanitize open.onnx -o fixed.onnx --force-fallback-shape-inference > log.txt
says log.txt "unknown dimensions become 1, .*; set them with --override-input-shapes" || fail "sanitize: $(cat log.txt)"
assay surgeon extract open.onnx -o fixed.onnx --force-fallback-shape-inference --inputs r0:auto:auto --outputs r1:auto > log.txt
says log.txt "unknown dimensions become 1, .*; set them with --model-input-shapes" || fail "extract: $(cat log.txt)"
says log.txt "Kept 1 of [0-9]+ nodes" || fail "extract: $(cat log.txt)"
assay surgeon extract fixed.onnx -o one.onnx > log.txt
says log.txt "Kept 1 of 1 node" || fail "extract: $(cat log.txt)"
if says log.txt "1 of 1 nodes"; then fail "extract: $(cat log.txt)"; fi

refuses 2 "--shape-inference can't be combined with --force-fallback-shape-inference" \
  assay surgeon extract "$model" -o out.onnx --shape-inference --force-fallback-shape-inference

# surgeon sanitize.
refuses 2 "--no-shape-inference can't be combined with --force-fallback-shape-inference" \
  assay surgeon sanitize "$model" -o out.onnx --no-shape-inference --force-fallback-shape-inference
for bound in nan inf 1e30 1.5 -5 r0:-1; do
  refuses 1 "can't be the largest size \(in --set-unbounded-dds-upper-bound\)" \
    assay surgeon sanitize "$model" -o out.onnx --set-unbounded-dds-upper-bound "$bound"
done

assay surgeon sanitize "$model" -o bare.onnx --fold-constants --no-shape-inference > log.txt
[[ "$(assay inspect model bare.onnx --show layers)" != *"{r1 [dtype"* ]] || fail "--no-shape-inference infers shapes"
assay surgeon sanitize "$model" -o inferred.onnx --fold-constants > log.txt
[[ "$(assay inspect model inferred.onnx --show layers)" == *"{r1 [dtype"* ]] || fail "no shapes are inferred"

# surgeon weight-strip.
refuses 1 "cannot open: No such file or directory \(in .*nowhere\.txt\)" \
  assay surgeon weight-strip "$model" -o out.onnx --exclude-list nowhere.txt

# A full folder for temporary files.
if mount_small 64k temporary; then
  refuses 1 "cannot write weights to the temporary folder: No space left on device .*TMPDIR" \
    env TMPDIR="$PWD/temporary" assay convert "$models/polygraphy_reduce_example.onnx" -o out.onnx --fp-to-fp16
fi

# convert.
refuses 1 "TensorRT" assay convert "$model" -o out.onnx --convert-to onnx-like-trt-network --trt-lib none
refuses 1 "a setting of TensorRT, which doesn't run \(in --fp16\)\. .*use --fp-to-fp16" assay convert "$model" -o out.onnx --fp16
refuses 1 "the extension '\.what' does not say what to convert to" assay convert "$model" -o out.what
refuses 2 "--convert-to must be one of onnx, trt, onnx-like-trt-network, but is tensorflow" assay convert "$model" -o out.onnx --convert-to tensorflow
# A model whose weights are emptied: the engine's words don't say what to do.
assay surgeon weight-strip "$models/light_squeezenet.onnx" -o stripped.onnx > log.txt || fail "weight-strip: $(tail -n 3 log.txt)"
refuses 1 "The model's weights are emptied: .assay surgeon weight-reconstruct. fills them" assay run stripped.onnx --onnxrt
assay surgeon weight-reconstruct stripped.onnx -o filled.onnx > log.txt || fail "weight-reconstruct: $(tail -n 3 log.txt)"
assay run filled.onnx --onnxrt > log.txt || fail "a reconstructed model: $(tail -n 3 log.txt)"
rm stripped.onnx filled.onnx
finish
