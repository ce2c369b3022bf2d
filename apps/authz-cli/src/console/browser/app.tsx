import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ask } from './api.ts';
import { AuditScreen } from './audit-screen.tsx';
import { Problem, wordsOf } from './parts.tsx';
import { hasDrafts, PoliciesScreen } from './policies-screen.tsx';
import { SearchScreen } from './search-screen.tsx';
import { TryScreen } from './try-screen.tsx';
import { UsageScreen } from './usage-screen.tsx';

interface Me {
  readonly username: string;
  readonly subject_id: string;
  readonly domain_id: string;
  readonly domains: readonly { readonly id: string; readonly name: string }[];
}

const SCREENS = {
  try: 'Try',
  policies: 'Policies',
  search: 'Search',
  audit: 'Audit',
  usage: 'Usage',
} as const;
type ScreenId = keyof typeof SCREENS;

/** What the address names behind its `#`: a screen, and the chosen domain, empty for that of the context. */
interface Shown {
  readonly screen: ScreenId;
  readonly domain: string;
}

function shownBy(hash: string): Shown {
  const [id = '', domain = ''] = hash.slice(1).split('/');
  return { screen: Object.hasOwn(SCREENS, id) ? (id as ScreenId) : 'try', domain };
}

function hashOf({ screen, domain }: Shown): string {
  return domain === '' ? `#${screen}` : `#${screen}/${domain}`;
}

function App() {
  const [me, setMe] = useState<Me | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [{ screen, domain: named }, setShown] = useState(shownBy(location.hash));
  const domain = me?.domains.find(({ id }) => id === named)?.id ?? me?.domain_id ?? '';
  useEffect(() => {
    const follow = () => {
      const next = shownBy(location.hash);
      // An address without a domain keeps the one that was chosen before.
      setShown((before) => ({ ...next, domain: next.domain === '' ? before.domain : next.domain }));
      // A screen reader announces the new screen by its heading.
      requestAnimationFrame(() => document.querySelector('h1')?.focus());
    };
    addEventListener('hashchange', follow);
    ask<Me>('me').then(
      (found) => setMe(found),
      (error: unknown) => setProblem(wordsOf(error)),
    );
    const warn = (event: BeforeUnloadEvent) => {
      if (hasDrafts()) event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    return () => {
      removeEventListener('hashchange', follow);
      removeEventListener('beforeunload', warn);
    };
  }, []);
  const choose = (id: string) => {
    const next = { screen, domain: id };
    setShown(next);
    // Unlike a new hash, this fires no event, so that the focus stays in the list of domains.
    history.replaceState(null, '', hashOf(next));
  };
  return (
    <>
      <header class="app-header">
        <a class="app-name" href={hashOf({ screen: 'try', domain: named })}>
          platform console
        </a>
        <nav aria-label="Screens">
          {Object.entries(SCREENS).map(([id, name]) => (
            <a
              key={id}
              href={hashOf({ screen: id as ScreenId, domain: named })}
              aria-current={id === screen ? 'page' : undefined}
            >
              {name}
            </a>
          ))}
        </nav>
        {me === null ? null : (
          <div class="who">
            <span>{me.username}</span>
            <label>
              Domain{' '}
              <select value={domain} onChange={(event) => choose(event.currentTarget.value)}>
                {me.domains.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
          </div>
        )}
      </header>
      <main class="screen">
        <Problem text={problem} />
        {me === null ? null : shown(screen, me, domain)}
      </main>
    </>
  );
}

function shown(screen: ScreenId, { subject_id: subjectId }: Me, domain: string) {
  switch (screen) {
    case 'try':
      return <TryScreen domain={domain} subjectId={subjectId} />;
    case 'policies':
      // A screen per domain: a response about another domain never becomes this one's text.
      return <PoliciesScreen key={domain} domain={domain} />;
    case 'search':
      return <SearchScreen domain={domain} subjectId={subjectId} />;
    case 'audit':
      return <AuditScreen />;
    case 'usage':
      return <UsageScreen />;
  }
}

const root = document.getElementById('app')!;
root.replaceChildren();
render(<App />, root);
