import { Field } from '../components/field.tsx';
import { readDate, type Century, type DateOrder } from './read-dates.ts';

interface Props {
  /** What holds the dates. */
  readonly label: string;
  /** One of the dates, as it is written in the file. */
  readonly example: string;
  readonly order: DateOrder;
  readonly century: Century | undefined;
  readonly choose: (century: Century) => void;
}

/** Asks which hundred years are meant by the two digits of years. */
export const CenturyField = ({ label, example, order, century, choose }: Props) => (
  <Field
    label={`${label}: which year is meant by two digits, as in ${example}?`}
    error={century === undefined ? 'Required: the dates could be of either century.' : undefined}
  >
    {(control) => (
      <select
        {...control}
        value={century ?? ''}
        onChange={(event) => choose(Number(event.currentTarget.value) as Century)}
      >
        <option value="" disabled>
          Choose …
        </option>
        {([2000, 1900] as const).map((first) => (
          <option key={first} value={first}>
            {first} to {first + 99}: {example} is {readDate(example, order, first)}
          </option>
        ))}
      </select>
    )}
  </Field>
);
