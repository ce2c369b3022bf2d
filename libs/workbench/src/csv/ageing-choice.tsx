import { counted } from '@platform/viewer/browser';
import type { Entity } from '../edit/kinds.ts';

interface Choice {
  readonly label: string;
  readonly halfLifeDays: number;
}

/** Half-lives to choose from when importing. */
const CHOICES: readonly Choice[] = [
  { label: 'No: these are facts of the past', halfLifeDays: 73_000 },
  { label: 'Over years', halfLifeDays: 1_825 },
  { label: 'Over months', halfLifeDays: 180 },
  { label: 'Within days', halfLifeDays: 7 },
];

const DAY_MS = 86_400_000;
/** Half-lives after which a claim has less than a quarter of its weight. */
const HALF_LIVES_TO_FADE = 2;

interface Props {
  /** Claims that the session will hold. */
  readonly claims: readonly Entity[];
  readonly halfLifeDays: number | null;
  readonly choose: (halfLifeDays: number) => void;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Asks how fast claims age, and shows for each choice how many would have lost most of their weight. */
export function AgeingChoice({ claims, halfLifeDays, choose, now }: Props) {
  return (
    <fieldset class="field-group">
      <legend>Does this get out of date?</legend>
      <p class="field-help">A claim loses half of its weight in each half-life.</p>
      {CHOICES.map((choice) => (
        <label key={choice.label} class="check">
          <input
            type="radio"
            name="half-life"
            checked={halfLifeDays === choice.halfLifeDays}
            onChange={() => choose(choice.halfLifeDays)}
          />{' '}
          {choice.label}{' '}
          <span class="field-help">
            half-life {counted(choice.halfLifeDays, 'day')}; {fadedOf(claims, choice.halfLifeDays, now)} of{' '}
            {counted(claims.length, 'claim')} would be faded
          </span>
        </label>
      ))}
      {halfLifeDays === null ? (
        <p class="field-error">Required: the chances depend on it. It can be changed in the settings.</p>
      ) : null}
    </fieldset>
  );
}

/** How many dated claims have less than a quarter of their weight left at an instant. */
export function fadedOf(claims: readonly Entity[], halfLifeDays: number, now: number): number {
  return claims.filter(({ assertion_time }) => {
    const age = now - Date.parse(String(assertion_time));
    return age > HALF_LIVES_TO_FADE * halfLifeDays * DAY_MS;
  }).length;
}
