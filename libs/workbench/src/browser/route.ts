import { useEffect, useState } from 'preact/hooks';
import { mayLeave } from './unsaved.ts';

/** The screen that the address names: the list of sessions, one session, a document, or programs. */
export type Route =
  | { readonly screen: 'programs' }
  | { readonly screen: 'sessions' }
  | { readonly screen: 'session'; readonly id: string }
  /** A stored document; version null = the current one. */
  | { readonly screen: 'document'; readonly id: string; readonly version: number | null };

const SESSIONS_PATH = '/app';
const PROGRAMS_PATH = '/app/programs';
const DOCUMENT = /^\/app\/documents\/([\w-]+)\/(current|\d{1,9})$/;
const SESSION = /^\/app\/sessions\/([^/]+)$/;

export function pathOf(route: Route): string {
  if (route.screen === 'document')
    return `${SESSIONS_PATH}/documents/${route.id}/${route.version ?? 'current'}`;
  if (route.screen === 'programs') return PROGRAMS_PATH;
  return route.screen === 'sessions'
    ? SESSIONS_PATH
    : `${SESSIONS_PATH}/sessions/${encodeURIComponent(route.id)}`;
}

/** Any other path, and one that cannot be decoded, is the list. */
function readPath(path: string): Route {
  if (path === PROGRAMS_PATH) return { screen: 'programs' };
  const [, document, version] = DOCUMENT.exec(path) ?? [];
  if (document !== undefined)
    return { screen: 'document', id: document, version: version === 'current' ? null : Number(version) };
  const [, encoded] = SESSION.exec(path) ?? [];
  if (encoded === undefined) return { screen: 'sessions' };
  try {
    return { screen: 'session', id: decodeURIComponent(encoded) };
  } catch {
    return { screen: 'sessions' };
  }
}

/** Sent on the window when the page goes elsewhere by itself. */
const NAVIGATED = 'navigated';

/** Goes to another screen, unless something unsaved is to be kept. */
export function navigate(route: Route, fragment = ''): void {
  if (!mayLeave()) return;
  history.pushState(null, '', pathOf(route) + fragment);
  dispatchEvent(new Event(NAVIGATED));
}

/** The route of the address, followed as it changes. */
export function useRoute(): Route {
  const [path, setPath] = useState(location.pathname);
  useEffect(() => {
    const onNavigated = () => setPath(location.pathname);
    const onBack = (event: PopStateEvent) => {
      if (location.pathname === path) return;
      if (mayLeave()) return setPath(location.pathname);
      // Nothing else on the page follows an address that was refused.
      event.stopImmediatePropagation();
      const { pane } = document.documentElement.dataset;
      history.pushState(null, '', pane === undefined ? path : `${path}#${pane}`);
    };
    addEventListener(NAVIGATED, onNavigated);
    addEventListener('popstate', onBack, { capture: true });
    return () => {
      removeEventListener(NAVIGATED, onNavigated);
      removeEventListener('popstate', onBack, { capture: true });
    };
  }, [path]);
  return readPath(path);
}
