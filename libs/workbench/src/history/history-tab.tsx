import { useEffect, useState } from 'preact/hooks';
import {
  ChangeCounts,
  ChangedItems,
  counted,
  instant,
  MoveTable,
  type JudgementChanges,
  type JudgementMeta,
  type VerdictMove,
} from '@platform/viewer/browser';
import { sessionPath } from '../api/api.ts';
import type { Session } from '../api/wire.ts';
import { useApi } from '../browser/api-context.ts';
import { Failure } from '../components/failure.tsx';
import { Field } from '../components/field.tsx';

/** Moves that are asked for at a time. */
const PAGE = 20;

interface Props {
  readonly session: Session;
  readonly isShown: boolean;
}

/** The judgements of a session, and two of them side by side: what changed, and what that moved. */
export function HistoryTab({ session, isShown }: Props) {
  const api = useApi();
  const { session_id: id, judged_at } = session;
  const [judgements, setJudgements] = useState<readonly JudgementMeta[] | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  const [chosen, setChosen] = useState<{ readonly before: string; readonly after: string } | null>(null);

  useEffect(() => {
    if (!isShown || judged_at === null) return undefined;
    const stop = new AbortController();
    api<JudgementMeta[]>('GET', sessionPath(id, 'judgements'), { signal: stop.signal }).then(
      (found) => {
        setError(null);
        setJudgements(found);
        setChosen(found.length < 2 ? null : { before: found[1]!.id, after: found[0]!.id });
      },
      (failure: unknown) => {
        if (!stop.signal.aborted) setError(failure);
      },
    );
    return () => stop.abort();
  }, [isShown, judged_at, attempt]);

  const choice = (side: 'before' | 'after', label: string) => (
    <Field label={label}>
      {(control) => (
        <select
          {...control}
          value={chosen?.[side]}
          onChange={(event) => setChosen({ ...chosen!, [side]: event.currentTarget.value })}
        >
          {judgements!.map((judgement, index) => (
            <option key={judgement.id} value={judgement.id}>
              {judgements!.length - index}: {instant(judgement.judged_at)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );

  const placeOf = (wanted: string) => judgements!.findIndex((judgement) => judgement.id === wanted);

  return (
    <div class="history">
      <header class="pane-header">
        <h2>History</h2>
        <p>What changed between two judgements, and how far each change moved each verdict.</p>
        <p>
          Below: <a href="#history-outcomes">what turned out to be true</a>, and{' '}
          <a href="#history-watch">what to report when a verdict moves</a>.
        </p>
      </header>
      <Failure error={error} retry={() => setAttempt(attempt + 1)} />
      {judged_at === null && <p class="empty">There is no history before the investigation is judged.</p>}
      {judged_at !== null && judgements === null && error === null && <p role="status">Loading …</p>}
      {judgements !== null && chosen === null && (
        <p class="empty">
          There is one judgement so far. Edit something and judge again; what it moved is shown here.
        </p>
      )}
      {judgements !== null && chosen !== null && (
        <>
          <p>{counted(judgements.length, 'judgement')}, numbered from the first.</p>
          <div class="form-grid">
            {choice('before', 'Judgement')}
            {choice('after', 'compared with')}
          </div>
          <Compared
            key={`${chosen.before} ${chosen.after}`}
            session={session}
            // The latest is first in the list.
            pair={[placeOf(chosen.before), placeOf(chosen.after)]
              .toSorted((a, b) => b - a)
              .map((place) => ({ id: judgements[place]!.id, number: judgements.length - place }))}
          />
        </>
      )}
    </div>
  );
}

/** What changed from the earlier of two judgements to the later. */
function Compared({
  session,
  pair,
}: {
  readonly session: Session;
  readonly pair: readonly { readonly id: string; readonly number: number }[];
}) {
  const [earlier, later] = [pair[0]!, pair[1]!];
  const api = useApi();
  const [compared, setCompared] = useState<JudgementChanges | null>(null);
  const [moves, setMoves] = useState<readonly VerdictMove[]>([]);
  const [wanted, setWanted] = useState(PAGE);
  const [error, setError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  const isSame = earlier.id === later.id;

  useEffect(() => {
    if (isSame) return undefined;
    const stop = new AbortController();
    const query = new URLSearchParams({
      before: earlier.id,
      after: later.id,
      limit: String(wanted - moves.length),
      offset: String(moves.length),
    });
    const path = `${sessionPath(session.session_id, 'judgements', 'compare')}?${query.toString()}`;
    api<JudgementChanges>('GET', path, { signal: stop.signal }).then(
      (found) => {
        setError(null);
        setCompared(found);
        setMoves((known) => [...known, ...found.verdicts]);
      },
      (failure: unknown) => {
        if (!stop.signal.aborted) setError(failure);
      },
    );
    return () => stop.abort();
  }, [wanted, attempt]);

  if (isSame) return <p class="empty">This is one judgement. Choose another to compare it with.</p>;
  if (compared === null)
    return error === null ? (
      <p role="status">Comparing …</p>
    ) : (
      <Failure error={error} retry={() => setAttempt(attempt + 1)} />
    );
  const { change_count, changed_verdicts } = compared;
  return (
    <>
      <ChangeCounts changes={compared} role="status">
        From judgement {earlier.number} to judgement {later.number}:
      </ChangeCounts>
      <ChangedItems changes={compared.changes} total={change_count} payload={session.payload} />
      {moves.length > 0 && <MoveTable moves={moves} payload={session.payload} />}
      <Failure error={error} retry={() => setAttempt(attempt + 1)} />
      {changed_verdicts > moves.length && (
        <button type="button" onClick={() => setWanted(moves.length + PAGE)}>
          Show more of {changed_verdicts}
        </button>
      )}
    </>
  );
}
