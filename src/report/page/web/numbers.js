// @ts-check
// Numbers as short text.

/** @param {number} value */
export function numberText(value) {
  if (Number.isNaN(value)) {
    return '–';
  }
  if (!Number.isFinite(value)) {
    return value > 0 ? '∞' : '-∞';
  }
  if (value === 0) {
    return '0';
  }
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-2) {
    return value.toExponential(2).replace('e+', 'e');
  }
  return String(Number(value.toPrecision(4)));
}

/** @param {number} value */
export const countText = (value) => value.toLocaleString('en');

/** @param {number} count @param {string} noun */
export const counted = (count, noun) => `${countText(count)} ${noun}${count === 1 ? '' : 's'}`;
