import { useRef, useState } from 'preact/hooks';
import type { Api } from '../api/api.ts';
import { ApiError, problemOf } from '../api/api-error.ts';
import { useApi } from '../browser/api-context.ts';
import { focusFirstError } from '../browser/focus.ts';
import { navigate } from '../browser/route.ts';
import { discardUnsaved, mayLeave, useUnsaved } from '../browser/unsaved.ts';
import { Dialog } from '../components/dialog.tsx';
import { roughText } from '../browser/file-text.ts';
import { Failure } from '../components/failure.tsx';
import { Field } from '../components/field.tsx';
import { problemsOf } from '../edit/draft.ts';
import { ProblemList } from '../components/problem-list.tsx';
import type { Problem } from '../api/problems.ts';

/** Where a problem of the research question is. */
const QUESTION = 'payload.research_question';
const EMPTY = { actors: [], subjects: [], claims: [] };

/** Creates a session, empty or from an investigation as JSON, and opens it. */
export function NewSession({ close }: { readonly close: () => void }) {
  const api = useApi();
  const form = useRef<HTMLFormElement>(null);
  const sent = useRef<Sent>(null);
  const [name, setName] = useState('');
  const [question, setQuestion] = useState('');
  const [json, setJson] = useState('');
  const [nameError, setNameError] = useState<string>();
  const [jsonError, setJsonError] = useState<string>();
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [error, setError] = useState<unknown>(null);
  const [isSaving, setSaving] = useState(false);
  const isTyped = name + question + json !== '';
  useUnsaved(isTyped);
  const leave = () => mayLeave(isTyped) && close();

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    setError(null);
    const read = readJson(json);
    const payload =
      read.value === undefined
        ? { research_question: question, ...EMPTY }
        : question === ''
          ? read.value
          : { ...(read.value as object), research_question: question };
    const found = read.error === undefined ? problemsOf('InvestigationInput', payload) : [];
    setNameError(name.trim() === '' ? 'Give the investigation a name.' : undefined);
    setJsonError(
      read.error ??
        (found.length > 0 ? 'This is not an investigation yet; it is listed below why.' : undefined),
    );
    setProblems(found);
    if (name.trim() === '' || read.error !== undefined || found.length > 0)
      return focusFirstError(form.current);
    setSaving(true);
    try {
      const content = JSON.stringify({ name: name.trim(), payload });
      if (sent.current?.content !== content) sent.current = { content, id: randomId() };
      const { id } = sent.current;
      await create(api, { session_id: id, name: name.trim(), payload });
      discardUnsaved();
      close();
      navigate({ screen: 'session', id }, '#edit');
    } catch (failure) {
      setNameError(problemOf(failure, 'name'));
      setError(failure);
      setSaving(false);
      focusFirstError(form.current);
    }
  }

  return (
    <Dialog class="box" labelledBy="new-session-title" onClose={leave}>
      <form ref={form} onSubmit={(event) => void submit(event)} noValidate>
        <h2 id="new-session-title">New investigation</h2>
        <Field label="Name" isRequired error={nameError}>
          {(control) => (
            <input
              {...control}
              value={name}
              maxLength={2000}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field
          label="Research question"
          help="What the investigation asks. It heads the published page."
          error={problemOf(error, QUESTION)}
        >
          {(control) => (
            <textarea
              {...control}
              rows={2}
              value={question}
              onInput={(event) => setQuestion(event.currentTarget.value)}
            />
          )}
        </Field>
        <details>
          <summary>Start from JSON</summary>
          <Field label="JSON file" help="An investigation as the API takes it.">
            {(control) => (
              <input
                {...control}
                type="file"
                accept=".json,application/json"
                onChange={(event) => {
                  const file = event.currentTarget.files?.[0];
                  if (file !== undefined) void roughText(file).then(setJson);
                }}
              />
            )}
          </Field>
          <Field label="or paste it" error={jsonError}>
            {(control) => (
              <textarea
                {...control}
                class="code"
                rows={6}
                spellcheck={false}
                value={json}
                onInput={(event) => setJson(event.currentTarget.value)}
              />
            )}
          </Field>
          <ProblemList problems={problems} />
        </details>
        <Failure error={error} fields={['name', QUESTION]} />
        <div class="form-actions">
          <button type="submit" class="primary" disabled={isSaving}>
            {isSaving ? 'Creating …' : 'Create investigation'}
          </button>
          <button type="button" onClick={leave}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/**
 * A session as it was sent, and its id: sending it again uses the same id, so a lost response creates no
 * duplicate.
 */
interface Sent {
  readonly content: string;
  readonly id: string;
}

/**
 * Creates a session under an id chosen here. A conflict means that an earlier attempt succeeded and only its
 * response was lost.
 */
async function create(api: Api, body: object): Promise<void> {
  try {
    await api('POST', '/sessions', { body });
  } catch (failure) {
    if (!(failure instanceof ApiError) || failure.status !== 409) throw failure;
  }
}

/** 128 random bits; `crypto.randomUUID` is there over https alone. */
function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

function readJson(text: string): { value?: unknown; error?: string } {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { value }
      : { error: 'Must be a JSON object.' };
  } catch (failure) {
    return { error: `Not JSON: ${(failure as Error).message}` };
  }
}
