// @ts-check
// Colours of errors, element types and operators. A colour never stands alone: boxes have texts, points have shapes.
import { colour } from './dom.js';

/** Upper limits of the classes of errors; the last class has no limit. */
export const errorLimits = [0, 1e-6, 1e-4, 1e-2, 1];
export const errorTexts = ['0', '≤ 1e-6', '≤ 1e-4', '≤ 0.01', '≤ 1', '> 1'];

/**
 * Returns the class of an error, or -1 if it wasn't measured.
 * @param {number} error
 */
export function errorClass(error) {
  if (Number.isNaN(error)) {
    return -1;
  }
  const found = errorLimits.findIndex((limit) => error <= limit);
  return found < 0 ? errorLimits.length : found;
}

const kinds = 10;

/** Assigns one of ten colours to each of the most frequent names; the others share a neutral one. */
export class Palette {
  /** @param {Iterable<string>} names with repetitions */
  constructor(names) {
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const name of names) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    this.names = [...counts.entries()].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([name]) => name);
    this.indices = new Map(this.names.slice(0, kinds).map((name, index) => [name, index]));
  }

  /** @param {string} name */
  property(name) {
    const index = this.indices.get(name);
    return index === undefined ? '--box' : `--kind-${index}`;
  }
}

/** The colours that canvases use, read from the style sheet; read again if the theme changes. */
export function readColours() {
  const names = ['--page', '--panel', '--box', '--ink', '--soft', '--line', '--accent', '--bad', '--good', '--group'];
  for (let i = 0; i < kinds; i++) {
    names.push(`--kind-${i}`);
  }
  for (let i = 0; i < errorTexts.length; i++) {
    names.push(`--error-${i}`);
  }
  names.push('--born', '--grew', '--passed');
  return new Map(names.map((name) => [name, colour(name)]));
}
