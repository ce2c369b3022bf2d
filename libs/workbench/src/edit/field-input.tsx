import { OBJECTS, type Field as FieldSpec } from '@platform/opinion-fusion';
import { plain, shortened } from '@platform/viewer/browser';
import { SourceInput } from '../documents/source-input.tsx';
import { Field, GroupError, type ControlProps } from '../components/field.tsx';
import type { Draft } from './draft.ts';
import { errorAt } from '../api/problems.ts';
import type { FieldInputProps } from '../components/field-input-props.ts';
import { helpOf } from './field-help.ts';
import { choiceOf, labelOf, nameOf, REFERENCES, type Entity } from './kinds.ts';
import { itemsOf } from './payload-change.ts';
import { RecordInput } from './record-input.tsx';
import { NumbersInput } from './numbers-input.tsx';

/** Texts that people write sentences in. */
const LONG_TEXTS = new Set([
  'content',
  'quote',
  'description',
  'condition_a',
  'condition_b',
  'research_question',
]);
/** More items than this are typed, not chosen. */
const CHOICES_MAX = 300;
const NAME_LENGTH = 70;
/** Items offered for what was typed; more letters find the rest. */
const HITS_MAX = 50;

/** The control of one field, as the field table describes it, with its errors below it. */
export function FieldInput(props: FieldInputProps) {
  const { name, field, path, problems } = props;
  if (field.kind === 'list') return <ListInput {...props} />;
  if (field.of === 'ReliabilityRecord') return <RecordInput {...props} />;
  if (field.kind === 'object') return <SourceInput {...props} />;
  if (field.kind === 'texts') return <TextsInput {...props} />;
  if (field.kind === 'numbers') return <NumbersInput {...props} />;
  return (
    <Field
      label={labelOf(name)}
      help={helpOf(name, field)}
      isRequired={field.required}
      error={errorAt(problems, path)}
      class={`field-${field.kind}`}
    >
      {(control) => <Control {...props} control={control} />}
    </Field>
  );
}

function Control({
  name,
  field,
  value,
  onChange,
  payload,
  isReadOnly,
  control,
}: FieldInputProps & { control: ControlProps }) {
  const text = value === null || value === undefined ? '' : typeof value === 'string' ? value : String(value);
  const shared = { ...control, value: text };
  const onInput = (event: Event) => onChange((event.currentTarget as HTMLInputElement).value);
  if (field.kind === 'word') {
    const values = field.values!.includes(text) || text === '' ? field.values! : [text, ...field.values!];
    return (
      <select {...shared} onChange={onInput}>
        <option value="">{field.required ? 'Choose …' : unsaid(field)}</option>
        {values.map((word) => (
          <option key={word} value={word}>
            {choiceOf(word)}
          </option>
        ))}
      </select>
    );
  }
  if (field.kind === 'flag') {
    return (
      <input
        {...control}
        type="checkbox"
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    );
  }
  const kind = REFERENCES[name];
  if (kind !== undefined)
    return (
      <ReferenceControl
        control={control}
        text={text}
        items={itemsOf(payload, kind)}
        isRequired={field.required}
        onChange={onChange}
      />
    );
  if (name === 'predicate')
    return (
      <>
        <input {...shared} type="text" list={`${control.id}-known`} autocomplete="off" onInput={onInput} />
        <datalist id={`${control.id}-known`}>
          {predicatesOf(payload).map((predicate) => (
            <option key={predicate} value={predicate} />
          ))}
        </datalist>
      </>
    );
  if (LONG_TEXTS.has(name)) return <textarea {...shared} rows={3} dir="auto" onInput={onInput} />;
  return (
    <input
      {...shared}
      type="text"
      dir="auto"
      readOnly={isReadOnly}
      inputMode={field.kind === 'number' ? 'decimal' : field.kind === 'url' ? 'url' : undefined}
      spellcheck={field.kind === 'text'}
      autocomplete="off"
      onInput={onInput}
    />
  );
}

/** The label of the empty option: the default that applies when no word is chosen. */
const unsaid = ({ default: standard }: FieldSpec) =>
  standard === undefined ? '—' : `${String(standard)} (unless chosen)`;

/** Predicates in use: two claims meet only where they spell theirs alike. */
function predicatesOf(payload: object): string[] {
  const used = itemsOf(payload, 'claims').map((claim) => claim['predicate']);
  return [...new Set(used.filter((predicate) => typeof predicate === 'string'))].toSorted();
}

/** Chooses one of the session's items by name; an id that is not there stays as it is, marked. */
function ReferenceControl({
  control,
  text,
  items,
  isRequired,
  onChange,
}: {
  control: ControlProps;
  text: string;
  items: readonly Entity[];
  isRequired: boolean;
  onChange: (value: string) => void;
}) {
  if (items.length > CHOICES_MAX) {
    return (
      <>
        <input
          {...control}
          type="text"
          value={text}
          list={`${control.id}-items`}
          autocomplete="off"
          onInput={(event) => onChange(event.currentTarget.value)}
        />
        <datalist id={`${control.id}-items`}>
          {hits(items, text).map((item) => (
            <option key={item.id} value={item.id}>
              {choiceName(item, items)}
            </option>
          ))}
        </datalist>
      </>
    );
  }
  const isKnown = text === '' || items.some(({ id }) => id === text);
  return (
    <select {...control} value={text} onChange={(event) => onChange(event.currentTarget.value)}>
      <option value="">{items.length === 0 ? 'None there yet' : isRequired ? 'Choose …' : '—'}</option>
      {!isKnown && <option value={text}>{`${plain(text)} (not there)`}</option>}
      {items.map((item) => (
        <option key={item.id} value={item.id}>
          {choiceName(item, items)}
        </option>
      ))}
    </select>
  );
}

/** The first items whose id or name holds a text. */
function hits(items: readonly Entity[], text: string): Entity[] {
  const wanted = text.toLowerCase();
  const found: Entity[] = [];
  for (const item of items) {
    if (`${item.id} ${nameOf(item)}`.toLowerCase().includes(wanted)) found.push(item);
    if (found.length === HITS_MAX) break;
  }
  return found;
}

/** The item's name, with its id only where another item has the same name. */
function choiceName(item: Entity, items: readonly Entity[]): string {
  const name = plain(nameOf(item));
  if (name === '') return plain(item.id);
  const isShared = items.some((other) => other !== item && nameOf(other) === nameOf(item));
  return shortened(name, NAME_LENGTH) + (isShared ? ` (${plain(item.id)})` : '');
}

/** Several references, one control each. */
function TextsInput({ name, field, value, onChange, path, problems, payload }: FieldInputProps) {
  const texts = Array.isArray(value) ? (value as string[]) : [];
  const items = itemsOf(payload, REFERENCES[name] ?? '');
  return (
    <fieldset class="field-group">
      <legend>
        {labelOf(name)}
        {field.required && <span class="required"> required</span>}
      </legend>
      <p class="field-help">{field.description}</p>
      <GroupError
        error={errorAt(
          problems,
          path,
          texts.map((_, index) => `${path}[${index}]`),
        )}
      />
      {texts.map((text, index) => (
        <div key={index} class="group-row">
          <Field label={`${labelOf(name)} ${index + 1}`} error={errorAt(problems, `${path}[${index}]`)}>
            {(control) => (
              <ReferenceControl
                control={control}
                text={text}
                items={items}
                isRequired
                onChange={(next) => onChange(texts.with(index, next))}
              />
            )}
          </Field>
          <button
            type="button"
            class="quiet"
            aria-label={`Remove ${labelOf(name)} ${index + 1}`}
            onClick={() => onChange(texts.toSpliced(index, 1))}
          >
            Remove
          </button>
        </div>
      ))}
      <button type="button" onClick={() => onChange([...texts, ''])}>
        Add one
      </button>
    </fieldset>
  );
}

/** Parts of an item, such as the relationships of a claim: a group of controls each. */
function ListInput({ name, field, value, onChange, path, problems, payload }: FieldInputProps) {
  const parts = Array.isArray(value) ? (value as Draft[]) : [];
  const fields = OBJECTS[field.of!];
  const shown = parts.flatMap((_, index) => Object.keys(fields).map((key) => `${path}[${index}].${key}`));
  return (
    <fieldset class="field-group">
      <legend>{labelOf(name)}</legend>
      <p class="field-help">{field.description}</p>
      <GroupError error={errorAt(problems, path, shown)} />
      {parts.map((part, index) => (
        <fieldset key={index} class="field-part">
          <legend>{`${labelOf(name)} ${index + 1}`}</legend>
          {Object.entries(fields).map(([key, spec]) => (
            <FieldInput
              key={key}
              name={key}
              field={spec}
              value={part[key]}
              onChange={(next) => onChange(parts.with(index, { ...part, [key]: next }))}
              path={`${path}[${index}].${key}`}
              problems={problems}
              payload={payload}
            />
          ))}
          <button
            type="button"
            class="quiet"
            aria-label={`Remove ${labelOf(name)} ${index + 1}`}
            onClick={() => onChange(parts.toSpliced(index, 1))}
          >
            Remove
          </button>
        </fieldset>
      ))}
      <button type="button" onClick={() => onChange([...parts, {}])}>
        Add one
      </button>
    </fieldset>
  );
}
