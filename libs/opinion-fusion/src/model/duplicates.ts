import { appended } from './lists.ts';
import type { Claim } from './model.ts';
import { quote } from '../contract/quote.ts';
import { repeatKey } from './value.ts';
import { supersededIds } from './relationships.ts';
import { returnsOf } from './returns.ts';
import type { Warnings } from '../contract/warnings.ts';

/**
 * Drops what an actor says twice; the earliest assertion stays. Targets come before the meta-claims on them,
 * so that meta-claims on duplicates meet on the one kept. What a dropped claim corrects of its own actor, the
 * one kept supersedes; a claim with which its actor comes back to what the actor had corrected stays. `all`
 * stands by id, each claim knowing its place; `repeats` are the claims dropped, each with the one kept. Rule
 * 4; reasoning model §2, §10 and §11, ADR 0077.
 */
export function mergeDuplicates(
  all: readonly Claim[],
  warnings: Warnings,
): { claims: Claim[]; claimById: Map<string, Claim>; repeats: readonly (readonly [Claim, Claim])[] } {
  const kept = new Map<string, Claim>();
  const claimById = new Map<string, Claim>();
  for (const claim of all) claimById.set(claim.id, claim);
  const dropped = new Set<Claim>();
  const repeats: [Claim, Claim][] = [];
  const settle = (claim: Claim, key: string) => {
    if (claim.status === 'retracted') return;
    const first = kept.get(key);
    if (!first) {
      kept.set(key, claim);
      return;
    }
    claimById.set(claim.id, first);
    dropped.add(claim);
    warnings.add(
      'duplicate_claim',
      claim.id,
      `Claim ${quote(claim.id)} repeats ${quote(first.id)} of the same actor and was dropped.`,
    );
    const own = supersededIds(first.input);
    for (const id of supersededIds(claim.input)) {
      const target = claimById.get(id);
      // A source's correction of itself takes effect whichever of its repetitions is kept.
      if (!target || target.actor === claim.actor)
        first.repeatsSupersede = appended(first.repeatsSupersede, id);
      else if (!own.includes(id))
        warnings.add(
          'duplicate_supersedes',
          claim.id,
          `Claim ${quote(claim.id)} supersedes ${quote(id)}, which counts for nothing as ${quote(first.id)} was kept in its place; name ${quote(id)} in supersedes_claim_id of ${quote(first.id)}.`,
        );
    }
    repeats.push([claim, first]);
  };
  // Two missing times differ by NaN, which is falsy as 0 is: the id decides.
  const earliestFirst = (a: Claim, b: Claim) =>
    (a.assertedAt ?? Infinity) - (b.assertedAt ?? Infinity) || a.index - b.index;

  const isRepeated = repeatedValues(all);
  const plain = all.filter((claim) => claim.subject !== null && isRepeated(claim)).sort(earliestFirst);
  const isCorrected = plain.some((claim) => supersededIds(claim.input).length > 0);
  const returns = isCorrected
    ? returnsOf(all.toSorted(earliestFirst), (claim) =>
        claim.subject !== null && claim.status !== 'retracted' && isRepeated(claim) ? plainKey(claim) : null,
      )
    : NO_RETURNS;
  for (const claim of plain) settle(claim, `${plainKey(claim)} ${returns.get(claim) ?? 0}`);
  const metas = all.filter((claim) => claim.subject === null);
  const depth = metas.length === 0 ? NO_DEPTHS : metaDepths(all);
  metas.sort((a, b) => depth.get(a.id)! - depth.get(b.id)! || earliestFirst(a, b));
  for (const meta of metas) {
    meta.target = claimById.get(meta.input.target_claim_id!)!;
    meta.isWithdrawn ||= meta.target.isWithdrawn;
    settle(meta, keyOf(meta, `c${meta.target.id}`, meta.valence));
  }
  const claims = dropped.size === 0 ? [...all] : all.filter((claim) => !dropped.has(claim));
  claims.forEach((claim, index) => {
    claim.index = index;
    if (claim.target) claim.target.metas = appended(claim.target.metas, claim);
  });
  return { claims, claimById, repeats };
}

function keyOf({ actor, predicate, value, scope, from, to }: Claim, home: string, polarity: string): string {
  return JSON.stringify([actor.index, home, predicate, repeatKey(value), scope, polarity, from, to]);
}

function plainKey(claim: Claim): string {
  return keyOf(claim, `s${claim.subject!.id}`, claim.valence === 'Refutes' ? 'denies' : 'asserts');
}

/**
 * Warns of claims that repeat, without superseding anything, what their source has corrected since: the
 * correction stands. Statuses are known by now.
 */
export function warnOfCorrectedRepeats(
  repeats: readonly (readonly [Claim, Claim])[],
  warnings: Warnings,
): void {
  for (const [claim, kept] of repeats) {
    const correction = kept.supersededBy.find(
      ({ actor, assertedAt, status }) =>
        actor === kept.actor &&
        status !== 'superseded' &&
        claim.assertedAt !== null &&
        assertedAt !== null &&
        claim.assertedAt > assertedAt,
    );
    if (correction)
      warnings.add(
        'repeats_corrected',
        claim.id,
        `Claim ${quote(claim.id)} repeats ${quote(kept.id)}, which ${quote(correction.id)} of the same actor supersedes, and so changes nothing; if the actor came back to it, name ${quote(correction.id)} in supersedes_claim_id of ${quote(claim.id)}.`,
      );
  }
}

/**
 * Tells the claims whose actor says their value of the same subject or target more than once: only they can
 * repeat.
 */
function repeatedValues(all: readonly Claim[]): (claim: Claim) => boolean {
  const numbers = new Map<unknown, number>();
  const numberOf = (what: unknown): number => {
    let number = numbers.get(what);
    if (number === undefined) numbers.set(what, (number = numbers.size));
    return number;
  };
  const keys = new Float64Array(all.length);
  for (const claim of all) {
    const about = numberOf(claim.subject ?? META) * SPREAD + numberOf(repeatKey(claim.value));
    keys[claim.index] = (about % SPREAD_MAX) * SPREAD + claim.actor.index;
  }
  // Sorted numbers tell the few that occur twice sooner than a count of each.
  const sorted = keys.toSorted();
  const repeated = new Set(sorted.filter((key, i) => key === sorted[i - 1]));
  return (claim) => repeated.has(keys[claim.index]!);
}

const META = Symbol('a claim on a claim');
/** Keys may collide without harm: colliding claims are compared in full. */
const SPREAD = 1_000_003;
const SPREAD_MAX = 8_000_009;

const NO_RETURNS: ReadonlyMap<Claim, number> = new Map();
const NO_DEPTHS: ReadonlyMap<string, number> = new Map();

/** How many steps a meta-claim stands above the claim about a subject that it is about in the end. */
function metaDepths(all: readonly Claim[]): ReadonlyMap<string, number> {
  const claimOf = new Map(all.map((claim) => [claim.id, claim]));
  const depth = new Map<string, number>();
  const path: Claim[] = [];
  for (const claim of all) {
    let at = claim;
    while (!depth.has(at.id) && at.subject === null) {
      path.push(at);
      at = claimOf.get(at.input.target_claim_id!)!;
    }
    let level = depth.get(at.id) ?? 0;
    for (let meta = path.pop(); meta; meta = path.pop()) depth.set(meta.id, (level += 1));
  }
  return depth;
}
