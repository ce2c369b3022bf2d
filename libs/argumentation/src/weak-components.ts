import type { Digraph } from './digraph.ts';

/**
 * The weakly connected components of the graph on these ascending nodes, each ascending, in the order of
 * their first nodes.
 */
export function weakComponents(graph: Digraph, nodes: Int32Array): Int32Array[] {
  const { outStart, outTo, inStart, inFrom } = graph;
  const isOpen = new Uint8Array(graph.size);
  for (const node of nodes) isOpen[node] = 1;
  const components: Int32Array[] = [];
  for (const start of nodes) {
    if (isOpen[start] === 0) continue;
    const component = [start];
    isOpen[start] = 0;
    for (let k = 0; k < component.length; k++) {
      const node = component[k]!;
      const visit = (other: number) => {
        if (isOpen[other] === 0) return;
        isOpen[other] = 0;
        component.push(other);
      };
      for (let edge = outStart[node]!; edge < outStart[node + 1]!; edge++) visit(outTo[edge]!);
      for (let edge = inStart[node]!; edge < inStart[node + 1]!; edge++) visit(inFrom[edge]!);
    }
    components.push(Int32Array.from(component).sort());
  }
  return components;
}
