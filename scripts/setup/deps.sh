# Writes deps.cmake in the cache folder, which tells the build where everything is. Sourced.

# write_deps: lists everything that exists now. An unchanged file is not touched, so that nothing is rebuilt.
write_deps() {
  local file=$cache/deps.cmake venv
  {
    printf '# Written by scripts/setup.sh.\n'
    printf 'set(ONNX_ROOT "%s")\n' "$(onnx_path)"
    printf 'set(ONNXRUNTIME_ROOT "%s")\n' "$(headers_path)"
    set_if_exists ASSAY_FETCHED_ONNXRUNTIME_LIB "$(library_path "$onnxruntime_version")"
    set_if_exists ASSAY_FETCHED_OPENVINO_LIB "$(openvino_path)"
    set_if_exists ASSAY_FETCHED_TENSORRT_LIB "$(tensorrt_path)/lib/libnvinfer.so.10"
    set_if_exists ASSAY_FETCHED_CUDA "$(tensorrt_path)/cuda"
    set_if_exists ASSAY_OLD_ONNXRUNTIME_LIB "$(library_path "$onnxruntime_old_version")"
    set_if_exists ASSAY_ONNX_BACKEND_TESTS "$(onnx_tests_path)"
    set_if_exists ASSAY_NPM_PACKAGES "$(npm_path)/node_modules"
    set_if_exists ASSAY_NODE "$(node_path)"
    for venv in build test cases api; do
      if venv_ready "$venv"; then set_if_exists "ASSAY_${venv^^}_PYTHON" "$(venv_path "$venv")/bin/python"; fi
    done
    printf 'set(ASSAY_WHEEL_TESTS "%s")\n' "$(wheel_tests)"
  } > "$file.new"
  if cmp -s "$file.new" "$file"; then rm "$file.new"; else mv -T "$file.new" "$file"; fi
}

# set_if_exists VARIABLE PATH: prints a line that sets a variable of CMake, if the path exists.
set_if_exists() {
  if [ -e "$2" ]; then printf 'set(%s "%s")\n' "$1" "$2"; fi
}

# wheel_tests: prints "VERSION|INTERPRETER|WHEELHOUSE;..." for the versions of Python in which wheels can be tested.
wheel_tests() {
  local folder version rows=()
  for folder in $(wheelhouse_path '*'); do
    version=${folder#"$cache"/wheelhouse-}
    version=${version%-*}
    if [ -d "$folder" ]; then rows+=("$version|$(python_of "$version")|$folder"); fi
  done
  (IFS=';' && printf '%s' "${rows[*]-}")
}
