import { useRef, useState } from 'preact/hooks';
import type { SubjectResult } from '@platform/opinion-fusion';
import { problemOf } from '../api/api-error.ts';
import type { CreatedSubscription, WatchRule } from '../api/wire.ts';
import { useApi } from '../browser/api-context.ts';
import { focusFirstError } from '../browser/focus.ts';
import { Failure } from '../components/failure.tsx';
import { Field, GroupError } from '../components/field.tsx';
import { questionOf, QuestionOptions } from '../components/question-options.tsx';
import { RULES } from './watch-words.ts';

const NAMES = Object.keys(RULES) as WatchRule[];
/** Not every installation can tell about documents and permissions, so that the user asks for it. */
const CHOSEN = NAMES.filter((rule) => rule !== 'document_changed' && rule !== 'policies_changed');
/** Points of a chance that a move must exceed, unless the user says otherwise. */
const STEP_POINTS = '10';

interface Props {
  /** Of the subscriptions of the session, below /api/v1. */
  readonly path: string;
  readonly findings: readonly SubjectResult[];
  readonly created: (subscription: CreatedSubscription) => void;
}

/** Starts a watch: what it listens for, on which question, and where it reports to. */
export function WatchForm({ path, findings, created }: Props) {
  const api = useApi();
  const form = useRef<HTMLFormElement>(null);
  const [rules, setRules] = useState<readonly WatchRule[]>(CHOSEN);
  const [points, setPoints] = useState(STEP_POINTS);
  const [question, setQuestion] = useState('');
  const [webhook, setWebhook] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [state, setState] = useState<'' | 'busy' | 'started'>('');

  const isStep = Number(points) > 0 && Number(points) <= 100;

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    setError(null);
    setState('busy');
    const asked = questionOf(findings, question);
    try {
      const subscription = await api<CreatedSubscription>('POST', path, {
        body: {
          rules,
          ...(rules.includes('chance_moved') && { chance_step: Number(points) / 100 }),
          ...(asked && { subject_id: asked.subject_id, predicate: asked.predicate }),
          ...(webhook.trim() !== '' && { webhook_url: webhook.trim() }),
        },
      });
      setWebhook('');
      setState('started');
      created(subscription);
    } catch (failure) {
      setError(failure);
      setState('');
      focusFirstError(form.current);
    }
  }

  return (
    <form ref={form} class="share-form" noValidate onSubmit={(event) => void submit(event)}>
      <h3>New watch</h3>
      <fieldset class="field-group">
        <legend>Tell me when</legend>
        {NAMES.map((rule) => (
          <label key={rule} class="check">
            <input
              type="checkbox"
              checked={rules.includes(rule)}
              onChange={({ currentTarget: { checked } }) =>
                setRules(NAMES.filter((name) => (name === rule ? checked : rules.includes(name))))
              }
            />{' '}
            {RULES[rule].label}
            {RULES[rule].help !== '' && <span class="field-help"> {RULES[rule].help}</span>}
          </label>
        ))}
        <GroupError
          error={
            rules.length === 0
              ? problemOf(error, 'rules') && 'Choose at least one of them.'
              : problemOf(error, 'rules')
          }
        />
      </fieldset>
      {rules.includes('chance_moved') && (
        <Field
          label="Step of a chance, in points"
          help="10 means from 60 % to above 70 %, or to below 50 %."
          error={
            isStep
              ? problemOf(error, 'chance_step')
              : problemOf(error, 'chance_step') && 'Enter a number above 0, at most 100.'
          }
        >
          {(control) => (
            <input
              {...control}
              type="number"
              min="1"
              max="100"
              step="any"
              value={points}
              onInput={({ currentTarget: { value } }) => setPoints(value)}
            />
          )}
        </Field>
      )}
      <Field label="On" error={problemOf(error, 'subject_id', 'predicate')}>
        {(control) => (
          <select
            {...control}
            value={question}
            onChange={({ currentTarget: { value } }) => setQuestion(value)}
          >
            <option value="">All findings</option>
            <QuestionOptions findings={findings} />
          </select>
        )}
      </Field>
      <Field
        label="Webhook"
        help="Optional. The address of a receiver, on a host that your administrator allowed. Without one, the watch reports here."
        error={problemOf(error, 'webhook_url')}
      >
        {(control) => (
          <input
            {...control}
            type="url"
            autocomplete="off"
            value={webhook}
            onInput={({ currentTarget: { value } }) => setWebhook(value)}
          />
        )}
      </Field>
      <Failure
        error={error}
        fields={[
          'rules',
          'subject_id',
          'predicate',
          'webhook_url',
          ...(rules.includes('chance_moved') ? ['chance_step'] : []),
        ]}
      />
      <div class="form-actions">
        <button type="submit" class="primary" disabled={state === 'busy'}>
          {state === 'busy' ? 'Starting …' : 'Start watch'}
        </button>
        <span role="status">{state === 'started' ? 'The watch has started.' : ''}</span>
      </div>
    </form>
  );
}
