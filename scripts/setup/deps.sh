# Writes deps.cmake in the cache folder, which tells the build where everything is, except for what -D says. Sourced.

# write_deps: lists everything that exists now. An unchanged file is not touched, so that nothing is rebuilt.
write_deps() {
  local file=$cache/deps.cmake venv
  {
    printf '# Written by scripts/setup.sh.\n'
    set_default ONNX_ROOT "$(onnx_path)"
    set_default ONNXRUNTIME_ROOT "$(headers_path)"
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
    set_default ASSAY_WHEEL_TESTS "$(wheel_tests)"
  } > "$file.new"
  if cmp -s "$file.new" "$file"; then rm "$file.new"; else mv -T "$file.new" "$file"; fi
}

# set_default VARIABLE VALUE: prints lines that set a variable of CMake, unless it has a value.
set_default() {
  printf 'if(NOT %s)\n  set(%s "%s")\nendif()\n' "$1" "$1" "$2"
}

# set_if_exists VARIABLE PATH: the same, if the path exists.
set_if_exists() {
  if [ -e "$2" ]; then set_default "$1" "$2"; fi
}

# wheel_tests: prints "VERSION|INTERPRETER|WHEELHOUSE;..." for the versions of Python in which wheels can be tested.
wheel_tests() {
  local folder version rows=()
  while read -r folder; do
    version=${folder#"$cache"/wheelhouse-}
    version=${version%-*}
    rows+=("$version|$(python_of "$version")|$folder")
  done < <(compgen -G "$(wheelhouse_path '*')" | sort)
  (IFS=';' && printf '%s' "${rows[*]-}")
}
