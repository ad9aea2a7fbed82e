// @ts-check
// The command that cuts out the part of a model between two tensors. `assay surgeon extract` sees the main graph only, so
// a node with bodies counts as one node that reads what its bodies read.

/** @typedef {import('./model.js').Model} Model */

/**
 * Quotes a word for a POSIX shell.
 * @param {string} word
 */
export function shellWord(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/**
 * Returns the nodes that depend on any of these tensors.
 * @param {Model} model
 * @param {number[]} tensors
 */
function nodesAfter(model, tensors) {
  /** @type {Set<number>} */
  const after = new Set();
  const open = [...tensors];
  for (let tensor = open.pop(); tensor !== undefined; tensor = open.pop()) {
    for (const reader of model.consumers(tensor)) {
      const node = model.outermost(reader);
      if (!after.has(node)) {
        after.add(node);
        open.push(...model.outputs(node).filter((/** @type {number} */ output) => output >= 0));
      }
    }
  }
  return after;
}

/**
 * Returns the nodes that `to` depends on and that depend on `from`, and the inputs that such a part needs: `from`, and
 * what else its nodes read. What depends on no input of the model needs no input of the part: the command takes the
 * nodes that compute it along.
 * @param {Model} model
 * @param {number} from
 * @param {number} to
 */
export function partBetween(model, from, to) {
  const after = nodesAfter(model, [from]);
  const tensors = Array.from({ length: model.tensorCount }, (_, tensor) => tensor);
  const variable = nodesAfter(
    model,
    tensors.filter((tensor) => model.role(tensor) === 'input'),
  );
  /** @type {Set<number>} */
  const nodes = new Set();
  const inputs = new Set([from]);
  const open = [to];
  for (let tensor = open.pop(); tensor !== undefined; tensor = open.pop()) {
    const node = model.producer(tensor);
    if (after.has(node) && tensor !== from) {
      if (!nodes.has(node)) {
        nodes.add(node);
        open.push(...model.reads(node));
      }
    } else if (variable.has(node) || model.role(tensor) === 'input') {
      inputs.add(tensor);
    }
  }
  return { nodes, inputs: [...inputs] };
}

/**
 * @param {Model} model
 * @param {number[]} inputs the tensors that become inputs
 * @param {number} to the tensor that becomes the output
 */
export function extractCommand(model, inputs, to) {
  return [
    'assay surgeon extract',
    shellWord(model.file),
    '--inputs',
    ...inputs.map((tensor) => shellWord(`${model.tensorName(tensor)}:auto:auto`)),
    '--outputs',
    shellWord(`${model.tensorName(to)}:auto`),
    '-o part.onnx',
  ].join(' ');
}
