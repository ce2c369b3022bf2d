import {
  type Category,
  type Contribution,
  type InvestigationResult,
  type SubjectResult,
} from '@platform/opinion-fusion';
import { disputeOf } from '../format/words.ts';
import { createModel, verdictsOf, type Model } from '../model.ts';
import { answeringVerdict } from '../panes/overview/answer.ts';
import type { JudgedInvestigation, Totals } from '../snapshot.ts';
import { toldByOrigin } from '../components/told-by-origin.ts';
import { withWords } from './with-words.ts';
import { withComparisons } from './with-comparisons.ts';

/** Claims and verdicts that one page can hold and still open at once. The downloads always hold all. */
const PAGE_CLAIMS_MAX = 1000;
const PAGE_VERDICTS_MAX = 500;
/** Items of evidence that one page can hold, dealt out evenly to its claims. */
const PAGE_EVIDENCE_MAX = 5000;

type Result = JudgedInvestigation['result'];

/**
 * The snapshot as the page shows it: of the judgement before only what moved since; of a very large
 * investigation the most disputed verdicts with their strongest claim on either side, and then the claims of
 * highest rank; of much evidence some for each claim. `totals` and `evidence_total` are set when something
 * was left out; what is said in words, and these figures, are those of the whole judgement. Pure.
 */
export function pageSnapshot<Shown extends JudgedInvestigation>(snapshot: Shown): Shown {
  const whole = createModel(withComparisons(withoutTexts(snapshot)));
  const all = toldByOrigins<Shown>(whole);
  return withWords(cutEvidence(cutClaims(all, whole), all.input.evidence?.length ?? 0), whole);
}

/** The judgement as the page tells it: sources that count as one by their origin. */
function toldByOrigins<Shown extends JudgedInvestigation>(whole: Model): Shown {
  const judged = whole.judged as Shown;
  const explanations = judged.explanations.map((one) => ({
    ...one,
    contributions: toldByOrigin(one.contributions, whole),
  }));
  return { ...judged, explanations };
}

/** The documents of a share have pages of their own; its panes link to their passages. */
function withoutTexts<Shown extends JudgedInvestigation>(shown: Shown): Shown {
  if (!shown.documents) return shown;
  return { ...shown, documents: shown.documents.map((document) => ({ ...document, stretches: [] })) };
}

/** At most PAGE_EVIDENCE_MAX items, of each claim the first; at least one of each that has any. */
function cutEvidence<Shown extends JudgedInvestigation>(shown: Shown, total: number): Shown {
  const evidence = shown.input.evidence ?? [];
  if (evidence.length <= PAGE_EVIDENCE_MAX) return shown;
  const claims = new Set(evidence.map(({ claim_id }) => claim_id));
  const each = Math.max(1, Math.floor(PAGE_EVIDENCE_MAX / claims.size));
  const keptOf = new Map<string, number>();
  const kept = evidence.filter(({ claim_id }) => {
    const before = keptOf.get(claim_id) ?? 0;
    keptOf.set(claim_id, before + 1);
    return before < each;
  });
  return { ...shown, input: { ...shown.input, evidence: kept }, evidence_total: total };
}

function cutClaims<Shown extends JudgedInvestigation>(shown: Shown, whole: Model): Shown {
  const { input, result } = shown;
  const isSmall = input.claims.length <= PAGE_CLAIMS_MAX;
  const inOrder = whole.verdicts.map((verdict) => verdict.result);
  if ('summary_mode' in result) {
    if (isSmall) return shown;
    const kept = cutInput(shown, claimsToKeep(shown, []));
    const ordered = { ...result, top_findings: inOrder };
    return { ...shown, ...kept, result: ordered, totals: totalsOf(whole, ordered, kept.input) };
  }
  if (isSmall && result.subject_results.length <= PAGE_VERDICTS_MAX) return shown;
  const answer = answeringVerdict(whole.verdicts, whole.presentation, result.research_question)?.result;
  const verdicts = mostDisputed(result, answer);
  const claims = claimsToKeep(shown, verdicts);
  const ordered = { ...result, subject_results: inOrder };
  const cut = cutResult(ordered, claims, verdictsToKeep(shown, verdicts, claims, answer));
  const kept = cutInput(shown, claims);
  return { ...shown, ...kept, result: cut, totals: totalsOf(whole, cut, kept.input) };
}

/** The figures of the whole, of what a page holds of it. */
function totalsOf(whole: Model, result: Result, { actors }: JudgedInvestigation['input']): Totals {
  const counted = <Key>(keys: readonly Key[]) => {
    const counts = new Map<Key, number>();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts;
  };
  const { input } = whole.judged;
  const categories = counted(whole.claims.flatMap(({ ranked }) => (ranked ? [ranked.category] : [])));
  const byActor = counted(input.claims.map(({ actor_id }) => actor_id));
  const verdicts = new Map(whole.verdicts.map((verdict) => [verdict.result, verdict]));
  return {
    claims: input.claims.length,
    sources: byActor.size,
    actors: input.actors.length,
    verdicts: whole.verdicts.length,
    ranked: Object.fromEntries(categories) as Partial<Record<Category, number>>,
    claims_by_actor: actors.map(({ id }) => byActor.get(id) ?? 0),
    by_verdict: verdictsOf(result).map((verdict) => {
      const { claimCount: claims, freshness } = verdicts.get(verdict)!;
      return { claims, freshness };
    }),
  };
}

/**
 * The strongest claims of some verdicts, then the claims of highest rank, each with the claim that it is
 * about.
 */
function claimsToKeep(shown: JudgedInvestigation, verdicts: readonly string[]): ReadonlySet<string> {
  const { input, result } = shown;
  const ranked = 'summary_mode' in result ? result.top_contested_claims : result.ranked_claims;
  const inOrder = [...ranked.map(({ claim_id }) => claim_id), ...input.claims.map(({ id }) => id)];
  const first = claimsOfVerdicts(shown, inOrder, verdicts);
  const targetOf = new Map(input.claims.map(({ id, target_claim_id }) => [id, target_claim_id]));
  const kept = new Set<string>();
  for (const id of [...first, ...inOrder]) {
    const chain = new Set<string>();
    for (let one: string | null | undefined = id; one && targetOf.has(one); one = targetOf.get(one)) {
      if (kept.has(one) || chain.has(one)) break;
      chain.add(one);
    }
    if (kept.size + chain.size <= PAGE_CLAIMS_MAX) for (const one of chain) kept.add(one);
  }
  return kept;
}

/** Claims that a page holds of each verdict, before it fills up by rank: one on each side. */
const CLAIMS_PER_VERDICT = 2;

/** Ids, verdict by verdict, of the first claim in an order on each side, and of one at least. */
function claimsOfVerdicts(
  { input, explanations }: JudgedInvestigation,
  inOrder: readonly string[],
  verdicts: readonly string[],
): string[] {
  const pairs = new Map(input.claims.map((claim) => [claim.id, pairOf(claim)]));
  const sides = new Map(
    explanations.flatMap(({ contributions }) =>
      contributions.filter(isVoice).map(({ claim_id, side }) => [claim_id, side]),
    ),
  );
  const claimsOf = new Map<string, string[]>(verdicts.map((pair) => [pair, []]));
  // Claims that count come first; another stands for a verdict only where none of it counts.
  for (const id of [...inOrder.filter((one) => sides.has(one)), ...inOrder]) {
    const own = claimsOf.get(pairs.get(id) ?? '');
    if (own === undefined || own.length === CLAIMS_PER_VERDICT) continue;
    const isOtherSide = sides.has(id) && own.every((other) => sides.get(other) !== sides.get(id));
    if (own.length === 0 || isOtherSide) own.push(id);
  }
  return [...claimsOf.values()].flat();
}

const isVoice = ({ route, counted, side }: Contribution) =>
  route === 'voice' && (counted > 0 || side === 'neither');

/** The verdicts that a page can hold, the answer and then the most disputed; each named by its pair. */
function mostDisputed({ subject_results }: InvestigationResult, answer: SubjectResult | undefined): string[] {
  const first = (verdict: SubjectResult) => Number(verdict === answer);
  return subject_results
    .toSorted((a, b) => first(b) - first(a) || disputeOf(b) - disputeOf(a) || 0)
    .slice(0, PAGE_VERDICTS_MAX)
    .map(pairOf);
}

const pairOf = (item: { readonly subject_id?: string | null; readonly predicate: string }) =>
  JSON.stringify([item.subject_id, item.predicate]);

/** Of some verdicts the answer, and those with a claim on the page. */
function verdictsToKeep(
  { input }: JudgedInvestigation,
  verdicts: readonly string[],
  claims: ReadonlySet<string>,
  answer: SubjectResult | undefined,
): ReadonlySet<string> {
  const spokenOf = new Set(input.claims.filter(({ id }) => claims.has(id)).map(pairOf));
  if (answer) spokenOf.add(pairOf(answer));
  return new Set(verdicts.filter((pair) => spokenOf.has(pair)));
}

function cutInput({ input, claim_audits, explanations }: JudgedInvestigation, claims: ReadonlySet<string>) {
  const kept = input.claims.filter(({ id }) => claims.has(id));
  const speakers = new Set(kept.map(({ actor_id }) => actor_id));
  // What a verdict would be without a source names it.
  for (const { without_source } of explanations)
    for (const { actor_id } of without_source) speakers.add(actor_id);
  return {
    claim_audits: claim_audits.filter(({ claim_id }) => claims.has(claim_id)),
    input: {
      ...input,
      claims: kept,
      actors: input.actors.filter(({ id }) => speakers.has(id)),
      evidence: input.evidence?.filter(({ claim_id }) => claims.has(claim_id)),
      distinctions: input.distinctions?.filter(
        (item) => claims.has(item.argument_a) && claims.has(item.argument_b),
      ),
    },
  };
}

function cutResult(
  result: InvestigationResult,
  claims: ReadonlySet<string>,
  pairs: ReadonlySet<string>,
): InvestigationResult {
  const isShown = ({ claim_id }: { readonly claim_id: string }) => claims.has(claim_id);
  const isKept = (item: { readonly subject_id: string; readonly predicate: string }) =>
    pairs.has(pairOf(item));
  return {
    ...result,
    subject_results: result.subject_results.filter(isKept),
    sensitivity_analysis: { evidence_gaps: result.sensitivity_analysis.evidence_gaps.filter(isKept) },
    claim_analyses: result.claim_analyses.filter(isShown),
    ranked_claims: result.ranked_claims.filter(isShown),
    conflict_analysis: result.conflict_analysis.filter(isKept).map((conflict) => ({
      ...conflict,
      interpretations: conflict.interpretations.map((tree) => ({
        ...tree,
        accepted_claims: tree.accepted_claims.filter(isShown),
        attacks: tree.attacks.filter(
          (edge) => claims.has(edge.attacker_claim_id) && claims.has(edge.target_claim_id),
        ),
        supports: tree.supports.filter(
          (edge) => claims.has(edge.supporter_claim_id) && claims.has(edge.supported_claim_id),
        ),
      })),
    })),
  };
}
