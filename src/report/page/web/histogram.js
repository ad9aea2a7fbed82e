// @ts-check
// The histograms of one tensor's sides, over the same axis.
import { element } from './dom.js';
import { numberText } from './numbers.js';

/** @typedef {import('./model.js').Statistics} Statistics */

const width = 300;
const height = 90;
const space = 'http://www.w3.org/2000/svg';

/** @param {string} tag @param {Record<string, string | number>} attributes */
function svg(tag, attributes) {
  const made = document.createElementNS(space, tag);
  for (const [name, value] of Object.entries(attributes)) {
    made.setAttribute(name, String(value));
  }
  return made;
}

/**
 * Returns the outline of a histogram as a path. Heights are densities, since sides differ in the number of finite values.
 * @param {{low: number, high: number, counts: number[]}} histogram
 * @param {number} low
 * @param {number} high
 * @param {number} most the density at the upper border
 */
export function outline(histogram, low, high, most) {
  const bin = (histogram.high - histogram.low) / histogram.counts.length;
  const total = histogram.counts.reduce((sum, count) => sum + count, 0) || 1;
  /** @param {number} value */
  const x = (value) => (((value - low) / (high - low || 1)) * width).toFixed(1);
  let path = `M${x(histogram.low)} ${height}`;
  histogram.counts.forEach((count, i) => {
    const y = (height - (count / total / (bin || 1) / most) * (height - 4)).toFixed(1);
    path += `V${y}H${x(histogram.low + (i + 1) * bin)}`;
  });
  return `${path}V${height}`;
}

/** @param {{low: number, high: number, counts: number[]}} histogram */
function density(histogram) {
  const bin = (histogram.high - histogram.low) / histogram.counts.length || 1;
  const total = histogram.counts.reduce((sum, count) => sum + count, 0) || 1;
  return Math.max(...histogram.counts) / total / bin;
}

/** @param {Statistics[]} statistics @returns {HTMLElement | null} */
export function histogramFigure(statistics) {
  const sides = statistics.filter((side) => side.histogram);
  if (!sides.length) {
    return null;
  }
  const histograms = sides.map((side) => /** @type {NonNullable<Statistics['histogram']>} */ (side.histogram));
  const low = Math.min(...histograms.map((histogram) => histogram.low));
  const high = Math.max(...histograms.map((histogram) => histogram.high));
  const most = Math.max(...histograms.map(density)) || 1;
  const names = sides.map((side) => side.side || 'values');
  const picture = svg('svg', {
    viewBox: `0 0 ${width} ${height}`,
    role: 'img',
    preserveAspectRatio: 'none',
    'aria-label': `Histograms of ${names.join(' and ')}, from ${numberText(low)} to ${numberText(high)}`,
  });
  histograms.forEach((histogram, i) => {
    picture.append(svg('path', { d: outline(histogram, low, high, most), class: `side-${i}` }));
  });
  return element(
    'figure',
    { class: 'histogram' },
    /** @type {any} */ (picture),
    element('div', { class: 'axis' }, element('span', {}, numberText(low)), element('span', {}, numberText(high))),
    element(
      'figcaption',
      {},
      ...names.map((name, i) => element('span', { class: `key-${i}` }, element('i', { 'aria-hidden': 'true' }), name)),
    ),
  );
}
