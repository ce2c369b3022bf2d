import type { Digraph } from './digraph.ts';
import { binds, type Residual, type Scratch } from './residual.ts';
import type { SearchBudget } from './search-budget.ts';

/** A graph over whole numbers, by its edges: those of `node` are start(node) … end(node) − 1. */
interface Edges {
  readonly start: (node: number) => number;
  readonly end: (node: number) => number;
  /** The node that an edge leads to; −1 for an edge to be passed over. */
  readonly target: (edge: number, from: number) => number;
}

/** Working arrays over all nodes, zero at the start. */
interface Marks {
  readonly order: Int32Array;
  readonly low: Int32Array;
  readonly nextEdge: Int32Array;
}

interface Components {
  /**
   * Components are numbered in the order in which they close, so a component is numbered before those that
   * reach it.
   */
  readonly componentOf: ReadonlyMap<number, number>;
  /** How many nodes each component has. */
  readonly sizes: readonly number[];
}

/**
 * The strongly connected components of a graph. R. E. Tarjan, "Depth-first search and linear graph
 * algorithms", 1972, with its own stack, so that depth costs no call stack.
 */
function components(
  nodes: Iterable<number>,
  { start, end, target }: Edges,
  { order, low, nextEdge }: Marks,
): Components {
  // While a component is open, its nodes are not in the map.
  const componentOf = new Map<number, number>();
  const sizes: number[] = [];
  const open: number[] = [];
  const path: number[] = [];
  let visited = 0;
  for (const root of nodes) {
    if (order[root] !== 0) continue;
    path.push(root);
    while (path.length > 0) {
      const node = path[path.length - 1]!;
      if (order[node] === 0) {
        order[node] = low[node] = ++visited;
        nextEdge[node] = start(node);
        open.push(node);
      }
      let descended = false;
      while (nextEdge[node]! < end(node)) {
        const next = target(nextEdge[node]!++, node);
        if (next < 0) continue;
        if (order[next] === 0) {
          path.push(next);
          descended = true;
          break;
        }
        if (!componentOf.has(next) && order[next]! < low[node]!) low[node] = order[next]!;
      }
      if (descended) continue;
      path.pop();
      const parent = path[path.length - 1];
      if (parent !== undefined && low[node]! < low[parent]!) low[parent] = low[node]!;
      if (low[node] === order[node]) {
        const component = sizes.push(0) - 1;
        let member: number;
        do {
          member = open.pop()!;
          componentOf.set(member, component);
          sizes[component]!++;
        } while (member !== node);
      }
    }
  }
  return { componentOf, sizes };
}

/**
 * The number of the strongly connected component of each node; targets of `next` that are not nodes are
 * passed over.
 */
export function stronglyConnected<T>(
  nodes: readonly T[],
  next: (node: T) => readonly T[],
): ReadonlyMap<T, number> {
  const numberOf = new Map(nodes.map((node, index) => [node, index]));
  const starts = new Int32Array(nodes.length + 1);
  const targets: number[] = [];
  nodes.forEach((node, index) => {
    for (const target of next(node)) targets.push(numberOf.get(target) ?? -1);
    starts[index + 1] = targets.length;
  });
  const { componentOf } = components(
    nodes.keys(),
    {
      start: (node) => starts[node]!,
      end: (node) => starts[node + 1]!,
      target: (edge) => targets[edge]!,
    },
    {
      order: new Int32Array(nodes.length),
      low: new Int32Array(nodes.length),
      nextEdge: new Int32Array(nodes.length),
    },
  );
  return new Map(nodes.map((node, index) => [node, componentOf.get(index)!]));
}

/**
 * A strongly connected component that none outside it attacks, the smallest such one (then the one with the
 * smallest node); null when the residual is strongly connected as a whole. Attacks that do not bind are not
 * there.
 */
export function initialComponent(
  graph: Digraph,
  residual: Residual,
  scratch: Scratch,
  budget: SearchBudget,
): Residual | null {
  const { outStart, outTo, outMutual } = graph;
  const { nodes } = residual;
  scratch.enter(residual);
  const { isPresent, isBlocked } = scratch;
  let steps = nodes.length;
  for (const node of nodes) steps += outStart[node + 1]! - outStart[node]!;
  budget.tryConsume(steps);
  const bindingTarget = (edge: number, from: number) => {
    const target = outTo[edge]!;
    return isPresent[target] === 1 && binds(isBlocked, from, target, outMutual[edge]!) ? target : -1;
  };
  const { componentOf, sizes } = components(
    nodes,
    { start: (node) => outStart[node]!, end: (node) => outStart[node + 1]!, target: bindingTarget },
    { order: scratch.labels, low: scratch.counts, nextEdge: scratch.freeCounts },
  );
  let chosen: Residual | null = null;
  if (sizes.length > 1) {
    const isAttacked = new Uint8Array(sizes.length);
    for (const node of nodes) {
      for (let edge = outStart[node]!; edge < outStart[node + 1]!; edge++) {
        const target = bindingTarget(edge, node);
        if (target < 0) continue;
        const component = componentOf.get(target)!;
        if (component !== componentOf.get(node)) isAttacked[component] = 1;
      }
    }
    let best = -1;
    for (const node of nodes) {
      const component = componentOf.get(node)!;
      if (isAttacked[component] === 0 && (best === -1 || sizes[component]! < sizes[best]!)) best = component;
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
