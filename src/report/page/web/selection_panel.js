// @ts-check
// What is selected: a node with its attributes, or a tensor with its errors and the values of both sides.
import { element, nameText } from './dom.js';
import { extractCommand, partBetween } from './extract_command.js';
import { histogramFigure } from './histogram.js';
import { metrics } from './model.js';
import { countText, counted, numberText } from './numbers.js';
import { originMarks } from './shapes.js';

/** @typedef {import('./model.js').Model} Model */
/** @typedef {import('./state.js').State} State */

const mostListed = 50;

/** @param {[string, string][]} rows */
function facts(rows) {
  return element(
    'dl',
    { class: 'facts' },
    ...rows.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))),
  );
}

/** Adds a button that copies the text of a command. @param {HTMLElement} command */
export function addCopyButton(command) {
  const text = command.textContent ?? '';
  const button = element('button', { type: 'button', class: 'copy' }, 'Copy');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
    } catch {
      getSelection()?.selectAllChildren(/** @type {Node} */ (command.querySelector('code') ?? command));
      button.textContent = 'Selected';
    }
  });
  command.append(button);
}

export class SelectionPanel {
  /** @param {HTMLElement} place @param {Model} model @param {State} state */
  constructor(place, model, state) {
    this.place = place;
    this.model = model;
    this.state = state;
    state.on('selection', () => this.show());
    state.on('ends', () => this.show());
    place.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') {
        state.select(null);
      }
    });
  }

  show() {
    const { selection } = this.state;
    this.place.hidden = !selection;
    document.documentElement.classList.toggle('has-selection', Boolean(selection));
    if (!selection) {
      return;
    }
    const close = element(
      'button',
      { type: 'button', class: 'close', 'aria-label': 'Close', onclick: () => this.state.select(null) },
      '✕',
    );
    const parts = selection.kind === 'node' ? this.node(selection.index) : this.tensor(selection.index);
    this.place.replaceChildren(close, ...parts, ...this.extract());
    this.place.scrollTop = 0;
  }

  /** @param {number} tensor */
  tensorButton(tensor) {
    const error = this.model.error(tensor, this.state.metric);
    return element(
      'button',
      { type: 'button', class: 'row', onclick: () => this.state.select({ kind: 'tensor', index: tensor }) },
      nameText(this.model.tensorName(tensor)),
      element('span', { class: 'number' }, Number.isNaN(error) ? '' : numberText(error)),
    );
  }

  /** @param {number} node */
  nodeButton(node) {
    return element(
      'button',
      { type: 'button', class: 'row', onclick: () => this.state.select({ kind: 'node', index: node }) },
      nameText(this.model.nodeLabel(node)),
      element('span', { class: 'number' }, this.model.opType(node)),
    );
  }

  /**
   * Lists nodes or tensors, each once.
   * @param {string} title
   * @param {Iterable<number>} indices
   * @param {(index: number) => HTMLElement} button
   */
  list(title, indices, button) {
    const all = [...new Set(indices)].filter((index) => index >= 0);
    if (!all.length) {
      return [];
    }
    const rows = all.slice(0, mostListed).map((index) => element('li', {}, button(index)));
    if (all.length > rows.length) {
      rows.push(element('li', {}, `… and ${countText(all.length - rows.length)} more`));
    }
    return [element('h3', {}, title), element('ul', { class: 'plain' }, ...rows)];
  }

  /** @param {number} node */
  node(node) {
    const { model } = this;
    /** @param {number} tensor */
    const button = (tensor) => this.tensorButton(tensor);
    const attributes = model.attributes(node);
    const domain = model.domain(node);
    return [
      element('p', { class: 'kind' }, `Node, ${domain ? `${domain}.` : ''}${model.opType(node)}`),
      element('h2', {}, nameText(model.nodeLabel(node))),
      ...(attributes.length ? [element('h3', {}, 'Attributes'), facts(attributes)] : []),
      ...this.list('Inputs', model.inputs(node), button),
      ...this.list('Outputs', model.outputs(node), button),
    ];
  }

  /** @param {number} tensor */
  tensor(tensor) {
    const { model } = this;
    const origin = model.origin(tensor);
    /** @type {[string, string][]} */
    const rows = [['type', `${model.type(tensor) || 'unknown'} ${model.shape(tensor)}`]];
    for (const metric of metrics) {
      const error = model.error(tensor, metric);
      if (!Number.isNaN(error)) {
        rows.push([`${metric} error`, numberText(error)]);
      }
    }
    if (origin !== 'none') {
      rows.push(['error', `${originMarks[origin].symbol} ${origin}`]);
    }
    const compared = metrics.some((metric) => !Number.isNaN(model.error(tensor, metric)));
    if (compared) {
      rows.push(['sides', model.agrees(tensor) ? 'agree' : 'disagree']);
    }
    /** @param {number} node */
    const button = (node) => this.nodeButton(node);
    return [
      element('p', { class: 'kind' }, `Tensor, ${model.role(tensor)}`),
      element('h2', {}, nameText(model.tensorName(tensor))),
      facts(rows),
      ...this.values(tensor),
      ...this.list('Computed by', [model.producer(tensor)], button),
      ...this.list('Read by', model.consumers(tensor), button),
      ...this.endButtons(tensor),
    ];
  }

  /** Returns nothing if `surgeon extract` can't cut at the tensor. @param {number} tensor */
  endButtons(tensor) {
    const { model, state } = this;
    if (!model.file || !model.isInMainGraph(tensor)) {
      return [];
    }
    /** @param {string} text @param {() => void} onclick */
    const button = (text, onclick) => element('button', { type: 'button', onclick }, text);
    return [
      element('h3', {}, 'Extract a part'),
      element(
        'div',
        { class: 'bar' },
        button('Start here (A)', () => state.setEnds(tensor, state.to)),
        button('End here (B)', () => state.setEnds(state.from, tensor)),
      ),
    ];
  }

  /** @param {number} tensor */
  values(tensor) {
    const statistics = this.model.statistics(tensor);
    if (!statistics.length) {
      return [];
    }
    const names = statistics.map((side) => side.side || 'values');
    /** @type {[string, (side: import('./model.js').Statistics) => number][]} */
    const rows = [
      ['minimum', (side) => side.minimum],
      ['maximum', (side) => side.maximum],
      ['mean', (side) => side.mean],
      ['deviation', (side) => side.deviation],
      ['NaN', (side) => side.nans],
      ['infinite', (side) => side.infinities],
    ];
    const table = element(
      'table',
      { class: 'values' },
      element(
        'thead',
        {},
        element('tr', {}, element('td', {}), ...names.map((name) => element('th', { scope: 'col' }, name))),
      ),
      element(
        'tbody',
        {},
        ...rows.map(([name, value]) =>
          element(
            'tr',
            {},
            element('th', { scope: 'row' }, name),
            ...statistics.map((side) => element('td', {}, numberText(value(side)))),
          ),
        ),
      ),
    );
    const figure = histogramFigure(statistics);
    return [element('h3', {}, 'Values'), ...(figure ? [figure] : []), table];
  }

  extract() {
    const { from, to } = this.state;
    if (from < 0 && to < 0) {
      return [];
    }
    /** @param {number} tensor */
    const name = (tensor) => (tensor < 0 ? 'not chosen yet' : this.model.tensorName(tensor));
    const parts = [
      element('h3', {}, 'Part from A to B'),
      facts([
        ['A', name(from)],
        ['B', name(to)],
      ]),
    ];
    if (from >= 0 && to >= 0) {
      const { nodes, inputs } = partBetween(this.model, from, to);
      if (!nodes.size) {
        return [...parts, element('p', {}, 'B does not depend on A, so there is nothing to extract.')];
      }
      const command = element(
        'pre',
        { class: 'command', tabindex: 0 },
        element('code', {}, extractCommand(this.model, inputs, to)),
      );
      addCopyButton(command);
      parts.push(
        element('p', {}, `${counted(nodes.size, 'node')} ${nodes.size === 1 ? 'is' : 'are'} between them.`),
        command,
      );
    }
    return parts;
  }
}
