// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GraphCanvas } from './graph_canvas.js';

/** Draws an edge as far as a window shows it, and returns the points of its lines. @param {number[]} points */
function draw(points, { left = 0, high = 0, size = 20 } = {}) {
  /** @type {number[][]} */
  const lines = [];
  /** @param {number} x @param {number} y */
  const add = (x, y) => lines.push([x, y]);
  const context = { beginPath() {}, stroke() {}, moveTo: add, lineTo: add, quadraticCurveTo() {} };
  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  const seen = (x, y, width, height) => x < left + size && x + width > left && y < high + size && y + height > high;
  const picture = { boxes: [], ofItem: new Map(), edges: [points], width: 100, height: 100 };
  new GraphCanvas(/** @type {any} */ (null), new Map()).edges(/** @type {any} */ (context), picture, seen, 1);
  return lines;
}

test('an edge is drawn if a part of it is shown, whatever its direction', () => {
  for (const points of [
    [50, 0, 50, 50, 50, 100],
    [50, 100, 50, 50, 50, 0],
    [0, 0, 95, 50, 0, 100],
  ]) {
    assert.ok(draw(points, { left: 40, high: 40 }).length > 0, String(points));
  }
  assert.deepEqual(draw([50, 0, 50, 50, 50, 100], { left: 200, high: 40 }), []);
});

test('an arrow points along the end of its edge', () => {
  /** @param {number[]} points */
  const head = (points) => draw(points, { size: 100 }).slice(-3);
  assert.deepEqual(head([50, 0, 50, 100]), [
    [46.5, 94],
    [50, 100],
    [53.5, 94],
  ]);
  assert.deepEqual(head([50, 100, 50, 0]), [
    [53.5, 6],
    [50, 0],
    [46.5, 6],
  ]);
  assert.deepEqual(head([0, 0, 100, 50, 50, 50]), [
    [56, 46.5],
    [50, 50],
    [56, 53.5],
  ]);
});
