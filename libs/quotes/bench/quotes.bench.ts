import type { BenchRow } from '@platform/testing';
import { anchorQuote, IndexedText, selectPassage } from '../src/index.ts';

const QUOTES = 200;

/** How long a quote takes to find in documents of an article's, a book's and the largest length. */
export async function run(): Promise<BenchRow[]> {
  return [
    rowOf('an article of 20 kB', 20_000, 1),
    rowOf('a book of 500 kB', 500_000, 1),
    rowOf('a document of 4 MiB, the largest', 4_194_304, null),
  ];
}

function rowOf(name: string, length: number, targetMs: number | null): BenchRow {
  const sentences = Array.from(
    { length: Math.ceil(length / 60) },
    (_, n) => `Sentence ${n} says that ${n * 7919} people came. `,
  );
  const text = sentences.join('').slice(0, length);
  const selectors = Array.from({ length: QUOTES }, (_, n) => {
    const from = Math.floor((n / QUOTES) * (length - 200));
    return selectPassage(text, from, from + 120)!;
  });
  // Every position is wrong, so that each quote is searched for, and one in two is not there.
  const edited = new IndexedText(`An introduction. ${text}`);
  const wanted = selectors.map((one, n) => (n % 2 === 0 ? one : { ...one, exact: `${one.exact}!` }));
  for (const one of wanted) anchorQuote(edited, one);
  const startedAt = performance.now();
  for (const one of wanted) anchorQuote(edited, one);
  const ms = (performance.now() - startedAt) / QUOTES;
  return {
    name: `a quote that has moved or gone, in ${name}`,
    value: Number(ms.toFixed(4)),
    unit: 'ms',
    target: targetMs === null ? '' : `< ${targetMs}`,
    pass: targetMs === null || ms < targetMs,
    detail: `${QUOTES} quotes of 120 characters, half of them not there`,
  };
}
