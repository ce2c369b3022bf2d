import { render } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { startDrawer } from '@platform/viewer/browser';
import { createApi } from './api/api.ts';
import { ApiError } from './api/api-error.ts';
import { forgetCredential, keepCredential, type Credential } from './api/credential.ts';
import { signOut } from './api/desk-session.ts';
import { Dialog } from './components/dialog.tsx';
import { Failure } from './components/failure.tsx';
import { Link } from './components/link.tsx';
import { DocumentScreen } from './documents/document-screen.tsx';
import { ProgramsScreen } from './programs/programs-screen.tsx';
import { SessionScreen } from './session/session-screen.tsx';
import { SessionsScreen } from './session/sessions-screen.tsx';
import { shownModel } from './judge/shown-model.ts';
import { ApiContext } from './browser/api-context.ts';
import { useScreenTitle } from './browser/focus.ts';
import { useRoute } from './browser/route.ts';
import { SignInForm } from './session/sign-in.tsx';
import { guardUnload, mayLeave } from './browser/unsaved.ts';
import { useOpenedDesk, type OpenedDesk } from './browser/use-desk-session.ts';

type Answer = (credential: Credential | null) => void;

function App() {
  const opened = useOpenedDesk();
  if (opened === null)
    return (
      <main class="screen">
        <p role="status">Loading …</p>
      </main>
    );
  return <Desk opened={opened} />;
}

function Desk({ opened }: { readonly opened: OpenedDesk }) {
  const [credential, setCredential] = useState(opened.credential);
  const [error, setError] = useState(opened.error);
  const current = useRef(credential);
  /** Calls that were refused and wait for a new credential. */
  const [waiting, setWaiting] = useState<readonly Answer[]>([]);
  const route = useRoute();
  const api = useMemo(
    () =>
      createApi({
        credential: () => current.current,
        renew: () => new Promise((resolve) => setWaiting((others) => [...others, resolve])),
      }),
    [],
  );

  function keep(next: Credential | null): void {
    current.current = next;
    if (next === null) forgetCredential();
    else keepCredential(next);
    setCredential(next);
  }

  async function leave(): Promise<void> {
    if (!mayLeave()) return;
    const failure =
      current.current?.kind === 'cookie'
        ? await signOut().then(
            () => null,
            (e: unknown) => e,
          )
        : null;
    setError(failure);
    keep(null);
  }

  function answerWaiting(next: Credential | null): void {
    if (next !== null) keep(next);
    for (const answer of waiting) answer(next);
    setWaiting([]);
  }

  if (credential === null) return <SignInScreen passwords={opened.passwords} error={error} signedIn={keep} />;
  return (
    <ApiContext.Provider value={api}>
      <header class="app-header">
        <Link to={{ screen: 'sessions' }} class="app-name">
          Workbench
        </Link>
        <nav aria-label="Workbench">
          <Link to={{ screen: 'sessions' }}>Investigations</Link>
          {opened.passwords && <Link to={{ screen: 'programs' }}>Connected programs</Link>}
          <a href="/docs">API</a>
          <button type="button" class="quiet" onClick={() => void leave()}>
            Sign out
          </button>
        </nav>
      </header>
      {route.screen === 'sessions' && <SessionsScreen />}
      {route.screen === 'programs' && <ProgramsScreen credential={credential} />}
      {route.screen === 'session' && <SessionScreen key={route.id} id={route.id} />}
      {route.screen === 'document' && <DocumentScreen id={route.id} version={route.version} />}
      {waiting.length > 0 && (
        <Dialog class="box" labelledBy="renew-title" onClose={() => answerWaiting(null)}>
          <h2 id="renew-title">Sign in again</h2>
          <p>You are signed out. Your edits are kept; sign in to continue.</p>
          <SignInForm
            passwords={opened.passwords}
            signedIn={answerWaiting}
            cancel={() => answerWaiting(null)}
          />
        </Dialog>
      )}
    </ApiContext.Provider>
  );
}

function SignInScreen({
  passwords,
  error,
  signedIn,
}: {
  readonly passwords: boolean;
  readonly error: unknown;
  readonly signedIn: (credential: Credential) => void;
}) {
  const heading = useScreenTitle('Sign in');
  return (
    <main class="sign-in">
      <h1 ref={heading} tabIndex={-1}>
        Investigation workbench
      </h1>
      <p class="lead">
        Collect what sources claim, have it judged, and publish verdicts that every reader can trace to their
        evidence.
      </p>
      {error instanceof ApiError && error.status === 401 ? (
        <p class="notice" role="alert">
          This link was used already or is older than ten minutes. Sign in below, or start the platform again
          for a fresh one.
        </p>
      ) : (
        <Failure error={error} />
      )}
      <SignInForm passwords={passwords} signedIn={signedIn} />
      <section class="sign-in-help" aria-labelledby="sign-in-help">
        <h2 id="sign-in-help">{passwords ? 'No account yet?' : 'Where do I get one?'}</h2>
        <p>
          {passwords ? (
            <>
              <code>npm start</code> ends with a link that signs you in once. Elsewhere, ask the operator of
              the service.
            </>
          ) : (
            <>
              <code>npm start</code> prints a token for one day and an API key for a year; paste either.
              Elsewhere, ask the operator of the service.
            </>
          )}
        </p>
        <h2>Next steps</h2>
        <ol class="steps">
          <li>
            <strong>New investigation</strong>, empty or from a JSON file. After <code>npm start</code> a demo
            is there to look around.
          </li>
          <li>
            <strong>Edit</strong>: add sources, subjects and claims, one by one or as CSV.
          </li>
          <li>
            <strong>Judge</strong>, and read the verdicts.
          </li>
          <li>
            <strong>Publish</strong>, and send the link.
          </li>
        </ol>
      </section>
    </main>
  );
}

// The panes show the controls that need scripts only where this class is set.
document.documentElement.classList.add('scripted');
guardUnload();
startDrawer(shownModel);
const root = document.getElementById('app')!;
root.replaceChildren();
render(<App />, root);
