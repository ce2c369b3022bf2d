import type { Caller } from '../../access/caller.ts';
import type { Permissions } from '../../access/permissions.ts';
import { textOf } from '../../model/text-pieces.ts';
import { documentPath } from '../../model/followed-event.ts';
import { quoteChecksOf, type KeptQuoteChecks } from '../../quotes/quote-checks.ts';
import { unpackJson, type PackedJson } from '../../wire/packed-json.ts';
import { unread, type QuoteCheck, type QuoteChecks } from '../../wire/quote-schema.ts';

/**
 * What a caller may be shown of the kept checks of a judgement, no matter who judged: each quote from a
 * document that they may not read now is `not_checked`. A document goes by every name that it had when it was
 * read for the judgement. Throws `rate_limited` and `unavailable`.
 */
export async function readableQuotes(
  { permissions }: { readonly permissions: Permissions },
  caller: Caller,
  packed: PackedJson,
): Promise<QuoteChecks> {
  const kept = JSON.parse(textOf(await unpackJson(packed))) as KeptQuoteChecks;
  const isReadable = await readableDocuments(permissions, caller, kept);
  const items = kept.items.map((item) => (isReadable(item) ? item : unread(item, 'no_access')));
  return quoteChecksOf(items, new Date(kept.checked_at));
}

async function readableDocuments(
  permissions: Permissions,
  caller: Caller,
  { filenames }: KeptQuoteChecks,
): Promise<(item: QuoteCheck) => boolean> {
  // Nobody knows whose they were. Of what was judged in the background nothing was read.
  if (filenames === undefined) return ({ reason }) => reason === 'no_credential';
  const names = filenames.flatMap(([document, of]) => of.map((filename) => ({ document, filename })));
  const asked = names.map(({ filename }) => documentPath(filename));
  const allowed = names.length === 0 ? [] : await permissions.mayRead(caller, asked);
  const hidden = new Set(names.flatMap(({ document }, index) => (allowed[index] ? [] : [document])));
  return ({ document }) => !hidden.has(document);
}
