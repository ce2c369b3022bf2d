import type { ClaimInput, EvidenceInput } from '@platform/opinion-fusion';
import type { JudgedInvestigation, QuoteCheck } from '../snapshot.ts';

/** What a row says about its pinned quote. */
export interface QuoteMark {
  readonly state: QuoteCheck['state'];
  /** The state in a word. */
  readonly word: string;
  /** What it means, in a sentence. */
  readonly meaning: string;
  /** Where the passage can be read in its document; null where the page has none of it. */
  readonly href: string | null;
  /** Whether the words were found and the share does not show them. */
  readonly isMissing: boolean;
  /** Whether the words stand where they were quoted from, and not so in the current version. */
  readonly isEdited: boolean;
}

/** A claim or an item of evidence, and what became of the quote that it pins. */
export type Marked<T> = T & { readonly mark?: QuoteMark };

/** Id of a passage in the page of its document; positions in code points. */
export const passageFragment = ({ start, end }: { readonly start: number; readonly end: number }) =>
  `at-${start}-${end}`;

/** Path of a document below the page that links to it, by id and version. */
const documentPath = (document: string, version: number | 'current') =>
  `documents/${encodeURIComponent(document)}/${version}`;

/** Places of a quote in a version of its document, as anchoring and the checks of a judgement say them. */
interface Places {
  readonly state?: string;
  readonly start?: number;
  readonly end?: number;
  readonly occurrences?: number;
  readonly candidates?: readonly { readonly start: number; readonly end: number }[];
}

/**
 * Address of a version of a document in the workbench: at the place of a quote, or with all the places that a
 * quote which has moved may stand at, so that none of them is taken for it.
 */
export function workbenchPassage(
  document: string,
  version: number | 'current',
  { start, end, occurrences, candidates = [] }: Places,
): string {
  const path = `/app/${documentPath(document, version)}`;
  if (start !== undefined && end !== undefined) return `${path}#${passageFragment({ start, end })}`;
  const [likeliest] = candidates;
  if (likeliest === undefined) return path;
  const moved = candidates.map((place) => `${place.start}-${place.end}`).join('.');
  return `${path}?moved=${moved}&occurrences=${occurrences}#${passageFragment(likeliest)}`;
}

const wordOf = (state: QuoteCheck['state']) => (state === 'gone' ? 'not found' : state.replace('_', ' '));

const REASONS: Readonly<Record<NonNullable<QuoteCheck['reason']>, string>> = {
  no_access:
    'The document is not there, or those who judged, opened or published this may not read it. With the right to read it, judge again.',
  unavailable: 'The document store did not respond.',
  digest_mismatch: 'The stored version has another digest than named.',
  too_large: 'There was too much text to check at once.',
  not_configured: 'No document store is connected.',
  no_credential: 'Judging in the background reads no documents.',
};

function meaningOf(check: QuoteCheck): string {
  const { version, missing_version: missing } = check;
  if (missing === undefined) return foundOf(check);
  return `${foundOf(check)} Version ${missing}, which was quoted, is not kept; version ${version} was read instead.`;
}

function foundOf({ state, reason, cut, occurrences, current, whole_document: isWhole }: QuoteCheck): string {
  switch (state) {
    case 'verified':
      if (isWhole)
        return `The stored document has the digest that is named${current === undefined ? '' : '; it was edited since'}.`;
      return current === undefined
        ? 'The words stand there in the stored document.'
        : `The words stand there in the version that was quoted; the document was edited since, and ${CURRENT[current.state]}.`;
    case 'moved':
      return `The words are not where they were quoted from; the document holds them ${occurrences === 1 ? 'in another place' : `${occurrences} times`}.`;
    case 'gone':
      return `The document does not hold these words${cut ? ' by themselves' : ''}.`;
    case 'not_checked':
      return reason === undefined ? 'Nobody looked the words up.' : REASONS[reason];
  }
}

const CURRENT = {
  verified: 'still says so in the same place',
  moved: 'says so in another place',
  gone: 'does not say so any more',
} as const;

/** What the rows of claims and evidence say about their pinned quotes. */
export function quoteMarks(
  judged: JudgedInvestigation & { readonly share?: { readonly slug?: string } },
): (kind: QuoteCheck['kind'], item: ClaimInput | EvidenceInput) => QuoteMark | undefined {
  const items = judged.quotes?.items ?? [];
  const checks = new Map(items.map((check) => [`${check.kind} ${check.id}`, check]));
  return (kind, { id, source }) => {
    const check = checks.get(`${kind} ${id}`);
    if (check === undefined) return source?.selector ? markOf(UNCHECKED, null) : undefined;
    return markOf(check, hrefOf(check, judged), judged.share?.slug !== undefined);
  };
}

const UNCHECKED = { state: 'not_checked' } as QuoteCheck;

/** The document could not be read when the share was published, or was one too many. */
const MISSING = 'The passage is missing: it could not be read when the page was published.';

function markOf(check: QuoteCheck, href: string | null, isShare = false): QuoteMark {
  const isMissing = isShare && href === null && placeOf(check) !== undefined;
  const meaning = isMissing ? `${meaningOf(check)} ${MISSING}` : meaningOf(check);
  const edited = check.current?.state ?? 'verified';
  const isEdited = check.state === 'verified' && edited !== 'verified';
  const word = isEdited ? `verified, ${wordOf(edited)} since` : wordOf(check.state);
  return { state: check.state, word, meaning, href, isMissing, isEdited };
}

/** Where the words were found, of a quote that has moved the likeliest place. */
const placeOf = ({ start, end, candidates }: QuoteCheck) =>
  start === undefined || end === undefined ? candidates?.[0] : { start, end };

/**
 * A passage in the documents of a share, or in the workbench's page of the document. Of a quote that has
 * moved the likeliest place, which the page of the document shows as such.
 */
function hrefOf(
  check: QuoteCheck,
  { documents, share }: JudgedInvestigation & { readonly share?: { readonly slug?: string } },
): string | null {
  const { document, version, whole_document: isWhole } = check;
  const place = placeOf(check);
  if (version === undefined) return null;
  if (share?.slug === undefined)
    return place === undefined && !isWhole ? null : workbenchPassage(document, version, check);
  if (place === undefined) return null;
  const target = `${documentPath(document, version)}#${passageFragment(place)}`;
  const shown = documents?.find((one) => one.document === document && one.version === version);
  const isShown = shown?.marks.some((mark) => mark.start === place.start && mark.end === place.end);
  return isShown ? `${share.slug}/${target}` : null;
}

/** The items with what became of their quotes; the very same list where none is pinned. */
export function withMarks<T extends ClaimInput | EvidenceInput>(
  kind: QuoteCheck['kind'],
  items: readonly T[],
  mark: ReturnType<typeof quoteMarks>,
): readonly Marked<T>[] {
  if (!items.some(({ source }) => source)) return items;
  return items.map((item) => {
    const found = mark(kind, item);
    return found === undefined ? item : { ...item, mark: found };
  });
}
