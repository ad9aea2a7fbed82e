// @ts-check
// The error of each compared tensor, in topological order, on a logarithmic scale.
import { choice, colour, element } from './dom.js';
import { numberText } from './numbers.js';
import { makePlot, zoomPlot } from './plot.js';
import { drawShape, originMarks } from './shapes.js';

/** @typedef {import('./model.js').Model} Model */
/** @typedef {import('./model.js').Metric} Metric */
/** @typedef {import('./state.js').State} State */

/**
 * Returns the compared tensors in topological order with their errors. The plot's scale has no 0 and no infinity: 0 is
 * drawn below the smallest error, infinity above the largest.
 * @param {Model} model
 * @param {Metric} metric
 */
export function errorSeries(model, metric) {
  const all = model.errors[metric];
  const order = [];
  const seen = new Uint8Array(model.tensorCount);
  for (let node = 0; node < model.nodeCount; node++) {
    for (const tensor of model.outputs(node)) {
      if (tensor >= 0 && !seen[tensor]) {
        seen[tensor] = 1;
        order.push(tensor);
      }
    }
  }
  for (let tensor = 0; tensor < model.tensorCount; tensor++) {
    if (!seen[tensor]) {
      order.push(tensor);
    }
  }
  const tensors = order.filter((tensor) => !Number.isNaN(all[tensor]));
  let least = Number.POSITIVE_INFINITY;
  let most = 0;
  for (const tensor of tensors) {
    const error = all[tensor];
    if (error > 0 && Number.isFinite(error)) {
      least = Math.min(least, error);
      most = Math.max(most, error);
    }
  }
  const floor = Number.isFinite(least) ? 10 ** Math.floor(Math.log10(least) - 0.5) : 1e-9;
  const ceiling = most > 0 ? 10 ** Math.ceil(Math.log10(most) + 0.5) : 1;
  const errors = tensors.map((tensor) => Math.min(ceiling, Math.max(floor, all[tensor])));
  const zero = tensors.some((tensor) => all[tensor] === 0);
  const infinite = tensors.some((tensor) => all[tensor] === Number.POSITIVE_INFINITY);
  return { tensors, errors, floor, ceiling, zero, infinite };
}

/** The distances between lines of the horizontal axis: there are no tensors between two numbers. */
const wholeSteps = Array.from({ length: 8 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

/** Draws at most this many points; more share pixels anyway. */
const mostPoints = 4000;

export class ErrorsView {
  /** @param {HTMLElement} place @param {Model} model @param {State} state */
  constructor(place, model, state) {
    this.model = model;
    this.state = state;
    this.series = errorSeries(model, state.metric);
    this.cursor = -1;
    this.frame = 0;
    this.build(place);
    this.plotted = this.makePlot();
    state.on('selection', () => this.follow());
    state.on('metric', () => this.renew());
  }

  /** @param {HTMLElement} place */
  build(place) {
    const names = { norm: 'relative in the 2-norm', relative: 'relative', absolute: 'absolute' };
    this.place = element('div', {
      class: 'plot',
      tabindex: 0,
      role: 'application',
      'aria-label':
        'Error by layer. Left and right go from tensor to tensor, Home and End to the first and the last, Enter selects, ' +
        'plus and minus zoom. The table of tensors has the same numbers.',
      'aria-describedby': 'errors-status',
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
    });
    this.status = element(
      'p',
      { id: 'errors-status', class: 'status', 'aria-live': 'polite' },
      'Drag to zoom, double-click to see everything, click to select a tensor.',
    );
    const legend = element(
      'ul',
      { class: 'legend' },
      ...Object.entries(originMarks).map(([origin, { symbol, meaning }]) =>
        element(
          'li',
          {},
          element('span', { class: origin.replace(' ', '-'), 'aria-hidden': 'true' }, symbol),
          origin === 'none' && this.hasUnknownOrigins() ? `${meaning}, or of unknown origin` : meaning,
        ),
      ),
    );
    const metrics = this.model.measuredMetrics();
    place.replaceChildren(
      element(
        'div',
        { class: 'bar' },
        choice(
          'Error',
          metrics.map((metric) => [metric, names[metric]]),
          this.state.metric,
          (metric) => this.state.setMetric(/** @type {Metric} */ (metric)),
        ),
        element('button', { type: 'button', 'aria-label': 'Zoom in', onclick: () => zoomPlot(this.plotted, 0.5) }, '+'),
        element('button', { type: 'button', 'aria-label': 'Zoom out', onclick: () => zoomPlot(this.plotted, 2) }, '−'),
        element('button', { type: 'button', onclick: () => this.renew() }, 'All'),
        element('button', { type: 'button', onclick: () => this.choose(this.worst()) }, 'Worst'),
        element('button', { type: 'button', onclick: () => this.choose(this.firstBorn()) }, 'First born'),
      ),
      this.place,
      legend,
      this.status,
    );
  }

  /** Returns whether tensors without an origin differ, as after a bisection, which runs few nodes by themselves. */
  hasUnknownOrigins() {
    return this.series.tensors.some((tensor) => this.model.origin(tensor) === 'none' && !this.model.agrees(tensor));
  }

  makePlot() {
    return makePlot(
      /** @type {HTMLElement} */ (this.place),
      {
        cursor: {
          drag: { x: true, y: false },
          points: { show: false },
          bind: { mouseup: (plot, _, handler) => (event) => this.release(plot, event, handler) },
        },
        scales: { x: { time: false }, y: { distr: 3, range: () => [this.series.floor, this.series.ceiling] } },
        axes: [
          { label: 'tensors in topological order', incrs: wholeSteps },
          {
            splits: () => this.decades(),
            filter: (_, splits) => splits,
            values: (_, splits) => splits.map((value) => this.axisText(value)),
            size: 62,
          },
        ],
        series: [{}, { paths: () => null, points: { show: false } }],
        hooks: {
          draw: [(plot) => this.draw(plot)],
          setCursor: [(plot) => this.hover(plot)],
        },
      },
      this.data(),
      this.state,
    );
  }

  data() {
    return /** @type {import('uplot').AlignedData} */ ([this.series.errors.map((_, i) => i), this.series.errors]);
  }

  /** Returns the powers of ten at which the axis has a line. */
  decades() {
    const first = Math.round(Math.log10(this.series.floor));
    const last = Math.round(Math.log10(this.series.ceiling));
    const step = Math.ceil((last - first) / 8);
    return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, i) => 10 ** (first + i * step));
  }

  /** @param {number} value */
  axisText(value) {
    const { floor, ceiling, zero, infinite } = this.series;
    if (zero && Math.abs(value - floor) < floor * 1e-6) {
      return '0';
    }
    return infinite && Math.abs(value - ceiling) < ceiling * 1e-6 ? '∞' : `1e${Math.round(Math.log10(value))}`;
  }

  renew() {
    this.series = errorSeries(this.model, this.state.metric);
    this.cursor = -1;
    this.plotted.setData(this.data());
    this.follow();
  }

  /** @param {import('uplot')} plot */
  draw(plot) {
    const { ctx: context } = plot;
    const ratio = devicePixelRatio || 1;
    const { tensors, errors } = this.series;
    const first = Math.max(0, Math.floor(plot.scales.x.min ?? 0));
    const last = Math.min(tensors.length - 1, Math.ceil(plot.scales.x.max ?? 0));
    const shown = [];
    const step = Math.ceil((last - first + 1) / mostPoints);
    for (let begin = first; begin <= last; begin += step) {
      let worst = begin;
      for (let i = begin; i < Math.min(begin + step, last + 1); i++) {
        worst = errors[i] > errors[worst] ? i : worst;
        if (step > 1 && this.model.origin(tensors[i]) === 'born') {
          shown.push(i);
        }
      }
      shown.push(worst);
    }
    const size = (plot.bbox.width / shown.length < 4 * ratio ? 3 : 4.5) * ratio;
    context.save();
    context.beginPath();
    context.rect(plot.bbox.left - 8, plot.bbox.top - 8, plot.bbox.width + 16, plot.bbox.height + 16);
    context.clip();
    for (const origin of ['none', 'passed on', 'grew', 'born']) {
      context.fillStyle = colour(originMarks[origin].property);
      for (const i of shown) {
        if (this.model.origin(tensors[i]) === origin) {
          drawShape(
            context,
            origin,
            plot.valToPos(i, 'x', true),
            plot.valToPos(errors[i], 'y', true),
            origin === 'born' ? 7 * ratio : size,
          );
        }
      }
    }
    if (this.cursor >= 0) {
      context.strokeStyle = colour('--accent');
      context.lineWidth = 2 * ratio;
      context.beginPath();
      context.arc(
        plot.valToPos(this.cursor, 'x', true),
        plot.valToPos(errors[this.cursor], 'y', true),
        10 * ratio,
        0,
        2 * Math.PI,
      );
      context.stroke();
    }
    context.restore();
  }

  /** @param {import('uplot')} plot @returns {number} the point next to the pointer, or -1 */
  nearest(plot) {
    const { left = -1, top = -1 } = plot.cursor;
    if (left < 0 || top < 0) {
      return -1;
    }
    const middle = Math.round(plot.posToVal(left, 'x'));
    const reach = Math.ceil(Math.abs(plot.posToVal(left + 14, 'x') - plot.posToVal(left, 'x')));
    let best = -1;
    let distance = 24;
    for (let i = Math.max(0, middle - reach); i <= Math.min(this.series.errors.length - 1, middle + reach); i++) {
      const away = Math.hypot(plot.valToPos(i, 'x') - left, plot.valToPos(this.series.errors[i], 'y') - top);
      if (away < distance) {
        best = i;
        distance = away;
      }
    }
    return best;
  }

  /** @param {import('uplot')} plot */
  hover(plot) {
    const point = this.nearest(plot);
    if (point >= 0) {
      /** @type {HTMLElement} */ (this.status).textContent = this.describe(point);
    }
  }

  /**
   * @param {import('uplot')} plot
   * @param {MouseEvent} event
   * @param {(event: MouseEvent) => void} handler
   * @returns {null}
   */
  release(plot, event, handler) {
    const dragged = plot.select.width > 3;
    handler(event);
    const point = this.nearest(plot);
    if (!dragged && point >= 0) {
      this.choose(point);
    }
    return null;
  }

  /** @param {number} point */
  describe(point) {
    const tensor = this.series.tensors[point];
    const origin = this.model.origin(tensor);
    const mark = originMarks[origin];
    const error = numberText(this.model.error(tensor, this.state.metric));
    return `${origin === 'none' ? '' : `${mark.symbol} ${origin}: `}${this.model.tensorName(tensor)}, error ${error}`;
  }

  worst() {
    const { tensors } = this.series;
    const all = this.model.errors[this.state.metric];
    return tensors.reduce((worst, tensor, i) => (all[tensor] > all[tensors[worst]] ? i : worst), 0);
  }

  firstBorn() {
    return this.series.tensors.findIndex((tensor) => this.model.origin(tensor) === 'born');
  }

  /** @param {number} point */
  choose(point) {
    if (point >= 0 && point < this.series.tensors.length) {
      this.state.select({ kind: 'tensor', index: this.series.tensors[point] });
    } else {
      /** @type {HTMLElement} */ (this.status).textContent = 'There is no such tensor.';
    }
  }

  follow() {
    const { selection } = this.state;
    let tensor = selection?.kind === 'tensor' ? selection.index : -1;
    if (selection?.kind === 'node') {
      tensor = this.model.outputs(selection.index)[0] ?? -1;
    }
    this.cursor = this.series.tensors.indexOf(tensor);
    if (this.cursor >= 0) {
      /** @type {HTMLElement} */ (this.status).textContent = this.describe(this.cursor);
    }
    if (!this.frame) {
      this.frame = requestAnimationFrame(() => {
        this.frame = 0;
        this.plotted.redraw(false, false);
      });
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const last = this.series.tensors.length - 1;
    /** @type {Record<string, () => void>} */
    const actions = {
      ArrowRight: () => this.choose(Math.min(last, this.cursor + 1)),
      ArrowLeft: () => this.choose(Math.max(0, this.cursor - 1)),
      Home: () => this.choose(0),
      End: () => this.choose(last),
      '+': () => zoomPlot(this.plotted, 0.5),
      '-': () => zoomPlot(this.plotted, 2),
      0: () => this.renew(),
    };
    const action = actions[event.key];
    if (action && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      action();
    }
  }
}
