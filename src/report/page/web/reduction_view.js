// @ts-check
// How a reduction went: the nodes left after each check, and what each pass contributed.
import { choice, colour, element } from './dom.js';
import { countText, numberText } from './numbers.js';
import { makePlot } from './plot.js';

/** @typedef {import('./model.js').Model} Model */
/** @typedef {import('./state.js').State} State */
/** @typedef {{pass: string, checks: number, failing: number, removed: number, seconds: number}} Pass */

/**
 * Returns the smallest failing model so far at each check, and the sums for each pass in the order in which they began.
 * @param {Model} model
 */
export function history(model) {
  const nodes = model.column('check_nodes');
  const failed = model.column('check_failed');
  const seconds = model.column('check_seconds');
  const passes = model.column('check_pass');
  /** @type {Map<string, Pass>} */
  const sums = new Map();
  /** @type {(number | null)[]} */
  const left = [];
  /** @type {number | null} */
  let best = null;
  for (let i = 0; i < model.checkCount; i++) {
    const name = model.text(passes[i]) || 'first check';
    const sum = sums.get(name) ?? { pass: name, checks: 0, failing: 0, removed: 0, seconds: 0 };
    sums.set(name, sum);
    sum.checks++;
    sum.seconds += seconds[i] - (i > 0 ? seconds[i - 1] : 0);
    if (failed[i]) {
      sum.failing++;
      if (best === null || nodes[i] < best) {
        sum.removed += best === null ? 0 : best - nodes[i];
        best = nodes[i];
      }
    }
    left.push(best);
  }
  return { left, passes: [...sums.values()] };
}

export class ReductionView {
  /** @param {HTMLElement} place @param {Model} model @param {State} state */
  constructor(place, model, state) {
    this.model = model;
    const { left, passes } = history(model);
    this.left = left;
    const frame = element('div', { class: 'plot', role: 'img', 'aria-label': `Nodes left over ${model.checkCount} checks; the table below has the sums.` });
    place.replaceChildren(
      element(
        'div',
        { class: 'bar' },
        choice('Over', [['checks', 'checks'], ['seconds', 'seconds']], 'checks', (over) => this.plotted.setData(this.data(over))),
      ),
      frame,
      element(
        'ul',
        { class: 'legend' },
        element('li', {}, element('span', { class: 'best', 'aria-hidden': 'true' }, '▬'), 'smallest failing model'),
        element('li', {}, element('span', { class: 'bad', 'aria-hidden': 'true' }, '■'), 'still fails'),
        element('li', {}, element('span', { class: 'none', 'aria-hidden': 'true' }, '○'), 'passes'),
      ),
      this.table(passes),
    );
    this.plotted = makePlot(
      frame,
      {
        cursor: { drag: { x: true, y: false }, points: { show: false } },
        scales: { x: { time: false } },
        axes: [{}, { label: 'nodes', size: 56 }],
        series: [
          {},
          { stroke: () => colour('--accent'), width: 2, paths: /** @type {any} */ (undefined), points: { show: false } },
          { paths: () => null, points: { show: false } },
        ],
        hooks: { draw: [(plot) => this.draw(plot)] },
      },
      this.data('checks'),
      state,
    );
  }

  /** @param {string} over */
  data(over) {
    const seconds = Array.from(this.model.column('check_seconds'));
    const places = over === 'seconds' ? seconds : seconds.map((_, i) => i + 1);
    return /** @type {import('uplot').AlignedData} */ ([places, this.left, Array.from(this.model.column('check_nodes'))]);
  }

  /** @param {import('uplot').default} plot */
  draw(plot) {
    const { ctx: context } = plot;
    const size = 3 * (devicePixelRatio || 1);
    const failed = this.model.column('check_failed');
    context.save();
    context.fillStyle = colour('--bad');
    context.strokeStyle = colour('--soft');
    const nodes = plot.data[2];
    for (let i = 0; i < nodes.length; i++) {
      const x = plot.valToPos(plot.data[0][i], 'x', true);
      const y = plot.valToPos(/** @type {number} */ (nodes[i]), 'y', true);
      if (x < plot.bbox.left || x > plot.bbox.left + plot.bbox.width) {
        continue;
      }
      if (failed[i]) {
        context.fillRect(x - size, y - size, 2 * size, 2 * size);
      } else {
        context.beginPath();
        context.arc(x, y, size, 0, 2 * Math.PI);
        context.stroke();
      }
    }
    context.restore();
  }

  /** @param {Pass[]} passes */
  table(passes) {
    return element(
      'div',
      { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Passes' },
      element(
        'table',
        {},
        element('caption', {}, 'What each pass contributed'),
        element('thead', {}, element('tr', {}, ...['Pass', 'Checks', 'Still failing', 'Nodes removed', 'Seconds'].map((title, i) => element('th', { scope: 'col', class: i ? 'number' : '' }, title)))),
        element(
          'tbody',
          {},
          ...passes.map((pass) =>
            element(
              'tr',
              {},
              element('td', {}, element('bdi', {}, pass.pass)),
              ...[pass.checks, pass.failing, pass.removed].map((count) => element('td', { class: 'number' }, countText(count))),
              element('td', { class: 'number' }, numberText(Number(pass.seconds.toFixed(2)))),
            ),
          ),
        ),
      ),
    );
  }
}
