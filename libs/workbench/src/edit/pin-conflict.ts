import { foldWhiteSpace, QUOTE_DIFFERS, type PinnedSource } from '@platform/opinion-fusion';
import { placesAsTyped } from '@platform/quotes';
import type { Problem } from '../api/problems.ts';
import type { Draft } from './draft.ts';
import type { Entity } from './kinds.ts';

/** What is wrong with a quote that is not the passage, after its words. */
const OTHER_WORDS =
  'says other words than those that are pinned in the document: unpin these, pin the new words, or take the pinned words back';

/**
 * Problems of a claim or an item of evidence as its form and its row show them: that its quote is not the
 * passage stands at the quote, which was typed, and not deep in the source, which was not. Pure.
 */
export const atQuote = (problems: readonly Problem[]): readonly Problem[] =>
  problems.map((problem) =>
    problem.message === QUOTE_DIFFERS ? { path: 'quote', message: OTHER_WORDS } : problem,
  );

/** Whether problems, as `atQuote` gives them, are that the quote is not the passage, and nothing else. */
export const isOtherWords = (problems: readonly Problem[]): boolean =>
  problems.length > 0 && problems.every(({ message }) => message === OTHER_WORDS);

/** The item without the passage that it pins; its quote stays. Pure. */
export function unpinned(item: Entity): Entity {
  const { source: _, ...rest } = item as Entity & { source?: unknown };
  return rest;
}

/** The words that an item pins; null for none. */
export const pinnedWords = (item: Draft): string | null =>
  (item['source'] as PinnedSource | null | undefined)?.selector?.exact ?? null;

/**
 * A claim or an item of evidence whose field was set. One that quotes the passage that is pinned now in other
 * signs, such as straight quotation marks, then quotes it as its document has it. Pure.
 */
export function withField(item: Draft, name: string, value: unknown): Draft {
  const changed = { ...item, [name]: value };
  const quote = item['quote'];
  const pinned = name === 'source' ? pinnedWords(changed) : null;
  if (pinned === null || typeof quote !== 'string') return changed;
  if (foldWhiteSpace(quote).trim() === foldWhiteSpace(pinned).trim()) return changed;
  const isSimilar = placesAsTyped(pinned, quote).some(([from, to]) => from === 0 && to === pinned.length);
  return isSimilar ? { ...changed, quote: pinned } : changed;
}
