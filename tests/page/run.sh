#!/bin/bash
# run.sh PAGE_SAMPLES: writes synthetic reports and tests them in Chromium. Exit status 77: something is missing.
set -euo pipefail
samples=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")"
ASSAY_CHROMIUM=${ASSAY_CHROMIUM:-$(command -v chromium || true)}
if [ ! -x "$ASSAY_CHROMIUM" ] || [ ! -x "${ASSAY_NODE:-}" ] || [ ! -d "${ASSAY_NPM_PACKAGES:-}/playwright-core" ]; then
  echo "skipped: Chromium, node or playwright-core is missing; scripts/setup.sh --test installs them"
  exit 77
fi
ASSAY_PAGE_SAMPLES=$(mktemp -d)
trap 'rm -rf "$ASSAY_PAGE_SAMPLES"' EXIT
export ASSAY_CHROMIUM ASSAY_PAGE_SAMPLES
"$samples" "$ASSAY_PAGE_SAMPLES"
"$ASSAY_NODE" --test page_test.mjs
