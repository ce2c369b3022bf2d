import { useId, useRef, useState } from 'preact/hooks';
import { whereSaid, type OutcomePlace, type SubjectResult } from '@platform/opinion-fusion';
import { shownValue } from '@platform/viewer/browser';
import { problemOf } from '../api/api-error.ts';
import { useApi } from '../browser/api-context.ts';
import { focusFirstError } from '../browser/focus.ts';
import { useUnsaved } from '../browser/unsaved.ts';
import { Failure } from '../components/failure.tsx';
import { Field } from '../components/field.tsx';
import { questionKey, questionOf, QuestionOptions } from '../components/question-options.tsx';
import type { Entity } from '../edit/kinds.ts';

/** Scope and time that a claim gives to its value, as claims and outcomes name them. */
const PLACE_FIELDS = ['scope', 'event_start_time', 'event_end_time'] as const;

const EMPTY = { value: '', known_at: '', url: '', note: '' };

interface Props {
  /** Of the outcomes of the session, below /api/v1. */
  readonly path: string;
  readonly findings: readonly SubjectResult[];
  readonly claims: readonly Entity[];
  readonly isJudged: boolean;
  readonly recorded: () => void;
}

/** Scopes and times of the claims on a question, by what they are called. */
function placesOf(
  claims: readonly Entity[],
  { subject_id, predicate }: SubjectResult,
): Map<string, OutcomePlace> {
  const places = claims
    .filter((claim) => claim['subject_id'] === subject_id && claim['predicate'] === predicate)
    .map((claim): OutcomePlace => {
      const [scope = '', ...times] = PLACE_FIELDS.map((field) => String(claim[field] ?? ''));
      const [event_start_time, event_end_time] = times.map((time) => time || undefined);
      return { scope, event_start_time, event_end_time };
    });
  return new Map(places.map((place) => [whereSaid(place) || 'No scope or time', place]));
}

/** The end of a day where the user is, so that its judgements are scored; nothing for today, which is now. */
function endOfDay(day: string): string {
  if (day === '') return '';
  const [start, end, now] = [new Date(`${day}T00:00`), new Date(`${day}T23:59:59.999`), new Date()];
  return start <= now && now <= end ? '' : end.toISOString();
}

/** Records what turned out to be true of a question, in the place of an earlier outcome of it. */
export function OutcomeForm({ path, findings, claims, isJudged, recorded }: Props) {
  const api = useApi();
  const form = useRef<HTMLFormElement>(null);
  const valuesId = useId();
  const [chosen, setChosen] = useState('');
  const [about, setAbout] = useState('');
  const [typed, setTyped] = useState(EMPTY);
  const [error, setError] = useState<unknown>(null);
  const [state, setState] = useState<'' | 'busy' | 'recorded'>('');
  useUnsaved(Object.values(typed).some((text) => text !== ''));
  const question = questionOf(findings, chosen) ?? findings[0];
  const places = question === undefined ? new Map<string, OutcomePlace>() : placesOf(claims, question);

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    if (question === undefined) return;
    setError(null);
    setState('busy');
    const sent = { ...typed, known_at: endOfDay(typed.known_at) };
    const given = Object.entries(sent).filter(([, text]) => text.trim() !== '');
    try {
      const { subject_id, predicate } = question;
      await api('POST', path, {
        body: {
          subject_id,
          predicate,
          value: typed.value,
          ...Object.fromEntries(given),
          ...places.get(about),
        },
      });
      setTyped(EMPTY);
      setAbout('');
      setState('recorded');
      recorded();
    } catch (failure) {
      setError(failure);
      setState('');
      focusFirstError(form.current);
    }
  }

  if (!isJudged || question === undefined)
    return (
      <p class="empty">
        {isJudged
          ? 'The findings are being loaded …'
          : 'There is no finding before the investigation is judged. Choose Judge above; what turns out to be true can then be recorded here.'}
      </p>
    );
  const input = (name: keyof typeof EMPTY) => ({
    autocomplete: 'off' as const,
    dir: 'auto' as const,
    value: typed[name],
    onInput: ({ currentTarget: { value } }: { currentTarget: HTMLInputElement }) =>
      setTyped((now) => ({ ...now, [name]: value })),
  });
  const values = [question.leading_value, ...question.rival_values.map(({ value }) => value)];
  const answers = new Set(values.filter((value) => value !== null));
  return (
    <form ref={form} class="share-form" noValidate onSubmit={(event) => void submit(event)}>
      <h3>Record an outcome</h3>
      <Field label="Question" error={problemOf(error, 'subject_id', 'predicate')}>
        {(control) => (
          <select
            {...control}
            value={questionKey(question)}
            onChange={({ currentTarget: { value } }) => {
              setChosen(value);
              setAbout('');
            }}
          >
            <QuestionOptions findings={findings} />
          </select>
        )}
      </Field>
      {places.size > 1 && (
        <Field
          label="Scope or time"
          help="Claims on this question are of several. Only sources of the one that is chosen are scored."
          error={problemOf(error, ...PLACE_FIELDS)}
        >
          {(control) => (
            <select {...control} value={about} onChange={({ currentTarget: { value } }) => setAbout(value)}>
              <option value="">That of the leading value</option>
              {[...places.keys()].map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <Field
        label="What turned out to be true"
        isRequired
        help={
          answers.has('true') || answers.has('false')
            ? 'Write true or false.'
            : 'A value that a claim gives, in any spelling, or another one.'
        }
        error={problemOf(error, 'value')}
      >
        {(control) => (
          <>
            <input {...control} list={valuesId} {...input('value')} />
            <datalist id={valuesId}>
              {[...answers].map((value) => (
                <option key={value} value={value}>
                  {shownValue(value)}
                </option>
              ))}
            </datalist>
          </>
        )}
      </Field>
      <Field
        label="Known since"
        help="Now unless you choose a day. Only judgements made by the end of that day are scored."
        error={problemOf(error, 'known_at')}
      >
        {(control) => <input {...control} type="date" {...input('known_at')} />}
      </Field>
      <Field label="Where it can be read" help="Optional. A web address." error={problemOf(error, 'url')}>
        {(control) => <input {...control} type="url" {...input('url')} />}
      </Field>
      <Field label="How it became known" help="Optional." error={problemOf(error, 'note')}>
        {(control) => <input {...control} {...input('note')} />}
      </Field>
      <Failure error={error} fields={['subject_id', 'predicate', ...PLACE_FIELDS, ...Object.keys(EMPTY)]} />
      <div class="form-actions">
        <button type="submit" class="primary" disabled={state === 'busy'}>
          {state === 'busy' ? 'Recording …' : 'Record outcome'}
        </button>
        <span role="status">{state === 'recorded' ? 'Recorded.' : ''}</span>
      </div>
    </form>
  );
}
