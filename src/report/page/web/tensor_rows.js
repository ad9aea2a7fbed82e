// @ts-check
// Which tensors the table shows, and in which order.

/** @typedef {import('./model.js').Model} Model */
/**
 * @typedef {object} TableColumn
 * @property {string} key
 * @property {string} title
 * @property {boolean} number
 * @property {(model: Model, tensor: number) => string | number} value
 */

/** @type {TableColumn[]} */
export const tableColumns = [
  { key: 'name', title: 'Tensor', number: false, value: (model, tensor) => model.tensorName(tensor) },
  {
    key: 'operator',
    title: 'Operator',
    number: false,
    value: (model, tensor) => (model.producer(tensor) >= 0 ? model.opType(model.producer(tensor)) : model.role(tensor)),
  },
  { key: 'type', title: 'Type', number: false, value: (model, tensor) => model.type(tensor) },
  { key: 'shape', title: 'Shape', number: false, value: (model, tensor) => model.shape(tensor) },
  { key: 'norm', title: 'Norm', number: true, value: (model, tensor) => model.error(tensor, 'norm') },
  { key: 'relative', title: 'Relative', number: true, value: (model, tensor) => model.error(tensor, 'relative') },
  { key: 'absolute', title: 'Absolute', number: true, value: (model, tensor) => model.error(tensor, 'absolute') },
  {
    key: 'origin',
    title: 'Error',
    number: false,
    value: (model, tensor) => (model.origin(tensor) === 'none' ? '' : model.origin(tensor)),
  },
];

/** @type {Record<string, (model: Model, tensor: number) => boolean>} */
export const filters = {
  all: () => true,
  disagrees: (model, tensor) => !model.agrees(tensor),
  born: (model, tensor) => model.origin(tensor) === 'born',
  grew: (model, tensor) => model.origin(tensor) === 'grew',
  'passed on': (model, tensor) => model.origin(tensor) === 'passed on',
  'inputs and outputs': (model, tensor) => ['input', 'output'].includes(model.role(tensor)),
  weights: (model, tensor) => model.role(tensor) === 'weight',
};

/**
 * Compares two values; what wasn't measured is last in both directions.
 * @param {string | number} a
 * @param {string | number} b
 * @param {number} direction 1 or -1
 */
export function compareValues(a, b, direction) {
  if (typeof a === 'number' && typeof b === 'number') {
    if (Number.isNaN(a) || Number.isNaN(b)) {
      return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
    }
    return a === b ? 0 : (a < b ? -1 : 1) * direction;
  }
  return a === b ? 0 : (a < b ? -1 : 1) * direction;
}

/**
 * Returns the tensors to show; yields now and then. Weights without errors come last: there may be hundreds.
 * @param {Model} model
 * @param {{words: string, filter: string, key: string, direction: number}} wanted direction 0: in the order of the model
 * @returns {Generator<undefined, number[]>}
 */
export function* chooseRows(model, wanted) {
  const words = wanted.words.toLowerCase().split(/\s+/).filter(Boolean);
  const keeps = filters[wanted.filter] ?? filters.all;
  const column = tableColumns.find(({ key }) => key === wanted.key);
  /** @type {{tensor: number, value: string | number}[]} */
  const rows = [];
  for (let tensor = 0; tensor < model.tensorCount; tensor++) {
    if (tensor % 1000 === 999) {
      yield;
    }
    const text = words.length
      ? `${model.tensorName(tensor)} ${tableColumns[1].value(model, tensor)} ${model.type(tensor)}`.toLowerCase()
      : '';
    if (keeps(model, tensor) && words.every((word) => text.includes(word))) {
      rows.push({ tensor, value: wanted.direction && column ? column.value(model, tensor) : 0 });
    }
  }
  yield;
  const measured = model.measuredMetrics();
  /** @param {number} tensor */
  const isLast = (tensor) =>
    Number(model.role(tensor) === 'weight' && measured.every((metric) => Number.isNaN(model.error(tensor, metric))));
  rows.sort((a, b) =>
    wanted.direction
      ? compareValues(a.value, b.value, wanted.direction) || a.tensor - b.tensor
      : isLast(a.tensor) - isLast(b.tensor) || a.tensor - b.tensor,
  );
  return rows.map((row) => row.tensor);
}
