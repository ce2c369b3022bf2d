import { isYesNo, statedIn } from '@platform/opinion-fusion';
import { jsonBytes, type Judged } from '../judged.ts';
import { sourcesAmong, verdictLines, type VerdictLine } from '../verdict-lines.ts';

/** Ends of the scale of ratings, as fact-checkers use it. */
const WORST = 1;
const BEST = 5;

/**
 * One ClaimReview for each leading or tied value of a verdict, and each other scope and time of its question,
 * as a JSON-LD graph: the rating is the chance on a scale of 1 to 5 with its word, and `ratingExplanation`
 * says which value is likelier than the one that leads by weight, and how likely each side of a distinction
 * is under its condition. A statement that is said to be true is named as it was reviewed, with those that
 * say so as its authors; a rating of its own has no place on the scale. Source: schema.org/ClaimReview.
 */
export function writeClaimReview(judged: Judged): Uint8Array {
  const { share, presentation = share } = judged;
  const author = presentation?.publisher ?? presentation?.byline;
  const audits = new Map(judged.claim_audits.map((audit) => [audit.claim_id, audit]));
  const reviews = verdictLines(judged, { apart: true }).map((line) => {
    const { claimReviewed, claims, rating } = reviewOf(line);
    const authors = sourcesAmong(claims, judged);
    const said = new Set(claims.flatMap(({ id }) => [id, ...audits.get(id)!.repetition_ids]));
    const urls = new Set(line.claims.flatMap(({ id, url }) => (said.has(id) ? (url ?? []) : [])));
    return {
      '@type': 'ClaimReview',
      claimReviewed,
      datePublished: judged.judgement.judged_at,
      ...(share !== undefined && { url: share.url }),
      ...(author !== undefined && { author: { '@type': 'Organization', name: author } }),
      reviewRating: {
        '@type': 'Rating',
        ...rating,
        ratingExplanation: [line.sources, line.likelier, ...line.conditions].filter(Boolean).join(' '),
      },
      itemReviewed: {
        '@type': 'Claim',
        name: claimReviewed,
        ...(authors.length > 0 && {
          author: authors.map(({ name }) => ({ '@type': 'Organization', name })),
        }),
        ...(urls.size > 0 && { appearance: [...urls].map((url) => ({ '@type': 'CreativeWork', url })) }),
      },
    };
  });
  return jsonBytes({ '@context': 'https://schema.org', '@graph': reviews });
}

/** What is reviewed, the claims that say it, and its rating. */
function reviewOf({ verdict, value, place, statement, chance, likelihood, ...line }: VerdictLine) {
  const ratingValue = Math.round((WORST + chance * (BEST - WORST)) * 10) / 10;
  const plain = { ratingValue, worstRating: WORST, bestRating: BEST, alternateName: likelihood };
  const { subject_name: subject, predicate } = verdict;
  if (statedIn(subject, predicate) === null || place !== '')
    return { claimReviewed: statement, claims: line.saying, rating: plain };
  const own = { alternateName: `${value}: ${likelihood.toLowerCase()}` };
  const rating = isYesNo({ subject, predicate, value }) ? plain : own;
  return { claimReviewed: subject, claims: line.affirming, rating };
}
