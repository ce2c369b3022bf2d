import { useEffect, useLayoutEffect, useMemo, useReducer } from 'preact/hooks';
import { sessionPath } from '../api/api.ts';
import type { Session } from '../api/wire.ts';
import { useApi } from '../browser/api-context.ts';
import { useUnsaved } from '../browser/unsaved.ts';
import { createDesk, type Desk, type DeskState } from './desk.ts';

/** The desk of a session, and its state as it changes. What it stores is told to `changed`. */
export function useDesk(
  session: Session,
  changed: (change: (session: Session) => Session) => void,
): { readonly desk: Desk; readonly state: DeskState } {
  const api = useApi();
  const path = sessionPath(session.session_id);
  const desk = useMemo(
    () =>
      createDesk(session, {
        send: (body) => api('PATCH', path, { body }),
        read: () => api<Session>('GET', path),
        stored: (payload, stored) => changed((now) => ({ ...now, ...stored, payload })),
        setTimer: (run, ms) => setTimeout(run, ms),
        clearTimer: (timer) => clearTimeout(timer),
      }),
    [session.session_id],
  );
  const [, draw] = useReducer<number, void>((times) => times + 1, 0);
  useLayoutEffect(() => desk.subscribe(() => draw()), [desk]);
  // Before the desk stores the next edit: what was stored before it is not to be adopted over it.
  useLayoutEffect(() => desk.adopt(session), [session.payload]);
  useEffect(() => {
    const onSeen = () => void (document.hidden ? desk.flush() : desk.refresh());
    document.addEventListener('visibilitychange', onSeen);
    window.addEventListener('focus', onSeen);
    return () => {
      document.removeEventListener('visibilitychange', onSeen);
      window.removeEventListener('focus', onSeen);
    };
  }, [desk]);
  const state = desk.state();
  useUnsaved(state.unsaved > 0);
  return { desk, state };
}
