import { useState } from 'preact/hooks';
import { whereSaid, type OutcomePlace, type SubjectResult } from '@platform/opinion-fusion';
import {
  counted,
  instant,
  percent,
  questionSubject,
  readable,
  shownValue,
  UserText,
} from '@platform/viewer/browser';
import { sessionPath } from '../api/api.ts';
import type { Outcome, Session } from '../api/wire.ts';
import { useApi } from '../browser/api-context.ts';
import { useFetched } from '../browser/use-fetched.ts';
import { Confirm } from '../components/confirm.tsx';
import { Failure } from '../components/failure.tsx';
import { nameOf } from '../edit/kinds.ts';
import { itemsOf } from '../edit/payload-change.ts';
import { CalibrationReport } from './calibration-report.tsx';
import { OutcomeForm } from './outcome-form.tsx';

/** Outcomes that are listed; more are behind a button. */
const PAGE = 50;

interface Props {
  readonly session: Session;
  readonly isShown: boolean;
  /** Findings of the last judgement; empty until they are loaded. */
  readonly findings: readonly SubjectResult[];
  /** Whether outcomes are recorded and removed here, and not only shown. */
  readonly mayEdit: boolean;
}

/** What turned out to be true, next to what the judgement before had said, and how right judgements are. */
export function OutcomesSection({ session, isShown, findings, mayEdit }: Props) {
  const path = sessionPath(session.session_id, 'outcomes');
  const [limit, setLimit] = useState(PAGE);
  /** Counts what was recorded and removed here. */
  const [changes, setChanges] = useState(0);
  const changed = () => setChanges((now) => now + 1);
  const {
    value: outcomes,
    error,
    reload,
  } = useFetched<Outcome[]>(isShown ? `${path}?limit=${limit}` : null, [changes]);
  return (
    <section id="history-outcomes" class="after" aria-labelledby="history-outcomes-title">
      <header class="pane-header">
        <h2 id="history-outcomes-title">Outcomes</h2>
        <p>
          Record what turned out to be true. Each outcome is compared with the last judgement made before it
          was known, and shows over time how far the stated chances can be relied on.
        </p>
      </header>
      <div class="publish-parts">
        {mayEdit && (
          <OutcomeForm
            path={path}
            findings={findings}
            claims={itemsOf(session.payload, 'claims')}
            recorded={changed}
            isJudged={session.judged_at !== null}
          />
        )}
        <CalibrationReport isShown={isShown} changes={changes} />
      </div>
      <Failure error={error} retry={reload} />
      {outcomes === null && error === null && <p role="status">Loading …</p>}
      {outcomes?.length === 0 && <p class="empty">No outcome of this investigation is recorded yet.</p>}
      {outcomes !== null && outcomes.length > 0 && (
        <OutcomeTable outcomes={outcomes} path={path} session={session} removed={mayEdit ? changed : null} />
      )}
      {outcomes?.length === limit && limit < 4 * PAGE && (
        <button type="button" onClick={() => setLimit(limit + PAGE)}>
          Show more
        </button>
      )}
    </section>
  );
}

function OutcomeTable({
  outcomes,
  path,
  session,
  removed,
}: {
  readonly outcomes: readonly Outcome[];
  readonly path: string;
  readonly session: Session;
  /** null = nothing is removed here. */
  readonly removed: (() => void) | null;
}) {
  const api = useApi();
  const [removing, setRemoving] = useState<Outcome | null>(null);
  const subjectName = (id: string) => {
    const found = itemsOf(session.payload, 'subjects').find((subject) => subject.id === id);
    return (found && nameOf(found)) || id;
  };
  return (
    <>
      <table class="data-table">
        <caption>Recorded outcomes, the last first</caption>
        <thead>
          <tr>
            <th scope="col">Question</th>
            <th scope="col">Turned out to be</th>
            <th scope="col">The judgement before</th>
            <th scope="col">Known since</th>
            <th scope="col">
              <span class="visually-hidden">Remove</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {outcomes.map((outcome) => (
            <tr key={outcome.id}>
              <th scope="row">
                <UserText text={questionSubject(subjectName(outcome.subject_id), outcome.predicate)} />,{' '}
                <UserText text={readable(outcome.predicate)} />
                <Place {...outcome} />
              </th>
              <td data-title="Turned out to be">
                <UserText text={shownValue(outcome.value)} />
                {outcome.note !== null && (
                  <span class="move-item">
                    <UserText text={outcome.note} />
                  </span>
                )}
                {outcome.url !== null && (
                  <span class="move-item">
                    <a href={outcome.url} rel="noopener nofollow noreferrer" target="_blank">
                      Where it can be read
                    </a>
                  </span>
                )}
              </td>
              <td data-title="The judgement before">
                <Forecast {...outcome} />
              </td>
              <td data-title="Known since">{instant(outcome.known_at)}</td>
              <td>
                {removed !== null && (
                  <button type="button" onClick={() => setRemoving(outcome)}>
                    Remove
                    <span class="visually-hidden">
                      {' '}
                      the outcome of {questionSubject(
                        subjectName(outcome.subject_id),
                        outcome.predicate,
                      )}, {readable(outcome.predicate)}
                    </span>
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {removing !== null && (
        <Confirm
          title="Remove this outcome?"
          yes="Remove it"
          busy="Removing …"
          no="Keep it"
          onYes={async () => {
            await api('DELETE', `${path}/${removing.id}`);
            removed?.();
          }}
          close={() => setRemoving(null)}
        >
          <p>It no longer counts for how right judgements and sources were.</p>
        </Confirm>
      )}
    </>
  );
}

/** Scope and time in brackets, where there are any. */
function Place(place: OutcomePlace) {
  const where = whereSaid(place);
  return where === '' ? null : (
    <>
      {' ('}
      <UserText text={where} />)
    </>
  );
}

function Forecast({ forecast, caution }: Pick<Outcome, 'forecast' | 'caution'>) {
  if (forecast === null) return <>{caution ?? 'None that named a value.'}</>;
  const {
    leading_value: value,
    denied,
    likelier,
    chance,
    was_right: isRight,
    sources_right: right,
    sources_wrong: wrong,
  } = forecast;
  return (
    <>
      {isRight !== null && (
        <>
          <span class={isRight === chance >= 0.5 ? 'change-added' : 'change-removed'}>
            {forecastWords(chance, isRight)}
          </span>
          {': '}
        </>
      )}
      {denied && 'not '}
      {value === null ? (
        isRight === null ? (
          'Values were tied, so that none led'
        ) : (
          'nothing led'
        )
      ) : (
        <UserText text={shownValue(value)} />
      )}
      <Place {...forecast} />, {percent(chance)}
      {likelier && (
        <>
          ; <UserText text={shownValue(likelier.value)} /> was likelier, {percent(likelier.chance)}
        </>
      )}
      <span class="move-item">
        {counted(right, 'source')} had said so, {counted(wrong, 'source')} otherwise.
      </span>
      {caution !== null && <span class="move-item">{caution}</span>}
    </>
  );
}

/** A value that led with less than half the chance was doubted, as the words of its finding were. */
function forecastWords(chance: number, wasRight: boolean): string {
  if (chance >= 0.5) return wasRight ? 'Right' : 'Wrong';
  return wasRight ? 'Wrongly doubted' : 'Rightly doubted';
}
