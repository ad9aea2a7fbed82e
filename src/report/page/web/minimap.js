// @ts-check
// A small picture of the whole graph, with the part that the view shows; pressing on it moves the view there.
import { element } from './dom.js';
import { fitCanvas } from './graph_canvas.js';

/** @typedef {import('./scene.js').Picture} Picture */

export class Minimap {
  /** @param {(x: number, y: number) => void} moveTo called with a point of the picture */
  constructor(moveTo) {
    this.canvas = /** @type {HTMLCanvasElement} */ (element('canvas', { class: 'minimap', 'aria-hidden': 'true' }));
    this.scale = 1;
    /** @param {PointerEvent} event */
    const move = (event) => {
      if (event.buttons & 1) {
        moveTo(event.offsetX / this.scale, event.offsetY / this.scale);
      }
    };
    this.canvas.addEventListener('pointerdown', move);
    this.canvas.addEventListener('pointermove', move);
  }

  /**
   * @param {Picture} picture
   * @param {{x: number, y: number, width: number, height: number}} shown
   * @param {(box: import('./scene.js').Box) => string} fill
   * @param {Map<string, string>} colours
   */
  draw(picture, shown, fill, colours) {
    this.canvas.hidden =
      shown.x <= 0 &&
      shown.y <= 0 &&
      shown.x + shown.width >= picture.width &&
      shown.y + shown.height >= picture.height;
    if (this.canvas.hidden) {
      return;
    }
    const { context, width, height } = fitCanvas(this.canvas);
    this.scale = Math.min(width / picture.width, height / picture.height);
    context.scale(this.scale, this.scale);
    for (const box of picture.boxes) {
      context.fillStyle = fill(box);
      context.fillRect(box.x, box.y, Math.max(box.width, 1 / this.scale), Math.max(box.height, 1 / this.scale));
    }
    context.strokeStyle = colours.get('--accent') ?? '';
    context.lineWidth = 1.5 / this.scale;
    context.strokeRect(shown.x, shown.y, shown.width, shown.height);
  }
}
