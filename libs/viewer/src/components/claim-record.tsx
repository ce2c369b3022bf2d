import { days, day, instant, spanText } from '../format/times.ts';
import {
  capital,
  claimStanding,
  readable,
  shownStatus,
  STRENGTH_MEANING,
  strengthText,
  TRUTH_STATUS_LABEL,
} from '../format/words.ts';
import type { Claim, Model } from '../model.ts';
import { Cited, Origin, Quote } from './cited.tsx';
import { ClaimLink } from './claim-link.tsx';
import { ClaimStatement } from './claim-statement.tsx';
import { claimOpinion } from './opinion.ts';
import { OpinionNumbers, OpinionTriangle } from './opinion-triangle.tsx';
import { TruthGlyph } from './truth-glyph.tsx';
import { LinkedText, UserParagraphs, UserText } from './user-text.tsx';
import { WeightAudit } from './weight-audit.tsx';

interface Props {
  readonly claim: Claim;
  readonly model: Model;
  readonly headingId: string;
  /** Words, source and evidence alone, where a page has too many claims for the whole of each. */
  readonly isBrief?: boolean;
}

/**
 * A claim in full: its words, its source, its times, its evidence, its opinion, and why it weighs what it
 * weighs.
 */
export function ClaimRecord({ claim, model, headingId, isBrief = false }: Props) {
  return (
    <article class="claim-record" aria-labelledby={headingId}>
      <h3 id={headingId} class="claim-statement">
        <Statement claim={claim} model={model} />
      </h3>
      <blockquote class="claim-words">
        <UserParagraphs text={claim.input.content} />
        <footer>
          <Cited actor={claim.actor} said={claim.input} />
          <Quote said={claim.input} isWhole />
        </footer>
      </blockquote>
      {!isBrief && <Standing claim={claim} model={model} />}
      {!isBrief && <Times claim={claim} />}
      <Evidence evidence={claim.evidence} />
      <Relations claim={claim} model={model} />
      <Corroborations claim={claim} model={model} />
      {claim.audit && !isBrief && <WeightAudit audit={claim.audit} />}
      <p class="claim-kicker">
        Id of the claim: <UserText text={claim.id} class="claim-id" />
      </p>
    </article>
  );
}

function Statement({ claim, model }: Pick<Props, 'claim' | 'model'>) {
  const { input } = claim;
  if (input.target_claim_id) {
    const target = model.claimById.get(input.target_claim_id);
    return (
      <>
        {capital((input.valence ?? 'Neutral').toLowerCase())} claim{' '}
        {target ? <ClaimLink claim={target} /> : <UserText text={input.target_claim_id} />}
      </>
    );
  }
  return <ClaimStatement claim={claim} />;
}

function Standing({ claim, model }: Pick<Props, 'claim' | 'model'>) {
  const { analysis, ranked } = claim;
  if (!analysis) {
    const isRepetition = model.judged.result.warnings.some((warning) =>
      warning.startsWith(`Claim \`${claim.id}\` repeats `),
    );
    return ranked ? null : (
      <p class="notice">
        {isRepetition
          ? 'This claim was not weighed: it repeats what its source said in another claim.'
          : 'This claim was not weighed: it was made after the time asked about.'}
      </p>
    );
  }
  const opinion = claimOpinion(analysis);
  const status = shownStatus(claimStanding(analysis));
  return (
    <div class="claim-standing">
      <OpinionTriangle opinion={opinion} size="small" />
      <OpinionNumbers opinion={opinion} />
      <div>
        <p class="claim-probability">
          <TruthGlyph status={status} />{' '}
          <span title={STRENGTH_MEANING}>{strengthText(analysis)}, of 0 to 1</span>
        </p>
        <p>{TRUTH_STATUS_LABEL[status]}</p>
        <p class="audit-note">
          {analysis.supporting_count} for, {analysis.refuting_count} against, {analysis.neutral_count} neutral
          {ranked ? `; rank ${ranked.rank}, ${ranked.category}` : ''}
        </p>
      </div>
    </div>
  );
}

function Times({ claim: { input, analysis, audit, isStale } }: Pick<Props, 'claim'>) {
  const happened = [input.event_start_time, input.event_end_time].some(Boolean)
    ? spanText(day(input.event_start_time) || 'open', day(input.event_end_time) || 'open')
    : null;
  const rows: [string, string | null | undefined][] = [
    ['Said', instant(input.assertion_time) || 'undated'],
    ['Happened', happened],
    ['Scope', input.scope],
    ['Type', input.claim_type],
    ['Status', analysis?.epistemic_status],
    ['Suggested status', analysis?.suggested_epistemic_status],
    ['Half-life', audit ? null : analysis && days(analysis.effective_half_life_days)],
    ['Stale', staleTime(analysis?.decay_origin, analysis?.effective_half_life_days, isStale)],
  ];
  return (
    <dl class="record-list">
      {rows.map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <UserText text={value} />
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}

const DAY_MS = 86_400_000;
/**
 * From here on a claim is said not to age: a date so far off would be false precision. Milliseconds since
 * 1970.
 */
const FAR_MS = Date.UTC(2200, 0, 1);
/** Half-lives until the weight by age falls below a quarter. Source: rule 13. */
const HALF_LIVES_TO_STALE = 2;

function staleTime(
  origin: string | null | undefined,
  halfLifeDays: number | undefined,
  isStale: boolean,
): string | null {
  if (!origin || !halfLifeDays) return isStale ? 'yes' : null;
  const time = new Date(origin).getTime() + HALF_LIVES_TO_STALE * halfLifeDays * DAY_MS;
  if (!isStale && time > FAR_MS) return 'no: it does not age noticeably';
  return `${isStale ? 'since' : 'after'} ${day(new Date(time).toISOString())}`;
}

function Evidence({ evidence }: Pick<Claim, 'evidence'>) {
  if (evidence.length === 0) return null;
  return (
    <section>
      <h4>Evidence</h4>
      <ul class="record-items">
        {evidence.map((item) => (
          <li key={item.id}>
            <span class={`valence valence-${item.valence.toLowerCase()}`}>
              {capital(item.valence.toLowerCase())}
            </span>{' '}
            <bdi dir="auto">
              <LinkedText text={item.content} />
            </bdi>
            <span class="cited">
              <Origin said={item} />
            </span>
            <Quote said={item} isWhole />
            {typeof item.weight === 'number' && <span class="audit-note"> weight {item.weight}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The other claims that this one names, and those that name it. */
function Relations({ claim, model }: Pick<Props, 'claim' | 'model'>) {
  const named = [
    ...(claim.input.supersedes_claim_id ? [['supersedes', claim.input.supersedes_claim_id] as const] : []),
    ...(claim.input.relationships ?? []).map(
      (relation) => [readable(relation.relationship_type), relation.target_claim_id] as const,
    ),
    ...claim.metaClaimIds.map((id) => ['is spoken about by', id] as const),
  ];
  if (named.length === 0) return null;
  return (
    <section>
      <h4>Relations</h4>
      <ul class="record-items">
        {named.map(([relation, id], index) => {
          const other = model.claimById.get(id);
          return (
            <li key={index}>
              {relation} {other ? <ClaimLink claim={other} /> : <UserText text={id} />}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Corroborations({ claim, model }: Pick<Props, 'claim' | 'model'>) {
  const events = claim.input.corroboration_events ?? [];
  if (events.length === 0) return null;
  return (
    <section>
      <h4>Corroborations</h4>
      <ul class="record-items">
        {events.map((event, index) => (
          <li key={index}>
            {day(event.time)}: <UserText text={model.actorById.get(event.actor_id)?.name ?? event.actor_id} />
            {event.description && (
              <>
                {', '}
                <UserText text={event.description} />
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
