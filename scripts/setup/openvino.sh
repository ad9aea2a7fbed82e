# OpenVINO for the tests: the parts of its wheel that run ONNX models on a CPU, and the headers of its C++ API, which
# are needed to build the programs that --repro writes. Sourced.

# openvino_path: prints the path of its C API's library; 2026.4.1 is 2641 in its name.
openvino_path() {
  local short=${openvino_version#20}
  printf '%s\n' "$cache/openvino-$openvino_version/lib/libopenvino_c.so.${short//./}"
}

ensure_openvino() {
  local machine
  # Folders of earlier set-ups have no headers and are replaced.
  [ ! -e "$(openvino_path)" ] || [ ! -e "$cache/openvino-$openvino_version/include/openvino/openvino.hpp" ] || return 0
  machine=$(uname -m)
  fetch_wheel openvino "$openvino_version" "${openvino_sha256[$machine]:-}" "manylinux_2_28_$machine manylinux_2_35_$machine" \
    'openvino/libs/(libopenvino(_c|_onnx_frontend|_ir_frontend)?\.so.*)=lib' \
    'openvino/libs/(libopenvino_(intel|arm)_cpu_plugin\.so|lib(tbb|hwloc|arm_compute)[^/]*\.so[^/]*)=lib' \
    'openvino/include/(openvino/.*[^/])=include' \
    'openvino-[^/]*/licenses/(?:.*/)?(LICENSE|[^/]*third-party[^/]*)=share/doc'
}
