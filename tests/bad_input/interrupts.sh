#!/bin/bash
# Ctrl-C while a check or an engine runs: exit status 130, the best result so far is saved, no process remains.
# shellcheck source=lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
model=$models/polygraphy_reduce_example.onnx

# The test itself finds remaining processes even in another session.
coproc { exec setsid cat; }
echo started >&"${COPROC[1]}" && read -r _ <&"${COPROC[0]}"
[ -n "$(list_left_processes)" ] || fail "a process that is left is not found"
kill "$COPROC_PID"
wait

cat > hang.sh <<'CHECK'
#!/bin/bash
trap '' INT TERM
echo $$ > ready
while :; do read -rt 1 <> <(:) || true; done
CHECK
chmod +x hang.sh
interrupt assay debug reduce "$model" -o reduced.onnx --mode bisect --check ./hang.sh
[ "$status" -eq 130 ] || fail "reduce: exit status $status: $(tail -n 3 log.txt)"
kill -0 "$(cat ready)" 2> /dev/null && fail "the check is still there"
[ -e polygraphy_debug.onnx ] && fail "the intermediate model is left"

# The first failing candidate is kept when the second check is interrupted.
cat > fail_once.sh <<'CHECK'
#!/bin/bash
[ -e first ] || { touch first; exit 1; }
exec ./hang.sh
CHECK
chmod +x fail_once.sh
interrupt assay debug reduce "$model" -o reduced.onnx --mode bisect --check ./fail_once.sh
[ "$status" -eq 130 ] || fail "reduce with a result: exit status $status"
[ -s reduced.onnx ] || fail "the best so far is not kept"

# What the iterations before have shown is summed up.
rm -f first
interrupt assay debug repeat --until 9 --check ./fail_once.sh
[ "$status" -eq 130 ] || fail "repeat: exit status $status"
says log.txt "1 iteration: 0 passed, 1 failed" || fail "repeat: no summary: $(tail -n 3 log.txt)"

# An input script that never ends, interrupted in `assay run`.
cat > endless.py <<'SCRIPT'
import pathlib, signal
def load_data():
    pathlib.Path("ready").touch()
    while True:
        signal.pause()
SCRIPT
if has_numpy; then
  interrupt assay run "$model" --onnxrt --data-loader-script endless.py --save-inputs inputs.json
  [ "$status" -eq 130 ] || fail "run: exit status $status: $(tail -n 3 log.txt)"
  [ -e inputs.json ] && fail "half an inputs file is left"
fi
finish
