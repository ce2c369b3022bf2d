import { preferred } from '@platform/argumentation';
import { CONFLICT_BUDGET, INTERPRETATIONS_MAX } from '../contract/constants.ts';
import { coherence, nodesAttack } from './framework.ts';
import type { Framework } from './framework.ts';
import { roundForComparison } from '../contract/rounding.ts';
import type { Weighed } from '../weighing/weighing.ts';

/** The preferred extensions of a framework, in nodes. */
export interface Interpretations {
  /** Best first by coherence, ties by ids; at most INTERPRETATIONS_MAX. */
  readonly best: readonly (readonly number[])[];
  readonly count: bigint;
  /** By node index: 1 in every, in some interpretation. */
  readonly acceptedByAll: Uint8Array;
  readonly acceptedBySome: Uint8Array;
  readonly isExact: boolean;
}

/**
 * Interpretations = preferred extensions. Plain contradiction is a complete multipartite graph and has a
 * closed form: each statement by itself. What has too many attacks to write out gets what can be had without.
 * Reasoning model §7.
 */
export function interpret(
  framework: Framework,
  weighed: Weighed,
  shouldStop: () => boolean,
): Interpretations {
  const { nodes, targets, plain } = framework;
  const score = (members: readonly number[]) => roundForComparison(coherence(members, framework));
  if (plain) {
    const alone = nodes.length === 1;
    return {
      best: nodes
        .map((node) => [node.index])
        .map((extension) => ({ extension, value: score(extension) }))
        .sort((a, b) => b.value - a.value || a.extension[0]! - b.extension[0]!)
        .slice(0, INTERPRETATIONS_MAX)
        .map(({ extension }) => extension),
      count: BigInt(nodes.length),
      acceptedByAll: new Uint8Array(nodes.length).fill(alone ? 1 : 0),
      acceptedBySome: new Uint8Array(nodes.length).fill(1),
      isExact: true,
    };
  }
  if (nodes.length === 0) {
    return {
      best: [],
      count: 0n,
      acceptedByAll: new Uint8Array(),
      acceptedBySome: new Uint8Array(),
      isExact: true,
    };
  }
  if (targets === null) return approximate(framework, weighed, score, shouldStop);
  return preferred(
    { size: nodes.length, targets },
    { limit: INTERPRETATIONS_MAX, score, conflictBudget: CONFLICT_BUDGET, shouldStop },
  );
}

/** Sets grown in the approximation, and rounds in which the grounded extension grows. */
const SEEDS = 8;
const GROUNDED_ROUNDS = 4;

/**
 * For frameworks whose attacks are too many to write out: a part of the grounded extension, and admissible
 * sets grown around the most credible nodes. Each listed set is conflict-free and defends itself.
 */
function approximate(
  { nodes }: Framework,
  weighed: Weighed,
  score: (members: readonly number[]) => number,
  shouldStop: () => boolean,
): Interpretations {
  const attacks = (a: number, b: number) => nodesAttack(nodes[a]!, nodes[b]!, weighed);
  const grounded = growGrounded(nodes.length, attacks, shouldStop);
  const core = grounded.flatMap((state, index) => (state === IN ? [index] : []));
  const byCredibility = nodes
    .filter((node) => grounded[node.index] === OPEN)
    .sort(
      (a, b) => roundForComparison(b.credibility) - roundForComparison(a.credibility) || a.index - b.index,
    )
    .map((node) => node.index);
  const found = new Map<string, number[]>([[core.join(' '), core]]);
  for (const seed of byCredibility.slice(0, SEEDS)) {
    if (shouldStop()) break;
    const set = [...core];
    for (const candidate of [seed, ...byCredibility])
      if (
        !set.some(
          (member) => member === candidate || attacks(member, candidate) || attacks(candidate, member),
        )
      )
        set.push(candidate);
    set.sort((a, b) => a - b);
    if (defendsItself(set, nodes.length, attacks)) found.set(set.join(' '), set);
  }
  if (found.size > 1) found.delete(core.join(' '));
  const best = [...found.values()]
    .map((members) => ({ members, value: score(members) }))
    .sort((a, b) => b.value - a.value)
    .map(({ members }) => members);
  const acceptedBySome = new Uint8Array(nodes.length);
  for (const members of best) for (const index of members) acceptedBySome[index] = 1;
  return {
    best,
    count: BigInt(best.length),
    acceptedByAll: Uint8Array.from(grounded, (state) => (state === IN ? 1 : 0)),
    acceptedBySome,
    isExact: false,
  };
}

const OPEN = 0;
const IN = 1;
const OUT = 2;

function growGrounded(
  size: number,
  attacks: (a: number, b: number) => boolean,
  shouldStop: () => boolean,
): number[] {
  const state = new Array<number>(size).fill(OPEN);
  for (let round = 0; round < GROUNDED_ROUNDS; round += 1) {
    let grown = false;
    for (let index = 0; index < size && !shouldStop(); index += 1) {
      if (state[index] !== OPEN) continue;
      let attacked = false;
      for (let other = 0; other < size && !attacked; other += 1)
        attacked = state[other] !== OUT && attacks(other, index);
      if (attacked) continue;
      state[index] = IN;
      grown = true;
      for (let other = 0; other < size; other += 1)
        if (state[other] === OPEN && attacks(index, other)) state[other] = OUT;
    }
    if (!grown) break;
  }
  return state;
}

function defendsItself(
  set: readonly number[],
  size: number,
  attacks: (a: number, b: number) => boolean,
): boolean {
  for (let attacker = 0; attacker < size; attacker += 1) {
    const attacked = set.some((member) => attacks(attacker, member));
    if (attacked && !set.some((member) => attacks(member, attacker))) return false;
  }
  return true;
}
