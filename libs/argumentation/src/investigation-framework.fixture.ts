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

/** What a made-up investigation looks like. */
export interface InvestigationShape {
  /** For each period, how many different values the claims about it give. */
  readonly values: readonly number[];
  /** Claims about one period, at least one for each value. */
  readonly claims: number;
  /** Claims about two or three periods on end, which tie the periods to one another. */
  readonly spanning: number;
  /** Refuting meta-claims too weak to attack: their target attacks them. */
  readonly metas: number;
  /** Share of conflicts, in [0, 1], in which one claim supersedes the other, so that only one attacks. */
  readonly superseding: number;
}

/**
 * The attacks among claims about one predicate over time, as the reasoning model sets them up (section 7):
 * claims about a common period with different values conflict. Without superseding there is one preferred
 * extension for each choice of one value a period.
 */
export function investigationGraph(seed: number, shape: InvestigationShape): AttackGraph {
  const random = randomFrom(seed);
  const below = (bound: number) => Math.floor(random() * bound);
  const periods = shape.values.length;
  const pinned = shape.values.flatMap((count, from) =>
    Array.from({ length: count }, (_, value) => ({ from, value })),
  );
  const claims = Array.from({ length: shape.claims + shape.spanning }, (_, index) => {
    if (index < pinned.length) return { ...pinned[index]!, to: pinned[index]!.from + 1 };
    if (index < shape.claims) {
      const from = below(periods);
      return { from, to: from + 1, value: below(shape.values[from]!) };
    }
    const length = Math.min(periods, 2 + below(2));
    const from = below(periods - length + 1);
    const to = from + length;
    return { from, to, value: below(Math.min(...shape.values.slice(from, to))) };
  });
  const targets: number[][] = Array.from({ length: claims.length + shape.metas }, () => []);
  for (const [i, a] of claims.entries()) {
    for (const [j, b] of claims.entries()) {
      if (j <= i || a.value === b.value || a.to <= b.from || b.to <= a.from) continue;
      if (random() >= shape.superseding) targets[j]!.push(i);
      targets[i]!.push(j);
    }
  }
  for (let meta = claims.length; meta < targets.length; meta++) targets[below(claims.length)]!.push(meta);
  return graphFrom(targets);
}

/** Attacks drawn at random: each ordered pair with this probability, or each pair both ways when mutual. */
export function randomGraph(seed: number, size: number, probability: number, isMutual: boolean): AttackGraph {
  const random = randomFrom(seed);
  const targets: number[][] = Array.from({ length: size }, () => []);
  for (let from = 0; from < size; from++) {
    for (let to = isMutual ? from + 1 : 0; to < size; to++) {
      if (to === from || random() >= probability) continue;
      targets[from]!.push(to);
      if (isMutual) targets[to]!.push(from);
    }
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
