import { causalChains } from './causal-chains.ts';
import { GroupCounter } from '../dependence/group-counter.ts';
import { INTERPRETATIONS_MAX, INTERPRETED_CLAIMS_MAX, LISTED_EDGES_MAX } from '../contract/constants.ts';
import { buildFramework, coherence } from './framework.ts';
import type { Framework, FrameworkScratch } from './framework.ts';
import { interpret } from './interpretations.ts';
import type { Interpretations } from './interpretations.ts';
import { attackCount, InterpretationTrees, supportCount } from './interpretation-tree.ts';
import { quote } from '../contract/quote.ts';
import { clamp } from '../contract/rounding.ts';
import type { SubjectArgumentation } from '../contract/types.ts';
import { disputeLevel } from '../verdict/truth-status.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { Warnings } from '../contract/warnings.ts';
import type { Warning } from '../contract/warnings.ts';
import type { Weighed } from '../weighing/weighing.ts';

/** The analysis of one pair, and what else of the result rests on its interpretations. */
export interface ConflictAnalysis {
  readonly argumentation: SubjectArgumentation;
  /** Claims in some but not all interpretations, by id. */
  readonly discriminating: readonly string[];
  /** What was warned of. */
  readonly warned: readonly Warning[];
  /** Attacks and supports of each interpretation listed, before any are left out. */
  readonly edges: readonly number[];
  /** How much the whole analysis lets each tree list: interpretations by claim, and edges by tree. */
  readonly listedPerClaim: number;
  readonly edgesPerTree: number;
}

interface Argued {
  readonly framework: Framework | null;
  readonly edges: readonly number[];
  readonly warnings: Warnings;
}

interface ArguedClaims extends Argued {
  readonly framework: Framework;
  readonly interpretations: Interpretations;
  /** The interpretations that are listed, best first. */
  readonly listed: readonly (readonly number[])[];
}

/**
 * The argumentation of every verdict, in their order; `earlier` has that of each verdict on which nothing
 * changed, null for the others. Asks `shouldStop` often; once true, what is left is approximated. Source:
 * reasoning model §7. Never throws.
 */
export function analyzeConflicts(
  verdicts: readonly Verdict[],
  weighed: Weighed,
  warnings: Warnings,
  shouldStop: () => boolean,
  earlier: readonly (ConflictAnalysis | null)[],
): ConflictAnalysis[] {
  let speaking = 0;
  for (const weighing of weighed.weighings) if (weighing.weight > 0) speaking += 1;
  const listedPerClaim = clamp(
    Math.floor(INTERPRETED_CLAIMS_MAX / Math.max(speaking, 1)),
    4,
    INTERPRETATIONS_MAX,
  );
  const scratch: FrameworkScratch = {
    nodeIndexOf: new Int32Array(weighed.weighings.length),
    tally: new GroupCounter(weighed.classes),
  };
  const argueAnew = (verdict: Verdict) => argue(verdict, listedPerClaim, weighed, scratch, shouldStop);
  const argued = verdicts.map((verdict, i) => {
    const known = earlier[i]!;
    return known?.listedPerClaim === listedPerClaim ? known : argueAnew(verdict);
  });
  const edgesPerTree = edgeQuota(argued);
  if (edgesPerTree < Infinity) {
    warnings.add(
      'listing_truncated',
      '',
      `The interpretations hold more attacks and supports than can be listed; of each the first ${edgesPerTree} of either kind are given.`,
    );
  }
  return verdicts.map((verdict, i) => {
    let one = argued[i]!;
    if ('argumentation' in one && one.edgesPerTree !== edgesPerTree) one = argueAnew(verdict);
    const analysis =
      'argumentation' in one ? one : report(verdict, one, { listedPerClaim, edgesPerTree }, weighed);
    warnings.addAll(analysis.warned);
    return analysis;
  });
}

function argue(
  verdict: Verdict,
  listedPerClaim: number,
  weighed: Weighed,
  scratch: FrameworkScratch,
  shouldStop: () => boolean,
): Argued | ArguedClaims {
  const warnings = new Warnings();
  const framework = verdict.pair ? buildFramework(verdict.pair, weighed, scratch) : null;
  if (!framework || framework.claims.length === 0) return { framework: null, edges: [], warnings };
  const interpretations = interpret(framework, weighed, shouldStop);
  const listed = listable(framework, interpretations, listedPerClaim);
  const where = `${quote(verdict.predicate)} of ${quote(verdict.subject.id)}`;
  if (!interpretations.isExact) {
    warnings.add(
      'interpretations_inexact',
      verdict.subject.id,
      `The interpretations of ${where} are too many to search within the budget; the best found are given and others may exist.`,
    );
  }
  const more = interpretations.count - BigInt(listed.length);
  if (more > 0n) {
    warnings.add(
      'interpretations_truncated',
      verdict.subject.id,
      `There are ${interpretations.count} interpretations of ${where}; the ${listed.length} most coherent are listed, ${more} are not.`,
    );
  }
  const edges = listed.flatMap((extension) => [
    attackCount(extension, framework),
    supportCount(extension, framework),
  ]);
  return { framework, interpretations, listed, edges, warnings };
}

/**
 * As many interpretations, best first, as name at most `perClaim` claims for each claim of the framework; at
 * least one.
 */
function listable(
  { claims, nodes }: Framework,
  { best }: Interpretations,
  perClaim: number,
): readonly (readonly number[])[] {
  let room = perClaim * claims.length;
  let count = 0;
  for (const extension of best) {
    for (const index of extension) room -= nodes[index]!.members.length;
    if (room < 0 && count > 0) break;
    count += 1;
  }
  return best.slice(0, count);
}

/**
 * Edges listed per tree and kind so that all trees together stay near LISTED_EDGES_MAX; Infinity where all
 * fit.
 */
function edgeQuota(argued: readonly { readonly edges: readonly number[] }[]): number {
  const counts = argued.flatMap(({ edges }) => edges);
  let sum = 0;
  for (const count of counts) sum += count;
  if (sum <= LISTED_EDGES_MAX) return Infinity;
  counts.sort((a, b) => a - b);
  let room = LISTED_EDGES_MAX;
  for (let i = 0; i < counts.length; i += 1) {
    const share = Math.floor(room / (counts.length - i));
    if (counts[i]! > share) return Math.max(share, 1);
    room -= counts[i]!;
  }
  return Infinity;
}

function report(
  verdict: Verdict,
  argued: Argued | ArguedClaims,
  room: Pick<ConflictAnalysis, 'listedPerClaim' | 'edgesPerTree'>,
  weighed: Weighed,
): ConflictAnalysis {
  const { subject, predicate } = verdict;
  const { warnings, edges } = argued;
  const chains = causalChains(verdict, argued.framework, warnings);
  const about = { warned: warnings.list, edges, ...room };
  if (!isOfClaims(argued)) {
    const argumentation: SubjectArgumentation = {
      subject_id: subject.id,
      predicate,
      accepted_claims: [],
      alternative_interpretations: [],
      dispute_level: 0,
      causal_chains: chains,
      is_exact: true,
      interpretations: [],
    };
    return { argumentation, discriminating: [], ...about };
  }
  const { framework, interpretations, listed } = argued;
  const always: string[] = [];
  const sometimes: string[] = [];
  // The framework's claims stand by id, and so do these.
  for (const claim of framework.claims) {
    const node = framework.nodeIndexOf[claim.index]!;
    if (!interpretations.acceptedBySome[node]) continue;
    (interpretations.acceptedByAll[node] ? always : sometimes).push(claim.id);
  }
  const trees = new InterpretationTrees(framework, weighed, room.edgesPerTree);
  const interpretationTrees = listed.map((extension, i) =>
    trees.tree(extension, `Interpretation ${i + 1}`, coherence(extension, framework)),
  );
  const argumentation: SubjectArgumentation = {
    subject_id: subject.id,
    predicate,
    accepted_claims: always,
    alternative_interpretations: interpretationTrees.map((tree) =>
      tree.accepted_claims.map((claim) => claim.claim_id),
    ),
    dispute_level: disputeLevel(verdict.r, verdict.s),
    causal_chains: chains,
    is_exact: interpretations.isExact,
    interpretations: interpretationTrees,
  };
  return { argumentation, discriminating: sometimes, ...about };
}

function isOfClaims(argued: Argued | ArguedClaims): argued is ArguedClaims {
  return argued.framework !== null;
}
