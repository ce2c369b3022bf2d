import { useRef, useState } from 'preact/hooks';
import { call } from '../api/api.ts';
import { ApiError } from '../api/api-error.ts';
import { cleanCredential, COOKIE, type Credential } from '../api/credential.ts';
import { signIn } from '../api/desk-session.ts';
import { Failure } from '../components/failure.tsx';
import { Field } from '../components/field.tsx';
import { focusFirstError } from '../browser/focus.ts';

interface Props {
  readonly signedIn: (credential: Credential) => void;
  readonly cancel?: (() => void) | undefined;
}

/** Sign-in by user name and password, and by token under "Advanced"; by token alone without `passwords`. */
export function SignInForm({ passwords, ...props }: Props & { readonly passwords: boolean }) {
  if (!passwords) return <TokenForm {...props} />;
  return (
    <>
      <PasswordForm {...props} />
      <details class="sign-in-advanced">
        <summary>Advanced: sign in with a token</summary>
        <TokenForm signedIn={props.signedIn} isSecond />
      </details>
    </>
  );
}

function PasswordForm({ signedIn, cancel }: Props) {
  const [error, setError] = useState<unknown>(null);
  const [missing, setMissing] = useState<readonly string[]>([]);
  const [tenants, setTenants] = useState<readonly string[]>([]);
  const [isTrying, setTrying] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    const data = new FormData(form.current!);
    const [username, password, tenant] = ['username', 'password', 'tenant'].map((name) =>
      String(data.get(name) ?? ''),
    ) as [string, string, string];
    const empty = [...(username === '' ? ['username'] : []), ...(password === '' ? ['password'] : [])];
    setMissing(empty);
    setError(null);
    if (empty.length > 0) return focusFirstError(form.current);
    setTrying(true);
    try {
      const choice = await signIn({ username, password, ...(tenant === '' ? {} : { tenant }) });
      if (choice === null) return signedIn(COOKIE);
      setTenants(choice);
    } catch (failure) {
      setError(failure);
    }
    setTrying(false);
  }

  return (
    <form ref={form} class="sign-in-form" onSubmit={(event) => void submit(event)} noValidate>
      <Field label="User name" error={missing.includes('username') ? 'Enter your user name.' : undefined}>
        {(props) => (
          <input {...props} name="username" autocomplete="username" autocapitalize="off" spellcheck={false} />
        )}
      </Field>
      <Field label="Password" error={missing.includes('password') ? 'Enter your password.' : undefined}>
        {(props) => <input {...props} name="password" type="password" autocomplete="current-password" />}
      </Field>
      {tenants.length > 0 && (
        <Field label="Organization" help="You belong to several. Choose the one to work in, then sign in.">
          {(props) => (
            <select {...props} name="tenant">
              {tenants.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          )}
        </Field>
      )}
      <SignInFailure error={error} />
      <Actions isTrying={isTrying} cancel={cancel} label="Sign in" />
    </form>
  );
}

/** Wrong passwords in their own words; anything else as everywhere. */
function SignInFailure({ error }: { readonly error: unknown }) {
  if (!(error instanceof ApiError) || ![401, 409, 429].includes(error.status))
    return <Failure error={error} />;
  const words = {
    401: 'User name and password do not belong together. Check both and try again.',
    409: 'You belong to no organization here yet. Ask the owner of one to add you.',
    429: 'Too many sign-ins failed. Wait a minute, then try again.',
  }[error.status as 401 | 409 | 429];
  return (
    <div class="failure" role="alert">
      <p>{words}</p>
    </div>
  );
}

/** Takes a token or an API key and tries it before it is kept. */
function TokenForm({ signedIn, cancel, isSecond = false }: Props & { readonly isSecond?: boolean }) {
  const [error, setError] = useState<unknown>(null);
  const [missing, setMissing] = useState(false);
  const [isTrying, setTrying] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const control = useRef<HTMLTextAreaElement>(null);

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    const text = cleanCredential(control.current!.value);
    setMissing(text === '');
    setError(null);
    if (text === '') return focusFirstError(form.current);
    setTrying(true);
    try {
      // Header values hold ASCII; anything else was never a token.
      const tried = { kind: 'pasted', text: /^[\x21-\x7e]+$/.test(text) ? text : 'none' } as const;
      await call(tried, 'GET', '/sessions?limit=1');
      signedIn({ kind: 'pasted', text });
    } catch (failure) {
      setError(failure);
      setTrying(false);
    }
  }

  const isRefused = error instanceof ApiError && error.status === 401;
  return (
    <form ref={form} class="sign-in-form" onSubmit={(event) => void submit(event)} noValidate>
      <Field
        label="Token or API key"
        help="Kept in this tab only, until you close it or sign out."
        error={missing ? 'Paste the token or the API key.' : undefined}
      >
        {(props) => (
          <textarea
            {...props}
            ref={control}
            rows={4}
            class="code"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && !event.shiftKey) void submit(event);
            }}
          />
        )}
      </Field>
      {isRefused ? (
        <div class="failure" role="alert">
          <p>The token was not accepted. It may have expired or been revoked; paste a fresh one.</p>
        </div>
      ) : (
        <Failure error={error} />
      )}
      <Actions isTrying={isTrying} cancel={cancel} label={isSecond ? 'Sign in with the token' : 'Sign in'} />
    </form>
  );
}

function Actions({
  isTrying,
  cancel,
  label,
}: {
  readonly isTrying: boolean;
  readonly cancel: (() => void) | undefined;
  readonly label: string;
}) {
  return (
    <div class="form-actions">
      <button type="submit" class="primary" disabled={isTrying}>
        {isTrying ? 'Signing in …' : label}
      </button>
      {cancel && (
        <button type="button" onClick={cancel}>
          Not now
        </button>
      )}
    </div>
  );
}
