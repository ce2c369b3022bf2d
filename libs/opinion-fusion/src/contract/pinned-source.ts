import type { Problems } from './invalid-investigation.ts';

/** Longest quote, a passage and not its document. UTF-16 code units. */
export const QUOTE_LENGTH_MAX = 10_000;
/** Longest text before and after a passage. UTF-16 code units. */
export const CONTEXT_LENGTH_MAX = 200;

/** What is wrong with a passage that is not the quote of its claim or item of evidence. */
export const QUOTE_DIFFERS = 'must be the same as quote: leave quote out, or give the same words';

/** Ids of documents go into addresses of docstore-api. */
const DOCUMENT_ID = /^[\w-]{1,128}$/;

const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * A text with each run of white space, such as a line break of CR LF with the indent after it, as one space:
 * the one rule by which words are the same wherever their lines break. Pure.
 */
export const foldWhiteSpace = (text: string): string => text.replace(/\s+/g, ' ');

type Read = Readonly<Record<string, unknown>>;

/** Unicode code points of a text. */
function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/**
 * Adds the problems of a pinned source that its fields do not show one by one: a position that its words
 * contradict, half a position, and a quote that is not the passage. `owner` is the claim or item of evidence,
 * at `path`, and `given` the same before it was read. Fields of a wrong type are passed over: they are
 * problems already.
 */
export function checkPinnedSource(owner: Read, given: Read, path: string, problems: Problems): void {
  const source = owner['source'] as Read | null | undefined;
  if (source === undefined || source === null) return;
  const at = `${path === '' ? '' : `${path}.`}source`;
  const { document, version, selector } = source;
  if (typeof document === 'string' && !DOCUMENT_ID.test(document))
    problems.add(
      `${at}.document`,
      'must be the id of a document, such as file_0192…, of letters, digits, - and _',
    );
  if (version === 0) problems.add(`${at}.version`, 'must be 1 or more: the first version is 1');
  if (typeof selector !== 'object' || selector === null) return;
  const { exact, start, end } = selector as Read;
  if (exact === '') problems.add(`${at}.selector.exact`, 'must not be empty: give the words of the passage');
  // One that was given and could not be read is no missing one.
  const asGiven = (given['source'] as { selector: Read }).selector;
  for (const [one, other] of [
    ['start', 'end'],
    ['end', 'start'],
  ] as const)
    if ((asGiven[one] ?? null) === null && (asGiven[other] ?? null) !== null)
      problems.add(`${at}.selector.${one}`, `is required with ${other}: give both, or neither`);
  if (typeof exact !== 'string') return;
  if (LONE_SURROGATE.test(exact))
    problems.add(`${at}.selector.exact`, 'must be well-formed Unicode: it holds a lone surrogate');
  if (typeof start === 'number' && typeof end === 'number') checkLength(exact, start, end, at, problems);
  const { quote } = owner;
  if (typeof quote === 'string' && foldWhiteSpace(quote).trim() !== foldWhiteSpace(exact).trim())
    problems.add(`${at}.selector.exact`, QUOTE_DIFFERS);
}

function checkLength(exact: string, start: number, end: number, at: string, problems: Problems): void {
  const length = codePoints(exact);
  if (start > end) problems.add(`${at}.selector.start`, `must be at most end, ${end}, not ${start}`);
  else if (end - start !== length)
    problems.add(
      `${at}.selector.end`,
      `must be start + ${length}, the code points of exact, not start + ${end - start}`,
    );
}
