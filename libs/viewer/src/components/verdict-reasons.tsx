import type { Contribution, Outcome, VerdictExplanation } from '@platform/opinion-fusion';
import { decimal, percent } from '../format/numbers.ts';
import { shortened } from '../format/text.ts';
import { chanceOf, readable, shownStatus, shownValue, TRUTH_STATUS_LABEL } from '../format/words.ts';
import type { Model } from '../model.ts';
import { ClaimLink } from './claim-link.tsx';
import { UserText } from './user-text.tsx';

/** Contributions listed on each side before the rest is counted. */
const SHOWN_PER_SIDE = 8;
const LINE_LENGTH = 120;
const PREMISE_LENGTH = 60;

/** What became of a contribution that does not count in full. */
const OUTCOME_NOTE: Readonly<Record<Outcome, string>> = {
  counted: '',
  dependent: 'not counted: a source it depends on says so more strongly',
  capped: 'counted in part: inferences add one item at most',
  discounted: 'counted in part: one of several unidentified sources',
  below_floor: 'not counted: below the credibility floor',
  corrected: 'not counted: its own source replaced it',
  superseded: 'not counted: replaced by a claim that stands',
  retracted: 'not counted: retracted',
  unheard_target: 'not counted: what it speaks about is not heard',
  distinguished: 'not counted: a distinction parts the two',
};

interface Props {
  readonly explanation: VerdictExplanation;
  readonly model: Model;
}

/** What speaks for and against a verdict, by how much, and how few claims would have to go for it to change. */
export function VerdictReasons({ explanation, model }: Props) {
  return (
    <div class="reasons">
      <Side title="For" side="support" explanation={explanation} model={model} />
      <Side title="Against" side="opposition" explanation={explanation} model={model} />
      <Fragility explanation={explanation} model={model} />
    </div>
  );
}

function Side({
  title,
  side,
  explanation,
  model,
}: Props & { readonly title: string; readonly side: Contribution['side'] }) {
  const contributions = explanation.contributions.filter((contribution) => contribution.side === side);
  const total = side === 'support' ? explanation.r : explanation.s;
  if (contributions.length === 0) return <p class="reasons-none">{title}: nothing.</p>;
  return (
    <section>
      <h5>
        {title}:{' '}
        {total === 0 ? (
          'nothing that counts'
        ) : (
          <span title={`Knowing nothing has a weight of ${explanation.prior_weight}.`}>
            a weight of {decimal(total)}
          </span>
        )}
      </h5>
      <ul>
        {contributions.slice(0, SHOWN_PER_SIDE).map((contribution, index) => (
          <li key={index} class={contribution.counted > 0 ? undefined : 'not-counted'}>
            <span class="reason-size">{decimal(contribution.counted)}</span>
            <span>
              <Spoken contribution={contribution} model={model} />
              {contribution.outcome !== 'counted' && (
                <em class="reason-note">{OUTCOME_NOTE[contribution.outcome]}</em>
              )}
            </span>
          </li>
        ))}
      </ul>
      {contributions.length > SHOWN_PER_SIDE && (
        <p class="more">and {contributions.length - SHOWN_PER_SIDE} more.</p>
      )}
    </section>
  );
}

function Spoken({ contribution, model }: { readonly contribution: Contribution; readonly model: Model }) {
  const claim = contribution.claim_id === null ? undefined : model.claimById.get(contribution.claim_id);
  if (!claim && contribution.route !== 'inference') return <>a claim that only the downloads hold</>;
  if (!claim) {
    return (
      <>
        Inferred by {readable(contribution.rule_type ?? 'rule')} from{' '}
        {(contribution.premise_claim_ids ?? []).map((id, index) => {
          const premise = model.claimById.get(id);
          return (
            <span key={id}>
              {index > 0 && ', '}
              {premise ? (
                <>
                  <ClaimLink claim={premise} text={shortened(premise.input.content, PREMISE_LENGTH)} />{' '}
                  <UserText text={premise.actor.name} class="reason-source" />
                </>
              ) : (
                <UserText text={id} />
              )}
            </span>
          );
        })}
      </>
    );
  }
  const source = <UserText text={claim.actor.name} class="reason-source" />;
  if (contribution.route !== 'evidence') {
    return (
      <>
        <ClaimLink claim={claim} text={shortened(claim.input.content, LINE_LENGTH)} /> {source}
      </>
    );
  }
  // By its own id: evidence about a repetition counts for the claim that was kept.
  const item = model.evidenceById.get(contribution.evidence_id ?? '');
  return (
    <>
      <ClaimLink claim={claim} text={shortened(item?.content ?? '', LINE_LENGTH)} />{' '}
      <span class="reason-source">(evidence against the claim of {source})</span>
    </>
  );
}

/** Whether the verdict hangs on a single source, and how few claims decide it. */
function Fragility({ explanation, model }: Props) {
  const { smallest_change, without_source } = explanation;
  if (explanation.r + explanation.s === 0) return null;
  const deciding = without_source.filter((row) => row.flips || leadsOther(row, explanation));
  return (
    <section>
      <h5>How firmly it stands</h5>
      {deciding.length === 0 && <p>No single source decides it: without any one of them the status stays.</p>}
      {deciding.map((row) => (
        <p key={row.actor_id}>
          Without <UserText text={model.actorById.get(row.actor_id)?.name ?? row.actor_id} />,{' '}
          <Otherwise verdict={row} explanation={explanation} /> ({percent(chanceOf(row))}).
        </p>
      ))}
      {smallest_change && smallest_change.claim_ids.length > 0 && (
        <p>
          {smallest_change.is_exact ? 'The fewest claims' : 'A set of claims'} without which{' '}
          <Otherwise verdict={smallest_change} explanation={explanation} />:{' '}
          {smallest_change.claim_ids.map((id, index) => {
            const claim = model.claimById.get(id);
            return (
              <span key={id}>
                {index > 0 && ', '}
                {claim ? <ClaimLink claim={claim} /> : <UserText text={id} />}
              </span>
            );
          })}
          .
        </p>
      )}
    </section>
  );
}

/** A verdict as it would be without some claims. */
type Alternative = Pick<
  VerdictExplanation['without_source'][number],
  'truth_status' | 'expected_probability' | 'leading_value'
>;

/** What would be so instead: another value would lead, or the verdict would have another status. */
function Otherwise({ verdict, explanation }: Pick<Props, 'explanation'> & { readonly verdict: Alternative }) {
  if (leadsOther(verdict, explanation))
    return (
      <>
        <UserText text={shownValue(verdict.leading_value!)} /> would lead
      </>
    );
  return <>it would be {TRUTH_STATUS_LABEL[shownStatus(verdict)].toLowerCase()}</>;
}

/** Whether another value would lead. */
function leadsOther(
  { leading_value: other }: Alternative,
  { leading_value: now }: VerdictExplanation,
): boolean {
  const read = (value: string) => value.trim().toLowerCase();
  return other !== null && now !== null && read(other) !== read(now);
}
