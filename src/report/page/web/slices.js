// @ts-check
// Long work in short pieces, so that the page stays responsive.

/** Resolves in a new task. */
export function nextTask() {
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      channel.port1.close();
      resolve(undefined);
    };
    channel.port2.postMessage(null);
  });
}

/**
 * Runs a generator to its end, at most about 15 ms in one task.
 * @template T
 * @param {Generator<undefined, T>} work
 * @returns {Promise<T>}
 */
export async function runSliced(work) {
  let begin = performance.now();
  for (;;) {
    const step = work.next();
    if (step.done) {
      return step.value;
    }
    if (performance.now() - begin > 15) {
      await nextTask();
      begin = performance.now();
    }
  }
}
