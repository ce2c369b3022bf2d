import type { AttackGraph } from './framework.ts';

/** Rounds of merging at most; more would merge more but cost a pass over the attacks each. */
const ROUNDS_MAX = 8;

/** A graph whose nodes stand for classes of nodes that every complete labelling labels alike. */
export interface Quotient extends AttackGraph {
  readonly blocked: Uint8Array;
  /** The nodes of the original graph in each class, ascending; classes in the order of their first node. */
  readonly classes: readonly (readonly number[])[];
}

/**
 * Merges nodes with the same attackers, self-attacks aside. In a complete labelling a label depends on the
 * attackers' labels alone (M. Caminada, "On the issue of reinstatement in argumentation", 2006, Definition
 * 5), so such nodes are labelled alike, an attack by one is an attack by all, and extensions of the quotient
 * are those of the graph. A complete multipartite graph, which is what plain contradiction gives, becomes a
 * complete one. Merging classes can make others equal: up to eight rounds.
 */
export function mergeTwins(graph: AttackGraph): Quotient {
  const blocked = new Uint8Array(graph.size);
  for (let node = 0; node < graph.size; node++) {
    if (graph.targets[node]!.includes(node)) blocked[node] = 1;
  }
  let quotient: Quotient = {
    size: graph.size,
    targets: graph.targets.map((targets, node) =>
      blocked[node] ? targets.filter((t) => t !== node) : targets,
    ),
    blocked,
    classes: Array.from({ length: graph.size }, (_, node) => [node]),
  };
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const merged = mergeOnce(quotient);
    if (merged === null) break;
    quotient = merged;
  }
  return quotient;
}

function mergeOnce(graph: Quotient): Quotient | null {
  const { size, targets, blocked } = graph;
  const classOf = classesByAttackers(graph);
  const first: number[] = [];
  for (let node = 0; node < size; node++) if (classOf[node] === first.length) first.push(node);
  if (first.length === size) return null;
  const classes: number[][] = first.map(() => []);
  const merged: number[][] = first.map(() => []);
  for (let node = 0; node < size; node++) {
    const members = classes[classOf[node]!]!;
    for (const member of graph.classes[node]!) members.push(member);
    const into = merged[classOf[node]!]!;
    for (const target of targets[node]!) into.push(classOf[target]!);
  }
  const lastSeen = new Int32Array(first.length).fill(-1);
  return {
    size: first.length,
    targets: merged.map((list, node) =>
      list
        .filter((target) => (lastSeen[target] === node ? false : ((lastSeen[target] = node), true)))
        .sort((a, b) => a - b),
    ),
    blocked: Uint8Array.from(first, (node) => blocked[node]!),
    classes: classes.map((members) => members.sort((a, b) => a - b)),
  };
}

/**
 * The class of each node, numbered in the order of first nodes: equal exactly when attackers and mark are
 * equal.
 */
function classesByAttackers({ size, targets, blocked }: Quotient): Int32Array {
  // Splitting by one attacker after the other (as in partition refinement: R. Paige and R. E. Tarjan, 1987)
  // costs one step an attack.
  const classOf = new Int32Array(size);
  const sizes = [0, 0];
  for (let node = 0; node < size; node++) {
    classOf[node] = blocked[node]!;
    sizes[blocked[node]!]!++;
  }
  const moved: number[] = [];
  const hit: number[] = [0, 0];
  const splitInto: number[] = [-1, -1];
  for (let attacker = 0; attacker < size; attacker++) {
    moved.length = 0;
    for (const target of targets[attacker]!) {
      const from = classOf[target]!;
      if (hit[from]!++ === 0) moved.push(from);
    }
    for (const from of moved) {
      // A class that is hit as a whole stays as it is.
      splitInto[from] = hit[from] === sizes[from] ? from : sizes.length;
      if (splitInto[from] !== from) {
        sizes.push(hit[from]!);
        sizes[from]! -= hit[from]!;
        hit.push(0);
        splitInto.push(-1);
      }
    }
    for (const target of targets[attacker]!) classOf[target] = splitInto[classOf[target]!]!;
    for (const from of moved) hit[from] = 0;
  }
  const number = new Int32Array(sizes.length).fill(-1);
  let count = 0;
  for (let node = 0; node < size; node++) {
    const old = classOf[node]!;
    if (number[old] === -1) number[old] = count++;
    classOf[node] = number[old]!;
  }
  return classOf;
}
