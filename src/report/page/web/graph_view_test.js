import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GraphView } from './graph_view.js';

/** Returns where the view starts after fill(), in a window of 200 by 100 onto a graph. */
function filled(x, y, width, height) {
  const view = { x, y, scale: 1 };
  const canvas = { clientWidth: 200, clientHeight: 100 };
  GraphView.prototype.fill.call({ picture: { width, height }, canvas, view, paint() {} });
  return [view.x, view.y];
}

test('the graph opens at the tensor of the verdict, or else where the first error is born', () => {
  const item = { id: 1, children: [] };
  const view = {
    model: { opensAt: -1 },
    tree: { ofNode: [{ id: 0, children: [] }, item] },
    looks: { born: [0, 1] },
    itemOfTensor: (tensor) => `item of ${tensor}`,
  };
  assert.equal(GraphView.prototype.opening.call(view), item);
  view.model.opensAt = 5;
  assert.equal(GraphView.prototype.opening.call(view), 'item of 5');
});

test('the view shows as little as possible of what is outside the graph', () => {
  assert.deepEqual(filled(-90, -40, 1000, 1000), [-10, -10]);
  assert.deepEqual(filled(950, 990, 1000, 1000), [810, 910]);
  assert.deepEqual(filled(300, 400, 1000, 1000), [300, 400]);
  assert.deepEqual(filled(7, 7, 100, 50), [-50, -25], 'a graph that fits is in the middle');
});
