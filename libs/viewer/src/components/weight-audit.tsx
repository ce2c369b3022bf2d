import type { ClaimAudit } from '@platform/opinion-fusion';
import { count, decimal } from '../format/numbers.ts';
import { recordWords } from '../format/record-words.ts';
import { days, instant } from '../format/times.ts';
import { Equation } from './equation.tsx';

const FRESHNESS_SHARES = { decay: 0.7, recency: 0.2, status: 0.1 } as const;

/** Numbers of an audit with three decimals: two would not let a reader do the product again. */
const exact = (value: number) => (value === Math.round(value) ? String(value) : value.toFixed(3));

/** A half-life that the product can be done with: in days, whole ones without decimals. */
const exactDays = (value: number) => `${Number.isInteger(value) ? count(value) : value.toFixed(2)}\u00a0days`;

/**
 * Why a claim counts as much as it does: reliability, half-life, decay, freshness and weight, each as its
 * arithmetic.
 */
export function WeightAudit({ audit }: { readonly audit: ClaimAudit }) {
  return (
    <div class="weight-audit">
      <Reliability audit={audit} />
      <HalfLife audit={audit} />
      <Decay audit={audit} />
      <Weight audit={audit} />
    </div>
  );
}

/**
 * What the number is that a claim's weight begins with: a learned weight is no share of right answers, which
 * the sources' own pane states.
 */
export const BASE_NAME: Readonly<Record<ClaimAudit['reliability']['base_from'], string>> = {
  given: 'base reliability',
  clamped: 'base reliability',
  source_type: 'base reliability',
  estimated: 'learned weight',
};

function Reliability({ audit: { reliability } }: { readonly audit: ClaimAudit }) {
  const { base_from, clamp_low, clamp_high, given, record } = reliability;
  return (
    <section>
      <h4>Reliability</h4>
      <Equation
        operator="×"
        terms={[
          { name: BASE_NAME[base_from], value: exact(reliability.base) },
          {
            name: reliability.competence_from === 'predicate' ? 'competence in this' : 'general competence',
            value: exact(reliability.competence),
          },
          { name: 'self-contradiction', value: exact(reliability.self_contradiction) },
        ]}
        result={{ name: 'effective', value: exact(reliability.effective) }}
      />
      {base_from === 'source_type' && (
        <p class="audit-note">No reliability was given: the usual one of its source type.</p>
      )}
      {base_from === 'estimated' && (
        <p class="audit-note">
          Learned from the claims, for this value: 0 for a source that guesses, towards 1 for one always
          right.
        </p>
      )}
      {base_from !== 'estimated' && record && (
        <p class="audit-note">Base reliability {recordWords(record)}.</p>
      )}
      {base_from === 'clamped' && (
        <p class="audit-note">
          Given as {given}, held within {clamp_low} and {clamp_high}.
        </p>
      )}
      {reliability.self_contradictions > 0 && (
        <p class="audit-note">Its source contradicts itself {reliability.self_contradictions} times.</p>
      )}
      {reliability.below_floor && (
        <p class="audit-note">
          <span class="flag">below the floor of {reliability.floor}</span> It counts for nothing.
        </p>
      )}
    </section>
  );
}

function HalfLife({ audit: { half_life } }: { readonly audit: ClaimAudit }) {
  const status = { name: `status: ${half_life.status}`, value: exact(half_life.epistemic_status) };
  const usual = [
    {
      name: half_life.domain_from === 'domain' ? 'half-life of the domain' : 'half-life of the investigation',
      value: exactDays(half_life.domain),
    },
    { name: 'claim type', value: exact(half_life.claim_type) },
    { name: 'source authority', value: exact(half_life.source_authority) },
    status,
  ];
  const given = { name: 'given for this claim', value: exactDays(half_life.override ?? 0) };
  const overridden =
    half_life.status === 'superseded' || half_life.status === 'retracted' ? [given, status] : [given];
  return (
    <section>
      <h4>Half-life</h4>
      <Equation
        operator="×"
        terms={half_life.override === null ? usual : overridden}
        result={{ name: 'effective half-life', value: exactDays(half_life.effective_days) }}
      />
    </section>
  );
}

function Decay({ audit: { decay, freshness } }: { readonly audit: ClaimAudit }) {
  return (
    <section>
      <h4>Age and freshness</h4>
      {decay.origin === null ? (
        <p class="audit-note">Without a date it does not age.</p>
      ) : (
        <p class="audit-note">
          Ages from {instant(decay.origin)}: {days(decay.age_days)} old, weight by age {exact(decay.factor)}
          {decay.is_stale ? ', stale' : ''}.
          {decay.corroborations > 0 &&
            ` Corroborated ${decay.corroborations} times, ${decay.independent_corroborations} independently.`}
        </p>
      )}
      <Equation
        operator="+"
        terms={[
          { name: 'weight by age', value: `${FRESHNESS_SHARES.decay} · ${exact(freshness.decay)}` },
          {
            name: 'recent corroboration',
            value: `${FRESHNESS_SHARES.recency} · ${exact(freshness.recency)}`,
          },
          { name: 'status', value: `${FRESHNESS_SHARES.status} · ${exact(freshness.status)}` },
        ]}
        result={{ name: 'freshness', value: exact(freshness.score) }}
      />
    </section>
  );
}

function Weight({ audit: { reliability, decay, weight } }: { readonly audit: ClaimAudit }) {
  return (
    <section>
      <h4>Weight</h4>
      <Equation
        operator="×"
        terms={[
          { name: 'effective reliability', value: exact(reliability.effective) },
          { name: 'weight by age', value: exact(decay.factor) },
          { name: 'refined by another', value: exact(weight.refined) },
        ]}
        result={{ name: 'weight', value: exact(weight.weight) }}
      />
      {weight.is_retracted && <p class="audit-note">It was retracted and counts for nothing.</p>}
      <p class="audit-note">
        Voice {exact(weight.voice)}
        {weight.supporting_evidence > 0 &&
          `, with ${decimal(weight.supporting_evidence)} of supporting evidence, at most ${exact(weight.cap)}`}
        ; κ {exact(weight.kappa)}. The statement gathers {decimal(weight.r)} items for it and{' '}
        {decimal(weight.s)} against.
      </p>
    </section>
  );
}
