import type { Digraph } from './digraph.ts';

/**
 * The grounded labelling: 1 = in, 2 = out, 0 = undecided, for each node. Linear in the number of attacks.
 * The least fixed point of Dung's characteristic function (1995, Definition 20), worked off from the
 * unattacked arguments as in S. Modgil and M. Caminada, "Proof theories and algorithms for abstract
 * argumentation frameworks" (2009).
 */
export function groundedLabels(graph: Digraph): Uint8Array {
  const { size, outStart, outTo, inStart } = graph;
  const labels = new Uint8Array(size);
  const unanswered = new Int32Array(size);
  const accepted: number[] = [];
  for (let node = 0; node < size; node++) {
    unanswered[node] = inStart[node + 1]! - inStart[node]!;
    if (unanswered[node] === 0 && graph.blocked[node] === 0) accepted.push(node);
  }
  while (accepted.length > 0) {
    const node = accepted.pop()!;
    labels[node] = 1;
    for (let edge = outStart[node]!; edge < outStart[node + 1]!; edge++) {
      const loser = outTo[edge]!;
      if (labels[loser] !== 0) continue;
      labels[loser] = 2;
      for (let next = outStart[loser]!; next < outStart[loser + 1]!; next++) {
        const freed = outTo[next]!;
        if (--unanswered[freed]! === 0 && labels[freed] === 0 && graph.blocked[freed] === 0)
          accepted.push(freed);
      }
    }
  }
  return labels;
}
