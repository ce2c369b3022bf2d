import type { Mapping } from './mapping.ts';
import type { RowProblem } from './read-claims.ts';
import { cellKey, type Sheet } from './sheet.ts';
import { SOURCE_COLUMNS } from './source-columns.ts';

/** Cells, or rows, with the same thing wrong. */
export interface ProblemGroup {
  readonly field: string;
  readonly kind: string;
  readonly problems: readonly RowProblem[];
  /** Whether the rows are claims once these cells are left empty. */
  readonly mayEmpty: boolean;
  /** Whether the user may say which of both the words of these cells mean. */
  readonly isStance: boolean;
}

/** Problems grouped by field and kind, words of a stance each for itself, in order of their lines. Pure. */
export function problemGroups(problems: readonly RowProblem[]): readonly ProblemGroup[] {
  const groups = new Map<string, RowProblem[]>();
  for (const problem of problems) {
    const { field, kind, cell } = problem;
    const key = JSON.stringify([field, kind, isStance(problem) && cell?.toLowerCase()]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [problem]);
    else group.push(problem);
  }
  return [...groups.values()].map((found) => {
    const [first] = found as [RowProblem];
    const { field, kind } = first;
    const isWord = isStance(first);
    return { field, kind, problems: found, mayEmpty: first.isOptional && !isWord, isStance: isWord };
  });
}

/**
 * What a remedy puts into the cells of a group, as `ImportOptions.mended` has it. A pinned quote is left out
 * whole: half of one is wrong, too. Pure.
 */
export const mendedCells = ({ problems }: ProblemGroup, text: string): ReadonlyMap<string, string> =>
  new Map(
    problems.flatMap(({ line, field }) =>
      (SOURCE_COLUMNS.includes(field) ? SOURCE_COLUMNS : [field]).map((name) => [cellKey(line, name), text]),
    ),
  );

/** Fields that a sheet with grouped rows states in the first row of a group alone. */
const GROUPED = ['actor_id', 'subject_id'];

/**
 * What the rows above have in the column of empty cells of source or subject, as `ImportOptions.mended` has
 * it; nothing for cells without any above them, and of other groups. Pure.
 */
export function cellsFromAbove(
  { field, problems }: ProblemGroup,
  { rows }: Pick<Sheet, 'rows'>,
  mapping: Mapping,
): ReadonlyMap<string, string> {
  const column = mapping.indexOf(field);
  const found = new Map<string, string>();
  if (column < 0 || !GROUPED.includes(field) || problems.some(({ cell }) => cell !== undefined)) return found;
  const lines = new Set(problems.map(({ line }) => line));
  let above = '';
  for (const { line, cells } of rows) {
    above = cells[column]?.trim() || above;
    if (lines.has(line) && above !== '') found.set(cellKey(line, field), above);
  }
  return found;
}

const isStance = ({ field, cell }: RowProblem) => field === 'valence' && cell !== undefined;
