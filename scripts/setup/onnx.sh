# ONNX's C++ library, built once from its source distribution and kept in the cache folder. Sourced.
# There is one result for each version of ONNX and of the compiler: onnx-1.23.2-gcc-12. A unity build takes a third of
# the time. To use an installed ONNX that is new enough, pass -DONNX_ROOT.

onnx_path() {
  local family=gcc
  if [[ $("$cxx" --version) == *clang* ]]; then family=clang; fi
  printf '%s\n' "$cache/onnx-$onnx_version-$family-$("$cxx" -dumpversion | cut -d. -f1)"
}

build_onnx() {
  local target=$1 work cmake
  work=$(scratch onnx) || return 1
  cmake=$(venv_path build)/bin/cmake
  # pip asks the source distribution's build back-end for its metadata, using the packages of our environment.
  PATH="$(venv_path build)/bin:$PATH" pip_download "$work" "onnx==$onnx_version --hash=sha256:$onnx_sdist_sha256" \
    --no-binary :all: --no-build-isolation || return 1
  mkdir "$work/source"
  tar -xzf "$work/onnx-$onnx_version.tar.gz" --strip-components=1 -C "$work/source" || return 1
  say "building ONNX $onnx_version with $cxx (about two minutes on two cores; log: $cache/onnx.log)"
  {
    "$cmake" -S "$work/source" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
      -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_INSTALL_PREFIX="$work/result" \
      -DPython3_EXECUTABLE="$python" -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DONNX_ML=ON -DONNX_USE_UNITY_BUILD=ON \
      -DONNX_USE_PROTOBUF_SHARED_LIBS=ON -DONNX_BUILD_PYTHON=OFF -DONNX_BUILD_TESTS=OFF -DONNX_GEN_PB_TYPE_STUBS=OFF \
      -DONNX_HARDENING=OFF &&
      "$cmake" --build "$work/build" --target install
  } > "$cache/onnx.log" 2>&1 || return 1
  install -m 644 -D "$work/source/LICENSE" "$work/result/share/doc/onnx/LICENSE"
  publish "$work/result" "$target"
  rm -rf "$work"
}

ensure_onnx() {
  local target
  target=$(onnx_path)
  if [ -e "$target/lib/cmake/ONNX/ONNXConfig.cmake" ]; then return 0; fi
  make_venv build || fail "cannot install the Python packages that build ONNX" \
    "check the network and pip's settings, then run the set-up again"
  if ! build_onnx "$target"; then
    [ ! -e "$cache/onnx.log" ] || grep -E 'error|FAILED' "$cache/onnx.log" | head -n 15 >&2
    fail "cannot build ONNX $onnx_version from its source distribution" "the whole log is $cache/onnx.log" \
      "to use an installed ONNX: cmake --preset release -DONNX_ROOT=PREFIX"
  fi
}

# The models of ONNX's backend tests, which its Python package creates. The folder's name depends on the script that
# writes them.
onnx_tests_path() {
  local hash
  hash=$(sha256sum "$onnx_tests_script")
  printf '%s\n' "$cache/onnx-$onnx_version-backend-models-${hash:0:8}"
}
onnx_tests_script=$here/../tests/support/make_backend_models.py

ensure_onnx_tests() {
  local target work
  target=$(onnx_tests_path)
  if [ -d "$target" ]; then return 0; fi
  say "writing the models of ONNX's backend tests"
  work=$(scratch backend-models) || return 1
  "$(venv_path test)/bin/python" -W ignore "$onnx_tests_script" "$work" > /dev/null || return 1
  publish "$work" "$target"
}
