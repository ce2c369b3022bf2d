import { useState } from 'preact/hooks';
import { sessionPath } from '../api/api.ts';
import type { Session } from '../api/wire.ts';
import { useApi } from '../browser/api-context.ts';
import { useUnsaved } from '../browser/unsaved.ts';
import { Failure } from '../components/failure.tsx';
import { Field } from '../components/field.tsx';

/** The analyst's own words on the verdicts; published beside them, marked as not computed. */
export function InterpretationForm({
  session,
  changed,
}: {
  readonly session: Session;
  readonly changed: (session: Session) => void;
}) {
  const api = useApi();
  const stored = session.interpretation ?? '';
  const [text, setText] = useState(stored);
  const [error, setError] = useState<unknown>(null);
  const [state, setState] = useState<'' | 'saving' | 'saved'>('');
  useUnsaved(text !== stored);

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    setError(null);
    setState('saving');
    try {
      const { interpretation, interpretation_updated_at } = await api<
        Pick<Session, 'interpretation' | 'interpretation_updated_at'>
      >('PUT', sessionPath(session.session_id, 'interpretation'), {
        body: { interpretation: text.trim() === '' ? null : text },
      });
      changed({ ...session, interpretation, interpretation_updated_at });
      setText(interpretation ?? '');
      setState('saved');
    } catch (failure) {
      setError(failure);
      setState('');
    }
  }

  return (
    <form class="interpretation-form" onSubmit={(event) => void submit(event)}>
      <h3>Interpretation</h3>
      <Field
        label="What you make of it"
        help="Optional. Shown under the findings, marked as written by a person or a language model."
      >
        {(control) => (
          <textarea
            {...control}
            rows={6}
            dir="auto"
            value={text}
            onInput={(event) => {
              setText(event.currentTarget.value);
              setState('');
            }}
          />
        )}
      </Field>
      <Failure error={error} />
      <div class="form-actions">
        <button type="submit" disabled={text === stored || state === 'saving'}>
          {state === 'saving' ? 'Saving …' : 'Save interpretation'}
        </button>
        <span role="status">{state === 'saved' ? 'Saved.' : text === stored ? '' : 'Not saved yet.'}</span>
      </div>
    </form>
  );
}
