// @ts-check
// The command that cuts out the part of a model between two tensors.

/** @typedef {import('./model.js').Model} Model */

/**
 * Quotes a word for a POSIX shell.
 * @param {string} word
 */
export function shellWord(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/**
 * Returns the nodes that `to` depends on and that depend on `from`.
 * @param {Model} model
 * @param {number} from
 * @param {number} to
 */
export function nodesBetween(model, from, to) {
  /** @type {Set<number>} */
  const after = new Set();
  const open = [from];
  for (let tensor = open.pop(); tensor !== undefined; tensor = open.pop()) {
    for (const node of model.consumers(tensor)) {
      if (!after.has(node)) {
        after.add(node);
        open.push(...model.outputs(node));
      }
    }
  }
  /** @type {Set<number>} */
  const between = new Set();
  const back = [model.producer(to)];
  for (let node = back.pop(); node !== undefined; node = back.pop()) {
    if (node >= 0 && after.has(node) && !between.has(node)) {
      between.add(node);
      for (const tensor of model.inputs(node)) {
        if (tensor >= 0 && tensor !== from) {
          back.push(model.producer(tensor));
        }
      }
    }
  }
  return between;
}

/**
 * @param {Model} model
 * @param {number} from the tensor that becomes the input
 * @param {number} to the tensor that becomes the output
 */
export function extractCommand(model, from, to) {
  return [
    'assay surgeon extract',
    shellWord(model.file || 'model.onnx'),
    '--inputs',
    shellWord(`${model.tensorName(from)}:auto:auto`),
    '--outputs',
    shellWord(`${model.tensorName(to)}:auto`),
    '-o part.onnx',
  ].join(' ');
}
