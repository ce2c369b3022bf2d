import type { Contribution, VerdictExplanation } from '@platform/opinion-fusion';
import { counted, decimal } from '../format/numbers.ts';
import { shortened } from '../format/text.ts';
import { readable, sameWords, YES_OR_NO } from '../format/words.ts';
import type { Model } from '../model.ts';
import type { Compared } from '../snapshot.ts';
import { Cited, Origin, Quote } from './cited.tsx';
import { ClaimLink } from './claim-link.tsx';
import { isOpposite } from './claim-statement.tsx';
import { howSure, outcomeNote } from './outcome-note.ts';
import { Sentence } from './sentence.tsx';
import { UserText } from './user-text.tsx';

/** Contributions listed on each side before the rest is counted. */
const SHOWN_PER_SIDE = 8;
const LINE_LENGTH = 120;
const PREMISE_LENGTH = 60;

interface Props {
  readonly explanation: VerdictExplanation & Compared;
  readonly model: Model;
}

/**
 * What speaks for and against a verdict, by how much, and how few claims would have to go for it to change.
 */
export function VerdictReasons({ explanation, model }: Props) {
  return (
    <div class="reasons">
      <Side title="For" side="support" explanation={explanation} model={model} />
      <Side title="Against" side="opposition" explanation={explanation} model={model} />
      <Side title="Other answers" side="neither" explanation={explanation} model={model} />
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
  const { leaders, copiesOf } = foldedCopies(contributions);
  const isAside = side === 'neither';
  const total = isAside ? 0 : side === 'support' ? explanation.r : explanation.s;
  if (contributions.length === 0) return isAside ? null : <p class="reasons-none">{title}: nothing.</p>;
  return (
    <section>
      <h5>
        {title}:{' '}
        {total === 0 ? (
          isAside ? (
            'on neither side'
          ) : (
            'nothing that counts'
          )
        ) : (
          <span title={`Knowing nothing has a weight of ${explanation.prior_weight}.`}>
            a weight of {decimal(total)}
          </span>
        )}
      </h5>
      <ul>
        {leaders.slice(0, SHOWN_PER_SIDE).map((contribution, index) => (
          <li key={index} class={contribution.counted > 0 ? undefined : 'not-counted'}>
            <span class="reason-size">{decimal(contribution.counted)}</span>
            <span>
              <Spoken contribution={contribution} model={model} />
              <OtherWords contribution={contribution} explanation={explanation} model={model} />
              {contribution.outcome !== 'counted' && (
                <em class="reason-note">{outcomeNote(contribution, model)}</em>
              )}
              <Copies
                of={contribution}
                copies={copiesOf.get(contribution) ?? []}
                explanation={explanation}
                model={model}
              />
            </span>
          </li>
        ))}
      </ul>
      {leaders.length > SHOWN_PER_SIDE && <p class="more">and {leaders.length - SHOWN_PER_SIDE} more.</p>}
    </section>
  );
}

/** Contributions of which none is a copy of another, each with those that it counts for. */
function foldedCopies(contributions: readonly Contribution[]) {
  const copiesOf = new Map<Contribution, Contribution[]>();
  const counted = new Map(
    contributions.flatMap((one) => (one.route === 'voice' && one.counted > 0 ? [[one.claim_id, one]] : [])),
  );
  const leaders = contributions.filter((one) => {
    const leader = one.outcome === 'dependent' ? counted.get(one.counted_claim_id ?? null) : undefined;
    if (!leader) return true;
    copiesOf.set(leader, [...(copiesOf.get(leader) ?? []), one]);
    return false;
  });
  return { leaders, copiesOf };
}

/**
 * Sources that count as one with the one above, in one line until it is opened: by what the author says, or
 * on the suspicion of the program, which is told as one and with how sure it is.
 */
function Copies({
  of: { actor_id: leader },
  copies,
  explanation,
  model,
}: Props & { readonly of: Contribution; readonly copies: readonly Contribution[] }) {
  if (copies.length === 0) return null;
  const others = new Set(copies.map(({ actor_id }) => actor_id));
  const sure = howSure(model, [leader, ...others]);
  const isOne = (others.has(leader) && others.size === 1 ? copies.length : others.size) === 1;
  return (
    <details class="copies">
      <summary>
        and {others.has(leader) && others.size === 1 ? copies.length : others.size}{' '}
        {copies.some(({ suspected }) => suspected) || sure
          ? `that ${isOne ? 'says' : 'say'} the same unusual things and may not be independent of it${sure}`
          : others.has(leader) && others.size === 1
            ? `other ${copies.length === 1 ? 'claim' : 'claims'} of the same source`
            : 'not independent of it, according to the author'}
        , counted once
      </summary>
      <ul>
        {copies.slice(0, SHOWN_PER_SIDE).map((copy, index) => (
          <li key={index}>
            <Spoken contribution={copy} model={model} />
            <OtherWords contribution={copy} explanation={explanation} model={model} />
          </li>
        ))}
        {copies.length > SHOWN_PER_SIDE && <li>and {copies.length - SHOWN_PER_SIDE} more</li>}
      </ul>
    </details>
  );
}

/** Says so where a claim counts as the same value in other words: 57 seconds under 59 seconds. */
function OtherWords({ contribution, explanation, model }: Props & { readonly contribution: Contribution }) {
  const { side, route, claim_id } = contribution;
  const claim = model.claimById.get(claim_id ?? '');
  const leading = explanation.leading_value;
  if (side !== 'support' || route !== 'voice' || !claim || leading === null || isOpposite(claim)) return null;
  const { value } = claim.input;
  if (sameWords(value, leading) || YES_OR_NO.test(leading)) return null;
  return (
    <em class="reason-note">
      says “<UserText text={value} />
      ”, which counts as the same as “<UserText text={leading} />”
    </em>
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
  if (contribution.route !== 'evidence') {
    return (
      <>
        <ClaimLink claim={claim} text={shortened(claim.input.content, LINE_LENGTH)} />{' '}
        <Cited actor={claim.actor} said={claim.input} />
        <Quote said={claim.input} />
      </>
    );
  }
  // By its own id: evidence about a repetition counts for the claim that was kept.
  const item = model.evidenceById.get(contribution.evidence_id ?? '');
  return (
    <>
      <ClaimLink claim={claim} text={shortened(item?.content ?? '', LINE_LENGTH)} />{' '}
      <span class="cited">
        <span>
          evidence against the claim of <UserText text={claim.actor.name} />
        </span>
        {item && <Origin said={item} />}
      </span>
      {item && <Quote said={item} />}
    </>
  );
}

/** Whether the verdict hangs on a single source, and how few claims decide it. */
function Fragility({ explanation, model }: Props) {
  const { without_source } = explanation;
  const change: (typeof explanation.smallest_change & Compared) | null = explanation.smallest_change;
  if (explanation.r + explanation.s === 0) return null;
  const fewest = [...new Set(change?.claim_ids)];
  const held = fewest.flatMap((id) => model.claimById.get(id) ?? []);
  const elsewhere = fewest.length - held.length;
  return (
    <section>
      <h5>
        How firmly it stands
        {explanation.where && <UserText text={explanation.where} />}
      </h5>
      {without_source.length === 0 && <p>No single source decides it.</p>}
      {without_source.map(({ actor_id: id, otherwise }: (typeof without_source)[number] & Compared) => (
        <p key={id}>
          Without <UserText text={model.actorById.get(id)?.name ?? id} />, <Sentence parts={otherwise!} />.
        </p>
      ))}
      {change && fewest.length > 0 && (
        <p>
          {change.is_exact ? 'The fewest claims' : 'A set of claims'} without which the answer would change (
          <Sentence parts={change.otherwise!} />
          ):{' '}
          {held.map((claim, index) => (
            <span key={claim.id}>
              {index > 0 && ', '}
              <ClaimLink claim={claim} isInSentence />
            </span>
          ))}
          {elsewhere > 0 &&
            `${held.length > 0 ? ' and ' : ''}${counted(elsewhere, 'claim that only the downloads hold', 'claims that only the downloads hold')}`}
          .
        </p>
      )}
    </section>
  );
}
