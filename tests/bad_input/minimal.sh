#!/bin/bash
# `assay debug reduce` as it is by default (mode minimal): what a user can get wrong in it, and disks that are full or closed.
# shellcheck source=lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
model=$models/light_squeezenet.onnx
# shellcheck disable=SC2016  # expanded by the check
printf 'grep -q Softmax "$1" || exit 0\necho "NOT_IMPLEMENTED: Softmax"\nexit 1\n' > softmax.sh
reduce() { assay debug reduce "$model" "$@"; }

# The replay files, which the peer leaves in any case, go elsewhere: nothing else may be left.
replay=(--save-debug-replay "$folder/replay/replay.json")

refuses 1 "does not fail" reduce -o out.onnx "${replay[@]}" --check true
refuses 1 "no_such_check" reduce -o out.onnx "${replay[@]}" --check ./no_such_check.sh
refuses 1 "no command behind --check" reduce -o out.onnx "${replay[@]}" --check
refuses 1 "nowhere to put" reduce "${replay[@]}" --check false
refuses 1 "missing.onnx" assay debug reduce missing.onnx -o out.onnx --check false
head -c 10000 "$model" > truncated.onnx
refuses 1 "truncated.onnx" assay debug reduce truncated.onnx -o out.onnx --check false
rm truncated.onnx
touch polygraphy_debug.onnx
refuses 1 "there already.*polygraphy_debug.onnx" reduce -o out.onnx "${replay[@]}" --check false
rm polygraphy_debug.onnx
mkdir folder
refuses 1 "folder" reduce -o folder "${replay[@]}" --check false

# A check that was wrong and is mended is asked again, though its name is the same.
echo 'exit 0' > mended.sh
refuses 1 "does not fail" reduce -o out.onnx "${replay[@]}" --check sh mended.sh '{model}'
cp softmax.sh mended.sh
reduce -o out.onnx "${replay[@]}" --check sh mended.sh '{model}' > log.txt 2>&1 || fail "a mended check: $(tail -n 3 log.txt)"
[[ "$(nodes_of out.onnx)" == *"Op: Softmax]" ]] || fail "not the one Softmax is left, but: $(cat nodes.txt)"
rm out.onnx

# What is no journal is somebody's, under whatever name.
echo "my diary" > out.onnx.journal
refuses 1 "not a journal.*out.onnx.journal" reduce -o out.onnx "${replay[@]}" --check false
refuses 1 "not a journal.*out.onnx.journal" reduce -o other.onnx --journal out.onnx.journal "${replay[@]}" --check false
[ "$(cat out.onnx.journal)" = "my diary" ] || fail "a file that is no journal is written over"
rm out.onnx.journal
refuses 1 "folder" reduce -o out.onnx --journal folder "${replay[@]}" --check false

# A folder that does not exist is made.
reduce -o new/er/out.onnx --max-checks 2 "${replay[@]}" --check sh softmax.sh '{model}' > log.txt || fail "no folder is made: $(tail -n 3 log.txt)"
[ -s new/er/out.onnx ] || fail "nothing in the folder that was made"
rm -r new

# A limit on the size of files does what a full disk does: first for the journal, then for candidates, then for the journal
# half way, of which what was written is used when there is space again.
full() { (ulimit -f "$1" && shift && trap '' XFSZ && exec "$@"); }
refuses 1 "cannot open the journal.*out.onnx.journal" full 4 assay debug reduce "$model" -o out.onnx "${replay[@]}" \
  --check sh softmax.sh '{model}'
full 30 assay debug reduce "$model" -o out.onnx --iter-weights external "${replay[@]}" --check sh softmax.sh '{model}' > log.txt 2>&1 &&
  fail "a full disk is not noticed"
grep -qE 'cannot write|No space|too large' log.txt || fail "a full disk: $(tail -n 3 log.txt)"
[ -e out.onnx ] && fail "a full disk: there is a result"
compgen -G 'polygraphy_debug*' > /dev/null && fail "a full disk: candidates are left: $(ls -A)"
reduce -o out.onnx --iter-weights external "${replay[@]}" --check sh softmax.sh '{model}' > log.txt 2>&1 || fail "space again: $(tail -n 3 log.txt)"
[ -e out.onnx.journal ] && fail "space again: the journal is left"
rm -f out.onnx

# Real disks, where we may make some.
mkdir disk
if mount -t tmpfs -o size=16k tmpfs disk 2> /dev/null; then
  refuses 1 "disk is full.*disk/out.onnx.journal" reduce -o disk/out.onnx "${replay[@]}" --check sh softmax.sh '{model}'
  umount disk
fi
if mount -t tmpfs -o size=12k tmpfs disk 2> /dev/null; then
  refuses 1 "No space left.*it.onnx" reduce -o out.onnx --iter-artifact disk/it.onnx "${replay[@]}" \
    --check sh softmax.sh disk/it.onnx
  umount disk
fi
if [ "$(id -u)" -ne 0 ]; then
  chmod 555 disk
elif ! mount -t tmpfs -o ro tmpfs disk 2> /dev/null; then
  rmdir disk
fi
if [ -d disk ]; then
  refuses 1 "disk/out.onnx" reduce -o disk/out.onnx "${replay[@]}" --check false
  refuses 1 "disk/verdicts" reduce -o out.onnx --journal disk/verdicts "${replay[@]}" --check false
  refuses 1 "disk/" reduce -o out.onnx --iter-artifact disk/it.onnx "${replay[@]}" --check false
  refuses 1 "disk/replay" reduce -o out.onnx --save-debug-replay disk/replay.json --check false
  umount disk 2> /dev/null || true
fi
finish
