import { useRef, useState } from 'preact/hooks';
import { call } from '../api/api.ts';
import { cleanCredential } from '../api/credential.ts';
import { Failure } from '../components/failure.tsx';
import { Field } from '../components/field.tsx';
import { focusFirstError } from './focus.ts';

/** Takes a token or an API key and tries it before it is kept. */
export function SignInForm({
  signedIn,
  cancel,
}: {
  readonly signedIn: (credential: string) => void;
  readonly cancel?: () => void;
}) {
  const [error, setError] = useState<unknown>(null);
  const [missing, setMissing] = useState(false);
  const [isTrying, setTrying] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const control = useRef<HTMLTextAreaElement>(null);

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    const credential = cleanCredential(control.current!.value);
    setMissing(credential === '');
    setError(null);
    if (credential === '') return focusFirstError(form.current);
    setTrying(true);
    try {
      // Header values hold ASCII; anything else was never a token.
      await call(/^[\x21-\x7e]+$/.test(credential) ? credential : 'none', 'GET', '/sessions?limit=1');
      signedIn(credential);
    } catch (failure) {
      setError(failure);
      setTrying(false);
    }
  }

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
      <Failure error={error} />
      <div class="form-actions">
        <button type="submit" class="primary" disabled={isTrying}>
          {isTrying ? 'Signing in …' : 'Sign in'}
        </button>
        {cancel && (
          <button type="button" onClick={cancel}>
            Not now
          </button>
        )}
      </div>
    </form>
  );
}
