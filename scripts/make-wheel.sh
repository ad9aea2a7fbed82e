#!/bin/bash
# make-wheel.sh [FOLDER]: builds the Python wheels of this checkout into FOLDER (default: dist), one for each version of
# Python that needs its own (scripts/setup/wheel.sh) and is on this machine. Run `scripts/setup.sh --wheel` before.
#
# The wheels run on every Linux with glibc 2.35 or later, such as Ubuntu 22.04 and Debian 12: auditwheel copies all other shared
# libraries into them under new names, so that they never meet those of other packages in a process. The builds share a
# folder, in which only the extension is compiled again for each Python; ccache has the other object files from build/release.
# The wheels are the same with and without TensorRT's headers: they don't contain its worker.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/.."
folder=${1:-dist}
for step in cache lib versions python wheel; do
  # shellcheck source=/dev/null
  . "$here/setup/$step.sh"
done

mapfile -t versions < <(wheel_versions)
[ "${#versions[@]}" -gt 0 ] || fail "no Python with the headers of its C API was found" "scripts/setup.sh --wheel installs it"
raw=$(mktemp -d)
trap 'rm -rf "$raw"' EXIT
mkdir -p "$folder"
# With the compiler and the CMake of build/release, the command lines are the same, so ccache recognises them.
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$PWD} CCACHE_NOHASHDIR=${CCACHE_NOHASHDIR:-1}
export CC=${CC:-cc} CXX=${CXX:-c++} CMAKE_EXECUTABLE=${CMAKE_EXECUTABLE:-$(command -v cmake)}
for version in "${versions[@]}"; do
  interpreter=$(python_of "$version")
  python=$interpreter venv_ready wheel || fail "the tools for wheels are missing" "scripts/setup.sh --wheel installs them"
  environment=$(python=$interpreter venv_path wheel)
  log=$raw/$version.log
  rm -f build/python/.skbuild-info.json  # else scikit-build-core clears the folder for the next Python
  "$environment/bin/python" -m pip wheel . -q --disable-pip-version-check --no-deps --no-build-isolation -w "$raw/$version" \
    --config-settings=build-dir=build/python --config-settings=logging.level=WARNING \
    --config-settings=cmake.define.ASSAY_TENSORRT=OFF > "$log" 2>&1 ||
    { tail -n 40 "$log"; fail "cannot build the wheel for Python $version"; }
  PATH="$environment/bin:$PATH" "$environment/bin/python" "$here/repair_wheel.py" "$raw/$version"/*.whl "$folder"
done
