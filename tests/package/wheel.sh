#!/bin/bash
# wheel.sh INTERPRETER WHEELHOUSE DIST: installs the wheel in DIST that fits the interpreter in a fresh environment, uses
# it, and removes it. Everything else is installed from the wheelhouse, without a network.
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
interpreter=$1 wheelhouse=$2 dist=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "FAILED: $*"; exit 1; }

"$interpreter" -m venv "$folder/venv"
environment=$folder/venv
cd "$folder"
pip() { "$environment/bin/python" -m pip -q --disable-pip-version-check "$@" > pip.txt 2>&1 || fail "pip $*: $(cat pip.txt)"; }
install() { pip install --no-index --find-links "$dist" --find-links "$wheelhouse" "$@"; }
# Nothing but the environment: the system's packages could have engines.
isolated() { env -i HOME="$folder" PATH="$environment/bin" PYTHONDONTWRITEBYTECODE=1 "$@"; }
expect() { grep -q -- "$2" "$1" || fail "$1 lacks '$2': $(cat "$1")"; }

engines=(onnxruntime)
if compgen -G "$wheelhouse/openvino-*" > /dev/null; then engines+=(openvino); fi
install --no-compile onnx pytest "${engines[@]}"
find "$environment" -not -name '*.pyc' -not -type d | sort > before.txt
install "assay-onnx[$(IFS=, && echo "${engines[*]}")]"
packages=$("$environment/bin/python" -c "import sysconfig; print(sysconfig.get_path('platlib'))")
model=$source/tests/models/mnist_quantized.onnx

echo "== The command"
for file in share/man/man1/assay.1 share/bash-completion/completions/assay share/zsh/site-functions/_assay \
  share/fish/vendor_completions.d/assay.fish; do
  [ -s "$environment/$file" ] || fail "$file is not installed"
done
for package in onnx nanobind libprotobuf32 libsqlite3-0 libfmt9 libbz2-1.0 libcli11-dev; do
  [ -n "$(find "$packages"/assay_onnx-*.dist-info/licenses/"$package" -type f -size +0)" ] || fail "there is no licence of $package"
done
isolated "$environment/bin/assay" --version > version.txt || fail "--version: $(cat version.txt)"
expect version.txt "onnxruntime .*$packages/onnxruntime"
isolated "$environment/bin/python" -m assay --version > module.txt || fail "python -m assay: $(cat module.txt)"
cmp version.txt module.txt || fail "python -m assay is another program: $(cat module.txt)"
isolated "$environment/bin/assay" run "$model" --onnxrt > run.txt 2>&1 || fail "run: $(cat run.txt)"
expect run.txt PASSED
isolated "$environment/bin/assay" run "$source/tests/models/ext_weights.onnx" --reference > run.txt 2>&1 || fail "run --reference: $(cat run.txt)"
if [ "${#engines[@]}" -eq 1 ]; then
  if isolated "$environment/bin/assay" run "$model" --openvino > missing.txt 2>&1; then fail "it runs without the engine"; fi
  expect missing.txt "pip install 'assay-onnx\[openvino\]'"
fi
env -i HOME="$folder" PATH="$environment/bin:/usr/bin:/bin" "$source/examples/demo.sh" > demo.txt 2>&1 || fail "demo: $(cat demo.txt)"
expect demo.txt "Reduced 1749 nodes to 1"
ldd "$packages"/assay/bin/assay "$packages"/assay/libexec/assay/assay-worker-* "$packages"/assay/_assay*.so > libraries.txt
if grep 'not found' libraries.txt; then fail "a library is missing"; fi
if grep -E 'lib(protobuf|fmt|spdlog|zip|pcre2|hwy|sqlite3|crypto)[.-]' libraries.txt | grep -v "=> $packages/"; then
  fail "a library of this machine is used"
fi

echo "== The packages in one process"
"$environment/bin/python" "$source/tests/package/import_orders.py" || fail "imports"

echo "== The tests of the Python package"
isolated "$environment/bin/python" -m pytest -q -p no:cacheprovider --ignore "$source/python/tests/test_types.py" \
  "$source/python/tests" || fail "pytest"

echo "== Removal"
pip uninstall -y assay-onnx
find "$environment" -not -name '*.pyc' -not -type d | sort > after.txt  # pip leaves empty folders in share/
diff before.txt after.txt || fail "the package left files"
if find "$environment" -name '*assay*' | grep .; then fail "the package left files"; fi
echo "installed, used and removed"
