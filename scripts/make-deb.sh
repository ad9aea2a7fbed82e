#!/bin/bash
# make-deb.sh [FOLDER [BUILD]]: writes the Debian package of a build folder (default: build/release) to FOLDER (default:
# dist). Run `scripts/setup.sh --deb` before.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mkdir -p "${1:-dist}"
folder=$(cd "${1:-dist}" && pwd)
build=${2:-build/release}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cpack -G DEB --config "$build/CPackConfig.cmake" -B "$scratch" > "$scratch/log" || { cat "$scratch/log"; exit 1; }
mv "$scratch"/assay_*.deb "$folder/"
printf '%s\n' "$folder"/assay_*.deb
