// @ts-check
// What pointer, wheel and keys do on the graph.

/** @typedef {import('./groups.js').Item} Item */
/** @typedef {import('./graph_view.js').GraphView} GraphView */

export class GraphInput {
  /** @param {GraphView} graph @param {HTMLCanvasElement} canvas */
  constructor(graph, canvas) {
    this.graph = graph;
    this.canvas = canvas;
    canvas.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    canvas.addEventListener('pointerdown', (event) => this.press(event));
    canvas.addEventListener('dblclick', (event) => this.toggleAt(event));
    canvas.addEventListener('keydown', (event) => this.key(event));
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    if (document.activeElement === this.canvas || event.ctrlKey) {
      event.preventDefault();
      this.graph.zoom(Math.exp(-event.deltaY * 0.0015), event.offsetX, event.offsetY);
    }
  }

  /** @param {MouseEvent} event */
  itemAt(event) {
    const x = event.offsetX / this.graph.view.scale + this.graph.view.x;
    const y = event.offsetY / this.graph.view.scale + this.graph.view.y;
    return this.graph.picture?.boxes.findLast(
      (box) => x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height,
    )?.item;
  }

  /** @param {PointerEvent} event */
  press(event) {
    const { canvas } = this;
    // Read now, since a finished event has no position in Firefox.
    const item = this.itemAt(event);
    const begin = { ...this.graph.view };
    let moved = false;
    canvas.setPointerCapture(event.pointerId);
    /** @param {PointerEvent} now */
    const move = (now) => {
      const dx = now.clientX - event.clientX;
      const dy = now.clientY - event.clientY;
      moved ||= Math.hypot(dx, dy) > 4;
      if (moved) {
        this.graph.view.x = begin.x - dx / this.graph.view.scale;
        this.graph.view.y = begin.y - dy / this.graph.view.scale;
        this.graph.paint();
      }
    };
    /** @param {PointerEvent} last */
    const end = (last) => {
      canvas.removeEventListener('pointermove', move);
      canvas.removeEventListener('pointerup', end);
      canvas.removeEventListener('pointercancel', end);
      if (!moved && last.type === 'pointerup') {
        this.pick(item);
      }
    };
    canvas.addEventListener('pointermove', move);
    canvas.addEventListener('pointerup', end);
    canvas.addEventListener('pointercancel', end);
  }

  /** @param {Item | undefined} item */
  pick(item) {
    this.graph.cursor = item ?? null;
    if (item && item.node >= 0) {
      this.graph.state.select({ kind: 'node', index: item.node });
    } else if (item && item.tensor >= 0) {
      this.graph.state.select({ kind: 'tensor', index: item.tensor });
    }
    this.graph.paint();
    this.graph.tell();
  }

  /** @param {MouseEvent} event */
  toggleAt(event) {
    const item = this.itemAt(event);
    if (item?.children.length) {
      this.graph.cursor = item;
      this.graph.toggle(item);
    }
  }

  /** @param {boolean} forward @param {Item} item */
  sibling(item, forward) {
    const siblings = item.parent?.children ?? [];
    return siblings[siblings.indexOf(item) + (forward ? 1 : -1)];
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const item = this.graph.cursor;
    const first = this.graph.tree.root.children[0];
    /** @type {Record<string, () => void>} */
    const actions = {
      ArrowDown: () => this.go(item ? this.graph.scene.neighbours(item, true)[0] : first),
      ArrowUp: () => this.go(item ? this.graph.scene.neighbours(item, false)[0] : first),
      ArrowLeft: () => this.go(item ? this.sibling(item, false) : first),
      ArrowRight: () => this.go(item ? this.sibling(item, true) : first),
      Home: () => this.go(first),
      Enter: () => item?.children.length && this.graph.toggle(item),
      Escape: () => item?.parent?.parent && this.go(item.parent),
      '+': () => this.graph.zoom(1.3),
      '-': () => this.graph.zoom(1 / 1.3),
      0: () => this.graph.fit(),
    };
    const action = actions[event.key];
    if (action && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      action();
    }
  }

  /** @param {Item | undefined} item */
  go(item) {
    if (item) {
      this.graph.choose(item);
    }
  }
}
