import type { DistinctionInput, SubjectArgumentation } from '@platform/opinion-fusion';
import type { Claim, Verdict } from '../../model.ts';

/** Claims of one position that are drawn at most. */
const MEMBERS_MAX = 8;
/** Most positions of one question that are drawn: more arrows could not be followed. */
const POSITIONS_MAX = 8;
/** Items of evidence of one claim that are drawn at most. */
export const EVIDENCE_MAX = 4;

/**
 * Claims that agree, and that attack and are attacked alike: one position on the question. Attacks are drawn
 * between positions, so a hundred sources that contradict a hundred others are one arrow. Source: reasoning
 * model §7, classes of claims.
 */
export interface Position {
  readonly id: string;
  /** The value its strongest claim gives; for a denial `not …`. */
  readonly title: string;
  /** Claims in the order of their ranks. */
  readonly claims: readonly Claim[];
  /** How many of them are drawn: the first ones. */
  readonly drawn: number;
  readonly kind: 'position' | 'weightless' | 'premises';
}

/**
 * For each attacking claim its targets, with the interpretations that list the attack and the words of the
 * engine.
 */
export type Attacks = ReadonlyMap<
  string,
  ReadonlyMap<string, { readonly readings: ReadonlySet<number>; readonly description: string }>
>;

export function attacksOf(conflict: SubjectArgumentation): Attacks {
  const attacks = new Map<string, Map<string, { readings: Set<number>; description: string }>>();
  conflict.interpretations.forEach((tree, reading) => {
    for (const { attacker_claim_id, target_claim_id, description } of tree.attacks) {
      let targets = attacks.get(attacker_claim_id);
      if (!targets) attacks.set(attacker_claim_id, (targets = new Map()));
      const attack = targets.get(target_claim_id);
      if (attack) attack.readings.add(reading);
      else targets.set(target_claim_id, { readings: new Set([reading]), description });
    }
  });
  return attacks;
}

export function isWeightless(analysis: Claim['analysis']): boolean {
  return !analysis || analysis.below_credibility_floor === true || analysis.epistemic_status === 'retracted';
}

export function positionsOf(
  claims: readonly Claim[],
  attacks: Attacks,
  distinctions: readonly DistinctionInput[],
  agreements: ReadonlyMap<string, readonly string[]>,
): Position[] {
  const ids = new Set(claims.map(({ id }) => id));
  const attackers = new Map<string, string[]>();
  for (const [attacker, targets] of attacks) {
    if (!ids.has(attacker)) continue;
    for (const target of targets.keys()) attackers.set(target, [...(attackers.get(target) ?? []), attacker]);
  }
  const apart = new Set(distinctions.flatMap(({ argument_a, argument_b }) => [argument_a, argument_b]));
  const groups = new Map<string, Claim[]>();
  for (const claim of claims) {
    const key = positionKey(
      claim,
      attacks.get(claim.id)?.keys() ?? [],
      attackers.get(claim.id) ?? [],
      ids,
      apart,
    );
    const group = groups.get(key);
    if (group) group.push(claim);
    else groups.set(key, [claim]);
  }
  return [...groups].flatMap(([key, alike]) =>
    (key === WEIGHTLESS ? [alike] : agreeing(alike, agreements)).map((members) => ({
      id: `position:${members[0]!.id}`,
      title: key === WEIGHTLESS ? 'without weight' : valueWords(members[0]!),
      claims: members,
      drawn: 0,
      kind: key === WEIGHTLESS ? 'weightless' : 'position',
    })),
  );
}

const WEIGHTLESS = 'weightless';

/** Equal for claims that attack the same claims and are attacked by the same. */
function positionKey(
  claim: Claim,
  targets: Iterable<string>,
  attackers: Iterable<string>,
  peers: ReadonlySet<string>,
  apart: ReadonlySet<string>,
): string {
  if (isWeightless(claim.analysis)) return WEIGHTLESS;
  if (apart.has(claim.id)) return JSON.stringify([claim.id]);
  const among = (list: Iterable<string>) => [...list].filter((id) => peers.has(id)).toSorted();
  return JSON.stringify([among(targets), among(attackers)]);
}

/**
 * Parts claims by what they say: the same words together, and what the engine found to agree (99M and 100M).
 */
function agreeing(claims: readonly Claim[], agreements: ReadonlyMap<string, readonly string[]>): Claim[][] {
  const groups = new Map<string, Claim[]>();
  const groupOf = new Map<string, Claim[]>();
  for (const claim of claims) {
    const { value, valence, scope } = claim.input;
    const words = JSON.stringify([
      value.trim().toLowerCase(),
      valence?.toLowerCase() === 'refutes',
      scope ?? '',
    ]);
    const friend = agreements.get(claim.id)?.find((id) => groupOf.has(id));
    let group = groups.get(words) ?? (friend === undefined ? undefined : groupOf.get(friend));
    if (!group) group = [];
    groups.set(words, group);
    group.push(claim);
    groupOf.set(claim.id, group);
  }
  return [...new Set(groups.values())];
}

/** For each claim those that an interpretation lists as supporting it or supported by it. */
export function agreementsOf(conflict: SubjectArgumentation): ReadonlyMap<string, readonly string[]> {
  const agreements = new Map<string, string[]>();
  const note = (from: string, to: string) => {
    const list = agreements.get(from);
    if (list) list.push(to);
    else agreements.set(from, [to]);
  };
  for (const { supports } of conflict.interpretations) {
    for (const { supporter_claim_id: from, supported_claim_id: to } of supports) {
      note(from, to);
      note(to, from);
    }
  }
  return agreements;
}

/** A claim's value as a reader reads it, its denial and its scope included. */
export function valueWords({ input: { value, valence, scope } }: Claim): string {
  const words = valence?.toLowerCase() === 'refutes' ? `not ${value}` : value;
  return scope ? `${words} (${scope})` : words;
}

/**
 * The position of the verdict first, then by their strongest claim; those without weight last. Deals out the
 * nodes.
 */
export function drawnPositions(positions: readonly Position[], verdict: Verdict, most: number): Position[] {
  const leadingId = verdict.explanation?.leading_claim_id;
  const leading = verdict.result.leading_value?.trim().toLowerCase();
  const leads = ({ claims }: Position) =>
    leadingId
      ? claims.some(({ id }) => id === leadingId)
      : claims.some(
          ({ input }) =>
            input.value.trim().toLowerCase() === leading && input.valence?.toLowerCase() !== 'refutes',
        );
  const order = (position: Position) => (position.kind === 'weightless' ? 2 : leads(position) ? 0 : 1);
  const sorted = positions.toSorted((a, b) => order(a) - order(b)).slice(0, POSITIONS_MAX);
  const drawn = new Map(sorted.map(({ id }) => [id, 0]));
  let left = most - 1;
  for (let round = 0; round < MEMBERS_MAX && left > 0; round += 1) {
    for (const { id, claims } of sorted) {
      const claim = claims[round];
      if (!claim || left <= 0) continue;
      drawn.set(id, round + 1);
      left -= 1 + Math.min(claim.evidence.length, EVIDENCE_MAX) + claim.metaClaimIds.length;
    }
  }
  return sorted.flatMap((position) => {
    const count = drawn.get(position.id)!;
    return count === 0 ? [] : [{ ...position, drawn: count }];
  });
}

/** Claims of one position attack alike, so the first two tell for all. */
export function attackBetween(from: Position, to: Position, attacks: Attacks) {
  return attacks.get(from.claims[0]!.id)?.get(to.claims[0]!.id);
}
