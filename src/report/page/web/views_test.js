// @ts-check
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { decodeBlock } from './columns.js';
import { errorClass, Palette } from './colours.js';
import { extractCommand, partBetween, shellWord } from './extract_command.js';
import { linkTo, selectionOf } from './links.js';
import { numberText } from './numbers.js';
import { reductionHistory } from './reduction_history.js';
import { chooseRows } from './tensor_rows.js';
import { makeModel } from './test_model.js';

test('a block of columns is read', async () => {
  const header = JSON.stringify({ small: ['u8', 0, 3], numbers: ['f64', 8, 2] });
  const block = new Uint8Array(Math.ceil((4 + header.length) / 8) * 8 + 24);
  new DataView(block.buffer).setUint32(0, header.length, true);
  block.set(new TextEncoder().encode(header), 4);
  block.set([1, 2, 255], block.length - 24);
  block.set(new Uint8Array(new Float64Array([Number.NaN, 1e-300]).buffer), block.length - 16);
  const columns = await decodeBlock(`${deflateSync(block).toString('base64')}\n`);
  assert.deepEqual([...(columns.get('small') ?? [])], [1, 2, 255]);
  assert.deepEqual([...(columns.get('numbers') ?? [])], [Number.NaN, 1e-300]);
});

test('a shell reads the words of a command as they were', () => {
  for (const word of ["it's", '$(touch x)', '`x`', 'a b', '"', '\\', '/plain/name:0', '; rm', 'ü', '-x', '*', '\n']) {
    assert.equal(execFileSync('/bin/sh', ['-c', `printf %s. ${shellWord(word)}`]).toString(), `${word}.`);
  }
});

test('the part between two tensors', () => {
  const model = makeModel(['A', 'B', 'C', 'D']);
  const { nodes, inputs } = partBetween(model, 0, 2);
  assert.deepEqual([...nodes].sort(), [1, 2]);
  assert.equal(partBetween(model, 2, 0).nodes.size, 0);
  assert.equal(
    extractCommand(model, inputs, 2),
    'assay surgeon extract model.onnx --inputs t0:auto:auto --outputs t2:auto -o part.onnx',
  );
});

test('a part has the other inputs that it needs, and what bodies read', () => {
  // t3 = Neg(t0), t4 = Abs(t1), t5 = Mul(t3, t4, t2), t6 = If(t2) whose body reads t5, t8 = Relu(t6); t2 is a constant.
  const names = ['x', 'y', 'Constant', 'Neg', 'Abs', 'Mul', 'If', 'Exp', 'Relu'];
  const model = makeModel(names, [-1, -1, -1, -1, -1, -1, -1, 6, -1], {
    node_outputs: [-1, -1, 2, 3, 4, 5, 6, 7, 8],
    node_inputs: [0, 1, 3, 4, 2, 2, 5, -1, 6],
    node_input_ends: [0, 0, 0, 1, 2, 5, 6, 8, 9],
    tensor_role: [1, 1, 0, 0, 0, 0, 0, 0, 0],
  });
  const { nodes, inputs } = partBetween(model, 0, 8);
  assert.deepEqual([...nodes].sort(), [3, 5, 6, 8]);
  assert.deepEqual(inputs, [0, 4]);
  assert.match(extractCommand(model, inputs, 8), / --inputs t0:auto:auto t4:auto:auto --outputs /);
  const whole = names.map((_, tensor) => model.isInMainGraph(tensor));
  assert.deepEqual(whole, [true, true, true, true, true, true, true, false, true]);
});

test('links select what they were made for', () => {
  const model = makeModel(['/a b/%', '/<script>', '/#']);
  for (let index = 0; index < 3; index++) {
    assert.deepEqual(selectionOf(model, linkTo(model, { kind: 'node', index })), { kind: 'node', index });
    assert.deepEqual(selectionOf(model, linkTo(model, { kind: 'tensor', index })), { kind: 'tensor', index });
  }
  for (const link of ['', '#errors', '#node/nothing', '#node/%', '#weight/t0']) {
    assert.equal(selectionOf(model, link), null);
  }
});

test('numbers are short', () => {
  const numbers = [0, Number.NaN, Number.POSITIVE_INFINITY, -1.5, 123456, 1.23456e-7, 0.012345];
  assert.deepEqual(numbers.map(numberText), ['0', '–', '∞', '-1.5', '1.23e5', '1.23e-7', '0.01235']);
});

test('errors have classes, and frequent names colours', () => {
  assert.deepEqual([Number.NaN, 0, 1e-6, 0.5, Number.POSITIVE_INFINITY].map(errorClass), [-1, 0, 1, 4, 5]);
  const palette = new Palette(['Add', 'Conv', 'Conv', ...Array.from({ length: 20 }, (_, i) => `Op${i}`)]);
  assert.equal(palette.property('Conv'), '--kind-0');
  assert.equal(palette.property('Op9'), '--box');
});

test('rows are filtered and sorted, and what was not measured is last', () => {
  const model = makeModel(['A', 'B', 'C', 'D'], undefined, {
    tensor_norm: [1, Number.NaN, Number.POSITIVE_INFINITY, 0],
    tensor_origin: [0, 1, 1, 0],
    tensor_role: [3, 3, 0, 0],
  });
  /** @param {object} wanted */
  const rows = (wanted) => {
    const work = chooseRows(model, { words: '', filter: 'all', key: '', direction: 0, ...wanted });
    let step = work.next();
    while (!step.done) {
      step = work.next();
    }
    return step.value;
  };
  assert.deepEqual(rows({}), [0, 2, 3, 1], 'a weight without an error is last');
  assert.deepEqual(rows({ key: 'norm', direction: -1 }), [2, 0, 3, 1]);
  assert.deepEqual(rows({ key: 'norm', direction: 1 }), [3, 0, 2, 1]);
  assert.deepEqual(rows({ filter: 'born' }), [2, 1]);
  assert.deepEqual(rows({ words: 'T3' }), [3]);
});

test('the history of a reduction', () => {
  const model = makeModel(['A', 'first', 'second'], undefined, {
    check_nodes: [10, 4, 6, 5],
    check_failed: [1, 0, 1, 1],
    check_seconds: [1, 2, 4, 5],
    check_pass: [4, 5, 5, 6],
  });
  const { left, passes } = reductionHistory(model);
  assert.deepEqual(left, [10, 10, 6, 5]);
  assert.deepEqual(
    passes.map(({ checks, failing, removed, seconds }) => [checks, failing, removed, seconds]),
    [
      [1, 1, 0, 1],
      [2, 1, 4, 3],
      [1, 1, 1, 1],
    ],
  );
});
