import {
  isYesNo,
  saysTheSame,
  type ClaimAudit,
  type ClaimInput,
  type Contribution,
} from '@platform/opinion-fusion';
import { jsonBytes, type Judged } from '../judged.ts';
import { questionOf, sourcesOf, verdictLines, type VerdictLine } from '../verdict-lines.ts';

/** Ends of the scale of ratings, as fact-checkers use it. */
const WORST = 1;
const BEST = 5;

/**
 * One ClaimReview for each verdict with a leading value, as a JSON-LD graph: the rating is the chance on a
 * scale of 1 to 5 with its word, and `ratingExplanation` says under which conditions each side of a
 * distinction holds. Source: schema.org/ClaimReview.
 */
export function writeClaimReview(judged: Judged): Uint8Array {
  const { share, presentation = share } = judged;
  const author = presentation?.publisher ?? presentation?.byline;
  const audits = new Map(judged.claim_audits.map((audit) => [audit.claim_id, audit]));
  const explanations = new Map(
    judged.explanations.map((one) => [questionOf(one.subject_id, one.predicate), one]),
  );
  const reviews = verdictLines(judged).map((line) => {
    const { statement: claimReviewed, chance, likelihood, verdict } = line;
    const explanation = explanations.get(questionOf(verdict.subject_id, verdict.predicate));
    const voices = voicesOf(line, explanation?.contributions ?? [], audits);
    const said = new Set(voices.saying.flatMap(({ id }) => [id, ...audits.get(id)!.repetition_ids]));
    const urls = line.claims.flatMap(({ id, url }) => (said.has(id) ? (url ?? []) : []));
    return {
      '@type': 'ClaimReview',
      claimReviewed,
      datePublished: judged.judgement.judged_at,
      ...(share !== undefined && { url: share.url }),
      ...(author !== undefined && { author: { '@type': 'Organization', name: author } }),
      reviewRating: {
        '@type': 'Rating',
        ratingValue: Math.round((WORST + chance * (BEST - WORST)) * 10) / 10,
        worstRating: WORST,
        bestRating: BEST,
        alternateName: likelihood,
        ratingExplanation: explanationOf(line, judged, voices),
      },
      itemReviewed: {
        '@type': 'Claim',
        name: claimReviewed,
        author: authorsOf(voices.saying, judged),
        appearance: [...new Set(urls)].map((url) => ({ '@type': 'CreativeWork', url })),
      },
    };
  });
  return jsonBytes({ '@context': 'https://schema.org', '@graph': reviews });
}

/** What a verdict counts: the claims with weight that say what is reviewed, and those that conflict. */
interface Voices {
  readonly saying: readonly Voice[];
  readonly others: readonly Voice[];
}
type Voice = ClaimInput & { readonly dependenceClass: string | null };

/**
 * The claims that the engine heard for and against a verdict. Where a denial leads, a claim may speak against
 * it with another value, and so for the verdict, without saying what is reviewed.
 */
function voicesOf(
  { claims, verdict }: VerdictLine,
  contributions: readonly Contribution[],
  audits: ReadonlyMap<string, ClaimAudit>,
): Voices {
  const claimById = new Map(claims.map((claim) => [claim.id, claim]));
  const heard = contributions.flatMap(({ route, side, claim_id: id, dependence_class: dependenceClass }) => {
    if (route !== 'voice' || audits.get(id!)!.weight.weight <= 0) return [];
    return [{ ...claimById.get(id!)!, dependenceClass, side }];
  });
  const saysSo = ({ side, value, valence }: (typeof heard)[number]) =>
    side === 'support' &&
    (valence?.toLowerCase() === 'refutes') !== saysTheSame(value, verdict.leading_value!);
  return { saying: heard.filter(saysSo), others: heard.filter((voice) => !saysSo(voice)) };
}

/** The sources of claims, each once, in their order. */
function authorsOf(claims: readonly ClaimInput[], { input }: Judged) {
  const ids = new Set(claims.map(({ actor_id: id }) => id));
  return input.actors.filter(({ id }) => ids.has(id)).map(({ name }) => ({ '@type': 'Organization', name }));
}

function explanationOf({ claims }: VerdictLine, judged: Judged, { saying, others }: Voices): string {
  const { input } = judged;
  const said = new Map(claims.map((claim) => [claim.id, claim]));
  const valueOf = (id: string) => {
    const claim = said.get(id);
    if (claim === undefined) return null;
    return isYesNo({ subject: '', predicate: claim.predicate, value: claim.value })
      ? claim.content
      : claim.value;
  };
  const context = (input.distinctions ?? []).flatMap((distinction) => {
    const a = valueOf(distinction.argument_a);
    const b = valueOf(distinction.argument_b);
    if (a === null || b === null) return [];
    return [`By ${distinction.feature}: ${distinction.condition_a}: ${a}; ${distinction.condition_b}: ${b}.`];
  });
  const all = authorsOf([...saying, ...others], judged).length;
  const source_count = authorsOf(saying, judged).length;
  const independent_source_count = new Set(saying.map(({ dependenceClass }) => dependenceClass)).size;
  const sources =
    source_count === 0 ? 'No source says so.' : sourcesOf({ source_count, independent_source_count });
  const differing = all - source_count;
  const disagree =
    differing === 0 ? [] : [`${differing} of ${all} ${differing === 1 ? 'does' : 'do'} not say so.`];
  return [sources, ...disagree, ...context].join(' ');
}
