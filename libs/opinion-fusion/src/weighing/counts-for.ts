import type { Actor, Claim } from '../model/model.ts';
import type { RelatedStatements } from '../model/related-statements.ts';
import { CONFLICT, relation } from '../model/statements.ts';
import type { Bucket, StatementGroup } from '../model/statements.ts';
import type { Weighing } from './claim-weighing.ts';

/** Claims by index: how each weighs, and in which group of statements it stands. */
export interface Placed {
  readonly weighings: readonly Weighing[];
  readonly groupOf: readonly (StatementGroup | null)[];
}

/**
 * Tells which claims that agree with a statement of their bucket count for it: those that make it, and those
 * of sources that say nothing else, with a claim that is heard, for a part of its time that the claim leaves
 * out. Who has one owner until 1925 and another from then on does not speak for the other from 1915. Source:
 * ADR 0131. Never throws.
 */
export function countedFor(
  statement: StatementGroup,
  { repeaters }: Bucket,
  { weighings, groupOf }: Placed,
): (claim: Claim) => boolean {
  const otherwise = new Map<Actor, Span>();
  const spanOf = (actor: Actor, own: readonly Claim[]) => {
    let span = otherwise.get(actor);
    if (span) return span;
    span = { from: Infinity, to: -Infinity };
    for (const claim of own) {
      if (weighings[claim.index]!.silent || relation(groupOf[claim.index]!, statement) !== CONFLICT) continue;
      span.from = Math.min(span.from, Math.max(claim.from, statement.from));
      span.to = Math.max(span.to, Math.min(claim.to, statement.to));
    }
    otherwise.set(actor, span);
    return span;
  };
  return (claim) => {
    const own = repeaters.get(claim.actor);
    if (!own || (claim.from <= statement.from && statement.to <= claim.to)) return true;
    const { from, to } = spanOf(claim.actor, own);
    return claim.from <= from && to <= claim.to;
  };
}

/**
 * Of the statements of a bucket that agree with one, those of which some claims do not count for it, by
 * position, each with the claims that do. `related`: the statements of the bucket. Never throws.
 */
export function partlyCounted(
  bucket: Bucket,
  related: RelatedStatements,
  placed: Placed,
): (statement: StatementGroup) => ReadonlyMap<number, readonly Claim[]> {
  const { groups, repeaters } = bucket;
  const [first] = groups;
  const isSequence = groups.some(({ from, to }) => from !== first!.from || to !== first!.to);
  if (repeaters.size === 0 || !isSequence) return () => NOTHING;
  const conflicts = related.sums(new Int32Array(groups.length).fill(1));
  return (statement) => {
    if (conflicts.conflicting(statement.index) === 0) return NOTHING;
    const counts = countedFor(statement, bucket, placed);
    const partly = new Map<number, readonly Claim[]>();
    for (const index of related.agreeing(statement.index)) {
      const { claims } = groups[index]!;
      const counted = claims.filter(counts);
      if (counted.length < claims.length) partly.set(index, counted);
    }
    return partly;
  };
}

const NOTHING: ReadonlyMap<number, readonly Claim[]> = new Map();

/** A time, from the first to the last instant; empty where `from` is after `to`. */
interface Span {
  from: number;
  to: number;
}
