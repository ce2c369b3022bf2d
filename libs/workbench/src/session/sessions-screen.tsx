import { useEffect, useState } from 'preact/hooks';
import { counted, day, instant, plain, UserText } from '@platform/viewer/browser';
import type { ListedShare, SessionMeta } from '../api/wire.ts';
import { useApi } from '../browser/api-context.ts';
import { useScreenTitle } from '../browser/focus.ts';
import { useFetched } from '../browser/use-fetched.ts';
import { Failure } from '../components/failure.tsx';
import { Field } from '../components/field.tsx';
import { Link } from '../components/link.tsx';
import { NewSession } from './new-session.tsx';
import { ROLE_WORDS } from '../api/rights.ts';

const PAGE = 50;
const TYPING_PAUSE_MS = 250;

type Sort = 'updated_at' | 'created_at' | 'name';

/**
 * What a session is about to say: its answer, whose it is, how many claims it has, and when it was judged.
 */
function SessionFacts({ session }: { readonly session: SessionMeta }) {
  const { leading_answer: answer, claim_count: claims, judged_at, updated_at, owner_name, role } = session;
  return (
    <span class="session-facts">
      {answer !== null && (
        <>
          <UserText class="session-answer" text={answer.text} />
          {' · '}
        </>
      )}
      {role !== 'owner' && (
        <>
          <UserText text={`of ${owner_name ?? 'a colleague'}`} />
          {role !== null && `, you ${ROLE_WORDS[role]}`}
          {' · '}
        </>
      )}
      {counted(claims, 'claim')}
      {' · '}
      {judged_at === null ? (
        'not judged yet'
      ) : (
        <time dateTime={judged_at} title={instant(judged_at)}>
          judged {day(judged_at)}
        </time>
      )}{' '}
      {judged_at !== null && updated_at > judged_at && <span class="flag">edited since</span>}
    </span>
  );
}

/** The sessions of the signed-in user: filter, sort, open, create. */
export function SessionsScreen() {
  const api = useApi();
  const heading = useScreenTitle('Investigations');
  const [filter, setFilter] = useState('');
  const [sort, setSort] = useState<Sort>('updated_at');
  const [isJudged, setJudged] = useState('');
  const [limit, setLimit] = useState(PAGE);
  const [sessions, setSessions] = useState<readonly SessionMeta[] | null>(null);
  const [hasMore, setMore] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  const [isCreating, setCreating] = useState(false);

  useEffect(() => {
    const stop = new AbortController();
    const load = async () => {
      try {
        // One more than is shown says whether there are more.
        const wanted = limit + 1;
        const found: SessionMeta[] = [];
        while (found.length < wanted) {
          const query = new URLSearchParams({ sort, offset: String(found.length) });
          const size = Math.min(200, wanted - found.length);
          query.set('limit', String(size));
          if (filter !== '') query.set('name_filter', filter);
          if (isJudged !== '') query.set('has_result', isJudged);
          const part = await api<SessionMeta[]>('GET', `/sessions?${query.toString()}`, {
            signal: stop.signal,
          });
          found.push(...part);
          if (part.length < size) break;
        }
        if (stop.signal.aborted) return;
        setSessions(found.slice(0, limit));
        setMore(found.length > limit);
        setError(null);
      } catch (failure) {
        if (!stop.signal.aborted) setError(failure);
      }
    };
    const timer = setTimeout(() => void load(), filter === '' ? 0 : TYPING_PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [filter, sort, isJudged, limit, attempt]);

  // Which are published is an addition to the list; without it the list is whole.
  const shares = useFetched<readonly ListedShare[]>('/shares');
  const published = new Set(
    shares.value?.flatMap(({ session_id, is_public }) => (is_public ? [session_id] : [])),
  );
  const isNarrowed = filter !== '' || isJudged !== '';
  return (
    <main class="screen">
      <div class="screen-head">
        <h1 ref={heading} tabIndex={-1}>
          Investigations
        </h1>
        <button type="button" class="primary" onClick={() => setCreating(true)}>
          New investigation
        </button>
      </div>
      <search class="list-tools" hidden={sessions?.length === 0 && !isNarrowed}>
        <Field label="Name contains">
          {(control) => (
            <input
              {...control}
              type="search"
              value={filter}
              onInput={(event) => setFilter(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field label="Show">
          {(control) => (
            <select {...control} value={isJudged} onChange={(event) => setJudged(event.currentTarget.value)}>
              <option value="">all</option>
              <option value="true">judged</option>
              <option value="false">not judged yet</option>
            </select>
          )}
        </Field>
        <Field label="Sort by">
          {(control) => (
            <select
              {...control}
              value={sort}
              onChange={(event) => setSort(event.currentTarget.value as Sort)}
            >
              <option value="updated_at">last changed</option>
              <option value="created_at">created</option>
              <option value="name">name</option>
            </select>
          )}
        </Field>
      </search>
      <Failure error={error} retry={() => setAttempt(attempt + 1)} />
      {sessions === null && error === null && <p role="status">Loading …</p>}
      {sessions?.length === 0 && (
        <p class="empty" role="status">
          {isNarrowed
            ? 'No investigation fits. Change the filter to see others.'
            : 'No investigations yet. Each holds a question with its sources, claims and verdicts. Start with New investigation.'}
        </p>
      )}
      {sessions !== null && sessions.length > 0 && (
        <table class="data-table session-table">
          <caption class="visually-hidden">Your investigations</caption>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Changed</th>
            </tr>
          </thead>
          <tbody>
            {sessions.map((session) => (
              <tr key={session.id}>
                <th scope="row">
                  <Link to={{ screen: 'session', id: session.id }}>
                    <UserText text={plain(session.name) === '' ? session.id : session.name} />
                  </Link>
                  {/* A space, which ends a line unseen, where a margin would indent the next one. */}{' '}
                  {published.has(session.id) && <span class="flag published">published</span>}
                  <SessionFacts session={session} />
                </th>
                <td data-title="Changed">{instant(session.updated_at)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {hasMore && (
        <button type="button" onClick={() => setLimit(limit + PAGE)}>
          Show more
        </button>
      )}
      {isCreating && <NewSession close={() => setCreating(false)} />}
    </main>
  );
}
