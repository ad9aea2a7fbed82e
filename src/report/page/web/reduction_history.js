// @ts-check
// The nodes left over the checks of a reduction, and what each pass contributed.

/** @typedef {import('./model.js').Model} Model */
/** @typedef {{pass: string, checks: number, failing: number, removed: number, seconds: number}} Pass */

/**
 * Returns the smallest failing model so far at each check, and the sums for each pass in the order in which they began.
 * @param {Model} model
 */
export function reductionHistory(model) {
  const nodes = model.column('check_nodes');
  const failed = model.column('check_failed');
  const seconds = model.column('check_seconds');
  const passes = model.column('check_pass');
  /** @type {Map<string, Pass>} */
  const sums = new Map();
  /** @type {(number | null)[]} */
  const left = [];
  /** @type {number | null} */
  let best = null;
  for (let i = 0; i < model.checkCount; i++) {
    const name = model.text(passes[i]) || 'first check';
    const sum = sums.get(name) ?? { pass: name, checks: 0, failing: 0, removed: 0, seconds: 0 };
    sums.set(name, sum);
    sum.checks++;
    sum.seconds += seconds[i] - (i > 0 ? seconds[i - 1] : 0);
    if (failed[i]) {
      sum.failing++;
      if (best === null || nodes[i] < best) {
        sum.removed += best === null ? 0 : best - nodes[i];
        best = nodes[i];
      }
    }
    left.push(best);
  }
  return { left, passes: [...sums.values()] };
}
