import { useEffect, useRef, useState } from 'preact/hooks';
import { OBJECTS, type InvestigationInput } from '@platform/opinion-fusion';
import { ApiError } from '../api/api-error.ts';
import { errorAt, type Problem } from '../api/problems.ts';
import { focusFirstError } from '../browser/focus.ts';
import { useUnsaved } from '../browser/unsaved.ts';
import { Failure } from '../components/failure.tsx';
import { Field } from '../components/field.tsx';
import { problemsOf, readDraft, type Draft } from './draft.ts';
import { FieldInput } from './field-input.tsx';

/** Fields of an investigation other than its lists. */
const SCALARS = Object.entries(OBJECTS.InvestigationInput).filter(([, { kind }]) => kind !== 'list');

interface Props {
  readonly name: string;
  readonly payload: InvestigationInput;
  /** Sends an update. Throws ApiError. */
  readonly save: (change: Record<string, unknown>) => Promise<void>;
}

/** Name, research question and settings of a session. */
export function SettingsForm({ name, payload, save }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const stored = scalarsOf(payload, name);
  const [draft, setDraft] = useState<Draft>(stored);
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [error, setError] = useState<unknown>(null);
  const [state, setState] = useState<'' | 'saving' | 'saved'>('');
  const change = changeOf(stored, draft);
  const isChanged = Object.keys(change).length > 0;
  useUnsaved(isChanged);
  /** What the draft was made from. */
  const base = useRef(stored);
  useEffect(() => {
    const before = base.current;
    base.current = stored;
    // Text typed while the rest was being saved stays.
    setDraft((typed) =>
      Object.fromEntries(
        Object.keys(stored).map((field) => [
          field,
          typed[field] === before[field] ? stored[field] : typed[field],
        ]),
      ),
    );
  }, [JSON.stringify(stored)]);

  const set = (field: string, value: unknown) => {
    setDraft((typed) => ({ ...typed, [field]: value }));
    if (state === 'saved') setState('');
  };

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    setError(null);
    const { name: newName, ...scalars } = change;
    const found = [
      ...(newName === '' ? [{ path: 'name', message: 'must not be empty' }] : []),
      ...problemsOf('InvestigationInput', {
        research_question: '',
        actors: [],
        subjects: [],
        claims: [],
        ...scalars,
      }),
    ];
    setProblems(found);
    if (found.length > 0) return focusFirstError(form.current);
    setState('saving');
    try {
      await save(change);
      setState('saved');
    } catch (failure) {
      if (failure instanceof ApiError) setProblems(failure.problems);
      setError(failure);
      setState('');
      focusFirstError(form.current);
    }
  }

  const inputOf = (field: string) => (
    <FieldInput
      key={field}
      name={field}
      field={OBJECTS.InvestigationInput[field]!}
      value={draft[field]}
      onChange={(value) => set(field, value)}
      path={field}
      problems={problems}
      payload={payload}
    />
  );
  return (
    <form ref={form} class="settings" onSubmit={(event) => void submit(event)} noValidate>
      <div class="form-grid">
        <Field label="Name of the investigation" error={errorAt(problems, 'name')} isRequired>
          {(control) => (
            <input
              {...control}
              value={String(draft['name'])}
              maxLength={2000}
              dir="auto"
              onInput={(event) => set('name', event.currentTarget.value)}
            />
          )}
        </Field>
        {inputOf('research_question')}
      </div>
      <details class="more-fields">
        <summary>How it is judged</summary>
        <div class="form-grid">
          {SCALARS.filter(([field]) => field !== 'research_question').map(([field]) => inputOf(field))}
        </div>
      </details>
      <Failure error={error} fields={['name', ...SCALARS.map(([field]) => field)]} />
      {(isChanged || state !== '') && (
        <div class="form-actions">
          <button type="submit" class="primary" disabled={!isChanged || state === 'saving'}>
            {state === 'saving' ? 'Saving …' : 'Save'}
          </button>
          {isChanged && (
            <button type="button" onClick={() => setDraft(stored)}>
              Undo
            </button>
          )}
          <span role="status">{isChanged ? 'Not saved yet.' : state === 'saved' ? 'Saved.' : ''}</span>
        </div>
      )}
    </form>
  );
}

function scalarsOf(payload: InvestigationInput, name: string): Draft {
  const values = payload as unknown as Draft;
  return { ...Object.fromEntries(SCALARS.map(([field]) => [field, values[field]])), name };
}

/** The fields of an update; null clears a field that was emptied. */
function changeOf(stored: Draft, draft: Draft): Record<string, unknown> {
  const read = readDraft('InvestigationInput', draft);
  const before = readDraft('InvestigationInput', stored);
  return Object.fromEntries(
    Object.keys(stored)
      .filter((field) => read[field] !== before[field])
      .map((field) => [
        field,
        read[field] ?? (field === 'name' || field === 'research_question' ? '' : emptied(field)),
      ]),
  );
}

function emptied(field: string): unknown {
  const { nullable, default: standard } = OBJECTS.InvestigationInput[field]!;
  return nullable ? null : standard;
}
