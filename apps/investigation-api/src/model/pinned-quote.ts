import type { InvestigationInput, PinnedSource, TextSelector } from '@platform/opinion-fusion';

/** A passage that a claim or an item of evidence quotes from a stored document. */
export interface PinnedQuote {
  readonly kind: 'claims' | 'evidence';
  /** Of the claim or item. */
  readonly id: string;
  readonly source: PinnedSource & { readonly selector: TextSelector };
}

/** The quotes of an investigation that the engine has accepted, in its order. */
export function pinnedQuotesOf(input: Pick<InvestigationInput, 'claims' | 'evidence'>): PinnedQuote[] {
  return (['claims', 'evidence'] as const).flatMap((kind) =>
    (input[kind] ?? []).flatMap(({ id, source }): PinnedQuote[] =>
      source?.selector ? [{ kind, id, source: { ...source, selector: source.selector } }] : [],
    ),
  );
}
