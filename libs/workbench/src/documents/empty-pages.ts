/** Runs of page numbers that are named. */
const NAMED_MAX = 20;

/** The numbers, from 1, of the pages of a text that have none; a form feed begins a page. Pure. */
export const pagesWithoutText = (text: string): number[] =>
  text.split('\f').flatMap((page, index) => (page.trim() === '' ? [index + 1] : []));

/** Page numbers in words, those that follow one another as a range. Pure. */
export function pageWords(pages: readonly number[]): string {
  const runs: [first: number, last: number][] = [];
  for (const page of pages) {
    const run = runs.at(-1);
    if (run !== undefined && run[1] === page - 1) run[1] = page;
    else runs.push([page, page]);
  }
  const named = runs
    .slice(0, NAMED_MAX)
    .map(([first, last]) => (first === last ? first : `${first}–${last}`));
  const left = runs.slice(NAMED_MAX).reduce((sum, [first, last]) => sum + last - first + 1, 0);
  if (left > 0) named.push(`${left} more`);
  const listed = new Intl.ListFormat('en').format(named.map(String));
  return `${pages.length === 1 ? 'Page' : 'Pages'} ${listed}`;
}
