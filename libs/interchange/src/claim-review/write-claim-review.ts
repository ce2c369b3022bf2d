import { isYesNo, saysTheSame, type ClaimInput } from '@platform/opinion-fusion';
import { jsonBytes, type Judged } from '../judged.ts';
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
  const reviews = verdictLines(judged).map((line) => {
    const { statement: claimReviewed, chance, likelihood } = line;
    const saying = claimsSaying(line);
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
        ratingExplanation: explanationOf(line, judged),
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

/** The claims that say what is reviewed. The others on its question say something else, or refute it. */
function claimsSaying({ verdict, claims }: VerdictLine): ClaimInput[] {
  return claims.filter(
    ({ value, valence }) => valence !== 'Refutes' && saysTheSame(value, verdict.leading_value!),
  );
}

/** The sources of claims, each once, in their order. */
function authorsOf(claims: readonly ClaimInput[], { input }: Judged) {
  const ids = new Set(claims.map(({ actor_id }) => actor_id));
  return input.actors.filter(({ id }) => ids.has(id)).map(({ name }) => ({ '@type': 'Organization', name }));
}

function explanationOf(line: VerdictLine, judged: Judged): string {
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
  const all = authorsOf(claims, judged).length;
  const others = all - authorsOf(claimsSaying(line), judged).length;
  const disagree = others === 0 ? [] : [`${others} of ${all} ${others === 1 ? 'does' : 'do'} not say so.`];
  return [sources, ...disagree, ...context].join(' ');
}
