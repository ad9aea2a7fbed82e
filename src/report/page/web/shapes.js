// @ts-check
// Where an error comes from, as a shape, a colour and a word.

/** @type {Record<string, {property: string, symbol: string, meaning: string}>} */
export const originMarks = {
  born: { property: '--born', symbol: '◆', meaning: 'born: arises at this tensor' },
  grew: { property: '--grew', symbol: '▲', meaning: 'grew: larger than in the inputs' },
  'passed on': { property: '--passed', symbol: '●', meaning: 'passed on: comes from the inputs' },
  none: { property: '--soft', symbol: '·', meaning: 'small or none' },
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
