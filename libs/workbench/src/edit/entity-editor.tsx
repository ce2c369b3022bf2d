import { useRef, useState } from 'preact/hooks';
import { OBJECTS } from '@platform/opinion-fusion';
import { counted, plain, shortened } from '@platform/viewer/browser';
import { ApiError } from '../api/api-error.ts';
import { isWithin, type Problem } from '../api/problems.ts';
import { focusFirstError } from '../browser/focus.ts';
import { mayLeave, useUnsaved } from '../browser/unsaved.ts';
import { EditorDialog } from '../components/editor-dialog.tsx';
import { Field } from '../components/field.tsx';
import { hasOpenPassage } from '../documents/open-passages.ts';
import { atQuote, withField } from './pin-conflict.ts';
import { claimProblems, namelessProblems, problemsOf, readDraft, type Draft } from './draft.ts';
import { FieldInput } from './field-input.tsx';
import { nameOf, type Entity, type KindSpec } from './kinds.ts';
import { ProblemList } from '../components/problem-list.tsx';
import { referrersOf, type Referrer } from './referrers.ts';

interface Props {
  readonly spec: KindSpec;
  /** What the form begins with; a new item has an id that is free. */
  readonly initial: Draft;
  readonly isNew: boolean;
  /** The ids of the list, none of which can be typed for a new item. */
  readonly takenIds: ReadonlySet<string>;
  readonly payload: object;
  /** Problems that the form opens with. */
  readonly problems?: readonly Problem[];
  /** Saves the item. Throws ApiError where the service refuses. */
  readonly save: (entity: Entity) => Promise<void>;
  readonly remove: () => Promise<void>;
  readonly close: () => void;
  /** Continues with another new item after the one that was saved. */
  readonly another: (saved: Entity) => void;
}

/** One item, in a form or as JSON; both edit the same draft. */
export function EntityEditor(props: Props) {
  const { spec, isNew, takenIds, payload, save, remove, close, another } = props;
  const form = useRef<HTMLFormElement>(null);
  const [initial] = useState(props.initial);
  const [draft, setDraft] = useState<Draft>(initial);
  /** The draft as text while it is edited so; null while it is edited in the form. */
  const [json, setJson] = useState<string | null>(null);
  const [problems, setProblems] = useState<readonly Problem[]>(props.problems ?? []);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  /** Whether the user is shown what refers to the item before it is deleted. */
  const [isAsking, setAsking] = useState(false);
  /** Whether the user was told that a document is open of which no words are pinned. */
  const [isUnpinned, setUnpinned] = useState(false);
  const referrers = isNew ? [] : referrersOf(payload, spec.kind, String(initial['id']));
  // A form whose fields were emptied again holds nothing that could be lost.
  const isChanged =
    (json ?? asJson(readDraft(spec.object, draft))) !== asJson(readDraft(spec.object, initial));
  useUnsaved(isChanged);
  const leave = () => mayLeave(isChanged) && close();

  /** The edited item; null when the JSON text cannot be read, in which case the problem is shown. */
  function read(): Record<string, unknown> | null {
    if (json === null) return readDraft(spec.object, draft);
    try {
      const value: unknown = JSON.parse(json);
      if (typeof value === 'object' && value !== null && !Array.isArray(value))
        return value as Record<string, unknown>;
      setProblems([{ path: '$', message: 'must be a JSON object' }]);
    } catch (failure) {
      setProblems([{ path: '$', message: `not JSON: ${(failure as Error).message}` }]);
    }
    return null;
  }

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    setError(null);
    const entity = read();
    if (entity === null) return focusFirstError(form.current);
    const found = [
      ...atQuote(problemsOf(spec.object, entity)),
      ...namelessProblems(spec.object, entity),
      ...(spec.kind === 'claims' ? claimProblems(entity) : []),
    ];
    // An id that was offered is nobody's choice, and another one does as well.
    if (isNew && entity['id'] !== initial['id'] && takenIds.has(String(entity['id'])))
      found.push({ path: 'id', message: 'is taken already: choose another' });
    if (!isNew && entity['id'] !== initial['id'])
      found.push({ path: 'id', message: 'cannot be changed: other items refer to it' });
    setProblems(found);
    if (found.length > 0) return focusFirstError(form.current);
    setUnpinned(hasOpenPassage());
    if (hasOpenPassage() && !isUnpinned) return;
    const { submitter } = event;
    const next = submitter?.getAttribute('value') === 'another' ? () => another(entity as Entity) : close;
    await attempt(() => save(entity as Entity), next);
  }

  async function attempt(work: () => Promise<void>, next = close): Promise<void> {
    setBusy(true);
    try {
      await work();
      next();
    } catch (failure) {
      if (failure instanceof ApiError) setProblems(atQuote(failure.problems));
      setError(failure);
      setBusy(false);
      focusFirstError(form.current);
    }
  }

  function toggleJson(): void {
    const value = read();
    if (value === null) return;
    setProblems([]);
    if (json === null) setJson(asJson(value));
    else {
      setJson(null);
      setDraft(value);
    }
  }

  const name = shortened(plain(nameOf(initial)), 60);
  const title = isNew ? `Add ${spec.one}` : `Edit ${name === '' ? plain(String(initial['id'])) : name}`;
  return (
    <EditorDialog
      id="editor"
      title={title}
      aside={
        <button type="button" class="toggle" onClick={toggleJson} aria-pressed={json !== null}>
          As JSON
        </button>
      }
      form={form}
      submit={submit}
      leave={leave}
      error={error}
      fields="all"
      label={isBusy ? 'Saving …' : isUnpinned ? 'Save without pinning' : 'Save'}
      isDisabled={isBusy}
      notice={
        <>
          {isUnpinned && (
            <p class="notice" role="alert">
              The document is stored, and none of its words are pinned to this item yet. Select the words that
              are quoted and pin them, or save without them.
            </p>
          )}
          {isAsking && <Referrers referrers={referrers} keep={() => setAsking(false)} />}
        </>
      }
      before={
        isNew && (
          <button type="submit" value="another" disabled={isBusy}>
            Save and add another
          </button>
        )
      }
      behind={
        !isNew && (
          <button
            type="button"
            class="danger"
            disabled={isBusy}
            onClick={() => (referrers.length > 0 && !isAsking ? setAsking(true) : void attempt(remove))}
          >
            {isAsking ? 'Delete it anyway' : 'Delete'}
          </button>
        )
      }
    >
      {/* What is typed while it is saved would not be saved. */}
      <div inert={isBusy}>
        {json === null ? (
          <FormFields
            spec={spec}
            draft={draft}
            setDraft={(next) => {
              setUnpinned(false);
              setDraft(next);
            }}
            problems={problems}
            payload={payload}
            isNew={isNew}
          />
        ) : (
          <>
            <Field
              label="The item as JSON"
              error={
                problems.length > 0 ? 'Something is not right yet; it is listed under the text.' : undefined
              }
            >
              {(control) => (
                <textarea
                  {...control}
                  class="code"
                  rows={18}
                  spellcheck={false}
                  value={json}
                  onInput={(event) => setJson(event.currentTarget.value)}
                />
              )}
            </Field>
            <ProblemList problems={problems} />
          </>
        )}
      </div>
    </EditorDialog>
  );
}

/** Items named before the rest is counted. */
const REFERRERS_SHOWN = 8;

/** What refers to an item that is about to be deleted. */
function Referrers({
  referrers,
  keep,
}: {
  readonly referrers: readonly Referrer[];
  readonly keep: () => void;
}) {
  return (
    <div class="notice" role="alert">
      <p>
        {counted(referrers.length, 'item')} {referrers.length === 1 ? 'refers' : 'refer'} to it and would have
        to be changed before the investigation can be judged:
      </p>
      <ul class="problems">
        {referrers.slice(0, REFERRERS_SHOWN).map(({ spec, item }) => (
          <li key={`${spec.kind} ${item.id}`}>
            {spec.title}: {shortened(plain(nameOf(item)) || plain(item.id), 80)}
          </li>
        ))}
        {referrers.length > REFERRERS_SHOWN && <li>and {referrers.length - REFERRERS_SHOWN} more</li>}
      </ul>
      <button type="button" onClick={keep}>
        Keep it
      </button>
    </div>
  );
}

const asJson = (value: unknown) => JSON.stringify(value, null, 2);

function FormFields({
  spec,
  draft,
  setDraft,
  problems,
  payload,
  isNew,
}: Pick<Props, 'spec' | 'payload' | 'isNew'> & {
  draft: Draft;
  setDraft: (draft: Draft) => void;
  problems: readonly Problem[];
}) {
  const fields = OBJECTS[spec.object];
  // The id comes last: people who type claims do not need it.
  const others = [...Object.keys(fields).filter((name) => name !== 'id' && !spec.first.includes(name)), 'id'];
  const set = others.filter(
    (name) => name !== 'id' && draft[name] !== undefined && draft[name] !== null && draft[name] !== '',
  );
  const isWrong = problems.some(({ path }) => others.some((name) => isWithin(path, name)));
  const inputOf = (name: string) => (
    <FieldInput
      key={name}
      name={name}
      field={fields[name]!}
      value={draft[name]}
      onChange={(value) => setDraft(withField(draft, name, value))}
      path={name}
      problems={problems}
      payload={payload}
      isReadOnly={name === 'id' && !isNew}
    />
  );
  // Problems of no single control stand above all of them.
  const elsewhere = problems.filter(({ path }) => !Object.keys(fields).some((name) => isWithin(path, name)));
  return (
    <>
      <ProblemList problems={elsewhere} />
      <div class="form-grid">{spec.first.map(inputOf)}</div>
      <details class="more-fields" open={isWrong || undefined}>
        <summary>Advanced{set.length > 0 && ` (${set.length} filled in)`}</summary>
        <div class="form-grid">{others.map(inputOf)}</div>
      </details>
    </>
  );
}
