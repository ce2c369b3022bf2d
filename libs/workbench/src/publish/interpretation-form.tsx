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
  `It was changed elsewhere since you opened it, in another tab or by somebody else. Nothing was overwritten. Save or publish again to put yours in place of theirs: ${text === '' ? '(nothing)' : `“${text}”`}`;

/** The interpretation of a session as it stands on the screen, and what became of saving it. */
export interface Interpretation {
  readonly text: string;
  readonly type: (text: string) => void;
  readonly error: unknown;
  readonly state: '' | 'saving' | 'saved';
  /** Whether it differs from what is stored. */
  readonly isUnsaved: boolean;
  /** Whether pages mark it as perhaps about an earlier verdict; saving it again says that it still holds. */
  readonly isOlder: boolean;
  /** Stores it; false where it was refused, which `error` then says. */
  readonly save: () => Promise<boolean>;
}

/** Holds the interpretation of a session while it is typed, so that publishing can save it, too. */
export function useInterpretation(
  session: Session,
  changed: (change: (session: Session) => Session) => void,
): Interpretation {
  const api = useApi();
  const stored = session.interpretation ?? '';
  const [text, setText] = useState(stored);
  const [error, setError] = useState<unknown>(null);
  const [state, setState] = useState<'' | 'saving' | 'saved'>('');
  const { judged_at: judgedAt, interpretation_updated_at: writtenAt } = session;
  const isOlder =
    stored !== '' && judgedAt !== null && writtenAt !== null && Date.parse(writtenAt) < Date.parse(judgedAt);
  useUnsaved(text !== stored);
  /** What the text was made from. */
  const base = useRef(stored);
  useEffect(() => {
    // Text typed while the rest was being saved stays.
    if (text === base.current) setText((base.current = stored));
  }, [stored]);

  async function save(): Promise<boolean> {
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
      return true;
    } catch (failure) {
      setError(failure);
      setState('');
      return false;
    }
  }

  function type(typed: string): void {
    setText(typed);
    if (state === 'saved') setState('');
  }
  return { text, type, error, state, isUnsaved: text !== stored, isOlder, save };
}

/** The analyst's own words on the verdicts; published with them, marked as not computed. */
export function InterpretationForm({ interpretation }: { readonly interpretation: Interpretation }) {
  const { text, type, error, state, isUnsaved, isOlder, save } = interpretation;
  const confirms = isOlder && !isUnsaved;
  return (
    <form
      class="interpretation-form"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <h3>Interpretation</h3>
      <Field
        label="What you make of it"
        help="Optional. Shown right below the answer, marked as written by a person or a language model."
        error={problemOf(error, 'interpretation')}
      >
        {(control) => (
          <textarea
            {...control}
            rows={6}
            dir="auto"
            value={text}
            onInput={(event) => type(event.currentTarget.value)}
          />
        )}
      </Field>
      <Failure error={error} fields={['interpretation']} />
      <div class="form-actions">
        <button type="submit" disabled={(!isUnsaved && !isOlder) || state === 'saving'}>
          {state === 'saving' ? 'Saving …' : confirms ? 'It still holds' : 'Save interpretation'}
        </button>
        <span role="status">
          {confirms
            ? 'Written before the last judgement; readers are told so.'
            : isUnsaved
              ? 'Not saved yet.'
              : state === 'saved'
                ? 'Saved.'
                : ''}
        </span>
      </div>
    </form>
  );
}
