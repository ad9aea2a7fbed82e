#!/bin/bash
# check-page.sh [--fix]: checks types, style and format of the HTML report's JavaScript and style sheets, and runs the
# unit tests of the JavaScript. Exit status 77: packages are missing; scripts/setup.sh --test fetches them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../src/report/page/web"
packages=${ASSAY_NPM_PACKAGES:-}
biome=$(compgen -G "$packages/@biomejs/cli-linux-*/biome" || true)
tsc=$(compgen -G "$packages/@typescript/typescript-linux-*/lib/tsc" || true)
if [ -z "$biome" ] || [ -z "$tsc" ] || [ ! -x "${ASSAY_NODE:-}" ]; then
  echo "skipped: the packages from npm or node are missing; scripts/setup.sh --test fetches them"
  exit 77
fi
if [ "${1:-}" = --fix ]; then "$biome" check --write .; fi
"$biome" ci --colors=off --error-on-warnings --vcs-enabled=false .

# The compiler finds packages by a path in its settings, which depends on the machine.
settings=$(mktemp --suffix .json)
trap 'rm -f "$settings"' EXIT
printf '{"extends": "%s/tsconfig.json", "include": ["%s/*"], "exclude": ["%s/*_test.js"], "compilerOptions": {"paths": {"*": ["%s/*"]}}}\n' \
  "$PWD" "$PWD" "$PWD" "$packages" > "$settings"
"$tsc" -p "$settings"
"$ASSAY_NODE" --test ./*_test.js
