import type { AttackGraph } from './framework.ts';

/** A graph with rows of bits, for checking by going through all subsets. At most 16 nodes. */
export interface BitGraph extends AttackGraph {
  readonly attacks: readonly number[];
  readonly attackedBy: readonly number[];
}

export function bitGraph(size: number, pairs: Iterable<readonly [number, number]>): BitGraph {
  const attacks = new Array<number>(size).fill(0);
  const attackedBy = new Array<number>(size).fill(0);
  for (const [from, to] of pairs) {
    attacks[from]! |= 1 << to;
    attackedBy[to]! |= 1 << from;
  }
  return { size, attacks, attackedBy, targets: attacks.map((row) => nodesOf(row)) };
}

function nodesOf(set: number): number[] {
  const nodes: number[] = [];
  for (let node = 0; set >> node !== 0; node++) if ((set >> node) & 1) nodes.push(node);
  return nodes;
}

/** The definitions of Dung 1995, read off directly: every subset is tried. */
export function bruteForce(
  graph: BitGraph,
): Record<'grounded' | 'complete' | 'preferred' | 'stable', number[][]> {
  const { size, attacks, attackedBy } = graph;
  const all = (1 << size) - 1;
  const complete: number[] = [];
  const admissible: number[] = [];
  const stable: number[] = [];
  for (let set = 0; set <= all; set++) {
    let attacked = 0;
    for (let node = 0; node < size; node++) if ((set >> node) & 1) attacked |= attacks[node]!;
    if ((attacked & set) !== 0) continue;
    let defended = 0;
    for (let node = 0; node < size; node++) if ((attackedBy[node]! & ~attacked) === 0) defended |= 1 << node;
    if ((set & ~defended) === 0) admissible.push(set);
    if (set === defended) complete.push(set);
    if ((set | attacked) === all) stable.push(set);
  }
  const maximal = admissible.filter(
    (set) => !admissible.some((other) => other !== set && (set & ~other) === 0),
  );
  const least = complete.filter((set) => complete.every((other) => (set & ~other) === 0));
  const sorted = (sets: number[]) =>
    sets.map(nodesOf).sort((a, b) => {
      for (let k = 0; k < a.length && k < b.length; k++) if (a[k] !== b[k]) return a[k]! - b[k]!;
      return a.length - b.length;
    });
  return {
    grounded: sorted(least),
    complete: sorted(complete),
    preferred: sorted(maximal),
    stable: sorted(stable),
  };
}
