#!/bin/bash
# Checks that misbehave: one crashes, one hangs, one exhausts the memory, one doesn't exist. The reduction survives
# each, reports what happened, and continues.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
model=$models/polygraphy_reduce_example.onnx

# check NAME PATTERN OPTIONS...: reduces with ./NAME.sh, which fails in its own way while the model has its Mul.
check() {
  local name=$1 pattern=$2
  shift 2
  chmod +x "$name.sh"
  assay debug reduce "$model" -o "$name.onnx" --mode linear "$@" --check "./$name.sh" > "$name.txt" 2>&1 || fail "$name: $(tail -n 5 "$name.txt")"
  says "$name.txt" "$pattern" || fail "$name: says nothing like '$pattern': $(cat "$name.txt")"
  [[ "$(nodes_of "$name.onnx")" == *"Op: Mul]" ]] || fail "$name: not the one Mul is left, but: $(cat nodes.txt)"
}

# shellcheck disable=SC2016  # expanded by the check
has_mul='[[ "$(assay inspect model polygraphy_debug.onnx --show layers)" == *"Op: Mul"* ]]'
printf '#!/bin/bash\n%s || exit 0\nkill -SEGV $$\n' "$has_mul" > crash.sh
check crash "FAILS: crashed with signal 11 \(Segmentation fault\)"

printf '#!/bin/bash\n%s || exit 0\ntrap "" TERM\nwhile :; do read -rt 1 <> <(:); done\n' "$has_mul" > hang.sh
check hang "FAILS: did not end within 1 s" --check-timeout 1

printf '#!/bin/bash\n%s || exit 0\nexec python3 -c "x = bytearray(1 << 30); x[::4096] = bytes(len(x[::4096])); input()" < <(sleep 60)\n' \
  "$has_mul" > memory.sh
check memory "FAILS: took more memory than the limit of 256\.0 MiB" --check-memory 256M

rm -f polygraphy_debug_replay*.json  # a check that can't be run leaves none
refuses 1 "there is no program '\./no_such_check\.sh'.*\. Check the path" \
  assay debug reduce "$model" -o out.onnx --mode bisect --check ./no_such_check.sh
mkdir folder
refuses 1 "'\./folder' is a folder, not a program.*\. Name the program in it" \
  assay debug reduce "$model" -o out.onnx --check ./folder '{model}'
refuses 1 "the check can't run: exit status 127: .*no_such_engine: .*not found \(in --check\)\. .* is missing\. .*--fail-code 127" \
  assay debug reduce "$model" -o out.onnx --check sh -c 'no_such_engine {model}'
printf 'import no_such_module\n' > imports.py
refuses 1 "the check can't run: ModuleNotFoundError: No module named 'no_such_module' \(in --check\)\. Install the module .*--fail-regex" \
  assay debug reduce "$model" -o out.onnx --check python3 imports.py '{model}'
refuses 1 "the check can't run: .*can't open file '.*no_such\.py'" \
  assay debug reduce "$model" -o out.onnx --check python3 no_such.py '{model}'
refuses 1 "there is no program 'sh no_such\.sh'.*\. Write the command without quotes around it" \
  assay debug reduce "$model" -o out.onnx --mode bisect --check "sh no_such.sh"
cp crash.sh no_quotes.sh
refuses 1 "there is no program '\./no_quotes\.sh \{model\}'.*\. Write the command without quotes around it" \
  assay debug reduce "$model" -o out.onnx --mode bisect --check "./no_quotes.sh {model}"
refuses 1 "can't judge any model: no such tensor: nothing \(in --onnx-outputs\)" \
  assay debug reduce "$model" -o out.onnx --check assay run polygraphy_debug.onnx --onnxrt --onnx-outputs nothing
refuses 1 "can't judge any model: .*is not a valid value \(in --atol\)" \
  assay debug reduce "$model" -o out.onnx --check assay run polygraphy_debug.onnx --onnxrt --atol y:much
refuses 1 "can't judge any model: this option .* \(in --tf\)" \
  assay debug reduce "$model" -o out.onnx --check assay run polygraphy_debug.onnx --tf
# As a process, the check reports the same.
for limit in "" "--check-timeout=60"; do
  refuses 1 "can't judge any model: there is no option --nope \(in the words of --check\)\. Put options that" \
    assay debug reduce "$model" -o out.onnx ${limit:+"$limit"} --check assay run polygraphy_debug.onnx --onnxrt --nope
  refuses 1 "can't judge any model: .*nowhere\.so" \
    assay debug reduce "$model" -o out.onnx ${limit:+"$limit"} --check assay run polygraphy_debug.onnx --onnxrt --onnxrt-lib nowhere.so
done
ASSAY_OPENVINO_LIB=/nowhere.so refuses 1 "can't judge any model: there is no OpenVINO at /nowhere\.so" \
  assay debug reduce "$model" -o out.onnx --check assay run polygraphy_debug.onnx --openvino
refuses 1 "can't judge any model: there is no option --nope" assay debug repeat --until 9 --check assay run "$model" --onnxrt --nope
# So do scripts that run it, or another program with a wrong option.
# shellcheck disable=SC2016  # expanded by the check
for script in 'assay run "$ASSAY_MODEL" --onnxrt --nope' 'assay run "$ASSAY_MODEL" --onnxrt --nope || exit 2' 'exec assay rum'; do
  refuses 1 "the check can't run: assay.*(there is no option --nope|there is no tool 'rum').* \(in --check\)\. Correct the command" \
    assay debug reduce "$model" -o out.onnx --check sh -c "$script"
done
# shellcheck disable=SC2016  # expanded by the check
refuses 1 "the check can't run: \[E\] .*nowhere\.json" \
  assay debug reduce "$model" -o out.onnx --check sh -c 'assay run "$ASSAY_MODEL" --onnxrt --load-inputs nowhere.json'
refuses 1 "the check can't run: grep: .*--nope" assay debug reduce "$model" -o out.onnx --check grep --nope x '{model}'
# A journal of another check doesn't count as an earlier run.
assay debug reduce "$model" -o resumed.onnx --journal resumed.journal --max-checks 2 --check false > resumed.txt 2>&1
rm -f polygraphy_debug_replay*
refuses 1 "the check can't run: grep: .*--nope" \
  assay debug reduce "$model" -o resumed.onnx --journal resumed.journal --check grep --nope x '{model}'

# shellcheck disable=SC2016  # expanded by the check
assay debug reduce "$model" -o named.onnx --fail-code 127 --check sh -c 'grep -q Mul {model} && exit 127; exit 0' > named.txt 2>&1 ||
  fail "--fail-code 127: $(tail -n 5 named.txt)"
[[ "$(nodes_of named.onnx)" == *"Op: Mul]" ]] || fail "--fail-code 127 leaves: $(cat nodes.txt)"
refuses 1 "The check runs on '.*polygraphy_reduce_example\.onnx', which is the whole model, .*: write \{model\} instead" \
  assay debug reduce "$model" -o out.onnx --mode bisect --check test -e "$model"
refuses 1 "does not fail the check \(in .*polygraphy_reduce_example\.onnx\)\. Run the check on it by hand .*only sometimes, allow more runs with --repeat" \
  assay debug reduce "$model" -o out.onnx --mode bisect --check true
refuses 1 "the check doesn't run the candidates \(in --check\)\. Name their file, polygraphy_debug\.onnx, in it" \
  assay debug reduce "$model" -o out.onnx --check assay run "$model" --onnxrt
touch polygraphy_debug.onnx
refuses 1 "exists already .*\(in polygraphy_debug\.onnx\)\. Remove it, or name another with --iter-artifact" \
  assay debug reduce "$model" -o out.onnx --mode bisect --check false

# The message of an input script that raises is shown.
if has_numpy; then
  printf 'def load_data():\n    raise ValueError("no data today")\n    yield {}\n' > raises.py
  refuses 1 "ValueError: no data today.*\(in raises\.py:load_data\)\. [Cc]orrect the script" \
    assay run "$model" --onnxrt --data-loader-script raises.py
  refuses 1 "there is no such script \(in nowhere\.py\)\. [Cc]heck the path" \
    assay run "$model" --onnxrt --data-loader-script nowhere.py
fi
finish
