#!/bin/bash
# What doesn't fit in memory: an error, not a crash.
# shellcheck source=lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
model=$models/scan_1.onnx  # its input has the shape (Sequence, 1, 3)

too_large() { echo "a float32 tensor of shape \($1, 1, 3\) does not fit in this machine's memory \(in input 'Input13165'\)\. Set a smaller"; }
refuses 1 "$(too_large 1000000000000)" assay run "$model" --onnxrt --input-shapes 'Input13165:[1000000000000,1,3]'

# The machine may have this much, but the process must not.
limited() { (ulimit -v 3000000 && exec "$@"); }
refuses 1 "$(too_large 300000000)" limited assay run "$model" --onnxrt --input-shapes 'Input13165:[300000000,1,3]'

# An array of 200 MB: the file can be mapped, but the array can't be decoded.
{ printf '[{"x": {"array": "'; head -c 200000000 /dev/zero | base64 -w 0; printf '", "polygraphy_class": "ndarray"}}]'; } > large.json
little() { (ulimit -v 400000 && exec "$@"); }
refuses 1 "there is not enough memory for this command\. Free some" little assay inspect data large.json

# No second thread can be started. Limits on processes don't hold for root, so another user runs the command.
alone() {
  local as_user=()
  [ "$(id -u)" -ne 0 ] || as_user=(setpriv --reuid 54321 --regid 54321 --clear-groups)
  "${as_user[@]}" bash -c 'ulimit -u 1 && exec "$@"' alone "$@"
}
chmod 755 "$folder" .
if [[ $(alone assay --version 2>&1) == assay* ]] && alone test -r "$model"; then
  refuses 1 "cannot start a thread: Resource temporarily unavailable\. Raise the limit" alone assay diff "$model" "$model"
else
  echo "skipped: no limit on processes, since another user can't run Assay here"
fi
finish
