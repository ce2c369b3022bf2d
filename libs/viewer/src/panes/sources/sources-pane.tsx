import {
  recordBehind,
  UNIDENTIFIED,
  type ActorInput,
  type ClaimAudit,
  type SourceDependence,
} from '@platform/opinion-fusion';
import { Cited, Origin, Quote } from '../../components/cited.tsx';
import { ClaimLink } from '../../components/claim-link.tsx';
import { ClaimStatement } from '../../components/claim-statement.tsx';
import { WithdrawnFlag } from '../../components/withdrawn-flag.tsx';
import { useHref } from '../../components/part.tsx';
import type { PaneProps } from '../../components/pane-props.ts';
import { UserText } from '../../components/user-text.tsx';
import { count, counted, percent } from '../../format/numbers.ts';
import { shortened } from '../../format/text.ts';
import { recordWords } from '../../format/record-words.ts';
import { day } from '../../format/times.ts';
import type { Claim, Model } from '../../model.ts';

/** Claims of one source that are listed, and of all sources together; the rest is among all claims. */
const CLAIMS_SHOWN = 12;
const CLAIMS_SHOWN_IN_ALL = 300;
const WORDS_LENGTH = 160;

/** Every source: what it says, how far it is trusted and why, and which others may not be independent. */
export function SourcesPane({
  model,
  most = { perSource: CLAIMS_SHOWN, inAll: CLAIMS_SHOWN_IN_ALL },
}: PaneProps & { readonly most?: { readonly perSource: number; readonly inAll: number } }) {
  const claimsOf = new Map<string, Claim[]>();
  for (const claim of model.claims) {
    const own = claimsOf.get(claim.actor.id);
    if (own) own.push(claim);
    else claimsOf.set(claim.actor.id, [claim]);
  }
  const { input, totals } = model.judged;
  const countOf = new Map(
    input.actors.map(({ id }, index) => [
      id,
      totals?.claims_by_actor[index] ?? claimsOf.get(id)?.length ?? 0,
    ]),
  );
  const speakers = input.actors
    .filter(({ id }) => claimsOf.has(id))
    .toSorted((a, b) => countOf.get(b.id)! - countOf.get(a.id)! || 0);
  const silent = totals ? totals.actors - totals.sources : input.actors.length - speakers.length;
  let left = most.inAll;
  if (speakers.length === 0) return <p class="empty">No source says anything yet.</p>;
  return (
    <div class="sources">
      <p class="sources-about">
        {totals && `${count(speakers.length)} of `}
        {counted(totals?.sources ?? speakers.length, 'source')}, those that say most first. How far a source
        is trusted is where its claims begin; age, contradictions and what others say do the rest.
        {silent > 0 &&
          ` ${counted(silent, 'more source')} named in the investigation ${silent === 1 ? 'says' : 'say'} nothing.`}
      </p>
      <ul class="source-cards">
        {speakers.map((actor) => {
          const claims = claimsOf.get(actor.id)!;
          const shown = claims.slice(0, Math.min(most.perSource, Math.max(0, left)));
          left -= shown.length;
          const elsewhere = countOf.get(actor.id)! - claims.length;
          return <SourceCard key={actor.id} {...{ actor, claims, shown, elsewhere, model }} />;
        })}
      </ul>
    </div>
  );
}

interface CardProps {
  readonly actor: ActorInput;
  readonly claims: readonly Claim[];
  readonly shown: readonly Claim[];
  /** How many further claims the page does not hold. */
  readonly elsewhere: number;
  readonly model: Model;
}

function SourceCard({ actor, claims, shown, elsewhere, model }: CardProps) {
  const href = useHref();
  const audit = claims.find((claim) => claim.audit)?.audit ?? null;
  return (
    <li class="source-card">
      <h3>
        <Cited actor={actor} said={{ content: '' }} />
      </h3>
      <p class="source-trust">
        <Trust actor={actor} audit={audit} model={model} />
      </p>
      <Declared actor={actor} model={model} />
      {(model.full?.source_dependence ?? [])
        .filter(({ actor_ids }) => actor_ids.includes(actor.id))
        .map((group) => (
          <Alike key={group.actor_ids.join(' ')} group={group} actor={actor} model={model} />
        ))}
      <ul class="source-claims">
        {shown.map((claim) => (
          <li key={claim.id}>
            <ClaimLink claim={claim} text={shortened(claim.input.content, WORDS_LENGTH)} />{' '}
            <span class="cited">
              {!claim.input.target_claim_id && (
                <span>
                  <ClaimStatement claim={claim} />
                </span>
              )}
              {claim.input.assertion_time && (
                <time dateTime={claim.input.assertion_time}>{day(claim.input.assertion_time)}</time>
              )}
              <Origin said={claim.input} />
              <WithdrawnFlag claim={claim} />
            </span>
            <Quote said={claim.input} />
          </li>
        ))}
      </ul>
      {claims.length > shown.length && (
        <p class="more">
          {counted(claims.length - shown.length, shown.length === 0 ? 'claim' : 'more claim')} in the{' '}
          <a href={href('audit-claims')}>list of all claims</a>.
        </p>
      )}
      {elsewhere > 0 && <p class="more">{counted(elsewhere, 'more claim')} in the downloads.</p>}
    </li>
  );
}

/** How often the source is taken to be right, and where that number comes from. */
function Trust({
  actor,
  audit,
  model,
}: Pick<CardProps, 'actor' | 'model'> & { readonly audit: ClaimAudit | null }) {
  const learned = model.full?.estimated_reliability?.find(({ actor_id }) => actor_id === actor.id);
  if (learned)
    return (
      <>
        Taken to be right in <b>{percent(learned.mean)}</b> of what it says: learned from{' '}
        {counted(learned.claims, 'claim')} of its own (between {percent(learned.low)} and{' '}
        {percent(learned.high)}).
      </>
    );
  const base = audit?.reliability.base ?? actor.base_reliability ?? null;
  if (base === null) return <>Trusted as is usual for its kind.</>;
  const record = recordBehind(actor);
  const why =
    actor.base_reliability == null
      ? 'what is usual for its kind of source'
      : record === null
        ? 'as the author of the investigation judged it'
        : recordWords(record);
  return (
    <>
      Taken to be right in <b>{percent(base)}</b> of what it says: {why}.
      {audit?.reliability.below_floor && ' That is too little to count.'}
      {(audit?.reliability.self_contradictions ?? 0) > 0 &&
        ' It contradicts itself, which lowers the weight of what it says.'}
    </>
  );
}

/** Whom the source is said to repeat. */
function Declared({ actor, model }: Pick<CardProps, 'actor' | 'model'>) {
  const names = actor.depends_on ?? [];
  if (names.length === 0) return null;
  return (
    <p class="source-alike">
      Repeats <Names ids={names} model={model} />, according to the author; together they count as one voice.
    </p>
  );
}

/**
 * Who says the same unusual things. Likeness is no proof of copying, and the sentence does not say that it
 * is.
 */
function Alike({
  group,
  actor,
  model,
}: Pick<CardProps, 'actor' | 'model'> & { readonly group: SourceDependence }) {
  const { resembles } = group;
  const others = [...group.actor_ids.filter((id) => id !== actor.id), ...(resembles ? [resembles] : [])];
  const areIdentified = group.actor_ids.every(
    (id) => !UNIDENTIFIED.has(model.actorById.get(id)!.source_type),
  );
  return (
    <p class="source-alike">
      Says the same unusual things as <Names ids={others} model={model} />
      {others.length > 1 && ' (at least two of them each time)'}: the same answer to{' '}
      {counted(group.shared_items, 'question')}, of which {count(group.shared_rare_values)}{' '}
      {group.shared_rare_values === 1 ? 'is' : 'are'} answered so by at most one in five of the{' '}
      {areIdentified ? 'other identified sources' : 'others'}. The program is {percent(group.probability)}{' '}
      sure that they are not independent, which is a suspicion and no proof.{' '}
      {group.direction && (
        <>
          If one of them is the original, it is <Names ids={[group.direction.to]} model={model} />.{' '}
        </>
      )}
      {resembles && (
        <>
          Nothing is held against <Names ids={[resembles]} model={model} />, which counts by itself.{' '}
        </>
      )}
      {consequenceOf(group)}
    </p>
  );
}

/** How sources that are suspected are counted. */
function consequenceOf(group: SourceDependence): string {
  if (group.actor_ids.length === 1) return 'So does this source, as an unidentified one.';
  const who = group.resembles ? 'The others' : 'They';
  // Judgements of older engines do not say whether the suspicion was applied.
  return 'applied' in group && !group.applied
    ? `${who} still count one by one, for the pattern may have other reasons.`
    : `To be careful, ${who.toLowerCase()} count once where they agree. There may be other reasons, such as a source they share.`;
}

function Names({ ids, model }: { readonly ids: readonly string[]; readonly model: Model }) {
  return (
    <>
      {ids.map((id, index) => (
        <span key={id}>
          {index > 0 && (index === ids.length - 1 ? ' and ' : ', ')}
          <UserText text={model.actorById.get(id)?.name ?? id} />
        </span>
      ))}
    </>
  );
}
