// @ts-check
// What a box of the graph tells by its colour and its second line: error, element type or operator.
import { errorClass, errorTexts, Palette } from './colours.js';
import { counted, numberText } from './numbers.js';

/** @typedef {import('./model.js').Model} Model */
/** @typedef {import('./model.js').Metric} Metric */
/** @typedef {import('./groups.js').Item} Item */
/** @typedef {import('./groups.js').Tree} Tree */
/** @typedef {'error' | 'type' | 'operator'} ColourBy */
/** @typedef {{property: string, text: string, mark: string}} Look mark: an origin to mark the box with, or '' */

export class GraphColours {
  /** @param {Model} model @param {Tree} tree */
  constructor(model, tree) {
    this.model = model;
    this.tree = tree;
    /** @type {ColourBy} */
    this.by = model.measuredMetrics().length ? 'error' : 'operator';
    /** @type {Float64Array} the worst error of each item */
    this.worst = new Float64Array(tree.items.length).fill(Number.NaN);
    this.born = new Uint8Array(tree.items.length);
    const nodes = Array.from({ length: model.nodeCount }, (_, node) => node);
    this.operators = new Palette(nodes.map((node) => model.opType(node)));
    this.types = new Palette(nodes.map((node) => this.typeOf(node)));
  }

  /** @param {number} node */
  typeOf(node) {
    const output = this.model.outputs(node)[0];
    return output >= 0 ? this.model.type(output) || 'unknown' : 'unknown';
  }

  /**
   * Returns the tensors whose errors a box shows: those that its node computes, and weights, which have no box.
   * @param {Item} item
   */
  *tensorsOf(item) {
    if (item.node >= 0) {
      yield* this.model.outputs(item.node);
      yield* this.model.inputs(item.node).filter((/** @type {number} */ input) => this.model.role(input) === 'weight');
    } else if (item.tensor >= 0) {
      yield item.tensor;
    }
  }

  /** Computes the worst error in each group. @param {Metric} metric */
  measure(metric) {
    /** @param {Item} item @returns {number} */
    const visit = (item) => {
      let worst = Number.NaN;
      let born = 0;
      for (const tensor of this.tensorsOf(item)) {
        if (tensor >= 0) {
          const error = this.model.error(tensor, metric);
          worst = Number.isNaN(worst) || error > worst ? error : worst;
          born |= this.model.origin(tensor) === 'born' ? 1 : 0;
        }
      }
      for (const child of item.children) {
        const error = visit(child);
        worst = Number.isNaN(worst) || error > worst ? error : worst;
        born |= this.born[child.id];
      }
      this.worst[item.id] = worst;
      this.born[item.id] = born;
      return worst;
    };
    visit(this.tree.root);
  }

  /** @param {Item} item @returns {Look} */
  look(item) {
    const group = item.children.length > 0;
    const mark = this.born[item.id] ? 'born' : '';
    const nodes = group ? counted(item.count, 'node') : item.node >= 0 ? this.model.opType(item.node) : item.kind;
    if (this.by === 'error') {
      const error = this.worst[item.id];
      const found = errorClass(error);
      return {
        property: found < 0 ? '--box' : `--error-${found}`,
        text: found < 0 ? nodes : `${nodes}, ${numberText(error)}`,
        mark,
      };
    }
    if (item.node < 0 || group) {
      return { property: '--box', text: nodes, mark };
    }
    if (this.by === 'type') {
      const type = this.typeOf(item.node);
      return { property: this.types.property(type), text: `${nodes}, ${type}`, mark };
    }
    return { property: this.operators.property(this.model.opType(item.node)), text: nodes, mark };
  }

  /** @returns {[string, string][]} custom properties and texts */
  legend() {
    if (this.by === 'error') {
      return errorTexts.map((text, i) => [`--error-${i}`, text]);
    }
    const palette = this.by === 'type' ? this.types : this.operators;
    const entries = palette.names.slice(0, 10).map((name) => [palette.property(name), name]);
    return /** @type {[string, string][]} */ (palette.names.length > 10 ? [...entries, ['--box', 'others']] : entries);
  }
}
