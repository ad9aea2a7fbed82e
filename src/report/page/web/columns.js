// @ts-check
// Reads the block of typed columns that columns.cc writes: compressed, in base64.

/** @typedef {Float64Array | Int32Array | Uint32Array | Uint8Array} Column */

/** @type {Record<string, (buffer: ArrayBuffer, offset: number, length: number) => Column>} */
const views = {
  f64: (buffer, offset, length) => new Float64Array(buffer, offset, length),
  i32: (buffer, offset, length) => new Int32Array(buffer, offset, length),
  u32: (buffer, offset, length) => new Uint32Array(buffer, offset, length),
  u8: (buffer, offset, length) => new Uint8Array(buffer, offset, length),
};

/** @param {number} size */
const roundUp = (size) => Math.ceil(size / 8) * 8;

/**
 * @param {ArrayBuffer} buffer the uncompressed block
 * @returns {Map<string, Column>}
 */
export function parseBlock(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const start = roundUp(4 + length);
  /** @type {Map<string, Column>} */
  const columns = new Map();
  for (const [name, [type, offset, count]] of Object.entries(header)) {
    columns.set(name, views[type](buffer, start + offset, count));
  }
  return columns;
}

/** @param {string} base64 */
function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    bytes[i] = text.charCodeAt(i);
  }
  return bytes;
}

/**
 * @param {string} base64
 * @returns {Promise<Map<string, Column>>}
 */
export async function decodeBlock(base64) {
  const stream = new Blob([bytesOf(base64.trim())]).stream().pipeThrough(new DecompressionStream('deflate'));
  return parseBlock(await new Response(stream).arrayBuffer());
}
