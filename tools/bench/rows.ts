import type { BenchRow } from '@platform/testing';

/** Three significant digits, so that a table claims no more precision than the measurement has. */
export function formatFigure(value: number): string {
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(3)));
}

/** The rows of one benchmark as a Markdown table. A `|` in a text is escaped. */
export function toMarkdown(rows: readonly BenchRow[]): string {
  const cell = (text: string) => text.replaceAll('|', '\\|');
  const lines = rows.map((row) => {
    const outcome = row.target === '' ? '' : row.pass ? 'reached' : '**missed**';
    const figure = `${formatFigure(row.value)} ${row.unit}`.trim();
    return `| ${[row.name, figure, row.target, outcome, row.detail].map(cell).join(' | ')} |`;
  });
  return ['| what | measured | target | | how |', '|---|---|---|---|---|', ...lines].join('\n');
}

/**
 * `page` with the text between the markers `<!-- begin NAME -->` and `<!-- end NAME -->` replaced; appended
 * with markers when the page has none yet.
 */
export function replaceBetween(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- begin ${name} -->`, `<!-- end ${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  const block = `${begin}\n\n${text}\n\n${end}`;
  if (from < 0 || to < from) return `${page.trimEnd()}\n\n${block}\n`;
  return page.slice(0, from) + block + page.slice(to + end.length);
}
