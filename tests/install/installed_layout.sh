#!/bin/bash
# Installs into a folder, moves it elsewhere, and uses it: programs find their workers relative to themselves, a link
# named polygraphy works like assay, and nothing refers to the build folder.
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${ASSAY_BUILD_DIR:?is the build folder; ctest sets it}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "FAILED: $*"; exit 1; }

cmake --install "$build" --prefix "$folder/first" > "$folder/install.log" || fail "$(cat "$folder/install.log")"
mv "$folder/first" "$folder/moved"
prefix=$folder/moved
for file in bin/assay share/man/man1/assay.1 share/bash-completion/completions/assay share/zsh/site-functions/_assay \
  share/fish/vendor_completions.d/assay.fish share/doc/assay/LICENSE; do
  [ -s "$prefix/$file" ] || fail "$file is not installed"
done
for program in "$prefix"/bin/* "$prefix"/libexec/assay/assay-worker-*; do
  [ -x "$program" ] || fail "$program is not installed"
  ! readelf -d "$program" | grep -E 'R(UN)?PATH' || fail "$program has a run path"
done

# An environment without traces of the build: no variables, no engines on PATH.
clean() { env -i HOME="$folder" PATH=/usr/bin:/bin "$@"; }
cd "$folder"
clean "$prefix/bin/assay" --version | tee version.txt || fail "--version"
if [ -d "$prefix/libexec/assay/onnxruntime" ]; then
  grep -qF "$prefix/libexec/assay/onnxruntime/" version.txt || fail "--version does not find the installed ONNX Runtime"
fi
ln -s "$prefix/bin/assay" polygraphy
for name in "$prefix/bin/assay" ./polygraphy; do
  clean "$name" inspect model "$source/tests/models/mnist_quantized.onnx" > inspect.txt || fail "$name inspect model: $(cat inspect.txt)"
  if [ -d "$prefix/libexec/assay/onnxruntime" ]; then
    clean "$name" run "$source/tests/models/mnist_quantized.onnx" --onnxrt > run.txt 2>&1 || fail "$name run: $(cat run.txt)"
    grep -q PASSED run.txt || fail "$name run says: $(cat run.txt)"
  fi
done
if [ -x "${ASSAY_TEST_PYTHON:-}" ]; then
  clean "$prefix/bin/assay" run "$source/tests/models/ext_weights.onnx" --reference --python-interpreter "$ASSAY_TEST_PYTHON" \
    > run.txt 2>&1 || fail "run --reference: $(cat run.txt)"
fi
if command -v man > /dev/null; then
  man --warnings -l "$prefix/share/man/man1/assay.1" > man.txt 2> man-warnings.txt
  [ ! -s man-warnings.txt ] || fail "the man page: $(cat man-warnings.txt)"
fi
bash -n "$prefix/share/bash-completion/completions/assay" || fail "the bash completion does not parse"
if command -v zsh > /dev/null; then zsh -n "$prefix/share/zsh/site-functions/_assay" || fail "the zsh completion does not parse"; fi
if command -v fish > /dev/null; then fish -n "$prefix/share/fish/vendor_completions.d/assay.fish" || fail "the fish completion does not parse"; fi
echo "installed, moved and used"
