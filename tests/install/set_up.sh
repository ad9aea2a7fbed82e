#!/bin/bash
# Runs steps of scripts/setup.sh in an empty cache folder, with stand-ins for programs of the system. Nothing is installed.
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed() { echo "FAILED: $*"; exit 1; }

export ASSAY_CACHE_DIR="$folder/a cache"
here=$source/scripts cxx=${CXX:-g++}
mkdir -p "$ASSAY_CACHE_DIR" "$folder/bin"
for step in cache lib versions debian python wheels wheel npm onnx onnxruntime openvino tensorrt deps; do
  # shellcheck source=/dev/null
  . "$here/setup/$step.sh"
done

stand_in() {
  printf '#!/bin/bash\n%s\n' "$2" > "$folder/bin/$1"
  chmod +x "$folder/bin/$1"
}

# An environment belongs to one version of Python.
stand_in old 'echo 3.10'
stand_in new 'echo 3.12'
old=$(python=$folder/bin/old venv_path build)
new=$(python=$folder/bin/new venv_path build)
[ "$old" != "$new" ] || failed "two versions of Python share $old"

# deps.cmake replaces one of an earlier set-up, which would hide what -D says, and scripts can read it.
echo 'set(ONNX_ROOT "/earlier")' > "$cache/deps.cmake"
python=$folder/bin/python
stand_in python 'case $* in *Python.h*) ;; *) echo 3.11 ;; esac'
wheelhouse=$(wheelhouse_path 3.11)
mkdir "$wheelhouse"
write_deps
printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' "include(\"$cache/deps.cmake\")" \
  "message(\"\${ONNX_ROOT}, \${ASSAY_WHEEL_TESTS}\")" > "$folder/show.cmake"
told() { cmake "$@" -P "$folder/show.cmake" 2>&1; }
[ "$(told)" = "$(onnx_path), 3.11|$python|$wheelhouse" ] || failed "deps.cmake says: $(told)"
[[ $(told -DONNX_ROOT=/mine) == /mine,* ]] || failed "with -DONNX_ROOT=/mine, deps.cmake says: $(told -DONNX_ROOT=/mine)"
[ "$(setting ONNX_ROOT)" = "$(onnx_path)" ] || failed "scripts read ONNX_ROOT as '$(setting ONNX_ROOT)'"

# If sudo refuses, the set-up says so, not that the network is broken. Otherwise apt-get gets the user's proxies.
stand_in id 'echo 1000'
stand_in dpkg-query 'exit 1'
stand_in apt-get 'exit 0'
install() { (PATH=$folder/bin:$PATH install_packages a-package 2>&1) || true; }
stand_in sudo 'echo "a password is required" >&2; exit 1'
[[ $(install) == *"sudo failed"*"as root: apt-get"* ]] || failed "without a password for sudo: $(install)"
stand_in sudo "echo \"\$*\" >> '$folder/sudo.log'"
install > /dev/null
grep -F 'http_proxy,https_proxy' "$folder/sudo.log" | grep -F 'install -y' > "$folder/installs.log" || failed "$(cat "$folder/sudo.log")"

# `make install` builds nothing and sets nothing up, since it may run as root.
make_install() { make -s -C "$source" install BUILD="$folder/nowhere" "$@" 2>&1; }
[[ $(make_install -n) != *setup.sh* ]] || failed "make install sets up: $(make_install -n)"
words=$(make_install) && failed "make install without a build succeeds"
[[ $words == *"Run make first"* ]] || failed "make install says: $words"
echo "the set-up writes its settings and explains what it lacks"
