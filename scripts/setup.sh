#!/bin/bash
# Installs what Assay needs to be built and, on request, what its tests need.
#
# Debian packages are installed as root or through sudo; everything else goes into a cache folder outside the checkout,
# shared by all checkouts. Existing pieces are kept, so running this again takes a fraction of a second. Each piece is
# built under a temporary name and renamed, so the set-up can be interrupted at any moment.
set -uo pipefail

usage() {
  cat << 'TEXT'
usage: scripts/setup.sh [--test] [--lint] [--fuzz] [--cases] [--wheel] [--deb] [--tensorrt] [--no-packages]
  (no option)    what the build needs: Debian packages, ONNX (built from source), headers and library of ONNX Runtime,
                 what the HTML report embeds
  --test         also what tests and benchmarks need: formatters, an old ONNX Runtime, OpenVINO, Python tools to
                 compare with, a browser
  --lint         also clang-tidy
  --fuzz         also libFuzzer
  --wheel        also what `make wheel` needs: the tools that build Python packages
  --deb          also what `make deb` needs
  --tensorrt     also TensorRT's libraries and CUDA's headers (1 GB), for development; docs/tensorrt.md says what else
  --cases        also the engines whose real failures the tests reproduce (1.2 GB)
  --no-packages  don't install Debian packages (they are installed already)
The cache folder is $ASSAY_CACHE_DIR, else $XDG_CACHE_HOME/assay, else ~/.cache/assay.
TEXT
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
test=no lint=no fuzz=no cases=no wheel=no deb=no tensorrt=no packages=yes
for option in "$@"; do
  case $option in
    --test) test=yes ;;
    --lint) lint=yes ;;
    --fuzz) fuzz=yes ;;
    --cases) cases=yes ;;
    --wheel) wheel=yes ;;
    --deb) deb=yes ;;
    --tensorrt) tensorrt=yes ;;
    --no-packages) packages=no ;;
    --help | -h) usage && exit 0 ;;
    *) usage >&2 && exit 1 ;;
  esac
done

cxx=${CXX:-g++}
for step in cache lib versions debian python wheels wheel npm onnx onnxruntime openvino tensorrt deps; do
  # shellcheck source=/dev/null
  . "$here/setup/$step.sh"
done
mkdir -p "$cache" || fail "cannot create the cache folder $cache" "set ASSAY_CACHE_DIR to a writable folder"
cache=$(cd "$cache" && pwd)

exec 9> "$cache/.lock"
if ! flock -n 9; then
  say "another set-up is running; waiting for it"
  flock 9
fi

wanted=("${packages_build[@]}")
[ "$test" = no ] || wanted+=("${packages_test[@]}")
[ "$lint" = no ] || wanted+=("${packages_lint[@]}")
[ "$fuzz" = no ] || wanted+=("${packages_fuzz[@]}")
if [ "$wheel" = yes ] || [ "$test" = yes ]; then wanted+=("${packages_wheel[@]}"); fi
if [ "$deb" = yes ] || [ "$test" = yes ]; then wanted+=("${packages_deb[@]}"); fi
[ "$tensorrt" = no ] || wanted+=("${packages_tensorrt[@]}")
[ "$packages" = no ] || install_packages "${wanted[@]}"
command -v "$cxx" > /dev/null || fail "C++ compiler $cxx not found" "set CXX to an installed compiler, or unset it"

ensure_headers
ensure_onnx
make_venv build || say "warning: cannot install the Python packages that build the extension: Assay's Python package won't be built"
ensure_library "$onnxruntime_version" ||
  say "warning: cannot fetch ONNX Runtime: Assay will use one that is installed on the machine, or --onnxrt-lib"
ensure_npm build || say "warning: cannot fetch packages from npm: reports will have no interactive views"
if [ "$test" = yes ]; then
  ensure_npm test || say "warning: the tests of the HTML report will skip"
  ensure_library "$onnxruntime_old_version" || say "warning: the tests with ONNX Runtime $onnxruntime_old_version will skip"
  ensure_openvino || say "warning: the tests with OpenVINO will skip"
  if make_venv test; then
    ensure_onnx_tests || say "warning: the tests on the models of ONNX's backend tests will skip"
  else
    say "warning: the tests that compare with other tools will skip"
  fi
  make_venv api || say "warning: the tests of the Python package will skip"
fi
if [ "$wheel" = yes ]; then
  ensure_wheel_tools || fail "cannot install the Python packages that build wheels" \
    "check the network and pip's settings, then run the set-up again"
fi
if [ "$test" = yes ]; then
  { ensure_wheel_tools && ensure_wheelhouses; } || say "warning: the tests of the Python wheels will skip"
fi
if [ "$tensorrt" = yes ]; then
  ensure_tensorrt || fail "cannot fetch TensorRT" "check the network and Maven's settings, then run the set-up again"
fi
if [ "$cases" = yes ]; then
  make_venv cases || say "warning: the tests on real failures of other engines will skip"
fi
write_deps
