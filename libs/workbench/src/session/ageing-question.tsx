import { useMemo, useState } from 'preact/hooks';
import type { InvestigationInput } from '@platform/opinion-fusion';
import { useApi } from '../browser/api-context.ts';
import { focusIfLost } from '../browser/focus.ts';
import type { Session } from '../api/wire.ts';
import { Failure } from '../components/failure.tsx';
import { itemsOf } from '../edit/payload-change.ts';
import { updateStored } from '../edit/stored-session.ts';
import { judgeable } from '../grid/desk.ts';
import { AgeingChoice, asksAgeing } from '../csv/ageing-choice.tsx';

interface Props {
  readonly sessionId: string;
  readonly payload: InvestigationInput;
  /** What has the focus once it is answered. */
  readonly focusAfter: string;
  /** Stores what is being edited. */
  readonly flush: () => Promise<unknown>;
  /** Called with what a change makes of the session. */
  readonly changed: (change: (session: Session) => Session) => void;
}

/** Asks how fast claims age where some have dates and nothing says so, as an import asks before it. */
export function AgeingQuestion(props: Props) {
  const { payload } = props;
  const dated = itemsOf(payload, 'claims').filter(
    (claim) => typeof claim['decay_half_life_days'] !== 'number',
  );
  return !payload.as_of && asksAgeing(payload, { claims: dated }) ? <Asked {...props} /> : null;
}

const NOTHING = {};

function Asked({ sessionId, payload, focusAfter, flush, changed }: Props) {
  const api = useApi();
  const [chosen, setChosen] = useState<number | null>(null);
  const [isSaving, setSaving] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const judged = useMemo(() => judgeable(payload), [payload]);

  async function save(): Promise<void> {
    setSaving(true);
    setError(null);
    try {
      await flush();
      const { after } = await updateStored(api, sessionId, (stored) =>
        typeof stored.payload.decay_half_life_days === 'number' ? {} : { decay_half_life_days: chosen },
      );
      changed(() => after);
      focusIfLost(focusAfter);
    } catch (failure) {
      setError(failure);
      setSaving(false);
    }
  }

  return (
    <section class="notice" aria-label="How claims age">
      <AgeingChoice
        payload={judged}
        items={NOTHING}
        halfLifeDays={chosen}
        choose={setChosen}
        unanswered="The chances depend on it: until it is answered, each claim ages as is usual for its source. It can be changed in the settings."
      />
      <button type="button" disabled={chosen === null || isSaving} onClick={() => void save()}>
        Save the answer
      </button>
      <Failure error={error} />
    </section>
  );
}
