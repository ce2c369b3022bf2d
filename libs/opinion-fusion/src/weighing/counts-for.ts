import type { Claim } from '../model/model.ts';
import type { RelatedStatements } from '../model/related-statements.ts';
import { CONFLICT, relation } from '../model/statements.ts';
import type { Bucket, StatementGroup } from '../model/statements.ts';
import { isFiner } from '../model/value.ts';
import type { Weighing } from './claim-weighing.ts';

/** Claims by index: how each weighs, and in which group of statements it stands. */
export interface Placed {
  readonly weighings: readonly Weighing[];
  readonly groupOf: readonly (StatementGroup | null)[];
}

/**
 * Tells which claims that agree with a statement of their bucket count for it: those of a time that overlaps
 * the time of each statement that is heard and contradicts it. Who has an owner from 1925 on does not speak
 * for the same owner from 1915 where somebody has another until 1925. What is brought against a claim that
 * agrees counts against the statement as `bearsOn` says. Source: ADR 0131. Never throws.
 */
export function countedFor(
  statement: StatementGroup,
  { groups }: Bucket,
  { weighings }: Placed,
): (claim: Pick<Claim, 'from' | 'to'>) => boolean {
  const contested = groups.filter(
    (group) => relation(group, statement) === CONFLICT && isHeard(group, weighings),
  );
  const latestStart = contested.reduce((latest, { from }) => Math.max(latest, from), -Infinity);
  const earliestEnd = contested.reduce((earliest, { to }) => Math.min(earliest, to), Infinity);
  return ({ from, to }) => from < earliestEnd && latestStart < to;
}

/**
 * Whether what is brought against a claim counts against a statement with which it agrees: not where the
 * claim gives a time and more of it than the statement, nor where it gives a more exact date. Who shows that
 * somebody was no owner in 1915 does not dispute that they were from 1925 on, and who refutes a day does not
 * dispute the year. Source: ADR 0131, ADR 0144. Pure.
 */
export const bearsOn = (claim: Dated, statement: Dated): boolean =>
  !isFiner(claim.value, statement.value) &&
  ((statement.from <= claim.from && claim.to <= statement.to) ||
    (claim.from === -Infinity && claim.to === Infinity));

/**
 * Whether what is brought against one of two statements that conflict speaks for the other: of yes and no, or
 * of a value and its denial; that one other value is wrong makes none right. Source: ADR 0130. Pure.
 */
export const isContrary = (one: StatementGroup, statement: StatementGroup): boolean =>
  (one.denies !== statement.denies || (one.value.kind === 'boolean' && statement.value.kind === 'boolean')) &&
  !isFiner(one.value, statement.value);

/** A claim or statement with its value and the time that it is about. */
export type Dated = Pick<StatementGroup, 'value' | 'from' | 'to'>;

const isHeard = ({ claims }: StatementGroup, weighings: readonly Weighing[]) =>
  claims.some(({ index }) => !weighings[index]!.silent);

/**
 * The same of all statements of a bucket at once: those that agree with a statement and do not count for it,
 * by position. `related`: the statements of the bucket. Never throws.
 */
export function uncountedFor(
  { groups }: Bucket,
  related: RelatedStatements,
  weighings: readonly Weighing[],
): (position: number) => readonly number[] {
  const [first] = groups;
  if (groups.every(({ from, to }) => from === first!.from && to === first!.to)) return () => [];
  const heard = groups.map((group) => isHeard(group, weighings));
  const starts = related.largest(Float64Array.from(groups, ({ from }, i) => (heard[i] ? BEYOND + from : 0)));
  const ends = related.largest(Float64Array.from(groups, ({ to }, i) => (heard[i] ? BEYOND - to : 0)));
  return (position) => {
    const latestStart = starts.conflicting(position) - BEYOND;
    const earliestEnd = BEYOND - ends.conflicting(position);
    return related.agreeing(position).filter((index) => {
      const { from, to } = groups[index]!;
      return !(from < earliestEnd && latestStart < to);
    });
  };
}

/** Milliseconds between the epoch and an instant that no year of four digits reaches. */
const BEYOND = 1e15;
