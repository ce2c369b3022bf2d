import type { InvestigationInput, PinnedSource } from '@platform/opinion-fusion';

/**
 * A passage that a claim or an item of evidence quotes from a stored document; without a selector the whole
 * document, of which a digest may be named.
 */
export interface PinnedQuote {
  readonly kind: 'claims' | 'evidence';
  /** Of the claim or item. */
  readonly id: string;
  readonly source: PinnedSource;
}

/** What an investigation that the engine has accepted pins, in its order. */
export function pinnedQuotesOf(input: Pick<InvestigationInput, 'claims' | 'evidence'>): PinnedQuote[] {
  return (['claims', 'evidence'] as const).flatMap((kind) =>
    (input[kind] ?? []).flatMap(({ id, source }): PinnedQuote[] => (source ? [{ kind, id, source }] : [])),
  );
}

/** Whose pin it is, and of what: as the first fields of its check. */
export const pinOf = ({ kind, id, source: { document, selector } }: PinnedQuote) => ({
  kind,
  id,
  document,
  ...(selector ? {} : { whole_document: true as const }),
});
