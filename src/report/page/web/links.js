// @ts-check
// Deep links: #errors shows a section, #tensor/NAME and #node/NAME select something.

/** @typedef {import('./model.js').Model} Model */
/** @typedef {import('./state.js').Selection} Selection */

/**
 * @param {Model} model
 * @param {Selection} selection
 */
export function linkTo(model, selection) {
  if (!selection) {
    return '';
  }
  const name = selection.kind === 'node' ? model.nodeLabel(selection.index) : model.tensorName(selection.index);
  return `#${selection.kind}/${encodeURIComponent(name.toWellFormed?.() ?? name)}`;
}

/**
 * @param {Model} model
 * @param {string} hash
 * @returns {Selection} null if the link doesn't select anything
 */
export function selectionOf(model, hash) {
  const match = /^#(node|tensor)\/(.*)$/s.exec(hash);
  if (!match) {
    return null;
  }
  const kind = /** @type {'node' | 'tensor'} */ (match[1]);
  let name;
  try {
    name = decodeURIComponent(match[2]);
  } catch {
    return null;
  }
  const count = kind === 'node' ? model.nodeCount : model.tensorCount;
  for (let index = 0; index < count; index++) {
    if ((kind === 'node' ? model.nodeLabel(index) : model.tensorName(index)) === name) {
      return { kind, index };
    }
  }
  return null;
}
