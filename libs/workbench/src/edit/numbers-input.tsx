import { useState } from 'preact/hooks';
import { Field, GroupError } from '../components/field.tsx';
import { labelOf } from './kinds.ts';
import { errorAt } from '../api/problems.ts';
import type { FieldInputProps } from '../components/field-input-props.ts';

/** A number for each of several names, such as the competence per property. */
export function NumbersInput({ name, field, value, onChange, path, problems }: FieldInputProps) {
  const [rows, setRows] = useState<readonly (readonly [name: string, number: string])[]>(() =>
    Object.entries(value ?? {}).map(([key, number]) => [key, String(number)] as const),
  );
  const placeOf = (key: string) => `${path}[${JSON.stringify(key)}]`;
  const change = (next: typeof rows) => {
    setRows(next);
    onChange(Object.fromEntries(next.filter(([key, number]) => key !== '' || number !== '')));
  };
  return (
    <fieldset class="field-group">
      <legend>{labelOf(name)}</legend>
      <p class="field-help">{field.description}</p>
      <GroupError
        error={errorAt(
          problems,
          path,
          rows.map(([key]) => placeOf(key)),
        )}
      />
      {rows.map(([key, number], index) => (
        <div key={index} class="group-row">
          <Field label="Property">
            {(control) => (
              <input
                {...control}
                value={key}
                onInput={(event) => change(rows.with(index, [event.currentTarget.value, number]))}
              />
            )}
          </Field>
          <Field label="Number" error={errorAt(problems, placeOf(key))}>
            {(control) => (
              <input
                {...control}
                inputMode="decimal"
                value={number}
                onInput={(event) => change(rows.with(index, [key, event.currentTarget.value]))}
              />
            )}
          </Field>
          <button
            type="button"
            class="quiet"
            aria-label={`Remove ${key || 'the row'}`}
            onClick={() => change(rows.toSpliced(index, 1))}
          >
            Remove
          </button>
        </div>
      ))}
      <button type="button" onClick={() => setRows([...rows, ['', '']])}>
        Add one
      </button>
    </fieldset>
  );
}
