// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GraphColours } from './graph_colours.js';
import { buildTree } from './groups.js';
import { makeModel } from './test_model.js';

test('a node shows the errors of the weights that it reads', () => {
  const model = makeModel(['w', 'MatMul'], undefined, {
    node_outputs: [-1, 1],
    node_inputs: [-1, 0],
    tensor_role: [3, 0],
    tensor_norm: [0.5, Number.NaN],
  });
  const work = buildTree(model);
  let step = work.next();
  while (!step.done) {
    step = work.next();
  }
  const colours = new GraphColours(model, step.value);
  colours.measure('norm');
  assert.equal(colours.look(step.value.ofNode[1]).text, 'MatMul, 0.5');
});
