import { SUCCESSORS_MAX } from '../contract/constants.ts';
import type { Claim } from './model.ts';
import { supersededIds } from './relationships.ts';

/** Repetitions of one statement by one source, between two times at which the source came back to it. */
interface Spell {
  readonly number: number;
  /** What its claims supersede. */
  readonly replaces: Claim[];
}

/**
 * How often the source of a claim had corrected the same statement and come back to it before; 0 for claims
 * not listed. A claim that supersedes, through others, what it repeats is no repetition: the source said
 * something else in between. `earliestFirst` holds all claims; `keyOf` gives claims that may repeat one
 * another the same key, and others null. Reasoning model §2 and §11, ADR 0077. Never throws.
 */
export function returnsOf(
  earliestFirst: readonly Claim[],
  keyOf: (claim: Claim) => string | null,
): ReadonlyMap<Claim, number> {
  const returns = new Map<Claim, number>();
  const byId = new Map(earliestFirst.map((claim) => [claim.id, claim]));
  const targetsOf = (claim: Claim): Claim[] =>
    claim.status === 'retracted' ? [] : supersededIds(claim.input).flatMap((id) => byId.get(id) ?? []);
  const latest = new Map<string, Spell>();
  // A copy belongs to its original, whatever has been said since.
  const exact = new Map<string, Spell>();
  const spellOf = new Map<Claim, Spell>();
  for (const claim of supersededFirst(earliestFirst, targetsOf)) {
    const replaced = targetsOf(claim);
    const key = keyOf(claim);
    const exactKey = `${key} ${claim.assertedAt} ${JSON.stringify(supersededIds(claim.input))}`;
    let spell = key === null ? undefined : exact.get(exactKey);
    if (!spell) {
      const before = key === null ? undefined : latest.get(key);
      spell =
        before && !leadsTo(replaced, before, spellOf)
          ? before
          : { number: before ? before.number + 1 : 0, replaces: [] };
      if (key !== null) {
        latest.set(key, spell);
        exact.set(exactKey, spell);
      }
    }
    spell.replaces.push(...replaced);
    spellOf.set(claim, spell);
    if (spell.number > 0) returns.set(claim, spell.number);
  }
  return returns;
}

/** The claims in their order, but each after those that it supersedes; circles are cut where they are met. */
function* supersededFirst(claims: readonly Claim[], targetsOf: (claim: Claim) => Claim[]): Iterable<Claim> {
  const seen = new Set<Claim>();
  const path: { readonly claim: Claim; readonly waiting: Claim[] }[] = [];
  const enter = (claim: Claim) => {
    if (seen.has(claim)) return;
    seen.add(claim);
    path.push({ claim, waiting: targetsOf(claim).reverse() });
  };
  for (const start of claims) {
    enter(start);
    for (let at = path.at(-1); at; at = path.at(-1)) {
      const next = at.waiting.pop();
      if (next) enter(next);
      else {
        path.pop();
        yield at.claim;
      }
    }
  }
}

/**
 * Whether what a claim supersedes leads to a spell through another one; SUCCESSORS_MAX of those are looked
 * at.
 */
function leadsTo(replaced: readonly Claim[], goal: Spell, spellOf: ReadonlyMap<Claim, Spell>): boolean {
  const seen = new Set<Spell>();
  const add = (claim: Claim) => {
    const spell = spellOf.get(claim);
    if (spell && spell !== goal && seen.size < SUCCESSORS_MAX) seen.add(spell);
  };
  replaced.forEach(add);
  for (const spell of seen) {
    if (spell.replaces.some((claim) => spellOf.get(claim) === goal)) return true;
    spell.replaces.forEach(add);
  }
  return false;
}
