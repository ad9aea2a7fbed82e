#!/bin/bash
# Builds the Debian package from the build folder and looks into it; installing it needs root and is tried by hand.
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${ASSAY_BUILD_DIR:?is the build folder; ctest sets it}
for tool in dpkg-shlibdeps file; do
  command -v "$tool" > /dev/null || { echo "skipped: $tool is not installed (scripts/setup.sh --deb installs it)"; exit 77; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "FAILED: $*"; exit 1; }

"$source/scripts/make-deb.sh" "$folder" "$build" > "$folder/log" 2>&1 || fail "$(cat "$folder/log")"
package=$(echo "$folder"/assay_*.deb)
dpkg-deb -f "$package" Depends > "$folder/depends"
for library in libprotobuf32 libsqlite3-0 libzip4 libfmt9 libpcre2-8-0 libc6; do
  grep -q "$library" "$folder/depends" || fail "it doesn't depend on $library: $(cat "$folder/depends")"
done
dpkg-deb -x "$package" "$folder/root"
for file in bin/assay libexec/assay/assay-worker-onnxruntime libexec/assay/assay-guard share/man/man1/assay.1 \
  share/bash-completion/completions/assay share/zsh/vendor-completions/_assay share/fish/vendor_completions.d/assay.fish \
  share/doc/assay/copyright; do
  [ -s "$folder/root/usr/$file" ] || fail "$file is missing: $(dpkg-deb -c "$package")"
done
env -i HOME="$folder" PATH=/usr/bin:/bin "$folder/root/usr/bin/assay" run "$source/tests/models/mnist_quantized.onnx" --onnxrt \
  > "$folder/run.txt" 2>&1 || fail "run: $(cat "$folder/run.txt")"
echo "$(basename "$package") depends on $(cat "$folder/depends")"
