import type { ShareDocument } from '@platform/viewer';
import type { LookedUpQuote } from './check-quotes.ts';
import type { StoredVersion } from './stored-versions.ts';

type Mark = ShareDocument['marks'][number];

/** What a share shows of a document before and after each passage. Code points. */
const AROUND = 1_500;
/** What a share shows of all documents together. Code points; later documents are left out. */
const SHOWN_MAX = 2_000_000;

/**
 * What a share shows of the documents that quotes are pinned to: each verified passage, and each place of a
 * moved one, with 1,500 code points before and after. Quotes that were not found or not checked show
 * nothing, nor do whole documents. Pure.
 */
export function excerptsOf(looked: readonly LookedUpQuote[]): ShareDocument[] {
  const byVersion = new Map<StoredVersion, Mark[]>();
  for (const { quote, check, version } of looked) {
    if (version === null || !check || check.whole_document) continue;
    const { kind, id } = quote;
    const places =
      check.state === 'verified' ? [{ start: check.start!, end: check.end! }] : (check.candidates ?? []);
    const marks = byVersion.get(version) ?? [];
    for (const { start, end } of places)
      marks.push({ kind, id, start, end, isCandidate: check.state !== 'verified' });
    if (marks.length > 0) byVersion.set(version, marks);
  }
  let shown = 0;
  return [...byVersion].flatMap(([version, marks]): ShareDocument[] => {
    const stretches = stretchesOf(version, marks);
    shown += stretches.reduce((sum, { text }) => sum + text.length, 0);
    if (shown > SHOWN_MAX) return [];
    const { document, version: number, sha256, filename, url, addedAt, text } = version;
    return [
      {
        document,
        version: number,
        sha256,
        filename,
        url,
        added_at: addedAt,
        length: text.length,
        stretches,
        marks: marks.toSorted((a, b) => a.start - b.start || b.end - a.end),
      },
    ];
  });
}

function stretchesOf({ text }: StoredVersion, marks: readonly Mark[]): ShareDocument['stretches'] {
  const ranges = marks
    .map(({ start, end }) => ({ from: Math.max(0, start - AROUND), to: Math.min(text.length, end + AROUND) }))
    .toSorted((a, b) => a.from - b.from);
  const joined: { from: number; to: number }[] = [];
  for (const range of ranges) {
    const last = joined.at(-1);
    if (last !== undefined && range.from <= last.to) last.to = Math.max(last.to, range.to);
    else joined.push({ ...range });
  }
  const hasPages = text.text.includes('\f');
  return joined.map(({ from, to }) => {
    const unit = text.unitsAt(from)!;
    return {
      start: from,
      text: text.text.slice(unit, text.unitsAt(to)!),
      ...(hasPages ? { page: text.text.slice(0, unit).split('\f').length } : {}),
    };
  });
}
