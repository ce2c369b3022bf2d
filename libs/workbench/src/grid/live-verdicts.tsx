import { useMemo } from 'preact/hooks';
import type { InvestigationInput, SubjectResult } from '@platform/opinion-fusion';
import {
  chanceText,
  count,
  counted,
  likelihoodLabel,
  likelihoodTone,
  Sentence,
  statementOf,
  type Model,
} from '@platform/viewer/browser';
import { namedProblem } from '../edit/named-problem.ts';
import { ProblemList } from '../components/problem-list.tsx';
import type { Entity } from '../edit/kinds.ts';
import { useLiveVerdicts } from './use-live-verdicts.ts';

interface Props {
  readonly payload: InvestigationInput;
  readonly isShown: boolean;
  readonly model: Model | null;
  /** The claim of the row at hand; what it is about comes first. */
  readonly claim: Entity | undefined;
}

/** Verdicts listed; the panes show all. */
const SHOWN = 40;
const PROBLEMS_SHOWN = 5;

interface Row {
  readonly key: string;
  readonly result: SubjectResult;
  readonly pattern: string | undefined;
  /** Its chance at the last judgement, where that was another; null where there was no such verdict. */
  readonly before: string | null | undefined;
  readonly isOfRow: boolean;
}

/** What the investigation would be judged as it stands, and what that changes of the last judgement. */
export function LiveVerdicts({ payload, isShown, model, claim }: Props) {
  const { live, isJudging } = useLiveVerdicts(payload, isShown);
  const about = JSON.stringify([claim?.['subject_id'], claim?.['predicate']]);
  const rows = useMemo(
    () => (live === null ? [] : rowsOf(live.verdicts, model, about)),
    [live, model, about],
  );
  const moved = rows.filter(({ before }) => before !== undefined).length;
  return (
    <aside class="live" aria-labelledby="live-title" aria-busy={isJudging}>
      <h3 id="live-title">Verdicts as it stands</h3>
      <p class="live-state" role="status">
        {live === null
          ? 'Judging …'
          : live.problems.length > 0
            ? 'It cannot be judged yet.'
            : rows.length === 0
              ? 'No verdicts yet: fill in a first claim.'
              : model === null
                ? counted(rows.length, 'verdict')
                : moved === 0
                  ? 'As at the last judgement.'
                  : `${counted(moved, 'verdict')} moved since the last judgement.`}
      </p>
      {live !== null && (
        <ProblemList
          problems={live.problems.slice(0, PROBLEMS_SHOWN)}
          named={(problem) => namedProblem(problem, payload)}
        />
      )}
      <ul class="live-list" tabIndex={0} aria-label="Verdicts">
        {rows.slice(0, SHOWN).map(({ key, result, pattern, before, isOfRow }) => (
          <li key={key} class={isOfRow ? 'live-own' : undefined}>
            <p>
              <Sentence parts={statementOf({ result, pattern })} />
            </p>
            <p class="live-chance">
              <strong class={`finding-word tone-${likelihoodTone(result)}`}>{likelihoodLabel(result)}</strong>{' '}
              <span data-live={key}>
                {before === undefined ? '' : before === null ? 'new: ' : `${before} → `}
                {chanceText(result)}
              </span>
            </p>
          </li>
        ))}
      </ul>
      {rows.length > SHOWN && <p class="more">and {count(rows.length - SHOWN)} more</p>}
    </aside>
  );
}

/** The verdict on the row at hand first, then what moved, then the others. */
function rowsOf(verdicts: readonly SubjectResult[], model: Model | null, about: string): Row[] {
  const before = new Map(model?.verdicts.map((verdict) => [keyOf(verdict.result), verdict]));
  const rows = verdicts.map((result): Row => {
    const key = keyOf(result);
    const known = before.get(key);
    const was = known === undefined ? null : chanceText(known.result);
    return {
      key,
      result,
      pattern: known?.pattern,
      before: model === null || was === chanceText(result) ? undefined : was,
      isOfRow: key === about,
    };
  });
  const rank = ({ isOfRow, before: was }: Row) => (isOfRow ? 0 : was !== undefined ? 1 : 2);
  return rows.toSorted((a, b) => rank(a) - rank(b));
}

const keyOf = ({ subject_id, predicate }: Pick<SubjectResult, 'subject_id' | 'predicate'>) =>
  JSON.stringify([subject_id, predicate]);
