import { useRef, useState } from 'preact/hooks';
import type { InvestigationInput } from '@platform/opinion-fusion';
import { ApiError } from '../api/api-error.ts';
import type { Problem } from '../api/problems.ts';
import { focusFirstError } from '../browser/focus.ts';
import { mayLeave, useUnsaved } from '../browser/unsaved.ts';
import { EditorDialog } from '../components/editor-dialog.tsx';
import { Field } from '../components/field.tsx';
import { problemsOf } from './draft.ts';
import { payloadChange } from './payload-change.ts';
import { ProblemList } from '../components/problem-list.tsx';

interface Props {
  readonly payload: InvestigationInput;
  /** Sends an update. Throws ApiError. */
  readonly save: (change: Record<string, unknown>) => Promise<void>;
  readonly close: () => void;
}

/** The whole investigation as JSON; saving sends what differs, as one update. */
export function PayloadJson({ payload, save, close }: Props) {
  const form = useRef<HTMLFormElement>(null);
  /** The payload as it was when the dialog opened, however the session changes meanwhile. */
  const [before] = useState(payload);
  const [stored] = useState(() => JSON.stringify(payload, null, 2));
  const [text, setText] = useState(stored);
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [error, setError] = useState<unknown>(null);
  const [isSaving, setSaving] = useState(false);
  useUnsaved(text !== stored);
  const leave = () => mayLeave(text !== stored) && close();

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    setError(null);
    const { value, found } = readPayload(text);
    setProblems(found);
    if (found.length > 0) return focusFirstError(form.current);
    const change = payloadChange(before as unknown as Record<string, unknown>, value!);
    if (Object.keys(change).length === 0) return close();
    setSaving(true);
    try {
      await save(change);
      close();
    } catch (failure) {
      if (failure instanceof ApiError) setProblems(failure.problems);
      setError(failure);
      setSaving(false);
      focusFirstError(form.current);
    }
  }

  return (
    <EditorDialog
      id="payload"
      isWide
      title="The whole investigation"
      form={form}
      submit={submit}
      leave={leave}
      error={error}
      fields="all"
      label={isSaving ? 'Saving …' : 'Save'}
      isDisabled={isSaving}
    >
      <Field
        label="As JSON"
        help="Items are matched by id. An item that you remove here is deleted."
        error={problems.length > 0 ? 'Something is not right yet; it is listed under the text.' : undefined}
      >
        {(control) => (
          <textarea
            {...control}
            readOnly={isSaving}
            class="code"
            rows={24}
            spellcheck={false}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        )}
      </Field>
      <ProblemList problems={problems} />
    </EditorDialog>
  );
}

function readPayload(text: string): { value?: Record<string, unknown>; found: readonly Problem[] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (failure) {
    return { found: [{ path: '$', message: `not JSON: ${(failure as Error).message}` }] };
  }
  const found = problemsOf('InvestigationInput', value);
  return found.length > 0 ? { found } : { value: value as Record<string, unknown>, found };
}
