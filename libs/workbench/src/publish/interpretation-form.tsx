import { useEffect, useRef, useState } from 'preact/hooks';
import { sessionPath } from '../api/api.ts';
import { ApiError, problemOf } from '../api/api-error.ts';
import type { Session } from '../api/wire.ts';
import { useApi } from '../browser/api-context.ts';
import { useUnsaved } from '../browser/unsaved.ts';
import { Failure } from '../components/failure.tsx';
import { Field } from '../components/field.tsx';

type Stored = Pick<Session, 'interpretation' | 'interpretation_updated_at'>;

const changedElsewhere = (text: string) =>
  `It was changed elsewhere since you opened it, in another tab or by somebody else. Nothing was overwritten. Save again to put yours in place of theirs: ${text === '' ? '(nothing)' : `“${text}”`}`;

/** The analyst's own words on the verdicts; published with them, marked as not computed. */
export function InterpretationForm({
  session,
  changed,
}: {
  readonly session: Session;
  readonly changed: (change: (session: Session) => Session) => void;
}) {
  const api = useApi();
  const stored = session.interpretation ?? '';
  const [text, setText] = useState(stored);
  const [error, setError] = useState<unknown>(null);
  const [state, setState] = useState<'' | 'saving' | 'saved'>('');
  const { judged_at: judgedAt, interpretation_updated_at: writtenAt } = session;
  /** Pages mark it as perhaps about an earlier verdict; saving it again says that it still holds. */
  const isOlder =
    stored !== '' && judgedAt !== null && writtenAt !== null && Date.parse(writtenAt) < Date.parse(judgedAt);
  const confirms = isOlder && text === stored;
  useUnsaved(text !== stored);
  /** What the text was made from. */
  const base = useRef(stored);
  useEffect(() => {
    // Text typed while the rest was being saved stays.
    if (text === base.current) setText((base.current = stored));
  }, [stored]);

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    setError(null);
    setState('saving');
    try {
      const path = sessionPath(session.session_id, 'interpretation');
      const found = (await api<Stored>('GET', path)).interpretation ?? '';
      if (found !== base.current && found !== text) {
        base.current = found;
        throw new ApiError(412, changedElsewhere(found));
      }
      const { interpretation, interpretation_updated_at } = await api<Stored>('PUT', path, {
        body: { interpretation: text.trim() === '' ? null : text },
      });
      base.current = interpretation ?? '';
      changed((now) => ({ ...now, interpretation, interpretation_updated_at }));
      setText((typed) => (typed === text ? base.current : typed));
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
        error={problemOf(error, 'interpretation')}
      >
        {(control) => (
          <textarea
            {...control}
            rows={6}
            dir="auto"
            value={text}
            onInput={(event) => {
              setText(event.currentTarget.value);
              if (state === 'saved') setState('');
            }}
          />
        )}
      </Field>
      <Failure error={error} fields={['interpretation']} />
      <div class="form-actions">
        <button type="submit" disabled={(text === stored && !isOlder) || state === 'saving'}>
          {state === 'saving' ? 'Saving …' : confirms ? 'It still holds' : 'Save interpretation'}
        </button>
        <span role="status">
          {confirms
            ? 'Written before the last judgement; readers are told so.'
            : text !== stored
              ? 'Not saved yet.'
              : state === 'saved'
                ? 'Saved.'
                : ''}
        </span>
      </div>
    </form>
  );
}
