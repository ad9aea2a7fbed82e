// @ts-check
// Where an error comes from, as a shape, a colour and a word.

/** @type {Record<string, {property: string, symbol: string}>} */
export const originMarks = {
  born: { property: '--born', symbol: '◆' },
  grew: { property: '--grew', symbol: '▲' },
  'passed on': { property: '--passed', symbol: '●' },
  none: { property: '--soft', symbol: '·' },
};

/**
 * @param {CanvasRenderingContext2D} context
 * @param {string} origin
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
export function drawShape(context, origin, x, y, size) {
  context.beginPath();
  if (origin === 'born') {
    context.moveTo(x, y - size);
    context.lineTo(x + size, y);
    context.lineTo(x, y + size);
    context.lineTo(x - size, y);
  } else if (origin === 'grew') {
    context.moveTo(x, y - size);
    context.lineTo(x + size, y + size * 0.8);
    context.lineTo(x - size, y + size * 0.8);
  } else {
    context.arc(x, y, origin === 'none' ? size * 0.45 : size * 0.7, 0, 2 * Math.PI);
  }
  context.closePath();
  context.fill();
}
