// @ts-check
// Positions of boxes and edges within one group, by dagre.
import { Graph, layout } from '@dagrejs/dagre';

/**
 * @typedef {object} Problem
 * @property {{id: number, width: number, height: number}[]} boxes
 * @property {[number, number][]} edges pairs of ids of boxes
 */
/**
 * @typedef {object} Layout positions are relative to the group's corner
 * @property {number} width
 * @property {number} height
 * @property {{id: number, x: number, y: number}[]} boxes the upper left corners
 * @property {number[][]} edges the points of each edge, x and y in turns
 */

/**
 * @param {Problem} problem
 * @returns {Layout}
 */
export function layoutGroup(problem) {
  const graph = new Graph();
  graph.setGraph({
    rankdir: 'TB',
    nodesep: 18,
    ranksep: 34,
    edgesep: 8,
    marginx: 14,
    marginy: 14,
    ranker: problem.boxes.length > 60 ? 'longest-path' : 'network-simplex',
  });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, width, height } of problem.boxes) {
    graph.setNode(String(id), { width, height });
  }
  for (const [from, to] of problem.edges) {
    graph.setEdge(String(from), String(to), {});
  }
  layout(graph);
  const size = graph.graph();
  return {
    width: size.width ?? 0,
    height: size.height ?? 0,
    boxes: problem.boxes.map(({ id, width, height }) => {
      const placed = graph.node(String(id));
      return { id, x: (placed.x ?? 0) - width / 2, y: (placed.y ?? 0) - height / 2 };
    }),
    edges: problem.edges.map(([from, to]) =>
      (graph.edge(String(from), String(to)).points ?? []).flatMap((/** @type {{x: number, y: number}} */ point) => [
        point.x,
        point.y,
      ]),
    ),
  };
}
