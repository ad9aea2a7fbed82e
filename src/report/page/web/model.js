// @ts-check
// The report's data by name: nodes and tensors are indices, texts are decoded when they are needed.

/** @typedef {import('./columns.js').Column} Column */
/** @typedef {'norm' | 'relative' | 'absolute'} Metric */
/**
 * @typedef {object} Statistics
 * @property {string} side
 * @property {number} minimum
 * @property {number} maximum
 * @property {number} mean
 * @property {number} deviation
 * @property {number} nans
 * @property {number} infinities
 * @property {{low: number, high: number, counts: number[]} | null} histogram
 */

/** @type {Metric[]} */
export const metrics = ['norm', 'relative', 'absolute'];
export const roles = ['value', 'input', 'output', 'weight'];
export const origins = ['none', 'born', 'grew', 'passed on'];

/** Lists of different lengths: all their elements, and where each list ends. */
class Lists {
  /** @param {Column} elements @param {Column} ends */
  constructor(elements, ends) {
    this.elements = elements;
    this.ends = ends;
  }

  /** @param {number} index */
  at(index) {
    return this.elements.subarray(index > 0 ? this.ends[index - 1] : 0, this.ends[index]);
  }
}

export class Model {
  /** @param {Map<string, Column>} columns */
  constructor(columns) {
    this.columns = columns;
    this.texts = new Map();
    this.decoder = new TextDecoder();
    this.nodeCount = this.column('node_name').length;
    this.tensorCount = this.column('tensor_name').length;
    this.checkCount = this.column('check_nodes').length;
    const [file, first, second] = Array.from(this.column('facts'), (index) => this.text(index));
    this.file = file;
    this.sides = [first, second];
    /** The tensor that the verdict names, or -1. */
    this.opensAt = this.column('graph_opens_at')[0];
    this.errors = {
      norm: this.column('tensor_norm'),
      relative: this.column('tensor_relative'),
      absolute: this.column('tensor_absolute'),
    };
    this.nodeInputs = new Lists(this.column('node_inputs'), this.column('node_input_ends'));
    this.nodeOutputs = new Lists(this.column('node_outputs'), this.column('node_output_ends'));
    this.tensorRoles = this.column('tensor_role');
    this.tensorOrigins = this.column('tensor_origin');
    this.producers = new Int32Array(this.tensorCount).fill(-1);
    this.consumerEnds = new Uint32Array(this.tensorCount + 1);
    this.consumerNodes = new Int32Array(0);
  }

  /** @param {string} name */
  column(name) {
    const found = this.columns.get(name);
    if (!found) {
      throw new Error(`the report's data has no column ${name}`);
    }
    return found;
  }

  /** @param {number} index an index into the table of texts */
  text(index) {
    let text = this.texts.get(index);
    if (text === undefined) {
      const ends = this.column('text_ends');
      const bytes = this.column('text_bytes');
      text = this.decoder.decode(
        /** @type {Uint8Array} */ (bytes.subarray(index > 0 ? ends[index - 1] : 0, ends[index])),
      );
      this.texts.set(index, text);
    }
    return text;
  }

  /**
   * Finds the producer and the consumers of each tensor; yields now and then.
   * @returns {Generator<undefined, void>}
   */
  *connect() {
    const { elements, ends } = this.nodeInputs;
    for (const tensor of elements) {
      if (tensor >= 0) {
        this.consumerEnds[tensor + 1]++;
      }
    }
    for (let tensor = 0; tensor < this.tensorCount; tensor++) {
      this.consumerEnds[tensor + 1] += this.consumerEnds[tensor];
    }
    yield;
    this.consumerNodes = new Int32Array(this.consumerEnds[this.tensorCount]);
    const next = this.consumerEnds.slice();
    for (let node = 0, i = 0; node < this.nodeCount; node++) {
      for (; i < ends[node]; i++) {
        if (elements[i] >= 0) {
          this.consumerNodes[next[elements[i]]++] = node;
        }
      }
    }
    yield;
    const outputs = this.nodeOutputs;
    for (let node = 0, i = 0; node < this.nodeCount; node++) {
      for (; i < outputs.ends[node]; i++) {
        if (outputs.elements[i] >= 0) {
          this.producers[outputs.elements[i]] = node;
        }
      }
    }
  }

  /** @param {number} node */
  inputs(node) {
    return this.nodeInputs.at(node);
  }
  /** @param {number} node */
  outputs(node) {
    return this.nodeOutputs.at(node);
  }
  /** @param {number} node */
  nodeName(node) {
    return this.text(this.column('node_name')[node]);
  }
  /** @param {number} node */
  opType(node) {
    return this.text(this.column('node_type')[node]);
  }
  /** @param {number} node */
  domain(node) {
    return this.text(this.column('node_domain')[node]);
  }
  /** @param {number} node */
  body(node) {
    return this.text(this.column('node_body')[node]);
  }
  /** @param {number} node */
  parent(node) {
    return this.column('node_parent')[node];
  }
  /** Returns the node of the main graph that is or contains a node. @param {number} node */
  outermost(node) {
    let found = node;
    while (this.parent(found) >= 0) {
      found = this.parent(found);
    }
    return found;
  }
  /**
   * Returns the tensors that a node of the main graph and the nodes of its bodies, which follow it, read.
   * @param {number} node
   */
  reads(node) {
    const read = new Set(this.inputs(node));
    for (let inner = node + 1; inner < this.nodeCount && this.parent(inner) >= 0; inner++) {
      for (const tensor of this.inputs(inner)) {
        read.add(tensor);
      }
    }
    read.delete(-1);
    return read;
  }
  /**
   * Returns the node's name; a node without a name is called like its first output.
   * @param {number} node
   */
  nodeLabel(node) {
    const name = this.nodeName(node);
    if (name) {
      return name;
    }
    const output = this.outputs(node).find((/** @type {number} */ tensor) => tensor >= 0);
    return output === undefined ? this.opType(node) : this.tensorName(output);
  }
  /** @param {number} node @returns {[string, string][]} */
  attributes(node) {
    const ends = this.column('node_attribute_ends');
    const found = [];
    for (let i = node > 0 ? ends[node - 1] : 0; i < ends[node]; i++) {
      found.push([this.text(this.column('attribute_key')[i]), this.text(this.column('attribute_value')[i])]);
    }
    return /** @type {[string, string][]} */ (found);
  }

  /** @param {number} tensor */
  tensorName(tensor) {
    return this.text(this.column('tensor_name')[tensor]);
  }
  /** @param {number} tensor */
  type(tensor) {
    return this.text(this.column('tensor_type')[tensor]);
  }
  /** @param {number} tensor */
  shape(tensor) {
    return this.text(this.column('tensor_shape')[tensor]);
  }
  /** @param {number} tensor */
  role(tensor) {
    return roles[this.tensorRoles[tensor]];
  }
  /**
   * Returns false for the tensors of bodies. A weight that only bodies read counts as theirs.
   * @param {number} tensor
   */
  isInMainGraph(tensor) {
    const producer = this.producer(tensor);
    if (producer >= 0) {
      return this.parent(producer) < 0;
    }
    return (
      this.role(tensor) === 'input' ||
      (this.role(tensor) === 'weight' && this.consumers(tensor).some((node) => this.parent(node) < 0))
    );
  }
  /** @param {number} tensor */
  origin(tensor) {
    return origins[this.tensorOrigins[tensor]];
  }
  /** @param {number} tensor */
  agrees(tensor) {
    return this.column('tensor_agrees')[tensor] === 1;
  }
  /** @param {number} tensor @param {Metric} metric */
  error(tensor, metric) {
    return this.errors[metric][tensor];
  }
  /** @param {number} tensor */
  consumers(tensor) {
    return this.consumerNodes.subarray(this.consumerEnds[tensor], this.consumerEnds[tensor + 1]);
  }
  /** @param {number} tensor */
  producer(tensor) {
    return this.producers[tensor];
  }
  /** Returns the metrics that were measured for any tensor. */
  measuredMetrics() {
    return metrics.filter((metric) => this.errors[metric].some((/** @type {number} */ error) => !Number.isNaN(error)));
  }

  /** @param {number} tensor @returns {Statistics[]} */
  statistics(tensor) {
    const ends = this.column('tensor_statistics_ends');
    const histograms = new Lists(this.column('histogram_counts'), this.column('histogram_ends'));
    const found = [];
    for (let i = tensor > 0 ? ends[tensor - 1] : 0; i < ends[tensor]; i++) {
      const counts = Array.from(histograms.at(i));
      found.push({
        side: this.text(this.column('statistics_side')[i]),
        minimum: this.column('statistics_minimum')[i],
        maximum: this.column('statistics_maximum')[i],
        mean: this.column('statistics_mean')[i],
        deviation: this.column('statistics_deviation')[i],
        nans: this.column('statistics_nans')[i],
        infinities: this.column('statistics_infinities')[i],
        histogram: counts.length
          ? { low: this.column('histogram_low')[i], high: this.column('histogram_high')[i], counts }
          : null,
      });
    }
    return found;
  }
}
