import { isOtherwise } from '@platform/opinion-fusion';
import type { z } from 'zod';
import type { ExplainedVerdict } from '../wire/explanation-schema.ts';
import type { AskedPart } from './shown-result.ts';

export type Explained = z.output<typeof ExplainedVerdict>;
type Contribution = Explained['explanation']['contributions'][number];

/** Contributions, and sources that a verdict hangs on, of a part; in text and data alike. */
export const EXPLAINED_MAX = 8;
export const FIRST_PART: AskedPart = { limit: EXPLAINED_MAX, offset: 0 };

/** Whether a contribution adds anything to the verdict. */
export const isCounted = ({ counted }: Contribution): boolean => counted > 0;

/** What an explanation lists, in the order in which its parts have it: what counts before what does not. */
export function listsOf({
  contributions,
  without_source,
  unrelated_claim_ids,
  ...now
}: Explained['explanation']) {
  return {
    contributions: contributions.toSorted((a, b) => Number(isCounted(b)) - Number(isCounted(a))),
    without_source: without_source.filter((row) => isOtherwise(row, now)),
    unrelated_claim_ids,
  };
}

/**
 * An explanation with a part of each of its lists, of the sources those without which the verdict would be
 * another; `next_offset` is where the next part begins, null = this is the last. Pure.
 */
export function explanationPart({ explanation, ...explained }: Explained, { limit, offset }: AskedPart) {
  const lists = listsOf(explanation);
  const end = offset + limit;
  const longest = Math.max(...Object.values(lists).map(({ length }) => length));
  return {
    ...explained,
    explanation: {
      ...explanation,
      contributions: lists.contributions.slice(offset, end),
      without_source: lists.without_source.slice(offset, end),
      unrelated_claim_ids: lists.unrelated_claim_ids.slice(offset, end),
      omitted: {
        contributions: Math.max(0, lists.contributions.length - limit),
        sources_that_change_nothing: explanation.without_source.length - lists.without_source.length,
      },
    },
    next_offset: longest > end ? end : null,
  };
}
