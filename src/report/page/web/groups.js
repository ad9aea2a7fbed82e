// @ts-check
// The graph as a tree of groups: by name scope ("/" in node names), by the bodies of nodes, and, for what is still too
// wide to be laid out at once, by position. Neighbouring groups of the same structure become one repeated block.

/** @typedef {import('./model.js').Model} Model */
/**
 * @typedef {object} Item a group, a node, or an input or output of the graph
 * @property {number} id its index in Tree.items
 * @property {'group' | 'repeat' | 'node' | 'input' | 'output'} kind
 * @property {string} label
 * @property {number} node the node's index, or -1
 * @property {number} tensor the tensor's index if it is an input or output, else -1
 * @property {Item | null} parent
 * @property {Item[]} children a node has children if it has bodies
 * @property {number} count the number of nodes in it
 */
/**
 * @typedef {object} Tree
 * @property {Item} root
 * @property {Item[]} items
 * @property {Item[]} ofNode the item of each node
 * @property {Map<number, Item>} ofTensor the items of the graph's inputs and outputs
 */

export const mostChildren = 120;
const chunk = 60;
const deepest = 16;
const mostEnds = 40;

class Builder {
  constructor() {
    /** @type {Item[]} */
    this.items = [];
    /** @type {Map<string, Item>} */
    this.groups = new Map();
    /** @type {Map<string, number>} */
    this.structures = new Map();
  }

  /**
   * @param {Item['kind']} kind
   * @param {string} label
   * @param {number} [node]
   * @param {number} [tensor]
   * @returns {Item}
   */
  item(kind, label, node = -1, tensor = -1) {
    /** @type {Item} */
    const made = { id: this.items.length, kind, label, node, tensor, parent: null, children: [], count: 0 };
    this.items.push(made);
    return made;
  }

  /**
   * Returns the group of that name in a container; creates it if necessary.
   * @param {Item} container
   * @param {string} label
   */
  group(container, label) {
    const key = `${container.id}/${label}`;
    let found = this.groups.get(key);
    if (!found) {
      found = this.item('group', label);
      container.children.push(found);
      this.groups.set(key, found);
    }
    return found;
  }

  /**
   * Returns a number that is the same for items of the same structure.
   * @param {Item} item
   * @param {Model} model
   * @returns {number}
   */
  structure(item, model) {
    const key = `${item.node < 0 ? item.kind : model.opType(item.node)}(${item.children
      .map((child) => this.structure(child, model))
      .join()})`;
    let found = this.structures.get(key);
    if (found === undefined) {
      found = this.structures.size;
      this.structures.set(key, found);
    }
    return found;
  }
}

/** @param {string} name @returns {string[]} */
export function scopesOf(name) {
  const parts = name.split('/').filter((part) => part !== '');
  return parts.length > deepest ? [...parts.slice(0, deepest), parts.slice(deepest).join('/')] : parts;
}

/**
 * A group with one child tells nothing: it merges with its child.
 * @param {Item} item
 */
function merge(item) {
  item.children = item.children.map((child) => {
    merge(child);
    const only = child.children[0];
    if (child.kind !== 'group' || child.children.length !== 1) {
      return child;
    }
    only.label = `${child.label}/${only.label}`;
    return only;
  });
}

/**
 * Puts three or more neighbours of the same structure into a group of their own.
 * @param {Builder} builder
 * @param {Item} item
 * @param {Model} model
 */
function joinRepeats(builder, item, model) {
  for (const child of item.children) {
    joinRepeats(builder, child, model);
  }
  const structures = item.children.map((child) => (child.children.length ? builder.structure(child, model) : -1));
  /** @type {Item[]} */
  const joined = [];
  for (let begin = 0; begin < item.children.length; ) {
    let end = begin + 1;
    while (structures[begin] >= 0 && structures[end] === structures[begin]) {
      end++;
    }
    const run = item.children.slice(begin, end);
    if (run.length >= 3 && run.length < item.children.length) {
      const repeat = builder.item('repeat', `${run.length} × ${run[0].label.replace(/[._]?\d+$/, '') || 'block'}`);
      repeat.children = run;
      joined.push(repeat);
    } else {
      joined.push(...run);
    }
    begin = end;
  }
  item.children = joined;
}

/**
 * Splits groups with too many children into groups of neighbours.
 * @param {Builder} builder
 * @param {Item} item
 */
function split(builder, item) {
  for (const child of item.children) {
    split(builder, child);
  }
  while (item.children.length > mostChildren) {
    /** @type {Item[]} */
    const parts = [];
    for (let begin = 0; begin < item.children.length; begin += chunk) {
      const members = item.children.slice(begin, begin + chunk);
      const part = builder.item(
        'group',
        `${members[0].label.split(' … ')[0]} … ${members[members.length - 1].label.split(' … ').pop()}`,
      );
      part.children = members;
      parts.push(part);
    }
    item.children = parts;
  }
}

/** Sets parents and counts. @param {Item} item @returns {number} */
function finish(item) {
  item.count = item.node >= 0 ? 1 : 0;
  for (const child of item.children) {
    child.parent = item;
    item.count += finish(child);
  }
  return item.count;
}

/** @param {Builder} builder @param {Model} model @param {Item} root */
function addEnds(builder, model, root) {
  /** @type {Map<number, Item>} */
  const ofTensor = new Map();
  /** @type {Record<string, Item[]>} */
  const found = { input: [], output: [] };
  for (let tensor = 0; tensor < model.tensorCount; tensor++) {
    const role = model.role(tensor);
    if ((role === 'input' || role === 'output') && found[role].length < mostEnds) {
      const item = builder.item(role, model.tensorName(tensor), -1, tensor);
      found[role].push(item);
      ofTensor.set(tensor, item);
    }
  }
  root.children = [...found.input, ...root.children, ...found.output];
  return ofTensor;
}

/**
 * Builds the tree; yields now and then, so that the caller can let the browser do something else.
 * @param {Model} model
 * @returns {Generator<undefined, Tree>}
 */
export function* buildTree(model) {
  const builder = new Builder();
  const root = builder.item('group', 'graph');
  /** @type {Item[]} */
  const ofNode = [];
  for (let node = 0; node < model.nodeCount; node++) {
    const scopes = scopesOf(model.nodeLabel(node));
    ofNode.push(builder.item('node', scopes[scopes.length - 1] ?? model.opType(node), node));
    if (node % 1000 === 999) {
      yield;
    }
  }
  for (let node = 0; node < model.nodeCount; node++) {
    const parent = model.parent(node);
    let container = parent < 0 ? root : builder.group(ofNode[parent], model.body(node) || 'body');
    const scopes = scopesOf(model.nodeLabel(node));
    for (const scope of scopes.slice(0, -1)) {
      container = builder.group(container, scope);
    }
    container.children.push(ofNode[node]);
    if (node % 1000 === 999) {
      yield;
    }
  }
  merge(root);
  while (root.children.length === 1 && root.children[0].kind === 'group') {
    root.children = root.children[0].children;
  }
  yield;
  joinRepeats(builder, root, model);
  yield;
  split(builder, root);
  const ofTensor = addEnds(builder, model, root);
  finish(root);
  return { root, items: builder.items, ofNode, ofTensor };
}
