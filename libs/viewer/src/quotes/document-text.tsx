import type { ShareDocument } from '../snapshot.ts';
import { count } from '../format/numbers.ts';
import { visible } from '../format/text.ts';
import { passageFragment } from './pinned-quotes.ts';

type Mark = Pick<ShareDocument['marks'][number], 'start' | 'end' | 'isCandidate'>;

/** The stretches of a document with its quoted passages marked; what is left out between them is said. */
export function DocumentText({
  length,
  stretches,
  marks,
}: Pick<ShareDocument, 'length' | 'stretches'> & { readonly marks: readonly Mark[] }) {
  let shown = 0;
  return (
    <div class="document-text" dir="auto">
      {stretches.map(({ start, text, page }) => {
        const points = [...text];
        const end = start + points.length;
        const omitted = start - shown;
        shown = end;
        const own = marks.filter((mark) => mark.start >= start && mark.end <= end);
        return (
          <>
            <Omitted points={omitted} />
            {page !== undefined && <PageStart number={page} />}
            <Marked key={start} start={start} points={points} marks={own} page={page} />
          </>
        );
      })}
      <Omitted points={length - shown} />
    </div>
  );
}

function Omitted({ points }: { readonly points: number }) {
  if (points <= 0) return null;
  return <p class="document-omitted">[{count(points)} characters are not shown]</p>;
}

function PageStart({ number }: { readonly number: number }) {
  return <span class="page-start">Page {number}</span>;
}

/** Text cut where marks and pages begin and end, so that marks may overlap. */
function Marked({
  start,
  points,
  marks,
  page = 1,
}: {
  readonly start: number;
  readonly points: readonly string[];
  readonly marks: readonly Mark[];
  /** Number of the page at `start`. */
  readonly page?: number | undefined;
}) {
  const breaks = points.flatMap((point, index) => (point === '\f' ? [start + index] : []));
  const pages = new Map(breaks.map((at, index) => [at, page + index + 1]));
  const cuts = [
    ...new Set([
      start,
      ...breaks.flatMap((at) => [at, at + 1]),
      ...marks.flatMap((mark) => [mark.start, mark.end]),
      start + points.length,
    ]),
  ].toSorted((a, b) => a - b);
  return (
    <>
      {cuts.slice(0, -1).map((from, index) => {
        const to = cuts[index + 1]!;
        const next = pages.get(from);
        const text = visible(points.slice(from - start, to - start).join(''));
        const covering = marks.filter((mark) => mark.start <= from && mark.end >= to);
        // Two claims may quote the same passage, and an id stands once.
        const ids = [...new Set(marks.filter((mark) => mark.start === from).map(passageFragment))];
        return (
          <>
            {ids.map((id) => (
              <span key={id} id={id} class="passage-anchor" />
            ))}
            {next !== undefined ? (
              <PageStart number={next} />
            ) : covering.length === 0 ? (
              text
            ) : (
              <mark
                class={covering.every(({ isCandidate }) => isCandidate) ? 'passage-candidate' : 'passage'}
              >
                {text}
              </mark>
            )}
          </>
        );
      })}
    </>
  );
}
