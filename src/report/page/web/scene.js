// @ts-check
// What the graph view draws: the boxes of all open groups, and the edges between boxes of the same group. Each group is
// laid out by itself, from the innermost outwards, and keeps its layout until something in it is opened or closed.

/** @typedef {import('./model.js').Model} Model */
/** @typedef {import('./groups.js').Item} Item */
/** @typedef {import('./groups.js').Tree} Tree */
/** @typedef {import('./layout.js').Layout} Layout */
/** @typedef {import('./layout.js').Problem} Problem */
/** @typedef {{item: Item, x: number, y: number, width: number, height: number, open: boolean}} Box */
/** @typedef {{boxes: Box[], ofItem: Map<number, Box>, edges: number[][], width: number, height: number}} Picture */

export const titleHeight = 26;
const boxHeight = 40;
// Ids of the places where edges enter and leave an open group.
const top = -1;
const bottom = -2;

/**
 * Returns a width at which the label and the second line usually fit.
 * @param {Model} model
 * @param {Item} item
 */
function boxWidth(model, item) {
  const second = item.node >= 0 && !item.children.length ? model.opType(item.node).length : 8;
  return Math.min(240, Math.max(96, 34 + 7.2 * item.label.length, 84 + 6 * second));
}

export class Scene {
  /**
   * @param {Model} model
   * @param {Tree} tree
   * @param {(problem: Problem) => Promise<Layout>} layOut
   */
  constructor(model, tree, layOut) {
    this.model = model;
    this.tree = tree;
    this.layOut = layOut;
    /** @type {Set<Item>} */
    this.open = new Set([tree.root]);
    /** @type {Map<number, {key: string, layout: Layout}>} */
    this.layouts = new Map();
    /** @type {Map<number, [number, number][]>} */
    this.edges = new Map();
  }

  /** @param {number} tensor @returns {Item | null} what computes a tensor: a node or an input of the graph */
  source(tensor) {
    const node = this.model.producer(tensor);
    return node >= 0 ? this.tree.ofNode[node] : (this.tree.ofTensor.get(tensor) ?? null);
  }

  /** @param {Item} group @param {Item | null} item @returns {Item | null} the child of the group that contains the item */
  childOf(group, item) {
    for (let at = item; at; at = at.parent) {
      if (at.parent === group) {
        return at;
      }
    }
    return null;
  }

  /** @param {Item} group @returns {Generator<Item>} nodes and ends in a group */
  *leaves(group) {
    for (const child of group.children) {
      if (child.node >= 0 || child.tensor >= 0) {
        yield child;
      }
      yield* this.leaves(child);
    }
  }

  /**
   * Returns the edges between the children of a group, and between them and its upper and lower border.
   * @param {Item} group
   */
  edgesOf(group) {
    const known = this.edges.get(group.id);
    if (known) {
      return known;
    }
    /** @type {Map<string, [number, number]>} */
    const found = new Map();
    const inner = group !== this.tree.root;
    /** @param {number} from @param {number} to */
    const add = (from, to) => {
      if (from !== to) {
        found.set(`${from},${to}`, [from, to]);
      }
    };
    for (const leaf of this.leaves(group)) {
      const here = /** @type {Item} */ (this.childOf(group, leaf)).id;
      const read = leaf.kind === 'output' ? [leaf.tensor] : leaf.node >= 0 ? this.model.inputs(leaf.node) : [];
      for (const tensor of read) {
        const source = tensor >= 0 ? this.source(tensor) : null;
        const from = this.childOf(group, source);
        if (from) {
          add(from.id, here);
        } else if (source && inner) {
          add(top, here);
        }
      }
      if (inner && leaf.node >= 0) {
        for (const tensor of this.model.outputs(leaf.node)) {
          if (tensor >= 0 && this.isReadOutside(group, tensor)) {
            add(here, bottom);
          }
        }
      }
    }
    const edges = [...found.values()];
    this.edges.set(group.id, edges);
    return edges;
  }

  /** @param {Item} group @param {number} tensor */
  isReadOutside(group, tensor) {
    const output = this.tree.ofTensor.get(tensor);
    if (output?.kind === 'output' && !this.childOf(group, output)) {
      return true;
    }
    return this.model.consumers(tensor).some((node) => !this.childOf(group, this.tree.ofNode[node]));
  }

  /** Lays out what has changed. @param {Item} [group] @returns {Promise<Layout>} */
  async update(group = this.tree.root) {
    const boxes = [];
    for (const child of group.children) {
      let width = boxWidth(this.model, child);
      let height = boxHeight;
      if (this.open.has(child)) {
        const inside = await this.update(child);
        width = Math.max(width, inside.width);
        height = inside.height + titleHeight;
      }
      boxes.push({ id: child.id, width, height });
    }
    const key = boxes.map((box) => `${box.width}x${box.height}`).join();
    const known = this.layouts.get(group.id);
    if (known?.key === key) {
      return known.layout;
    }
    const edges = this.edgesOf(group);
    for (const border of [top, bottom]) {
      if (edges.some((edge) => edge.includes(border))) {
        boxes.push({ id: border, width: 1, height: 1 });
      }
    }
    const layout = await this.layOut({ boxes, edges });
    this.layouts.set(group.id, { key, layout });
    return layout;
  }

  /** Returns boxes and edges with absolute positions; open groups come before their contents. @returns {Picture} */
  picture() {
    /** @type {Picture} */
    const picture = { boxes: [], ofItem: new Map(), edges: [], width: 0, height: 0 };
    const root = /** @type {{layout: Layout}} */ (this.layouts.get(this.tree.root.id)).layout;
    picture.width = root.width;
    picture.height = root.height;
    this.place(this.tree.root, 0, 0, picture);
    return picture;
  }

  /** @param {Item} group @param {number} x @param {number} y @param {Picture} picture */
  place(group, x, y, picture) {
    const { layout, key } = /** @type {{key: string, layout: Layout}} */ (this.layouts.get(group.id));
    const sizes = key.split(',').map((size) => size.split('x').map(Number));
    this.edgesOf(group).forEach(([from, to], edge) => {
      const points = layout.edges[edge].map((value, i) => value + (i % 2 ? y : x));
      if (from === top) {
        points[1] = y;
      }
      if (to === bottom) {
        points[points.length - 1] = y + layout.height;
      }
      picture.edges.push(points);
    });
    group.children.forEach((item, i) => {
      const open = this.open.has(item);
      const [width, height] = sizes[i];
      const box = { item, x: x + layout.boxes[i].x, y: y + layout.boxes[i].y, width, height, open };
      picture.boxes.push(box);
      picture.ofItem.set(item.id, box);
      if (open) {
        const inside = /** @type {{layout: Layout}} */ (this.layouts.get(item.id)).layout;
        this.place(item, box.x + (width - inside.width) / 2, box.y + titleHeight, picture);
      }
    });
  }

  /** Opens or closes a group. @param {Item} item */
  toggle(item) {
    if (item.children.length && !this.open.delete(item)) {
      this.open.add(item);
    }
  }

  /** Opens all groups around an item. @param {Item} item */
  reveal(item) {
    for (let at = item.parent; at; at = at.parent) {
      this.open.add(at);
    }
  }

  /** @param {Item} item @returns {Item} the innermost visible item that contains it */
  visible(item) {
    let shown = item;
    for (let at = item.parent; at; at = at.parent) {
      if (!this.open.has(at)) {
        shown = at;
      }
    }
    return shown;
  }

  /**
   * Returns the visible items that an item's edges lead to.
   * @param {Item} item
   * @param {boolean} forward
   */
  neighbours(item, forward) {
    const leaves = item.node >= 0 || item.tensor >= 0 ? [item, ...this.leaves(item)] : [...this.leaves(item)];
    /** @type {Set<Item>} */
    const found = new Set();
    /** @param {Item | null | undefined} other */
    const add = (other) => {
      const shown = other ? this.visible(other) : null;
      if (shown && shown !== item && !this.childOf(item, shown)) {
        found.add(shown);
      }
    };
    for (const leaf of leaves) {
      if (forward) {
        const tensors = leaf.node >= 0 ? this.model.outputs(leaf.node) : leaf.kind === 'input' ? [leaf.tensor] : [];
        for (const tensor of tensors) {
          if (tensor >= 0) {
            for (const node of this.model.consumers(tensor)) {
              add(this.tree.ofNode[node]);
            }
            const end = this.tree.ofTensor.get(tensor);
            add(end?.kind === 'output' ? end : null);
          }
        }
      } else {
        const tensors = leaf.node >= 0 ? this.model.inputs(leaf.node) : leaf.kind === 'output' ? [leaf.tensor] : [];
        for (const tensor of tensors) {
          add(tensor >= 0 ? this.source(tensor) : null);
        }
      }
    }
    return [...found];
  }
}
