// @ts-check
// The worker that lays out the children of one group. It is started from a blob, because the page is one file.
import { layoutGroup } from './layout.js';

self.onmessage = (event) => {
  const { request, problem } = event.data;
  self.postMessage({ request, result: layoutGroup(problem) });
};
