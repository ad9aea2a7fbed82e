// @ts-check
// A small model for unit tests: a chain of nodes with the given names, each with one output.
import { Model } from './model.js';

/**
 * @param {string[]} names the part after the last slash, without _ and digits, becomes the operator
 * @param {number[]} [parents]
 * @param {Record<string, number[]>} [more] columns that replace the default ones
 */
export function makeModel(names, parents, more = {}) {
  /** @type {string[]} */
  const texts = [''];
  /** @param {string} text */
  const index = (text) => {
    const found = texts.indexOf(text);
    return found >= 0 ? found : texts.push(text) - 1;
  };
  const count = names.length;
  const types = names.map((name) => index(name.split('/').pop()?.replace(/_\d+$/, '') || 'A'));
  const nameTexts = names.map((name) => texts.push(name) - 1);
  const tensorTexts = names.map((_, i) => texts.push(`t${i}`) - 1);
  const zeros = new Array(count).fill(0);
  const unknown = new Array(count).fill(Number.NaN);
  const ends = names.map((_, i) => i + 1);
  /** @type {Record<string, number[]>} */
  const all = {
    facts: [index('model.onnx'), index('first'), index('second')],
    graph_opens_at: [-1],
    node_name: nameTexts,
    node_type: types,
    node_domain: zeros,
    node_body: zeros,
    node_parent: parents ?? new Array(count).fill(-1),
    node_inputs: names.map((_, i) => i - 1),
    node_input_ends: ends,
    node_outputs: names.map((_, i) => i),
    node_output_ends: ends,
    node_attribute_ends: zeros,
    tensor_name: tensorTexts,
    tensor_type: zeros,
    tensor_shape: zeros,
    tensor_role: zeros,
    tensor_origin: zeros,
    tensor_agrees: zeros,
    tensor_norm: unknown,
    tensor_relative: unknown,
    tensor_absolute: unknown,
    tensor_statistics_ends: zeros,
    check_nodes: [],
    check_seconds: [],
    check_failed: [],
    check_pass: [],
    ...more,
  };
  /** @type {Map<string, import('./columns.js').Column>} */
  const columns = new Map(Object.entries(all).map(([name, values]) => [name, Float64Array.from(values)]));
  const encoded = texts.map((text) => new TextEncoder().encode(text));
  let end = 0;
  columns.set(
    'text_ends',
    Uint32Array.from(encoded, (bytes) => (end += bytes.length)),
  );
  columns.set('text_bytes', Uint8Array.from(encoded.flatMap((bytes) => [...bytes])));
  columns.set('histogram_counts', new Float64Array(0));
  columns.set('histogram_ends', new Uint32Array(0));
  const model = new Model(columns);
  for (const _ of model.connect()) {
    // Until it is finished.
  }
  return model;
}
