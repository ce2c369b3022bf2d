import { useEffect, useState } from 'preact/hooks';
import type { SubjectResult } from '@platform/opinion-fusion';
import { instant, readable, UserText } from '@platform/viewer/browser';
import { sessionPath } from '../api/api.ts';
import type { CreatedSubscription, Session, Share, Subscription, WatchEvent } from '../api/wire.ts';
import { useApi } from '../browser/api-context.ts';
import { useFetched } from '../browser/use-fetched.ts';
import { Confirm } from '../components/confirm.tsx';
import { Copied } from '../components/copied.tsx';
import { Failure } from '../components/failure.tsx';
import { nameOf } from '../edit/kinds.ts';
import { itemsOf } from '../edit/payload-change.ts';
import { WatchForm } from './watch-form.tsx';
import { eventLines, RULES, rulesText } from './watch-words.ts';

/** A judgement is looked at, and its events are delivered, seconds after it was made. */
const REFRESH_MS = 5000;
/** Events of a watch that are shown: the last ones. */
const EVENTS_SHOWN = 20;

interface Props {
  readonly session: Session;
  readonly isShown: boolean;
  /** Findings of the last judgement; empty until they are loaded. */
  readonly findings: readonly SubjectResult[];
  readonly share: Share | null | undefined;
}

/** The user's own watches on an investigation, and what they have reported. */
export function WatchSection({ session, isShown, findings, share }: Props) {
  const { session_id: id, judged_at: judgedAt } = session;
  const path = sessionPath(id, 'subscriptions');
  const { value: watches, error, reload } = useFetched<Subscription[]>(isShown ? path : null, [judgedAt]);
  useEffect(() => {
    if (!isShown) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) reload();
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [isShown]);
  const [secret, setSecret] = useState<string | null>(null);

  return (
    <section id="history-watch" class="after" aria-labelledby="history-watch-title">
      <header class="pane-header">
        <h2 id="history-watch-title">Watch</h2>
        <p>
          A watch compares each judgement with the one before and reports what moved. Only you see your
          watches.
        </p>
      </header>
      <div class="publish-parts">
        <WatchForm
          path={path}
          findings={findings}
          created={({ secret: shown }: CreatedSubscription) => {
            setSecret(shown);
            reload();
          }}
        />
        <section class="share-form" aria-labelledby="watches-title">
          <h3 id="watches-title">Your watches</h3>
          <div aria-live="polite">
            {secret !== null && (
              <Copied
                label="Signing secret"
                value={secret}
                copy="Copy secret"
                help="Your receiver checks messages with it (Standard Webhooks). It is shown this once."
              />
            )}
          </div>
          <Failure error={error} retry={reload} />
          {watches === null && error === null && <p role="status">Loading …</p>}
          {watches?.length === 0 && (
            <p class="empty">Nothing is watched yet. Choose what to hear about and start a watch.</p>
          )}
          {watches !== null && watches.length > 0 && (
            <ul class="watches">
              {watches.map((watch) => (
                <Watch key={watch.id} watch={watch} path={path} session={session} changed={reload} />
              ))}
            </ul>
          )}
          {share?.is_public === true && (
            <p class="field-help">
              Readers of the public page follow it with its <a href={`${share.url}/feed.atom`}>feed</a>.
            </p>
          )}
        </section>
      </div>
    </section>
  );
}

function Watch({
  watch,
  path: watches,
  session,
  changed,
}: {
  readonly watch: Subscription;
  readonly path: string;
  readonly session: Session;
  readonly changed: () => void;
}) {
  const api = useApi();
  const path = `${watches}/${watch.id}`;
  const after = Math.max(0, watch.last_number - EVENTS_SHOWN);
  const events = useFetched<WatchEvent[]>(
    watch.last_number === 0 ? null : `${path}/events?after=${after}&limit=${EVENTS_SHOWN}`,
    // A delivery changes without another event.
    [watch],
  );
  const [error, setError] = useState<unknown>(null);
  const [isEnding, setEnding] = useState(false);
  const subjectName = (id: string) => {
    const found = itemsOf(session.payload, 'subjects').find((subject) => subject.id === id);
    return (found && nameOf(found)) || id;
  };
  const parked = events.value?.filter(({ delivery }) => delivery === 'parked') ?? [];

  async function run(work: () => Promise<unknown>, done: () => void): Promise<void> {
    setError(null);
    try {
      await work();
      done();
    } catch (failure) {
      setError(failure);
    }
  }
  const isPaused = watch.paused_at !== null;

  return (
    <li>
      <p>
        <strong>{sentence(rulesText(watch))}</strong>
        {watch.subject_id !== null && (
          <>
            {' '}
            For <UserText text={subjectName(watch.subject_id)} />
            {watch.predicate !== null && (
              <>
                , <UserText text={readable(watch.predicate)} />
              </>
            )}
            .
          </>
        )}
      </p>
      <p class="field-help">
        Since {instant(watch.created_at)}.
        {watch.webhook_url !== null && (
          <>
            {' '}
            Sent to <UserText text={watch.webhook_url} />.
          </>
        )}
      </p>
      {watch.paused_at !== null && (
        <p>
          <span class="flag">paused</span> Since {instant(watch.paused_at)}. When it resumes, it reports once
          what has moved meanwhile.
        </p>
      )}
      {watch.problem !== null && (
        <p>
          <span class="flag">needs attention</span> <UserText text={watch.problem} />
        </p>
      )}
      {watch.last_number === 0 && watch.problem === null && <p>Nothing has moved so far.</p>}
      {events.value !== null && (
        <ol class="watch-events" reversed>
          {[...events.value].reverse().map((event) => (
            <li key={event.id} value={event.number}>
              {RULES[event.type].label}, {instant(event.timestamp)}
              {event.delivery === 'pending' && <span class="flag">not delivered yet</span>}
              {event.delivery === 'parked' && <span class="flag">delivery failed</span>}
              <ul>
                {eventLines(event, subjectName).map((line) => (
                  <li key={line}>
                    <UserText text={line} />
                  </li>
                ))}
              </ul>
              {event.problem !== null && event.delivery !== 'delivered' && (
                <p class="field-help">
                  <UserText text={event.problem} />
                </p>
              )}
            </li>
          ))}
        </ol>
      )}
      <Failure error={error ?? events.error} retry={events.error === null ? undefined : events.reload} />
      <div class="form-actions">
        {parked.length > 0 && (
          <button
            type="button"
            onClick={() => void run(() => api('POST', `${path}/replay`, { body: {} }), events.reload)}
          >
            Deliver again
          </button>
        )}
        <button
          type="button"
          onClick={() => void run(() => api('PATCH', path, { body: { paused: !isPaused } }), changed)}
        >
          {isPaused ? 'Resume' : 'Pause'}
        </button>
        <button type="button" onClick={() => setEnding(true)}>
          End this watch
        </button>
      </div>
      {isEnding && (
        <Confirm
          title="End this watch?"
          yes="End it"
          busy="Ending …"
          no="Keep it"
          onYes={async () => {
            await api('DELETE', path);
            changed();
          }}
          close={() => setEnding(false)}
        >
          <p>What it has reported is deleted with it.</p>
        </Confirm>
      )}
    </li>
  );
}

const sentence = (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
