// @ts-check
// What the user has chosen, shared by all views.

/** @typedef {import('./model.js').Metric} Metric */
/** @typedef {{kind: 'node' | 'tensor', index: number} | null} Selection */
/** @typedef {'selection' | 'metric' | 'ends' | 'theme'} Topic */

export class State {
  constructor() {
    /** @type {Selection} */
    this.selection = null;
    /** @type {Metric} */
    this.metric = 'norm';
    /** The ends of the part to extract: tensors, or -1. */
    this.from = -1;
    this.to = -1;
    /** @type {Map<Topic, (() => void)[]>} */
    this.listeners = new Map();
  }

  /** @param {Topic} topic @param {() => void} listener */
  on(topic, listener) {
    this.listeners.set(topic, [...(this.listeners.get(topic) ?? []), listener]);
  }

  /** @param {Topic} topic */
  announce(topic) {
    for (const listener of this.listeners.get(topic) ?? []) {
      listener();
    }
  }

  /** @param {Selection} selection */
  select(selection) {
    if (selection?.kind !== this.selection?.kind || selection?.index !== this.selection?.index) {
      this.selection = selection;
      this.announce('selection');
    }
  }

  /** @param {Metric} metric */
  setMetric(metric) {
    this.metric = metric;
    this.announce('metric');
  }

  /** @param {number} from @param {number} to */
  setEnds(from, to) {
    this.from = from;
    this.to = to;
    this.announce('ends');
  }
}
