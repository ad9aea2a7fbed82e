#!/bin/bash
# take-pictures.sh REPORT.html FOLDER: takes pictures of a report for the documentation: report-verdict.png,
# report-errors.png and report-graph.png, as far as the report has these views. Needs Chromium and what
# scripts/setup.sh --test installs.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# -eq 2 ] || { sed -n '2,4s/^# //p' "$0" >&2; exit 2; }
REPORT=$(realpath "$1")
PICTURES=$(realpath "$2")
. "$here/setup/cache.sh"
ASSAY_NPM_PACKAGES=${ASSAY_NPM_PACKAGES:-$(setting ASSAY_NPM_PACKAGES)}
ASSAY_CHROMIUM=${ASSAY_CHROMIUM:-$(command -v chromium)}
export REPORT PICTURES ASSAY_NPM_PACKAGES ASSAY_CHROMIUM
"${ASSAY_NODE:-$(setting ASSAY_NODE)}" --input-type=module - "$here" << 'JS'
import { createRequire } from 'node:module';
const require = createRequire(`${process.env.ASSAY_NPM_PACKAGES}/`);
const { chromium } = require('playwright-core');
const browser = await chromium.launch({ executablePath: process.env.ASSAY_CHROMIUM, args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: { width: 1280, height: 760 }, reducedMotion: 'reduce' });
await page.goto(`file://${process.env.REPORT}`);
await page.waitForFunction(() => document.documentElement.dataset.ready);
const take = (name) => page.screenshot({ path: `${process.env.PICTURES}/${name}` });
await take('report-verdict.png');
const born = page.getByRole('button', { name: 'First born' });
if (await born.count()) {
  await born.click();
}
for (const view of ['errors', 'graph']) {
  if (await page.locator(`#${view}`).count()) {
    await page.locator(`#${view}`).evaluate((section) => section.scrollIntoView());
    await page.waitForTimeout(500);
    await take(`report-${view}.png`);
  }
}
await browser.close();
JS
for picture in "$PICTURES"/report-*.png; do
  size=$(stat -c %s "$picture")
  echo "$picture: $((size / 1000)) kB"
  [ "$size" -lt 200000 ] || { echo "error: $picture is larger than 200 kB" >&2; exit 1; }
done
