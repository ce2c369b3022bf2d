import { Field } from '../components/field.tsx';
import type { ColumnNumbers } from './column-values.ts';
import { readNumber, type DecimalMark } from './read-numbers.ts';

interface Props {
  readonly label: string;
  readonly numbers: ColumnNumbers;
  readonly mark: DecimalMark | undefined;
  readonly choose: (mark: DecimalMark | undefined) => void;
}

/** Asks for the decimal mark of the numbers of a file that was not read. */
export const DecimalMarkSelect = ({
  label,
  mark,
  error,
  choose,
}: {
  readonly label: string;
  readonly mark: DecimalMark | undefined;
  readonly error: string | undefined;
  readonly choose: (mark: DecimalMark) => void;
}) => (
  <Field label={label} error={error}>
    {(control) => (
      <select
        {...control}
        value={mark ?? ''}
        onChange={(event) => choose(event.currentTarget.value as DecimalMark)}
      >
        <option value="" disabled>
          Choose …
        </option>
        <option value="comma">Decimal comma, as in 1.250,5</option>
        <option value="point">Decimal point, as in 1,250.5</option>
      </select>
    )}
  </Field>
);

/** Asks for the decimal mark of numbers that could be read either way, and shows one that was decided. */
export const DecimalMarkField = ({
  label,
  numbers: { shown, example, byDelimiter },
  mark,
  choose,
}: Props) => (
  <Field
    label={`${label}: decimal comma or thousands, as in ${example}?`}
    help={
      byDelimiter
        ? 'Taken as decimal point, for the columns of the file are separated by commas.'
        : shown === 'ask'
          ? undefined
          : 'The numbers of the column show it.'
    }
    error={
      shown === 'ask' && mark === undefined ? 'Required: the numbers could be read either way.' : undefined
    }
  >
    {(control) => (
      <select
        {...control}
        value={mark ?? (shown === 'ask' ? '' : shown)}
        onChange={(event) => {
          const { value } = event.currentTarget;
          choose(value === 'comma' || value === 'point' ? value : undefined);
        }}
      >
        {shown === 'ask' && (
          <option value="" disabled>
            Choose …
          </option>
        )}
        {shown === 'each' && <option value="each">Each as it is written</option>}
        {(['comma', 'point'] as const).map((one) => (
          <option key={one} value={one}>
            {one === 'comma' ? 'Decimal comma' : 'Decimal point'}:{' '}
            {readNumber(example, one) === null
              ? `${example} stays a text`
              : `${example} is ${readNumber(example, one)}`}
          </option>
        ))}
      </select>
    )}
  </Field>
);
