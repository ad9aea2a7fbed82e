#!/bin/bash
# checkout.sh INTERPRETER WHEELHOUSE: installs a copy of this checkout in fresh environments, as a user would who has no
# wheel: `pip install .` and `pip install -e .`, with build isolation. Everything else comes from the wheelhouse, without a
# network. Then it lacks something that building needs, and pip has to say what.
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
interpreter=$1 wheelhouse=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "FAILED: $*"; exit 1; }
expect() { grep -q -- "$2" "$1" || fail "$1 lacks '$2': $(tail -n 60 "$1")"; }

# ccache knows the results of build/release: with these settings, the place of the checkout doesn't count, and the
# compiler is called by the same name.
checkout=$folder/checkout
export CCACHE_BASEDIR=$checkout CCACHE_NOHASHDIR=1 CC=${CC:-cc} CXX=${CXX:-c++}
export PIP_NO_INDEX=1 PIP_FIND_LINKS=$wheelhouse PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_CONFIG_FILE=/dev/null
mkdir "$checkout"
tar -C "$source" --exclude ./build --exclude ./dist --exclude ./.git --exclude __pycache__ -cf - . | tar -C "$checkout" -xf -
cd "$folder"

environment=$folder/venv
"$interpreter" -m venv "$environment"
pip() { "$environment/bin/python" -m pip "$@" > pip.txt 2>&1 || fail "pip $*: $(tail -n 60 pip.txt)"; }
# Nothing but the environment: not this folder, and no engine of the system.
isolated() { env -i HOME="$folder" PATH="$environment/bin" PYTHONDONTWRITEBYTECODE=1 "$@"; }
files() { find "$environment" -not -name '*.pyc' -not -type d | sort; }
python() { isolated "$environment/bin/python" -c "$@"; }
pip install --no-compile onnx onnxruntime
packages=$(python "import sysconfig; print(sysconfig.get_path('platlib'))")
files > before.txt

# use: runs the command, a worker, and a reduction with a function.
use() {
  isolated "$environment/bin/assay" --version > version.txt || fail "--version: $(cat version.txt)"
  expect version.txt "onnxruntime .*$packages/onnxruntime"
  isolated "$environment/bin/assay" run "$source/tests/models/mnist_quantized.onnx" --onnxrt > run.txt 2>&1 || fail "$(cat run.txt)"
  expect run.txt PASSED
  python "
import assay
model = '$source/tests/models/mnist_quantized.onnx'
whole = [node.op_type for node in assay.Model(model).nodes]
check = lambda path: all(node.op_type != whole[-1] for node in assay.Model(path).nodes)
assert [node.op_type for node in assay.reduce(model, check).model.nodes] == whole[-1:]" || fail "assay.reduce"
}
remove() {
  pip uninstall -y assay-onnx
  files | diff before.txt - || fail "the package left files"
}

echo "== pip install ."
pip install --no-compile "$checkout"
use
python "import assay; assert assay.__file__.startswith('$packages'), assay.__file__"
remove

echo "== pip install -e ."
pip install --no-compile -e "$checkout"
use
echo 'CHANGED = "in the checkout"' >> "$checkout/python/assay/constants.py"
python "import assay.constants as c; assert c.CHANGED == 'in the checkout' and c.__file__.startswith('$checkout')" ||
  fail "a change of a Python file has no effect"
remove

echo "== What is missing is named"
lacks() { # MESSAGE WORD...: pip fails with these variables in its environment, and says this.
  local message=$1
  shift
  if env "$@" "$environment/bin/python" -m pip install --config-settings=build-dir="$folder/lacking" "$checkout" > lacks.txt 2>&1; then
    fail "it installs with $*"
  fi
  expect lacks.txt "$message"
  rm -rf "$folder/lacking"
}
lacks "ONNX (scripts/setup.sh builds it)" ASSAY_CACHE_DIR="$folder/empty"
lacks "libprotobuf-dev" CMAKE_ARGS=-DCMAKE_DISABLE_FIND_PACKAGE_Protobuf=ON
lacks "python3-dev" CMAKE_ARGS=-DCMAKE_DISABLE_FIND_PACKAGE_Python=ON
lacks "Could not find compiler" CXX=/nowhere/c++
echo "installed, changed and removed"
