import { plain, shortened } from '@platform/viewer/browser';
import type { Entity } from '../edit/kinds.ts';
import { cellProblem } from '../csv/problem-words.ts';
import { columnIndex, titleOf } from './columns.ts';
import { itemProblems } from './desk.ts';
import { rowsNamed } from './refusals.ts';

const SENTENCES_MAX = 4;
const TEXT_LENGTH = 40;

/**
 * Which cells of which rows keep claims from being saved, each reason once; empty for none. `rows`
 * are the places of the claims on view. Pure.
 */
export function incompleteWords(claims: readonly Entity[], rows: ReadonlyMap<string, number>): string {
  const found = new Map<string, number[]>();
  for (const claim of claims) {
    const row = rows.get(claim.id);
    for (const sentence of sentencesOf(claim)) {
      const places = found.get(sentence) ?? [];
      found.set(sentence, row === undefined ? places : [...places, row]);
    }
  }
  const sentences = [...found].map(([sentence, places]) =>
    places.length === 0 ? `A row that is not shown: ${sentence}.` : `${rowsNamed(places)}: ${sentence}.`,
  );
  const more = sentences.length - SENTENCES_MAX;
  return [...sentences.slice(0, SENTENCES_MAX), ...(more > 0 ? [`And ${more} more reasons.`] : [])].join(' ');
}

/** What is wrong with a claim: the cells that are empty in one sentence, each other one in its own. */
function sentencesOf(claim: Entity): string[] {
  const isEmpty = (path: string) => (claim[path] ?? '') === '';
  const problems = itemProblems('claims', claim).toSorted(
    (a, b) => columnIndex(a.path) - columnIndex(b.path),
  );
  const empty = [...new Set(problems.map(({ path }) => path).filter(isEmpty))].map(titleOf);
  const last = empty.length > 1 ? ` and ${empty.pop()!}` : '';
  const others = problems
    .filter(({ path }) => !isEmpty(path))
    .map((problem) => {
      const text = claim[problem.path];
      const quoted = typeof text === 'string' ? ` “${shortened(plain(text), TEXT_LENGTH)}”` : '';
      return `${titleOf(problem.path)}${quoted} ${cellProblem(problem)}`;
    });
  return empty.length === 0
    ? others
    : [`${empty.join(', ')}${last} ${last === '' ? 'is' : 'are'} empty`, ...others];
}
