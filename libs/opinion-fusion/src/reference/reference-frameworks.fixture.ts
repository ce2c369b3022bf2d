/**
 * Frameworks, interpretations and causal chains by the text of the reasoning model §7; extensions by trying
 * every subset.
 */

import { bitGraph, bruteForce } from '@platform/argumentation/brute-force.fixture';
import { agree, byId, round12 } from './reference-claims.fixture.ts';
import type { ReferenceClaim } from './reference-claims.fixture.ts';
import type { Scales } from './reference-weights.fixture.ts';

export interface SupportEdge {
  readonly from: ReferenceClaim;
  readonly to: ReferenceClaim;
  readonly isAgreement: boolean;
  readonly condition?: string;
}

export interface ReferenceInterpretation {
  readonly members: readonly ReferenceClaim[];
  readonly coherence: number;
}

export interface ReferenceFramework {
  readonly nodes: readonly ReferenceClaim[];
  readonly attacks: readonly (readonly [ReferenceClaim, ReferenceClaim])[];
  readonly supports: readonly SupportEdge[];
  readonly interpretations: readonly ReferenceInterpretation[];
  readonly acceptedByAll: readonly string[];
  readonly acceptedBySome: readonly string[];
}

export const byNumbers = (a: number, b: number) => round12(a) - round12(b);

/** Lists of ids, element by element, the shorter first where one begins the other. */
export function byIds(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((id, index) => id !== b[index]);
  if (at === -1) return a.length - b.length;
  return at >= b.length ? 1 : byId(a[at]!, b[at]!);
}

export function argumentsOf(scales: Scales, subject: string, predicate: string): ReferenceClaim[] {
  const isArgument = (claim: ReferenceClaim): boolean => {
    if (scales.g(claim) === 0 || !scales.lends(claim)) return false;
    if (claim.target !== null) return isArgument(scales.byName.get(claim.target)!);
    return claim.subject === subject && claim.predicate === predicate;
  };
  return scales.claims.filter(isArgument);
}

function attacksAmong(scales: Scales, nodes: readonly ReferenceClaim[]) {
  const supersedes = (a: ReferenceClaim, b: ReferenceClaim) =>
    scales.supersessions.some(([source, target]) => source === a.id && target === b.id);
  const attacks = (a: ReferenceClaim, b: ReferenceClaim): boolean => {
    if (a === b || scales.areDistinguished(a, b)) return false;
    if (supersedes(a, b)) return true;
    if (supersedes(b, a)) return false;
    if (scales.conflict(a, b)) return true;
    const refutes = (meta: ReferenceClaim, target: ReferenceClaim) =>
      meta.target === target.id && meta.valence === 'refutes';
    const prevails = (meta: ReferenceClaim, target: ReferenceClaim) =>
      round12(scales.g(meta) * scales.kappa(meta)) >= round12(scales.g(target));
    return (refutes(a, b) && prevails(a, b)) || (refutes(b, a) && !prevails(b, a));
  };
  return nodes.flatMap((a) => nodes.filter((b) => attacks(a, b)).map((b) => [a, b] as const));
}

export function supportsAmong(scales: Scales, nodes: readonly ReferenceClaim[]): SupportEdge[] {
  const edges: SupportEdge[] = [];
  for (const from of nodes) {
    for (const to of nodes) {
      if (from === to) continue;
      const types = from.relations.filter(({ target }) => target === to.id).map(({ type }) => type);
      const isSupport =
        types.some((type) => ['complements', 'refines', 'qualifies'].includes(type)) ||
        (from.target === to.id && from.valence === 'supports');
      const condition = types.includes('qualifies') && from.scope !== '' ? { condition: from.scope } : {};
      if (isSupport) edges.push({ from, to, isAgreement: false, ...condition });
    }
  }
  const isJoined = (a: ReferenceClaim, b: ReferenceClaim) =>
    edges.some(({ from, to }) => (from === a && to === b) || (from === b && to === a));
  const agreements: SupportEdge[] = [];
  for (const from of nodes)
    for (const to of nodes)
      if (byId(from.id, to.id) < 0 && agree(from, to) && !isJoined(from, to))
        if (scales.classOf(from.actor.id) !== scales.classOf(to.actor.id))
          agreements.push({ from, to, isAgreement: true });
  return [...edges, ...agreements];
}

export function frameworkOf(scales: Scales, subject: string, predicate: string): ReferenceFramework {
  const nodes = argumentsOf(scales, subject, predicate);
  const attacks = attacksAmong(scales, nodes);
  const supports = supportsAmong(scales, nodes);
  if (nodes.length > 16) throw new Error('the reference goes through all subsets of at most 16 arguments');
  const pairs = attacks.map(([a, b]) => [nodes.indexOf(a), nodes.indexOf(b)] as const);
  const preferred =
    nodes.length === 0
      ? []
      : bruteForce(bitGraph(nodes.length, pairs)).preferred.map((set) => set.map((index) => nodes[index]!));

  const isCovered = (claim: ReferenceClaim) =>
    scales.items(claim, 'supports').length > 0 ||
    scales.ageing(claim).count > 0 ||
    supports.some(({ from, to, isAgreement }) => to === claim || (isAgreement && from === claim));
  const coherence = (members: readonly ReferenceClaim[]) => {
    const size = members.length;
    if (size === 0) return 0;
    const coverage = members.filter(isCovered).length / size;
    const joined = members.flatMap((a, index) =>
      members
        .slice(index + 1)
        .filter((b) => supports.some(({ from, to }) => (from === a && to === b) || (from === b && to === a))),
    ).length;
    const density = size === 1 ? coverage : joined / ((size * (size - 1)) / 2);
    const credibility = members.reduce((sum, claim) => sum + scales.opinion(claim).p, 0) / size;
    return 0.25 * coverage + 0.25 * density + 0.5 * credibility;
  };
  const ids = (members: readonly ReferenceClaim[]) => members.map(({ id }) => id);
  const interpretations = preferred
    .map((members) => ({ members, coherence: coherence(members) }))
    .toSorted((a, b) => byNumbers(b.coherence, a.coherence) || byIds(ids(a.members), ids(b.members)));
  const everywhere = (claim: ReferenceClaim) => preferred.every((members) => members.includes(claim));
  const somewhere = (claim: ReferenceClaim) => preferred.some((members) => members.includes(claim));
  return {
    nodes,
    attacks,
    supports,
    interpretations,
    acceptedByAll: ids(nodes.filter(everywhere)),
    acceptedBySome: ids(nodes.filter(somewhere)),
  };
}

export function causalChains(
  scales: Scales,
  framework: ReferenceFramework,
  subject: string,
  predicate: string,
) {
  const ends = scales.inferences
    .filter((inference) => inference.subject_id === subject && inference.predicate === predicate)
    .flatMap((inference) =>
      [...new Set(inference.premise_claim_ids)].map((premise) => [premise, inference.id]),
    );
  const edges = framework.supports.filter(
    ({ from, to, isAgreement }) => !isAgreement && from.type === 'causal' && to.type === 'causal',
  );
  const paths: string[][] = [];
  const walk = (path: readonly ReferenceClaim[]) => {
    const further = edges.filter(({ from, to }) => from === path.at(-1) && !path.includes(to));
    if (further.length === 0 && path.length > 1) paths.push(path.map(({ id }) => id));
    for (const { to } of further) walk([...path, to]);
  };
  for (const claim of framework.nodes)
    if (claim.type === 'causal' && !edges.some(({ to }) => to === claim)) walk([claim]);
  return [...ends, ...paths].toSorted(byIds).map((ids) => ({ argument_ids: ids }));
}
