// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTree, mostChildren, scopesOf } from './groups.js';
import { makeModel } from './test_model.js';

/** @param {Generator<undefined, any>} work */
function finish(work) {
  for (;;) {
    const step = work.next();
    if (step.done) {
      return step.value;
    }
  }
}

/** Writes a group as text: names, and the children in brackets. @param {any} item @returns {string} */
const text = (item) => item.label + (item.children.length ? `[${item.children.map(text).join(' ')}]` : '');

test('node scopes become groups, and a group with one member merges with it', () => {
  const tree = finish(buildTree(makeModel(['/m/a/Conv', '/m/a/Relu', '/m/b/deep/Add', '/m/Mul'])));
  assert.equal(text(tree.root), 'graph[a[Conv Relu] b/deep/Add Mul]');
  assert.equal(tree.root.count, 4);
});

test('three neighbours of the same structure become one block', () => {
  const names = ['/in/Gather', '/in/Cast'];
  for (let layer = 0; layer < 4; layer++) {
    names.push(`/layer.${layer}/Conv`, `/layer.${layer}/Relu`);
  }
  const tree = finish(buildTree(makeModel(names)));
  assert.equal(tree.root.children[1].label, '4 × layer');
  assert.equal(tree.root.children[1].children.length, 4);
  assert.equal(tree.ofNode[3].parent.parent, tree.root.children[1]);
});

test('a different structure interrupts a block', () => {
  const names = ['/l.0/A', '/l.0/B', '/l.1/A', '/l.1/B', '/l.2/A', '/l.2/C', '/l.3/A', '/l.3/B'];
  assert.equal(finish(buildTree(makeModel(names))).root.children.length, 4);
});

test('wide groups are split until none is too wide, and no node is lost', () => {
  const names = Array.from({ length: 20000 }, (_, i) => `Conv_${i}`);
  const tree = finish(buildTree(makeModel(names)));
  assert.equal(tree.root.count, 20000);
  for (const item of tree.items) {
    assert.ok(item.children.length <= mostChildren);
  }
  for (const item of tree.ofNode) {
    let at = item;
    while (at.parent) {
      at = at.parent;
    }
    assert.equal(at, tree.root);
  }
});

test('bodies are inside their node', () => {
  const model = makeModel(['/If', 'then/Neg', 'then/Abs'], [-1, 0, 0]);
  const tree = finish(buildTree(model));
  assert.equal(text(tree.ofNode[0]), 'If[body/then[Neg Abs]]');
  assert.equal(tree.ofNode[0].count, 3);
});

test('names of slashes only, and very deep names, have a label', () => {
  assert.deepEqual(scopesOf('///'), []);
  assert.equal(scopesOf('a/'.repeat(10000)).length, 17);
  assert.equal(finish(buildTree(makeModel(['///']))).ofNode[0].label, 'A');
});
