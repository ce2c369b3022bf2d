import type { SearchBudget } from './search-budget.ts';
import type { Digraph } from './digraph.ts';
import type { Residual, Scratch } from './residual.ts';

/**
 * Splits a residual into groups such that every unblocked member of one group attacks every member of the
 * others: rival accounts, of which one excludes the others as a whole. They are the components of the
 * complement of mutual attack. A non-empty admissible set then lies inside one group, where it is admissible
 * on its own, because it attacks all the rest; so the solutions are the non-empty ones of the groups, or the
 * empty set where no group has another. One group when the residual does not split. In time linear in the
 * attacks, complement or not.
 */
export function rivalGroups(
  graph: Digraph,
  residual: Residual,
  scratch: Scratch,
  budget: SearchBudget,
): Residual[] {
  const { outStart, outTo, outMutual, inStart, inFrom } = graph;
  const { nodes } = residual;
  scratch.enter(residual);
  const { isBlocked, labels: groupOf, counts: rivalOf } = scratch;
  let unvisited = Array.from(nodes);
  const sizes: number[] = [];
  const queue: number[] = [];
  let stamp = 0;
  while (unvisited.length > 0) {
    const group = sizes.push(0);
    queue.push(unvisited.shift()!);
    while (queue.length > 0) {
      const node = queue.pop()!;
      groupOf[node] = group;
      sizes[group - 1]!++;
      stamp++;
      if (isBlocked[node] === 1) {
        for (let edge = inStart[node]!; edge < inStart[node + 1]!; edge++) rivalOf[inFrom[edge]!] = stamp;
      } else {
        for (let edge = outStart[node]!; edge < outStart[node + 1]!; edge++) {
          if (outMutual[edge] === 1 || isBlocked[outTo[edge]!] === 1) rivalOf[outTo[edge]!] = stamp;
        }
      }
      const rest: number[] = [];
      for (const other of unvisited) {
        const isRival = rivalOf[other] === stamp || (isBlocked[node] === 1 && isBlocked[other] === 1);
        (isRival ? rest : queue).push(other);
      }
      budget.tryConsume(outStart[node + 1]! - outStart[node]! + unvisited.length);
      unvisited = rest;
    }
  }
  const groups = sizes.map((size) => ({ nodes: new Int32Array(size), blocked: new Uint8Array(size) }));
  const filled = new Int32Array(sizes.length);
  for (const node of nodes) {
    const group = groupOf[node]! - 1;
    const at = filled[group]!++;
    groups[group]!.nodes[at] = node;
    groups[group]!.blocked[at] = isBlocked[node]!;
  }
  // Stamps also fell on neighbors outside the residual.
  for (const node of nodes) {
    for (let edge = outStart[node]!; edge < outStart[node + 1]!; edge++) rivalOf[outTo[edge]!] = 0;
    for (let edge = inStart[node]!; edge < inStart[node + 1]!; edge++) rivalOf[inFrom[edge]!] = 0;
  }
  scratch.leave(residual);
  return groups;
}
