# TensorRT for development: NVIDIA's libraries from JavaCPP's presets in the Maven repository, and CUDA's headers from
# PyPI. TensorRT's own headers come with NVIDIA's SDK; pass -DTENSORRT_ROOT to CMake. Sourced.

tensorrt_path() { printf '%s\n' "$cache/tensorrt-$tensorrt_version"; }

# fetch_jar FOLDER: downloads the libraries into FOLDER/lib.
fetch_jar() {
  local version=${tensorrt_jar_version[$tensorrt_version]} jar
  jar=org/bytedeco/tensorrt/$version/tensorrt-$version-linux-x86_64-redist.jar
  mvn -q -B "-Dmaven.repo.local=$1/maven" dependency:get -Dtransitive=false \
    "-Dartifact=org.bytedeco:tensorrt:$version:jar:linux-x86_64-redist" || return 1
  printf '%s  %s\n' "${tensorrt_jar_sha256[$tensorrt_version]}" "$1/maven/$jar" | sha256sum --check --quiet || return 1
  unpack "$1/maven/$jar" "$1/result" '.*/(lib[^/]*\.so[^/]*)=lib'
}

# fetch_cuda_headers FOLDER: downloads CUDA's headers into FOLDER/result/cuda.
fetch_cuda_headers() {
  local wheel
  pip_download "$1" "nvidia-cuda-runtime==$cuda_version --hash=sha256:$cuda_runtime_sha256" --no-deps &&
    pip_download "$1" "nvidia-cuda-crt==$cuda_version --hash=sha256:$cuda_crt_sha256" --no-deps || return 1
  for wheel in "$1"/nvidia_cuda_*.whl; do
    unpack "$wheel" "$1/result" 'nvidia/[^/]*/include/(.*[^/])=cuda/include' || return 1
  done
}

ensure_tensorrt() {
  local work
  [ ! -d "$(tensorrt_path)" ] || return 0
  if [ "$(uname -m)" != x86_64 ]; then say "TensorRT's libraries are for x86_64 only" && return 1; fi
  if [ -z "${tensorrt_jar_version[$tensorrt_version]:-}" ]; then
    say "TensorRT $tensorrt_version can't be fetched. ASSAY_TENSORRT_VERSION can be one of these: ${!tensorrt_jar_version[*]}" &&
      return 1
  fi
  make_venv build || return 1
  work=$(scratch tensorrt) || return 1
  say "fetching TensorRT $tensorrt_version (up to 1.1 GB)"
  retry "downloading TensorRT" fetch_jar "$work" || return 1
  fetch_cuda_headers "$work" || return 1
  publish "$work/result" "$(tensorrt_path)"
  rm -rf "$work"
}
