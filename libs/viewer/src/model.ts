import type {
  ActorInput,
  ClaimAnalysisSummary,
  ClaimAudit,
  ClaimInput,
  EvidenceGap,
  EvidenceInput,
  InvestigationResult,
  Part,
  RankedClaim,
  SubjectArgumentation,
  SubjectInput,
  SubjectResult,
  VerdictExplanation,
} from '@platform/opinion-fusion';
import { quoteMarks, withMarks, type Marked } from './quotes/pinned-quotes.ts';
import type { AnswerWords, JudgedInvestigation, Presentation, Totals, SidesWords } from './snapshot.ts';

/** A claim of the input with everything the result says about it. */
export interface Claim {
  readonly id: string;
  readonly input: Marked<ClaimInput>;
  readonly actor: ActorInput;
  /**
   * The subject spoken about; for a meta-claim the one its target reaches. Null when a chain of targets is
   * broken.
   */
  readonly subject: SubjectInput | null;
  /** The predicate the claim counts in: for a meta-claim, its final target's. */
  readonly predicate: string;
  readonly evidence: readonly Marked<EvidenceInput>[];
  /** Ids of the meta-claims that speak about this claim directly. */
  readonly metaClaimIds: readonly string[];
  /** Null when the engine left the claim out (duplicate, asserted after as_of) or in summary mode. */
  readonly analysis: ClaimAnalysisSummary | null;
  readonly ranked: RankedClaim | null;
  /** What it says as a sentence; empty before `withWords`. */
  readonly statement: readonly Part[];
  readonly audit: ClaimAudit | null;
  /** Weight by age is below a quarter. */
  readonly isStale: boolean;
}

/** A verdict on one (subject, predicate) with the claims behind it. */
export interface Verdict {
  readonly subjectId: string;
  readonly predicate: string;
  readonly result: SubjectResult;
  readonly conflict: SubjectArgumentation | null;
  readonly gap: EvidenceGap | null;
  readonly explanation: VerdictExplanation | null;
  /** In rank order, meta-claims included; empty in summary mode. */
  readonly claims: readonly Claim[];
  /** How many claims it has in all; more than `claims` where the page holds only some. */
  readonly claimCount: number;
  /** Mean freshness of all its claims that were weighed, 0 to 1; null without any. */
  readonly freshness: number | null;
  /** What it says as a sentence without likelihood; empty before `withWords`. */
  readonly statement: readonly Part[];
  /** Null where the reasons are not known, and before `withWords`. */
  readonly sides: SidesWords | null;
  /** The author's sentence for its predicate. */
  readonly pattern: string | undefined;
}

export interface Model {
  readonly judged: JudgedInvestigation;
  /** The whole result; null in summary mode, where only the strongest findings were kept. */
  readonly full: InvestigationResult | null;
  /**
   * In the order in which the input names subjects and first mentions their predicates; inferred ones last.
   */
  readonly verdicts: readonly Verdict[];
  /** In rank order; claims without a rank last, in input order. */
  readonly claims: readonly Claim[];
  readonly claimById: ReadonlyMap<string, Claim>;
  readonly actorById: ReadonlyMap<string, ActorInput>;
  readonly subjectById: ReadonlyMap<string, SubjectInput>;
  readonly evidenceById: ReadonlyMap<string, Marked<EvidenceInput>>;
  readonly presentation: Presentation;
  /** Ordered by potential_shift, largest first. */
  readonly gaps: readonly EvidenceGap[];
}

const pairKey = (subjectId: string, predicate: string): string => JSON.stringify([subjectId, predicate]);
const byId = <T extends { readonly id: string }>(list: readonly T[]) =>
  new Map(list.map((item) => [item.id, item]));

/**
 * Joins input and result once, so that no pane searches lists. Pure; never throws on what the engine
 * accepted.
 */
export function createModel(
  judged: JudgedInvestigation & { readonly share?: Presentation & { readonly slug?: string } },
): Model {
  const { result } = judged;
  const mark = quoteMarks(judged);
  const input = {
    ...judged.input,
    claims: withMarks('claims', judged.input.claims, mark),
    evidence: withMarks('evidence', judged.input.evidence ?? [], mark),
  };
  const full = 'summary_mode' in result ? null : result;
  const actorById = byId(input.actors);
  const subjectById = byId(input.subjects);
  const claims = joinClaims({ ...judged, input }, full, actorById, subjectById);
  const presentation = judged.share ?? judged.presentation ?? {};
  return {
    judged,
    full,
    presentation,
    verdicts: joinVerdicts(judged, full, claims, presentation),
    claims,
    claimById: byId(claims),
    actorById,
    subjectById,
    evidenceById: byId(input.evidence),
    gaps: 'summary_mode' in result ? result.top_evidence_gaps : result.sensitivity_analysis.evidence_gaps,
  };
}

/**
 * Decay below which a claim is stale. temporal_analysis, which lists them, is there for some investigations
 * only. Source: rule 13.
 */
const STALE_BELOW = 0.25;

/** An investigation whose claims and evidence say what became of their quotes. */
type Joined = Pick<JudgedInvestigation, 'claim_audits' | 'result' | 'words'> & {
  readonly input: {
    readonly claims: readonly Marked<ClaimInput>[];
    readonly evidence: readonly Marked<EvidenceInput>[];
  };
};

function joinClaims(
  { input, claim_audits, result, words }: Joined,
  full: InvestigationResult | null,
  actorById: ReadonlyMap<string, ActorInput>,
  subjectById: ReadonlyMap<string, SubjectInput>,
): Claim[] {
  const inputById = byId(input.claims);
  const analyses = new Map(full?.claim_analyses.map((analysis) => [analysis.claim_id, analysis]));
  const rankedClaims = 'summary_mode' in result ? result.top_contested_claims : result.ranked_claims;
  const ranks = new Map(rankedClaims.map((ranked) => [ranked.claim_id, ranked]));
  const audits = new Map(claim_audits.map((audit) => [audit.claim_id, audit]));
  const evidence = grouped(input.evidence, (item) => item.claim_id);
  const metas = grouped(input.claims, (claim) => claim.target_claim_id ?? '');
  const claims = input.claims.map((claim, index): Claim => {
    const root = rootClaim(claim, inputById);
    const analysis = analyses.get(claim.id) ?? null;
    return {
      id: claim.id,
      input: claim,
      actor: actorById.get(claim.actor_id) ?? { id: claim.actor_id, name: claim.actor_id, source_type: '' },
      subject: subjectById.get(root.subject_id ?? '') ?? null,
      predicate: root.predicate,
      evidence: evidence.get(claim.id) ?? [],
      metaClaimIds: (metas.get(claim.id) ?? []).map(({ id }) => id),
      analysis,
      ranked: ranks.get(claim.id) ?? null,
      statement: words?.claims[index] ?? [],
      audit: audits.get(claim.id) ?? null,
      isStale: analysis !== null && Number(analysis.temporal_decay_factor.toFixed(12)) < STALE_BELOW,
    };
  });
  return claims.toSorted((a, b) => (a.ranked?.rank ?? Infinity) - (b.ranked?.rank ?? Infinity) || 0);
}

/** The claim about a subject that a meta-claim is about in the end; itself for a regular claim. */
function rootClaim(claim: ClaimInput, inputById: ReadonlyMap<string, ClaimInput>): ClaimInput {
  let root = claim;
  while (root.target_claim_id) {
    const target = inputById.get(root.target_claim_id);
    if (!target) break;
    root = target;
  }
  return root;
}

function grouped<T>(list: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of list) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

/** The verdicts of a result in the order of `Model.verdicts`, with those of the claims that are given. */
export function joinVerdicts(
  {
    input,
    result,
    explanations,
    words,
    totals,
  }: Pick<JudgedInvestigation, 'input' | 'result' | 'explanations' | 'words' | 'totals'>,
  full: InvestigationResult | null,
  claims: readonly Claim[],
  { patterns = {} }: Presentation,
): Verdict[] {
  const results = 'summary_mode' in result ? result.top_findings : result.subject_results;
  const gaps =
    'summary_mode' in result ? result.top_evidence_gaps : result.sensitivity_analysis.evidence_gaps;
  const key = (item: { readonly subject_id: string; readonly predicate: string }) =>
    pairKey(item.subject_id, item.predicate);
  const keyed = <T extends { readonly subject_id: string; readonly predicate: string }>(list: readonly T[]) =>
    new Map(list.map((item) => [key(item), item]));
  const conflictOf = keyed(full?.conflict_analysis ?? []);
  const gapOf = keyed(gaps);
  const explanationOf = keyed(explanations);
  const claimsOf = grouped(claims, (claim) => pairKey(claim.subject?.id ?? '', claim.predicate));
  const subjectPlace = new Map(input.subjects.map((subject, index) => [subject.id, index]));
  const firstClaimed = new Map<string, number>();
  for (const [index, claim] of input.claims.entries()) {
    const pair = pairKey(claim.subject_id ?? '', claim.predicate);
    if (!firstClaimed.has(pair)) firstClaimed.set(pair, index);
  }
  const place = (verdict: Verdict) =>
    firstClaimed.get(pairKey(verdict.subjectId, verdict.predicate)) ?? Infinity;
  const joined = results.map((verdict, index): Verdict => {
    const own = claimsOf.get(key(verdict)) ?? [];
    const { claims: claimCount, freshness } = totals?.by_verdict[index] ?? figuresOf(own);
    return {
      subjectId: verdict.subject_id,
      predicate: verdict.predicate,
      result: verdict,
      conflict: conflictOf.get(key(verdict)) ?? null,
      gap: gapOf.get(key(verdict)) ?? null,
      explanation: explanationOf.get(key(verdict)) ?? null,
      claims: own,
      claimCount,
      freshness,
      statement: [],
      sides: null,
      pattern: Object.hasOwn(patterns, verdict.predicate) ? patterns[verdict.predicate] : undefined,
    };
  });
  // Some of the claims do not tell which predicate all of them mention first.
  const inOrder = totals
    ? joined
    : joined.toSorted(
        (a, b) =>
          (subjectPlace.get(a.subjectId) ?? 0) - (subjectPlace.get(b.subjectId) ?? 0) ||
          place(a) - place(b) ||
          0,
      );
  return inOrder.map((verdict, index) => ({
    ...verdict,
    statement: words?.verdicts[index] ?? [],
    sides: words?.sides[index] ?? null,
  }));
}

function figuresOf(claims: readonly Claim[]): Totals['by_verdict'][number] {
  const scores = claims.flatMap(({ analysis }) => (analysis ? [analysis.freshness_score] : []));
  const sum = scores.reduce((total, score) => total + score, 0);
  return { claims: claims.length, freshness: scores.length === 0 ? null : sum / scores.length };
}

/** The answer in words with its verdict; null without verdicts, and before `withWords`. */
export function answerIn({ judged, verdicts }: Model): (AnswerWords & { readonly verdict: Verdict }) | null {
  const answer = judged.words?.answer;
  const verdict = verdictOf(verdicts, answer?.finding);
  return answer && verdict ? { ...answer, verdict } : null;
}

/** The verdict of a finding; undefined where it is not among the verdicts. */
export function verdictOf<Found extends Pick<Verdict, 'subjectId' | 'predicate'>>(
  verdicts: readonly Found[],
  finding: Presentation['answer_finding'],
): Found | undefined {
  return verdicts.find(
    ({ subjectId, predicate }) => subjectId === finding?.subject_id && predicate === finding.predicate,
  );
}

/** How many sources say something: those that an input names and that claim nothing are none of them. */
export function speakersOf({ claims }: JudgedInvestigation['input']): number {
  return new Set(claims.map(({ actor_id }) => actor_id)).size;
}

/** The verdicts of a result in either form. */
export function verdictsOf(result: JudgedInvestigation['result']): readonly SubjectResult[] {
  return 'summary_mode' in result ? result.top_findings : result.subject_results;
}
