// @ts-check
// Asks the worker for layouts.
import source from 'layout-worker-source';

/** @typedef {import('./layout.js').Problem} Problem */
/** @typedef {import('./layout.js').Layout} Layout */

/**
 * Starts the worker. Returns a function that lays out a group; its promise is rejected if the page may not start workers.
 * @returns {(problem: Problem) => Promise<Layout>}
 */
export function startLayouts() {
  /** @type {Map<number, {resolve: (layout: Layout) => void, reject: (error: Error) => void}>} */
  const waiting = new Map();
  let last = 0;
  const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  const worker = new Worker(address);
  worker.onmessage = (event) => {
    waiting.get(event.data.request)?.resolve(event.data.result);
    waiting.delete(event.data.request);
  };
  worker.onerror = (event) => {
    for (const { reject } of waiting.values()) {
      reject(new Error(event.message || 'the browser does not let this page start a worker'));
    }
    waiting.clear();
  };
  return (problem) =>
    new Promise((resolve, reject) => {
      last++;
      waiting.set(last, { resolve, reject });
      worker.postMessage({ request: last, problem });
    });
}
