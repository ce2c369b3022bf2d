import { count, counted, plain, shortened, visible } from '@platform/viewer/browser';
import { labelOf } from '../edit/kinds.ts';
import type { Mapping } from './mapping.ts';
import { cellsFromAbove, mendedCells, problemGroups, type ProblemGroup } from './problem-groups.ts';
import type { ImportedClaims } from './read-claims.ts';
import type { Spellings } from '../files/near-spelled.ts';
import { quoted } from '../files/overlap-words.ts';
import { RepeatedNotice } from './repeated-notice.tsx';
import { cellKey, type Sheet } from './sheet.ts';
import { SpellingNotices } from './spelling-notices.tsx';

const GROUPS_SHOWN = 20;
const LINES_NAMED = 5;
const TEXTS_NAMED = 3;
const TEXT_LENGTH = 40;

/** What a user chose for cells that could not be taken as they are. */
export interface Remedy {
  readonly words: string;
  readonly cells: ReadonlyMap<string, string>;
}

interface Props {
  readonly imported: ImportedClaims;
  /** Claims that would be imported. */
  readonly claims: number;
  /** Leaves out claims that are there already, or takes them in again. */
  readonly skipRepeated: (isSkipped: boolean) => void;
  /** Spellings of the claims that are judged apart. */
  readonly spellings: readonly Spellings[];
  /** What the claims mean for those that are there. */
  readonly overlaps: readonly string[];
  readonly sheet: Sheet;
  readonly mapping: Mapping;
  readonly unreadable: readonly string[];
  readonly remedies: readonly Remedy[];
  readonly mend: (remedy: Remedy) => void;
  readonly takeBack: (remedy: Remedy) => void;
}

/** What the import would do, what is wrong in which lines, grouped, and the buttons that mend a group. */
export function ImportOutcome(props: Props) {
  const { imported, claims, skipRepeated, spellings, overlaps, sheet, mapping, unreadable } = props;
  const { remedies, mend, takeBack } = props;
  const { actors, subjects, problems, notes, replaced, repeated } = imported;
  const isSkipped = claims < imported.claims.length;
  const groups = problemGroups(problems);
  return (
    <section class="outcome" aria-labelledby="csv-outcome">
      <h3 id="csv-outcome">Preview</h3>
      <p role="status">
        {counted(claims, 'claim')} from {counted(sheet.rows.length, 'row')}
        {replaced > 0 && `, ${count(replaced)} in place of claims with the same id`};{' '}
        {counted(actors.length, 'new source')}, {counted(subjects.length, 'new subject')}.
      </p>
      {overlaps.map((words) => (
        <p key={words} class="notice">
          {visible(words)}
        </p>
      ))}
      <RepeatedNotice
        repeated={repeated.size}
        named={placesOf(linesOf(imported))}
        isSkipped={isSkipped}
        skip={skipRepeated}
      />
      <SpellingNotices
        spellings={spellings}
        where={({ items }) => placesOf(items.map(({ id }) => imported.lineOfId.get(id)!))}
        use={(group) => mend(spelledRemedy(group, imported.lineOfId))}
      />
      {remedies.map((remedy) => (
        <p key={remedy.words}>
          {remedy.words}{' '}
          <button type="button" class="link" onClick={() => takeBack(remedy)}>
            Take it back
          </button>
        </p>
      ))}
      {(groups.length > 0 || unreadable.length > 0) && (
        <ul class="problems">
          {unreadable.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
          {groups.slice(0, GROUPS_SHOWN).map((group) => (
            <li key={groupWords(group)}>
              {groupWords(group)}{' '}
              <Remedies group={group} above={cellsFromAbove(group, sheet, mapping)} mend={mend} />
            </li>
          ))}
          {groups.length > GROUPS_SHOWN && (
            <li>and {count(groups.length - GROUPS_SHOWN)} more kinds of problem</li>
          )}
        </ul>
      )}
      {notes.length > 0 && (
        <ul>
          {problemGroups(notes).map((group) => (
            <li key={groupWords(group)}>{groupWords(group)}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface RemediesProps {
  readonly group: ProblemGroup;
  /** What the rows above say in its cells. */
  readonly above: ReadonlyMap<string, string>;
  readonly mend: Props['mend'];
}

function Remedies({ group, above, mend }: RemediesProps) {
  const { field, problems, mayEmpty, isStance } = group;
  const cells = counted(problems.length, 'cell');
  const text = textOf(problems[0]!.cell ?? '');
  const put = (words: string, value: string) => mend({ words, cells: mendedCells(group, value) });
  if (above.size > 0) {
    const filled = counted(above.size, 'cell');
    const words = `${filled} of ${labelOf(field)} filled from the row above.`;
    return (
      <button type="button" onClick={() => mend({ words, cells: above })}>
        Fill {filled} from the row above
      </button>
    );
  }
  if (mayEmpty)
    return (
      <button type="button" onClick={() => put(`${cells} of ${labelOf(field)} left empty.`, '')}>
        {problems.length === 1
          ? 'Leave this cell empty'
          : `Leave these ${count(problems.length)} cells empty`}
      </button>
    );
  if (!isStance) return null;
  return (
    <>
      <button
        type="button"
        onClick={() => put(`${text} means that the source denies it: ${cells}.`, 'Refutes')}
      >
        It denies
      </button>{' '}
      <button
        type="button"
        onClick={() => put(`${text} means that the source says so: ${cells}.`, 'Supports')}
      >
        It does not deny
      </button>
    </>
  );
}

const textOf = (cell: string) => `“${visible(shortened(plain(cell), TEXT_LENGTH))}”`;

/** Puts one spelling into the cells of the others. */
const spelledRemedy = ({ field, use, items }: Spellings, lineOfId: ImportedClaims['lineOfId']): Remedy => ({
  words: `${quoted(use)} for all: ${counted(items.length, 'cell')} of ${labelOf(field)}.`,
  cells: new Map(items.map(({ id }) => [cellKey(lineOfId.get(id)!, field), use])),
});

const linesOf = ({ repeated, lineOfId }: ImportedClaims) => [...repeated].map(({ id }) => lineOfId.get(id)!);

/** A group in a sentence: its field, its first texts, what is wrong with them, and its first lines. */
export function groupWords({ field, kind, problems }: ProblemGroup): string {
  const texts = [...new Set(problems.flatMap(({ cell }) => cell ?? []))];
  const moreTexts = texts.length > TEXTS_NAMED ? ' …' : '';
  const named = texts.slice(0, TEXTS_NAMED).map(textOf).join(', ');
  const lines = [...new Set(problems.map(({ line }) => line))];
  const what = [named + moreTexts, visible(kind)].filter(Boolean).join(' ');
  return `${field === '' ? 'Row' : labelOf(field)}: ${what} (${placesOf(lines)}).`;
}

/** `lines 2, 3`: the first ones, and how many more there are. */
export function placesOf(lines: readonly number[]): string {
  const more = lines.length - LINES_NAMED;
  return `${lines.length === 1 ? 'line' : 'lines'} ${lines.slice(0, LINES_NAMED).join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}`;
}
