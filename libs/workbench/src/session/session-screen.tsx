import { useEffect, useState } from 'preact/hooks';
import { sessionPath } from '../api/api.ts';
import type { Session } from '../api/wire.ts';
import { useApi } from '../browser/api-context.ts';
import { Failure } from '../components/failure.tsx';
import { Link } from '../components/link.tsx';
import { OpenSession } from './open-session.tsx';

/** One session, once it is read. */
export function SessionScreen({ id }: { readonly id: string }) {
  const api = useApi();
  const [session, setSession] = useState<Session | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    api<Session>('GET', sessionPath(id), { signal: stop.signal }).then(setSession, (failure: unknown) => {
      if (!stop.signal.aborted) setError(failure);
    });
    return () => stop.abort();
  }, [attempt]);
  if (session !== null)
    return (
      <OpenSession
        session={session}
        changed={(change) => setSession((now) => (now === null ? null : change(now)))}
      />
    );
  const retry = () => {
    setError(null);
    setAttempt(attempt + 1);
  };
  return (
    <main class="screen">
      {error === null ? <p role="status">Loading …</p> : <h1>The investigation could not be opened</h1>}
      <Failure error={error} retry={retry} />
      <p>
        <Link to={{ screen: 'sessions' }}>All investigations</Link>
      </p>
    </main>
  );
}
