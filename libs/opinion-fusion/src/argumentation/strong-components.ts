import type { Budget } from './budget.ts';
import type { Digraph } from './digraph.ts';
import { binds, type Residual, type Scratch } from './residual.ts';

/**
 * A strongly connected component that none outside it attacks, the smallest such one (then the one with the smallest
 * node); null when the residual is strongly connected as a whole. Attacks that do not bind are not there.
 * R. E. Tarjan, "Depth-first search and linear graph algorithms", 1972, without recursion.
 */
export function initialComponent(
  graph: Digraph,
  residual: Residual,
  scratch: Scratch,
  budget: Budget,
): Residual | null {
  const { outStart, outTo, outMutual } = graph;
  const { nodes } = residual;
  scratch.enter(residual);
  const { isPresent, isBlocked, labels: order, counts: low, freeCounts: nextEdge } = scratch;
  // Components are numbered in the order they close; while open, a node has component 0.
  const componentOf = new Map<number, number>();
  const sizes: number[] = [];
  const isAttacked: boolean[] = [];
  const open: number[] = [];
  const path: number[] = [];
  let visited = 0;
  for (const start of nodes) {
    if (order[start] !== 0) continue;
    path.push(start);
    while (path.length > 0) {
      const node = path[path.length - 1]!;
      if (order[node] === 0) {
        order[node] = low[node] = ++visited;
        nextEdge[node] = outStart[node]!;
        open.push(node);
        budget.spend(1 + outStart[node + 1]! - outStart[node]!);
      }
      let descended = false;
      while (nextEdge[node]! < outStart[node + 1]!) {
        const edge = nextEdge[node]!++;
        const target = outTo[edge]!;
        if (isPresent[target] === 0 || !binds(isBlocked, node, target, outMutual[edge]!)) continue;
        if (order[target] === 0) {
          path.push(target);
          descended = true;
          break;
        }
        if (!componentOf.has(target) && order[target]! < low[node]!) low[node] = order[target]!;
      }
      if (descended) continue;
      path.pop();
      const parent = path[path.length - 1];
      if (parent !== undefined && low[node]! < low[parent]!) low[parent] = low[node]!;
      if (low[node] === order[node]) {
        const component = sizes.push(0) - 1;
        isAttacked.push(false);
        let member: number;
        do {
          member = open.pop()!;
          componentOf.set(member, component);
          sizes[component]!++;
        } while (member !== node);
      }
    }
  }
  let chosen: Residual | null = null;
  if (sizes.length > 1) {
    for (const node of nodes) {
      for (let edge = outStart[node]!; edge < outStart[node + 1]!; edge++) {
        const target = outTo[edge]!;
        if (isPresent[target] === 0 || !binds(isBlocked, node, target, outMutual[edge]!)) continue;
        const component = componentOf.get(target)!;
        if (component !== componentOf.get(node)) isAttacked[component] = true;
      }
    }
    let best = -1;
    for (const node of nodes) {
      const component = componentOf.get(node)!;
      if (!isAttacked[component] && (best === -1 || sizes[component]! < sizes[best]!)) best = component;
    }
    chosen = {
      nodes: nodes.filter((node) => componentOf.get(node) === best),
      blocked: new Uint8Array(sizes[best]!),
    };
    for (let k = 0; k < chosen.nodes.length; k++) chosen.blocked[k] = isBlocked[chosen.nodes[k]!]!;
  }
  scratch.leave(residual);
  return chosen;
}
