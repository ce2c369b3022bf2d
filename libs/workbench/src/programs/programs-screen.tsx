import { useEffect, useState } from 'preact/hooks';
import { instant, UserText } from '@platform/viewer/browser';
import type { Credential } from '../api/credential.ts';
import { endProgram, readPrograms, type ConnectedProgram } from '../api/desk-session.ts';
import { useScreenTitle } from '../browser/focus.ts';
import { Confirm } from '../components/confirm.tsx';
import { Failure } from '../components/failure.tsx';

/** What a scope lets a program do, in words; a scope that is new here stands as it is. */
const SCOPE_WORDS: Readonly<Record<string, string>> = {
  investigations: 'do everything with your investigations',
  'investigations:read': 'read your investigations',
};

/** The host that a program's sign-in leads to, which says more of it than the name it gave itself. */
const hostOf = (address: string) => URL.parse(address)?.host ?? address;

/** The programs that the user lets work for them, each with a button that ends it. */
export function ProgramsScreen({ credential }: { readonly credential: Credential }) {
  const heading = useScreenTitle('Connected programs');
  const [found, setFound] = useState<Awaited<ReturnType<typeof readPrograms>> | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  const [ending, setEnding] = useState<ConnectedProgram | null>(null);
  useEffect(() => {
    setError(null);
    readPrograms(credential).then(setFound, setError);
  }, [attempt, credential]);
  const reload = () => setAttempt((now) => now + 1);
  return (
    <main class="screen">
      <div class="screen-head">
        <h1 ref={heading} tabIndex={-1}>
          Connected programs
        </h1>
      </div>
      <p class="lead">Programs, such as assistants, that you let work with your investigations.</p>
      <Failure error={error} retry={reload} />
      {found === null && error === null && <p role="status">Loading …</p>}
      {found?.programs.length === 0 && (
        <p class="empty" role="status">
          No program works for you. An assistant that speaks MCP connects to <code>{found.mcp_url}</code>,
          sends you here to sign in, and asks what it may do.
        </p>
      )}
      {found !== null && found.programs.length > 0 && (
        <table class="data-table session-table">
          <caption class="visually-hidden">Connected programs</caption>
          <thead>
            <tr>
              <th scope="col">Program</th>
              <th scope="col">May</th>
              <th scope="col">At</th>
              <th scope="col">Since</th>
              <th scope="col">Last used</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {found.programs.map((program) => (
              <tr key={program.id}>
                <th scope="row">
                  <UserText text={program.name} />{' '}
                  <span class="faint">
                    signs in at <UserText text={hostOf(program.redirect_uri)} />
                  </span>
                </th>
                <td data-title="May">
                  {program.scopes.map((scope) => SCOPE_WORDS[scope] ?? scope).join(', ')}
                </td>
                <td data-title="At">
                  <UserText text={program.resource} />
                </td>
                <td data-title="Since">{instant(program.created_at)}</td>
                <td data-title="Last used">
                  {program.last_used_at === null ? 'never' : instant(program.last_used_at)}
                </td>
                <td>
                  <button type="button" class="danger" onClick={() => setEnding(program)}>
                    End
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {ending !== null && (
        <Confirm
          title="End this program?"
          yes="End it"
          busy="Ending …"
          no="Keep it"
          onYes={async () => {
            await endProgram(credential, ending.id);
            reload();
          }}
          close={() => setEnding(null)}
        >
          <p>
            <UserText text={ending.name} /> is refused at once, and has to ask you again.
          </p>
        </Confirm>
      )}
    </main>
  );
}
