import type { Contribution, InvestigationResult } from '@platform/opinion-fusion';
import { disputeOf } from '../format/words.ts';
import { speakersOf } from '../model.ts';
import type { JudgedInvestigation } from '../snapshot.ts';
import { withWords } from './with-words.ts';
import { withOtherLeads } from './other-leads.ts';

/** Claims and verdicts that one page can hold and still open at once. The downloads always hold all. */
const PAGE_CLAIMS_MAX = 1000;
const PAGE_VERDICTS_MAX = 500;
/** Items of evidence that one page can hold, dealt out evenly to its claims. */
const PAGE_EVIDENCE_MAX = 5000;

type Result = JudgedInvestigation['result'];

/**
 * The snapshot as the page shows it: of the judgement before only the verdicts; of a very large investigation
 * the most disputed verdicts with their strongest claim on either side, and then the claims of highest rank;
 * of much evidence some for each claim. `totals` and `evidence_total` are set when something was left out.
 * Pure.
 */
export function pageSnapshot<Shown extends JudgedInvestigation>(snapshot: Shown): Shown {
  const cut = cutEvidence(cutClaims(snapshot), snapshot.input.evidence?.length ?? 0);
  return withWords(withOtherLeads(withoutTexts(cut)));
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

function cutClaims<Shown extends JudgedInvestigation>(snapshot: Shown): Shown {
  const { previous } = snapshot;
  const shown = {
    ...snapshot,
    ...(previous && { previous: { ...previous, result: verdictsAlone(previous.result) } }),
  };
  const { input, result } = snapshot;
  const isSmall = input.claims.length <= PAGE_CLAIMS_MAX;
  if ('summary_mode' in result) {
    return isSmall
      ? shown
      : {
          ...shown,
          ...cutInput(shown, claimsToKeep(shown)),
          totals: totalsOf(snapshot, result.top_findings.length),
        };
  }
  if (isSmall && result.subject_results.length <= PAGE_VERDICTS_MAX) return shown;
  const claims = claimsToKeep(shown);
  return {
    ...shown,
    ...cutInput(shown, claims),
    result: cutResult(result, claims, verdictsToKeep(snapshot, result, claims)),
    totals: totalsOf(snapshot, result.subject_results.length),
  };
}

const totalsOf = ({ input }: JudgedInvestigation, verdicts: number) => ({
  claims: input.claims.length,
  sources: speakersOf(input),
  verdicts,
});

function verdictsAlone(result: Result): Result {
  if ('summary_mode' in result) return result;
  return {
    ...result,
    conflict_analysis: [],
    claim_analyses: [],
    ranked_claims: [],
    sensitivity_analysis: { evidence_gaps: [] },
    temporal_analysis: undefined,
    accumulative_analysis: undefined,
    source_dependence: [],
    warnings: [],
  };
}

/** The strongest claims of the most disputed verdicts, then the claims of highest rank. */
function claimsToKeep(snapshot: JudgedInvestigation): ReadonlySet<string> {
  const { input, result } = snapshot;
  const isSummary = 'summary_mode' in result;
  const ranked = isSummary ? result.top_contested_claims : result.ranked_claims;
  const inOrder = [...ranked.map(({ claim_id }) => claim_id), ...input.claims.map(({ id }) => id)];
  const disputed = isSummary ? [] : claimsOfVerdicts(snapshot, inOrder, mostDisputed(result));
  return new Set([...new Set([...disputed, ...inOrder])].slice(0, PAGE_CLAIMS_MAX));
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

const isVoice = ({ route, counted }: Contribution) => route === 'voice' && counted > 0;

/** The verdicts that a page can hold, the most disputed first; each named by its pair. */
function mostDisputed({ subject_results }: InvestigationResult): string[] {
  return subject_results
    .toSorted((a, b) => disputeOf(b) - disputeOf(a) || 0)
    .slice(0, PAGE_VERDICTS_MAX)
    .map(pairOf);
}

const pairOf = (item: { readonly subject_id?: string | null; readonly predicate: string }) =>
  JSON.stringify([item.subject_id, item.predicate]);

/** The most disputed verdicts among those with a claim on the page. */
function verdictsToKeep(
  { input }: JudgedInvestigation,
  result: InvestigationResult,
  claims: ReadonlySet<string>,
): ReadonlySet<string> {
  const spokenOf = new Set(input.claims.filter(({ id }) => claims.has(id)).map(pairOf));
  return new Set(mostDisputed(result).filter((pair) => spokenOf.has(pair)));
}

function cutInput({ input, claim_audits }: JudgedInvestigation, claims: ReadonlySet<string>) {
  const kept = input.claims.filter(({ id }) => claims.has(id));
  const speakers = new Set(kept.map(({ actor_id }) => actor_id));
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
