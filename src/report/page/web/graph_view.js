// @ts-check
// The graph: pan, zoom, open and close groups, search, and keys that follow edges.
import { readColours } from './colours.js';
import { choice, element } from './dom.js';
import { GraphCanvas } from './graph_canvas.js';
import { GraphColours } from './graph_colours.js';
import { GraphInput } from './graph_input.js';
import { Minimap } from './minimap.js';
import { Scene } from './scene.js';
import { counted } from './numbers.js';
import { nextTask } from './slices.js';

/** @typedef {import('./model.js').Model} Model */
/** @typedef {import('./groups.js').Item} Item */
/** @typedef {import('./groups.js').Tree} Tree */
/** @typedef {import('./state.js').State} State */

const smallest = 0.04;
const largest = 2.5;
// Larger graphs open with all groups closed; smaller ones open where opening() says.
const mostOpened = 20000;

export class GraphView {
  /**
   * @param {HTMLElement} place
   * @param {Model} model
   * @param {Tree} tree
   * @param {State} state
   * @param {ReturnType<typeof import('./layout_client.js').startLayouts>} layOut
   */
  constructor(place, model, tree, state, layOut) {
    this.model = model;
    this.tree = tree;
    this.state = state;
    this.scene = new Scene(model, tree, layOut);
    this.looks = new GraphColours(model, tree);
    this.looks.measure(state.metric);
    this.colours = readColours();
    this.painter = new GraphCanvas(this.looks, this.colours);
    /** @type {import('./scene.js').Picture | null} */
    this.picture = null;
    this.view = { x: 0, y: 0, scale: 1 };
    this.width = 0;
    /** @type {Item | null} what the keys move from: a group isn't selected, but can have the cursor */
    this.cursor = null;
    /** @type {Item[]} */
    this.found = [];
    /** @type {Set<number>} ids of the visible items that are or contain what was found */
    this.foundIds = new Set();
    this.frame = 0;
    this.request = 0;
    this.laidOut = Promise.resolve();
    this.build(place);
    this.listen();
  }

  /** @param {HTMLElement} place */
  build(place) {
    this.canvas = /** @type {HTMLCanvasElement} */ (
      element('canvas', {
        class: 'graph',
        tabindex: 0,
        role: 'application',
        'aria-label':
          'Graph. Up and down follow edges, left and right go to neighbours, Enter opens and closes a group, ' +
          'Escape goes to the group around it, plus and minus zoom. The table of tensors has the same facts.',
        'aria-describedby': 'graph-status',
      })
    );
    this.status = element(
      'p',
      { id: 'graph-status', class: 'status', 'aria-live': 'polite' },
      'Laying out the graph …',
    );
    this.legend = element('ul', { class: 'legend' });
    this.minimap = new Minimap((x, y) => this.centre(x, y));
    this.search = /** @type {HTMLInputElement} */ (
      element('input', { type: 'search', placeholder: 'Find a node', 'aria-label': 'Find a node by name or operator' })
    );
    const options = /** @type {[string, string][]} */ ([
      ['error', 'error'],
      ['type', 'element type'],
      ['operator', 'operator'],
    ]).slice(this.model.measuredMetrics().length ? 0 : 1);
    place.replaceChildren(
      element(
        'div',
        { class: 'bar' },
        this.search,
        choice('Colour', options, this.looks.by, (by) => {
          this.looks.by = /** @type {any} */ (by);
          this.showLegend();
          this.paint();
        }),
        element('button', { type: 'button', onclick: () => this.zoom(1.4), 'aria-label': 'Zoom in' }, '+'),
        element('button', { type: 'button', onclick: () => this.zoom(1 / 1.4), 'aria-label': 'Zoom out' }, '−'),
        element('button', { type: 'button', onclick: () => this.fit() }, 'Fit'),
        element('button', { type: 'button', onclick: () => this.closeAll() }, 'Close groups'),
      ),
      element('div', { class: 'stage' }, this.canvas, this.minimap.canvas),
      this.legend,
      this.status,
    );
    this.showLegend();
  }

  listen() {
    const canvas = /** @type {HTMLCanvasElement} */ (this.canvas);
    this.width = canvas.clientWidth;
    new GraphInput(this, canvas);
    new ResizeObserver(() => this.resize(canvas.clientWidth)).observe(canvas);
    /** @type {HTMLInputElement} */ (this.search).addEventListener('input', () => this.find());
    /** @type {HTMLInputElement} */ (this.search).addEventListener('keydown', (event) => {
      if (event.key === 'Enter') {
        this.nextFound();
      }
    });
    this.state.on('theme', () => {
      this.colours = readColours();
      this.painter.colours = this.colours;
      this.draw(); // at once: a page that is being printed has no further frame
    });
    this.state.on('metric', () => {
      this.looks.measure(this.state.metric);
      this.paint();
    });
    this.state.on('ends', () => this.paint());
    this.state.on('selection', () => this.follow());
  }

  /** Keeps what is in the middle there. @param {number} width */
  resize(width) {
    this.view.x -= (width - this.width) / 2 / this.view.scale;
    this.width = width;
    this.paint();
  }

  /** Lays out and shows the graph for the first time. */
  async start() {
    const opening = this.model.nodeCount > mostOpened ? undefined : this.opening();
    if (opening) {
      this.scene.reveal(opening);
    }
    await nextTask();
    await this.relayout();
    this.fit();
    if (opening && !this.showsAll()) {
      this.centreOn(opening);
      this.fill();
    }
    await this.follow();
    this.tell();
  }

  /** Returns the node of the tensor that the verdict names, or else the first at which an error is born. */
  opening() {
    if (this.model.opensAt >= 0) {
      return this.itemOfTensor(this.model.opensAt);
    }
    return this.tree.ofNode.find((item) => item.children.length === 0 && this.looks.born[item.id]);
  }

  /** @param {Item} item */
  centreOn(item) {
    const box = this.picture?.ofItem.get(item.id);
    if (box) {
      this.view.scale = Math.max(this.view.scale, 0.8);
      this.centre(box.x + box.width / 2, box.y + box.height / 2);
    }
  }

  /** Lays out what has changed. Requests are served one after the other; all but the last of those that wait are dropped. */
  relayout() {
    const request = ++this.request;
    this.laidOut = this.laidOut.then(() => this.layOutFor(request));
    return this.laidOut;
  }

  /** @param {number} request */
  async layOutFor(request) {
    if (request !== this.request) {
      return;
    }
    try {
      await this.scene.update();
    } catch (error) {
      /** @type {HTMLElement} */ (this.status).textContent =
        `The graph can't be laid out: ${error instanceof Error ? error.message : error}. The table of tensors has the same facts.`;
      return;
    }
    // Groups that were opened meanwhile have no layout yet.
    if (request === this.request) {
      this.picture = this.scene.picture();
      this.findVisible();
      this.paint();
    }
  }

  /** @param {Item} item */
  async toggle(item) {
    const before = this.picture?.ofItem.get(item.id);
    this.scene.toggle(item);
    await this.relayout();
    const after = this.picture?.ofItem.get(item.id);
    if (before && after) {
      this.view.x += after.x + after.width / 2 - before.x - before.width / 2;
      this.view.y += after.y - before.y;
    }
    this.paint();
    this.tell();
  }

  async closeAll() {
    this.scene.open = new Set([this.tree.root]);
    this.cursor = null;
    await this.relayout();
    this.fit();
  }

  /** Shows what another view has selected, in its groups. */
  async follow() {
    const { selection } = this.state;
    if (!selection || !this.picture || (this.cursor && this.isSelected(this.cursor))) {
      this.paint();
      return;
    }
    const item = selection.kind === 'node' ? this.tree.ofNode[selection.index] : this.itemOfTensor(selection.index);
    if (!item) {
      this.paint();
      return;
    }
    this.cursor = item;
    await nextTask();
    if (this.cursor === item) {
      await this.show(item);
    }
  }

  /** @param {Item} item */
  isSelected(item) {
    const { selection } = this.state;
    return selection?.index === (selection?.kind === 'node' ? item.node : item.tensor);
  }

  /** @param {number} tensor */
  itemOfTensor(tensor) {
    return (
      this.scene.source(tensor) ?? this.tree.ofNode[this.model.consumers(tensor)[0]] ?? this.tree.ofTensor.get(tensor)
    );
  }

  /** Draws an item that has the cursor, unless the cursor leaves it meanwhile. @param {Item} item */
  async show(item) {
    this.scene.reveal(item);
    await this.relayout();
    if (this.cursor === item) {
      this.centreOn(item);
      this.tell();
    }
  }

  /** Says what has the cursor. */
  tell() {
    const status = /** @type {HTMLElement} */ (this.status);
    const item = this.cursor;
    if (!item) {
      status.textContent = `${counted(this.model.nodeCount, 'node')}. Double-click opens a group, dragging moves, the wheel zooms once the graph has the focus.`;
      return;
    }
    const look = this.looks.look(item);
    const open = item.children.length ? (this.scene.open.has(item) ? ', open' : ', closed') : '';
    status.textContent = `${item.label}: ${look.text}${open}${look.mark ? ', an error is born here' : ''}`;
  }

  showLegend() {
    /** @type {HTMLElement} */ (this.legend).replaceChildren(
      ...this.looks.legend().map(([property, text]) => {
        const swatch = element('span', { class: `swatch ${property.slice(2)}`, 'aria-hidden': 'true' });
        return element('li', {}, swatch, text);
      }),
      ...(this.model.measuredMetrics().length
        ? [element('li', {}, element('span', { class: 'born', 'aria-hidden': 'true' }, '◆'), 'born here')]
        : []),
    );
  }

  // Search

  find() {
    const wanted = /** @type {HTMLInputElement} */ (this.search).value.trim().toLowerCase();
    this.found = [];
    for (let node = 0; wanted && node < this.model.nodeCount; node++) {
      if (
        this.model.nodeLabel(node).toLowerCase().includes(wanted) ||
        this.model.opType(node).toLowerCase() === wanted
      ) {
        this.found.push(this.tree.ofNode[node]);
      }
    }
    this.findVisible();
    /** @type {HTMLElement} */ (this.status).textContent = wanted
      ? `${counted(this.found.length, 'node')} found${this.found.length ? '; Enter goes to the next' : ''}.`
      : '';
    this.paint();
  }

  /** Finds the boxes to mark: others if a group has been opened or closed. */
  findVisible() {
    this.foundIds = new Set(this.found.map((item) => this.scene.visible(item).id));
  }

  nextFound() {
    const at = this.found.indexOf(/** @type {Item} */ (this.cursor));
    const next = this.found[(at + 1) % this.found.length];
    if (next) {
      this.choose(next);
    }
  }

  /** Moves the cursor, and selects the item if it isn't a group. @param {Item} item */
  async choose(item) {
    // Before anything is waited for: the next key moves on from here.
    this.cursor = item;
    if (item.node >= 0) {
      this.state.select({ kind: 'node', index: item.node });
    } else if (item.tensor >= 0) {
      this.state.select({ kind: 'tensor', index: item.tensor });
    }
    await this.show(item);
  }

  // View

  /** @param {number} x @param {number} y */
  centre(x, y) {
    const canvas = /** @type {HTMLCanvasElement} */ (this.canvas);
    this.view.x = x - canvas.clientWidth / this.view.scale / 2;
    this.view.y = y - canvas.clientHeight / this.view.scale / 2;
    this.paint();
  }

  /** @param {number} factor @param {number} [x] @param {number} [y] the point of the canvas that stays where it is */
  zoom(factor, x, y) {
    const canvas = /** @type {HTMLCanvasElement} */ (this.canvas);
    const fixedX = x ?? canvas.clientWidth / 2;
    const fixedY = y ?? canvas.clientHeight / 2;
    const scale = Math.min(largest, Math.max(smallest, this.view.scale * factor));
    this.view.x += fixedX / this.view.scale - fixedX / scale;
    this.view.y += fixedY / this.view.scale - fixedY / scale;
    this.view.scale = scale;
    this.paint();
  }

  /** Shows all or, if that would be unreadable, the first boxes. */
  fit() {
    const canvas = /** @type {HTMLCanvasElement} */ (this.canvas);
    if (!this.picture || !canvas.clientWidth) {
      return;
    }
    const { width, height, boxes } = this.picture;
    const whole = Math.min(canvas.clientWidth / width, canvas.clientHeight / height);
    this.view.scale = Math.min(1, Math.max(whole, 0.6));
    const first = boxes.reduce((highest, box) => (box.y < highest.y ? box : highest), boxes[0]);
    this.centre(first ? first.x + first.width / 2 : 0, 0);
    this.fill();
  }

  /** Returns whether the view shows the whole graph. */
  showsAll() {
    const { width, height } = this.picture ?? { width: 0, height: 0 };
    const { clientWidth, clientHeight } = /** @type {HTMLCanvasElement} */ (this.canvas);
    return width * this.view.scale <= clientWidth && height * this.view.scale <= clientHeight;
  }

  /** Moves the view so that it shows as little as possible of what is outside the graph. */
  fill() {
    const { width, height } = this.picture ?? { width: 0, height: 0 };
    const { clientWidth, clientHeight } = /** @type {HTMLCanvasElement} */ (this.canvas);
    /** @param {number} start @param {number} shown @param {number} whole */
    const inside = (start, shown, whole) =>
      shown >= whole ? (whole - shown) / 2 : Math.min(Math.max(start, -10), whole - shown + 10);
    this.view.x = inside(this.view.x, clientWidth / this.view.scale, width);
    this.view.y = inside(this.view.y, clientHeight / this.view.scale, height);
    this.paint();
  }

  paint() {
    if (this.frame || !this.picture) {
      return;
    }
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  draw() {
    const canvas = /** @type {HTMLCanvasElement} */ (this.canvas);
    const picture = this.picture;
    if (!picture || !canvas.clientWidth) {
      return;
    }
    const { from, to } = this.state;
    /** @param {Item} item @param {number} tensor or -1 */
    const computes = (item, tensor) => tensor >= 0 && item.node >= 0 && this.model.outputs(item.node).includes(tensor);
    this.painter.draw(canvas, picture, this.view, ({ item }) => ({
      chosen: item === this.cursor,
      found: this.foundIds.has(item.id),
      end: computes(item, from) ? 'A' : computes(item, to) ? 'B' : '',
    }));
    const shown = {
      ...this.view,
      width: canvas.clientWidth / this.view.scale,
      height: canvas.clientHeight / this.view.scale,
    };
    /** @type {Minimap} */ (this.minimap).draw(
      picture,
      shown,
      (box) => this.painter.colour(box.open ? '--group' : this.looks.look(box.item).property),
      this.colours,
    );
  }
}
