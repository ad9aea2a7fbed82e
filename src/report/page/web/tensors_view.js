// @ts-check
// The table of tensors. Only the rows that can be seen exist as elements, so it holds any number of tensors. It can do
// what the graph can: the arrow keys left and right follow edges.
import { choice, element } from './dom.js';
import { countText, numberText } from './numbers.js';
import { originMarks } from './shapes.js';
import { runSliced } from './slices.js';
import { chooseRows, filters, tableColumns } from './tensor_rows.js';

/** @typedef {import('./model.js').Model} Model */
/** @typedef {import('./state.js').State} State */

const rowHeight = 30;

export class TensorsView {
  /** @param {HTMLElement} place @param {Model} model @param {State} state */
  constructor(place, model, state) {
    this.model = model;
    this.state = state;
    const metrics = model.measuredMetrics();
    this.columns = tableColumns.filter((column) =>
      column.number ? metrics.some((metric) => metric === column.key) : column.key !== 'origin' || metrics.length > 0,
    );
    this.wanted = { words: '', filter: 'all', key: '', direction: 0 };
    /** @type {number[]} */
    this.rows = [];
    this.cursor = 0;
    this.turn = 0;
    this.build(place);
    state.on('selection', () => this.follow());
    this.update();
  }

  /** @param {HTMLElement} place */
  build(place) {
    this.status = element('p', { class: 'status', 'aria-live': 'polite' });
    this.body = element('div', { class: 'rows', role: 'rowgroup' });
    this.head = element(
      'div',
      { class: 'line head', role: 'row', 'aria-rowindex': 1 },
      ...this.columns.map((column) => this.headCell(column)),
    );
    this.grid = element(
      'div',
      {
        class: 'grid',
        role: 'grid',
        tabindex: 0,
        'aria-label':
          'Tensors. Up and down move, left goes to what a tensor is computed from, right to what is computed from it, Enter selects.',
        onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
        onscroll: () => this.show(),
      },
      element('div', { role: 'rowgroup', class: 'heads' }, this.head),
      this.body,
    );
    place.replaceChildren(
      element(
        'div',
        { class: 'bar' },
        element('input', {
          type: 'search',
          placeholder: 'Filter by name, operator, type',
          'aria-label': 'Filter tensors by words',
          oninput: (/** @type {Event} */ event) =>
            this.change({ words: /** @type {HTMLInputElement} */ (event.target).value }),
        }),
        choice(
          'Show',
          Object.keys(filters).map((name) => [name, name]),
          'all',
          (filter) => this.change({ filter }),
        ),
      ),
      this.grid,
      this.status,
    );
    new ResizeObserver(() => this.show()).observe(this.grid);
  }

  /** @param {import('./tensor_rows.js').TableColumn} column */
  headCell(column) {
    const button = element('button', { type: 'button', onclick: () => this.sort(column) }, column.title);
    return element(
      'div',
      { role: 'columnheader', class: `cell ${column.key}${column.number ? ' number' : ''}`, 'aria-sort': 'none' },
      button,
    );
  }

  /** Sorts by a column: downwards, upwards, and then in the model's order again. @param {import('./tensor_rows.js').TableColumn} column */
  sort(column) {
    const first = column.number ? -1 : 1;
    const direction = this.wanted.key !== column.key ? first : this.wanted.direction === first ? -first : 0;
    this.change({ key: direction ? column.key : '', direction });
    this.columns.forEach((each, i) => {
      const cell = /** @type {HTMLElement} */ (this.head).children[i];
      const sorted = each === column && direction !== 0;
      cell.setAttribute('aria-sort', sorted ? (direction > 0 ? 'ascending' : 'descending') : 'none');
    });
  }

  /** @param {Partial<TensorsView['wanted']>} change */
  change(change) {
    this.wanted = { ...this.wanted, ...change };
    return this.update();
  }

  async update() {
    const turn = ++this.turn;
    const rows = await runSliced(chooseRows(this.model, this.wanted));
    if (turn !== this.turn) {
      return;
    }
    this.rows = rows;
    this.cursor = 0;
    const grid = /** @type {HTMLElement} */ (this.grid);
    grid.setAttribute('aria-rowcount', String(rows.length + 1));
    /** @type {HTMLElement} */ (this.body).style.height = `${rows.length * rowHeight}px`;
    grid.scrollTop = 0;
    /** @type {HTMLElement} */ (this.status).textContent =
      `${countText(rows.length)} of ${countText(this.model.tensorCount)} tensors.`;
    this.show();
  }

  /** @param {number} tensor @param {number} row */
  line(tensor, row) {
    const line = element(
      'div',
      {
        role: 'row',
        class: row === this.cursor ? 'line cursor' : 'line',
        id: `row-${row}`,
        'aria-rowindex': row + 2,
        'aria-selected': this.isSelected(tensor) ? 'true' : 'false',
        onclick: () => this.move(row, true),
      },
      ...this.columns.map((column) => {
        const value = column.value(this.model, tensor);
        const mark = column.key === 'origin' && value ? `${originMarks[String(value)].symbol} ` : '';
        const text = typeof value === 'number' ? numberText(value) : mark + value;
        const style = column.key === 'origin' && value ? ` ${String(value).replace(' ', '-')}` : '';
        return element(
          'div',
          { role: 'gridcell', class: `cell ${column.key}${column.number ? ' number' : ''}${style}` },
          element('bdi', {}, text),
        );
      }),
    );
    line.style.top = `${row * rowHeight}px`;
    return line;
  }

  /** @param {number} tensor */
  isSelected(tensor) {
    return this.state.selection?.kind === 'tensor' && this.state.selection.index === tensor;
  }

  /** Creates the rows that can be seen. */
  show() {
    const grid = /** @type {HTMLElement} */ (this.grid);
    const first = Math.max(0, Math.floor(grid.scrollTop / rowHeight) - 4);
    const last = Math.min(this.rows.length, Math.ceil((grid.scrollTop + grid.clientHeight) / rowHeight) + 4);
    const lines = [];
    for (let row = first; row < last; row++) {
      lines.push(this.line(this.rows[row], row));
    }
    /** @type {HTMLElement} */ (this.body).replaceChildren(...lines);
    if (this.cursor >= first && this.cursor < last) {
      grid.setAttribute('aria-activedescendant', `row-${this.cursor}`);
    } else {
      grid.removeAttribute('aria-activedescendant');
    }
  }

  /** @param {number} row @param {boolean} select */
  move(row, select) {
    const grid = /** @type {HTMLElement} */ (this.grid);
    this.cursor = Math.max(0, Math.min(this.rows.length - 1, row));
    const top = this.cursor * rowHeight;
    const seen = grid.clientHeight - rowHeight;
    if (top < grid.scrollTop) {
      grid.scrollTop = top;
    } else if (top + rowHeight > grid.scrollTop + seen) {
      grid.scrollTop = top + rowHeight - seen;
    }
    if (select && this.rows.length) {
      this.state.select({ kind: 'tensor', index: this.rows[this.cursor] });
    }
    this.show();
  }

  /** Goes to a neighbour in the graph, also if the filter hides it. @param {number | undefined} tensor */
  goTo(tensor) {
    if (tensor === undefined || tensor < 0) {
      /** @type {HTMLElement} */ (this.status).textContent = 'There is no tensor in this direction.';
      return;
    }
    this.state.select({ kind: 'tensor', index: tensor });
  }

  follow() {
    const { selection } = this.state;
    const row = selection?.kind === 'tensor' ? this.rows.indexOf(selection.index) : -1;
    const grid = /** @type {HTMLElement} */ (this.grid);
    if (row >= 0 && row !== this.cursor) {
      grid.scrollTop = row * rowHeight - grid.clientHeight / 3;
    }
    if (row >= 0) {
      this.move(row, false);
    } else {
      this.show();
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { model, cursor } = this;
    const selected = this.state.selection?.kind === 'tensor' ? this.state.selection.index : undefined;
    const tensor = selected ?? this.rows[cursor];
    const page = Math.floor(/** @type {HTMLElement} */ (this.grid).clientHeight / rowHeight) - 2;
    /** @type {Record<string, () => void>} */
    const actions = {
      ArrowDown: () => this.move(cursor + 1, true),
      ArrowUp: () => this.move(cursor - 1, true),
      PageDown: () => this.move(cursor + page, true),
      PageUp: () => this.move(cursor - page, true),
      Home: () => this.move(0, true),
      End: () => this.move(this.rows.length - 1, true),
      Enter: () => this.move(cursor, true),
      ArrowLeft: () => this.goTo(model.producer(tensor) >= 0 ? before(model, tensor) : undefined),
      ArrowRight: () =>
        this.goTo(model.consumers(tensor).length ? model.outputs(model.consumers(tensor)[0])[0] : undefined),
      Escape: () => this.state.select(null),
    };
    const action = actions[event.key];
    if (action && event.target === this.grid && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      action();
    }
  }
}

/**
 * Returns the first computed input of a tensor's node, else its first input.
 * @param {Model} model
 * @param {number} tensor
 */
function before(model, tensor) {
  const inputs = Array.from(model.inputs(model.producer(tensor))).filter((input) => input >= 0);
  return inputs.find((input) => model.producer(input) >= 0) ?? inputs[0];
}
