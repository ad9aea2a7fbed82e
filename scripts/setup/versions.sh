# The versions that the set-up installs, pinned by hash. The Python environments (requirements-*.txt) are pinned by version
# only. Sourced.

onnx_version=1.23.2
onnx_sdist_sha256=008cb0467b2bbee41448acc7da8b6f4e704624cb0d327a2d5adafc7ce19bc5b8

# ONNX Runtime: the newest for users, the oldest that Assay supports for the tests. One wheel for each processor; the
# shared library in it doesn't depend on the version of Python, so one tag is enough.
onnxruntime_version=1.31.1
onnxruntime_old_version=1.20.1
declare -A onnxruntime_sha256=(
  [1.31.1-x86_64]=5752bd508126ae7c49894d3b9d2e83f0c3d487319246d04c444b393308d7ad7f
  [1.31.1-aarch64]=da05378364c44d4407e463982d2bf8d5e4cfea873283757e48beeb41df97b7f3
  [1.20.1-x86_64]=5eec64c0269dcdb8d9a9a53dc4d64f87b9e0c19801d9321246a53b7eb5a7d1bc
  [1.20.1-aarch64]=f6243e34d74423bdd1edf0ae9596dd61023b260f546ee17d701723915f06a9f7
)

# OpenVINO, for tests with several engines; the same version as in requirements-cases.txt.
openvino_version=2026.4.1
declare -A openvino_sha256=(
  [x86_64]=2d22b1da03f7caf74df30e9f6417d0ab2f637e4a38e08e1dcd294d2c37407aaf
  [aarch64]=bea1eb3733c34ef331adc945da0ccda5937865031139073663be84c517ffda22
)

# TensorRT for development, with CUDA's headers. For GPUs whose driver doesn't support CUDA 13, ASSAY_TENSORRT_VERSION is
# 10.6, which was built with CUDA 12.6.
tensorrt_version=${ASSAY_TENSORRT_VERSION:-10.15}
declare -A tensorrt_jar_version=([10.15]=10.15-1.5.13 [10.6]=10.6-1.5.11)
declare -A tensorrt_jar_sha256=(
  [10.15]=8543a6bda95c5d42141d409e1b74024b444e96334a3815d53997cc4ec3cfce83
  [10.6]=e7979693541f996bc284335b05f5e890a82b8b3aba50d680e1343a139cf291c4
)
cuda_version=13.5.37
cuda_runtime_sha256=df2b79a8852f10d1fef8c848489c49eebb5754051bf870202a862831412b179d
cuda_crt_sha256=e898b7f73d3035fa89915a3f7bf3b54a73e90249746111aed295822c4729bb29

# Debian packages needed by the build, and additionally by the tests, Python wheels, Debian packages, the linter and the
# fuzzer.
packages_build=(
  g++ cmake ninja-build ccache pkg-config python3 python3-venv
  libprotobuf-dev protobuf-compiler libcli11-dev libfmt-dev libspdlog-dev nlohmann-json3-dev libexpected-dev
  libzip-dev zlib1g-dev libhwy-dev libxxhash-dev libsqlite3-dev libpcre2-dev libgtest-dev libgmock-dev
)
packages_test=(clang-format-16 shellcheck chromium)
packages_wheel=(python3-dev)
packages_deb=(dpkg-dev file)
packages_tensorrt=(maven)
packages_lint=(clang-16 clang-tidy-16)
packages_fuzz=(clang-16 libclang-rt-16-dev)
