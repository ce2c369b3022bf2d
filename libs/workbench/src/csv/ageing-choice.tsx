import { useMemo } from 'preact/hooks';
import type { EntityKind, InvestigationInput } from '@platform/opinion-fusion';
import { count, counted } from '@platform/viewer/browser';
import { KINDS, type Entity } from '../edit/kinds.ts';
import { applied } from '../edit/edits.ts';
import { useStaleCounts } from './use-stale-counts.ts';

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
const HALF_LIVES_DAYS = CHOICES.map(({ halfLifeDays }) => halfLifeDays);

type Items = Readonly<Partial<Record<EntityKind, readonly Entity[]>>>;

/** Whether an import into an investigation asks how fast claims age: for dates without a half-life. */
export const asksAgeing = (payload: InvestigationInput, { claims = [] }: Items): boolean =>
  typeof payload.decay_half_life_days !== 'number' && claims.some((claim) => claim['assertion_time']);

interface Props {
  readonly payload: InvestigationInput;
  /** What is imported; the same object while it stays the same. */
  readonly items: Items;
  readonly halfLifeDays: number | null;
  readonly choose: (halfLifeDays: number) => void;
  /** What is said until it is answered, where nothing waits for it. */
  readonly unanswered?: string;
}

/** Asks how fast claims age, and shows for each choice how many would be stale once judged. */
export function AgeingChoice({ payload, items, halfLifeDays, choose, unanswered }: Props) {
  const input = useMemo(
    () =>
      applied(
        payload,
        KINDS.flatMap(({ kind }) =>
          (items[kind] ?? []).map((item) => ({ kind, id: item.id, before: null, after: item })),
        ),
      ),
    [payload, items],
  );
  const counts = useStaleCounts(input, HALF_LIVES_DAYS);
  return (
    <fieldset class="field-group">
      <legend>Does this get out of date?</legend>
      <p class="field-help">
        A claim loses half of its weight in each half-life, which is shorter for posts and longer for experts.
        {counts === null && ' How many claims would be faded is shown once each source has a type.'}
      </p>
      {CHOICES.map((choice, index) => (
        <label key={choice.label} class="check">
          <input
            type="radio"
            name="half-life"
            checked={halfLifeDays === choice.halfLifeDays}
            onChange={() => choose(choice.halfLifeDays)}
          />{' '}
          {choice.label}{' '}
          <span class="field-help">
            half-life {counted(choice.halfLifeDays, 'day')}
            {counts &&
              `; ${count(counts.stale[index]!)} of ${counted(counts.claims, 'claim')} would be faded`}
          </span>
        </label>
      ))}
      {halfLifeDays === null && (
        <p class={unanswered === undefined ? 'field-error' : 'field-help'}>
          {unanswered ?? 'Required: the chances depend on it. It can be changed in the settings.'}
        </p>
      )}
    </fieldset>
  );
}
