// @ts-check
// How a reduction went: the nodes left after each check, and what each pass contributed.
import { choice, colour, element } from './dom.js';
import { countText, numberText } from './numbers.js';
import { makePlot, steppedLine } from './plot.js';
import { reductionHistory } from './reduction_history.js';

/** @typedef {import('./model.js').Model} Model */
/** @typedef {import('./state.js').State} State */
/** @typedef {import('./reduction_history.js').Pass} Pass */

// Distances between ticks of counts.
const whole = [1, 2, 5]
  .flatMap((digit) => [0, 1, 2, 3, 4, 5, 6].map((zeros) => digit * 10 ** zeros))
  .sort((a, b) => a - b);
const parts = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5];

export class ReductionView {
  /** @param {HTMLElement} place @param {Model} model @param {State} state */
  constructor(place, model, state) {
    this.model = model;
    const { left, passes } = reductionHistory(model);
    this.left = left;
    this.over = 'checks';
    const frame = element('div', {
      class: 'plot',
      role: 'img',
      'aria-label': `Nodes left over ${model.checkCount} checks; the table below has the sums.`,
    });
    place.replaceChildren(
      element(
        'div',
        { class: 'bar' },
        choice(
          'Over',
          [
            ['checks', 'checks'],
            ['seconds', 'seconds'],
          ],
          'checks',
          (over) => this.plotted.setData(this.data(over)),
        ),
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
        axes: [
          { incrs: () => (this.over === 'seconds' ? [...parts, ...whole] : whole) },
          { label: 'nodes', size: 56, incrs: whole },
        ],
        series: [
          {},
          {
            stroke: () => colour('--accent'),
            width: 2,
            paths: steppedLine,
            points: { show: false },
          },
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
    this.over = over;
    const seconds = Array.from(this.model.column('check_seconds'));
    const places = over === 'seconds' ? seconds : seconds.map((_, i) => i + 1);
    return /** @type {import('uplot').AlignedData} */ ([
      places,
      this.left,
      Array.from(this.model.column('check_nodes')),
    ]);
  }

  /** @param {import('uplot')} plot */
  draw(plot) {
    const { ctx: context } = plot;
    const failed = this.model.column('check_failed');
    context.save();
    context.fillStyle = colour('--bad');
    context.strokeStyle = colour('--soft');
    const nodes = plot.data[2];
    const ratio = devicePixelRatio || 1;
    const size = (plot.bbox.width / nodes.length < 5 * ratio ? 2 : 3) * ratio;
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
        element(
          'thead',
          {},
          element(
            'tr',
            {},
            ...['Pass', 'Checks', 'Still failing', 'Nodes removed', 'Seconds'].map((title, i) =>
              element('th', { scope: 'col', class: i ? 'number' : '' }, title),
            ),
          ),
        ),
        element(
          'tbody',
          {},
          ...passes.map((pass) =>
            element(
              'tr',
              {},
              element('td', {}, element('bdi', {}, pass.pass)),
              ...[pass.checks, pass.failing, pass.removed].map((count) =>
                element('td', { class: 'number' }, countText(count)),
              ),
              element('td', { class: 'number' }, numberText(Number(pass.seconds.toFixed(2)))),
            ),
          ),
        ),
      ),
    );
  }
}
