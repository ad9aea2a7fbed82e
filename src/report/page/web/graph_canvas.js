// @ts-check
// Draws a picture of the graph, as a whole (the minimap) or what a window onto it shows.
import { drawShape } from './shapes.js';
import { titleHeight } from './scene.js';

/** @typedef {import('./scene.js').Picture} Picture */
/** @typedef {import('./scene.js').Box} Box */
/** @typedef {import('./graph_colours.js').GraphColours} GraphColours */
/** @typedef {{x: number, y: number, scale: number}} Window the upper left corner in the picture, and pixels per unit */

// Around an edge: for its width and the head of its arrow.
const margin = 10;

/** Sets the canvas's size in device pixels. @param {HTMLCanvasElement} canvas */
export function fitCanvas(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = canvas;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return { context, width, height };
}

/** @param {CanvasRenderingContext2D} context @param {string} text @param {number} width */
function fitText(context, text, width) {
  const most = Math.floor(width / 5.5);
  let fitted = text.length > most + 2 ? `${text.slice(0, Math.max(1, most))}…` : text;
  while (fitted.length > 2 && context.measureText(fitted).width > width) {
    fitted = `${fitted.slice(0, -2)}…`;
  }
  return fitted;
}

/** Returns the rectangle around an edge. @param {number[]} points x and y in turns */
function boundsOf(points) {
  let [left, high] = points;
  let [right, low] = points;
  for (let i = 2; i < points.length; i += 2) {
    left = Math.min(left, points[i]);
    right = Math.max(right, points[i]);
    high = Math.min(high, points[i + 1]);
    low = Math.max(low, points[i + 1]);
  }
  return { left, high, width: right - left, height: low - high };
}

/** Draws an arrow's head at the end of an edge. @param {CanvasRenderingContext2D} context @param {number[]} points */
function drawHead(context, points) {
  const [fromX, fromY, x, y] = points.slice(-4);
  const length = Math.hypot(x - fromX, y - fromY) || 1;
  const alongX = (x - fromX) / length;
  const alongY = (y - fromY) / length;
  context.moveTo(x - 6 * alongX - 3.5 * alongY, y - 6 * alongY + 3.5 * alongX);
  context.lineTo(x, y);
  context.lineTo(x - 6 * alongX + 3.5 * alongY, y - 6 * alongY - 3.5 * alongX);
}

export class GraphCanvas {
  /** @param {GraphColours} looks @param {Map<string, string>} colours */
  constructor(looks, colours) {
    this.looks = looks;
    this.colours = colours;
  }

  /** @param {string} name */
  colour(name) {
    return this.colours.get(name) ?? '#888';
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Picture} picture
   * @param {(x: number, y: number, width: number, height: number) => boolean} seen
   * @param {number} scale
   */
  edges(context, picture, seen, scale) {
    context.strokeStyle = this.colour('--line');
    context.fillStyle = this.colour('--line');
    context.lineWidth = Math.max(1.2, 0.8 / scale);
    context.beginPath();
    for (const points of picture.edges) {
      const last = points.length - 2;
      const { left, high, width, height } = boundsOf(points);
      if (!seen(left - margin, high - margin, width + 2 * margin, height + 2 * margin)) {
        continue;
      }
      context.moveTo(points[0], points[1]);
      for (let i = 2; i < last; i += 2) {
        const middleX = (points[i] + points[i + 2]) / 2;
        const middleY = (points[i + 1] + points[i + 3]) / 2;
        context.quadraticCurveTo(
          points[i],
          points[i + 1],
          i + 2 === last ? points[last] : middleX,
          i + 2 === last ? points[last + 1] : middleY,
        );
      }
      context.lineTo(points[last], points[last + 1]);
      if (scale > 0.3) {
        drawHead(context, points);
      }
    }
    context.stroke();
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Box} box
   * @param {number} scale
   * @param {{chosen: boolean, found: boolean, end: string}} state
   */
  box(context, box, scale, state) {
    const look = this.looks.look(box.item);
    const rounded = box.item.node >= 0 || box.item.children.length ? 5 : 19;
    context.beginPath();
    context.roundRect(box.x, box.y, box.width, box.height, rounded);
    context.fillStyle = this.colour(box.open ? '--group' : look.property);
    context.fill();
    context.strokeStyle = this.colour(state.chosen ? '--accent' : state.found ? '--ink' : '--line');
    context.lineWidth = state.chosen ? 3 / Math.min(1, scale) : state.found ? 2 : 1;
    context.setLineDash(state.found && !state.chosen ? [5, 3] : []);
    context.stroke();
    context.setLineDash([]);
    if (box.item.children.length && !box.open && scale > 0.12) {
      context.strokeStyle = this.colour('--line');
      context.lineWidth = 1;
      context.beginPath();
      context.moveTo(box.x + 5, box.y + box.height + 3);
      context.lineTo(box.x + box.width - 5, box.y + box.height + 3);
      context.stroke();
    }
    if (look.mark && !box.open) {
      context.fillStyle = this.colour('--born');
      drawShape(context, look.mark, box.x + box.width - 4, box.y + 4, 6);
    }
    if (scale > 0.34) {
      this.texts(context, box, look.text, state.end);
    }
  }

  /** @param {CanvasRenderingContext2D} context @param {Box} box @param {string} second @param {string} end */
  texts(context, box, second, end) {
    const sign = box.item.children.length ? (box.open ? '− ' : '+ ') : '';
    context.fillStyle = this.colour('--ink');
    context.textBaseline = 'middle';
    context.font = '600 12px system-ui, sans-serif';
    const label = fitText(context, sign + (end ? `${end} ` : '') + box.item.label, box.width - 16);
    context.fillText(label, box.x + 8, box.y + (box.open ? titleHeight / 2 : 13));
    if (!box.open) {
      context.font = '11px system-ui, sans-serif';
      context.fillText(fitText(context, second, box.width - 16), box.x + 8, box.y + 28);
    }
  }

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Picture} picture
   * @param {Window} view
   * @param {(box: Box) => {chosen: boolean, found: boolean, end: string}} stateOf
   */
  draw(canvas, picture, view, stateOf) {
    const { context, width, height } = fitCanvas(canvas);
    context.scale(view.scale, view.scale);
    context.translate(-view.x, -view.y);
    const right = view.x + width / view.scale;
    const low = view.y + height / view.scale;
    /** @param {number} x @param {number} y @param {number} w @param {number} h */
    const seen = (x, y, w, h) => x < right && x + w > view.x && y < low && y + h > view.y;
    const boxes = picture.boxes.filter((box) => seen(box.x, box.y, box.width, box.height));
    for (const box of boxes.filter((each) => each.open)) {
      this.box(context, box, view.scale, stateOf(box));
    }
    this.edges(context, picture, seen, view.scale);
    for (const box of boxes.filter((each) => !each.open)) {
      this.box(context, box, view.scale, stateOf(box));
    }
  }
}
