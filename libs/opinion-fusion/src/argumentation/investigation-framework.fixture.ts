import type { AttackGraph } from './framework.ts';

/** Numbers in [0, 1) from a seed (mulberry32, T. Ettinger 2017). */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** What a made-up investigation looks like. Shares are in [0, 1]. */
export interface InvestigationShape {
  readonly claims: number;
  /** Refuting meta-claims too weak to attack: their target attacks them. */
  readonly metas: number;
  /** Different figures that claims give, evenly spread; two further apart than 5 % disagree. */
  readonly figures: number;
  /** Periods that claims are about, and the longest stretch of them that one claim covers. */
  readonly periods: number;
  readonly stretch: number;
  /** Share of conflicts in which one claim supersedes the other, so that only one attacks. */
  readonly superseding: number;
}

/** The attacks among claims about one figure over time, as the reasoning model sets them up (section 7). */
export function investigationGraph(seed: number, shape: InvestigationShape): AttackGraph {
  const random = randomFrom(seed);
  const claims = Array.from({ length: shape.claims }, () => {
    const from = Math.floor(random() * shape.periods);
    const to = from + 1 + Math.floor(random() * shape.stretch);
    return { figure: 100 * (1 + Math.floor(random() * shape.figures) / shape.figures), from, to };
  });
  const targets: number[][] = Array.from({ length: shape.claims + shape.metas }, () => []);
  for (const [i, a] of claims.entries()) {
    for (const [j, b] of claims.entries()) {
      const agree = Math.abs(a.figure - b.figure) <= 0.05 * Math.max(a.figure, b.figure);
      if (j <= i || agree || a.to <= b.from || b.to <= a.from) continue;
      const superseded = random() < shape.superseding;
      if (!superseded) targets[i]!.push(j);
      targets[j]!.push(i);
    }
  }
  for (let meta = shape.claims; meta < targets.length; meta++) {
    targets[Math.floor(random() * shape.claims)]!.push(meta);
  }
  return graphFrom(targets);
}

/** Frameworks side by side, none of which touches another. */
export function sideBySide(graphs: readonly AttackGraph[]): AttackGraph {
  const targets: number[][] = [];
  for (const graph of graphs) {
    const offset = targets.length;
    for (const row of graph.targets) targets.push(row.map((target) => target + offset));
  }
  return { size: targets.length, targets };
}

export function graphFrom(targets: readonly (readonly number[])[]): AttackGraph {
  return { size: targets.length, targets: targets.map((row) => [...new Set(row)].sort((a, b) => a - b)) };
}
