import { isYesNo, saysTheSame, type ClaimInput } from '@platform/opinion-fusion';
import { fullResult, jsonBytes, withdrawnClaims, type Judged } from '../judged.ts';
import { verdictLines, type VerdictLine } from '../verdict-lines.ts';

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
  const withdrawn = withdrawnClaims(judged);
  const belowFloor = new Set(
    (fullResult(judged)?.claim_analyses ?? []).flatMap((claim) =>
      'below_credibility_floor' in claim ? [claim.claim_id] : [],
    ),
  );
  const reviews = verdictLines(judged).map((line) => {
    const { statement: claimReviewed, chance, likelihood } = line;
    const competing = claimsCompeting(line).filter(
      ({ id }) => withdrawn.get(id) !== 'retracted' && !belowFloor.has(id),
    );
    const saying = competing.filter(
      ({ value, valence }) => valence !== 'Refutes' && saysTheSame(value, line.verdict.leading_value!),
    );
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
        ratingExplanation: explanationOf(line, { judged, competing, saying }),
      },
      itemReviewed: {
        '@type': 'Claim',
        name: claimReviewed,
        author: authorsOf(saying, judged),
        appearance: [...new Set(saying.flatMap(({ url }) => url ?? []))].map((url) => ({
          '@type': 'CreativeWork',
          url,
        })),
      },
    };
  });
  return jsonBytes({ '@context': 'https://schema.org', '@graph': reviews });
}

/** The claims on a question in the scope and time of what leads; the others do not speak of the same. */
function claimsCompeting({ verdict, claims }: VerdictLine): ClaimInput[] {
  const [leading] = verdict.rival_values ?? [];
  if (leading === undefined) return [...claims];
  const time = timeOf(leading);
  return claims.filter((claim) => {
    const { from, to } = timeOf(claim);
    return (claim.scope ?? '') === (leading.scope ?? '') && from < time.to && time.from < to;
  });
}

type Timed = Pick<ClaimInput, 'event_start_time' | 'event_end_time'>;
/** Milliseconds since 1970. */
const timeOf = ({ event_start_time: start, event_end_time: end }: Timed) => ({
  from: start == null ? -Infinity : Date.parse(start),
  to: end == null ? Infinity : Date.parse(end),
});

/** The sources of claims, each once, in their order. */
function authorsOf(claims: readonly ClaimInput[], { input }: Judged) {
  const ids = new Set(claims.map(({ actor_id }) => actor_id));
  return input.actors.filter(({ id }) => ids.has(id)).map(({ name }) => ({ '@type': 'Organization', name }));
}

/** Claims in whose scope and time the verdict was reached, and those of them that say what leads. */
interface Speaking {
  readonly judged: Judged;
  readonly competing: readonly ClaimInput[];
  readonly saying: readonly ClaimInput[];
}

function explanationOf(line: VerdictLine, { judged, competing, saying }: Speaking): string {
  const { sources, claims } = line;
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
  const all = authorsOf(competing, judged).length;
  const others = all - authorsOf(saying, judged).length;
  const disagree = others === 0 ? [] : [`${others} of ${all} ${others === 1 ? 'does' : 'do'} not say so.`];
  return [sources, ...disagree, ...context].join(' ');
}
