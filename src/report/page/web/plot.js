// @ts-check
// What both plots share: a uPlot of the width of its place, in the colours of the theme.
import uPlot from 'uplot';
import { colour } from './dom.js';
import { countText } from './numbers.js';

/** @param {import('uplot').Axis} axis @returns {import('uplot').Axis} */
function themed(axis) {
  return {
    stroke: () => colour('--soft'),
    grid: { stroke: () => colour('--grid'), width: 1 },
    ticks: { stroke: () => colour('--grid'), width: 1 },
    font: '12px system-ui, sans-serif',
    labelFont: '12px system-ui, sans-serif',
    labelSize: 22,
    values: (_, splits) => splits.map(countText), // by default in the browser's language
    ...axis,
  };
}

/**
 * @param {HTMLElement} place
 * @param {Omit<import('uplot').Options, 'width' | 'height'>} options
 * @param {import('uplot').AlignedData} data
 * @param {import('./state.js').State} state
 */
export function makePlot(place, options, data, state) {
  const size = () => ({ width: Math.max(200, place.clientWidth), height: place.clientWidth < 600 ? 260 : 320 });
  const plot = new uPlot(
    { ...size(), legend: { show: false }, ...options, axes: options.axes?.map(themed) },
    data,
    place,
  );
  let before = place.clientWidth;
  new ResizeObserver(() => {
    if (place.clientWidth !== before) {
      before = place.clientWidth;
      plot.setSize(size());
    }
  }).observe(place);
  state.on('theme', () => plot.redraw(false, true));
  return plot;
}

/** Draws a value until the next one. */
export const steppedLine = uPlot.paths.stepped?.({ align: 1 });

/**
 * Zooms around the middle of what is shown.
 * @param {uPlot} plot
 * @param {number} factor
 */
export function zoomPlot(plot, factor) {
  const { min, max } = plot.scales.x;
  if (min !== undefined && max !== undefined && min !== null && max !== null) {
    const middle = (min + max) / 2;
    const half = ((max - min) / 2) * factor;
    plot.setScale('x', { min: middle - half, max: middle + half });
  }
}
