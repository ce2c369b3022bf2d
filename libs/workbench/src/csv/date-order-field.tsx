import { Field } from '../components/field.tsx';
import type { DateOrder } from './read-dates.ts';

interface Props {
  /** What holds the dates. */
  readonly label: string;
  readonly order: DateOrder | undefined;
  readonly error: string | undefined;
  readonly choose: (order: DateOrder) => void;
}

/** Asks for the order of dates that could be read either way. */
export const DateOrderField = ({ label, order, error, choose }: Props) => (
  <Field label={`${label}: is 03/04/2025 the 3rd of April or March the 4th?`} error={error}>
    {(control) => (
      <select
        {...control}
        value={order ?? ''}
        onChange={(event) => choose(event.currentTarget.value as DateOrder)}
      >
        <option value="" disabled>
          Choose …
        </option>
        <option value="day-first">3 April: the day comes first</option>
        <option value="month-first">March 4: the month comes first</option>
      </select>
    )}
  </Field>
);
