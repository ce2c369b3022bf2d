import { COHERENCE, EXPLICIT_ATTACKS_MAX } from '../contract/constants.ts';
import type { GroupCounter } from '../dependence/group-counter.ts';
import type { Claim } from '../model/model.ts';
import { expectedProbability } from '@platform/subjective-logic';
import { relatedStatements } from '../model/related-statements.ts';
import { roundForComparison } from '../contract/rounding.ts';
import { CONFLICT, relation } from '../model/statements.ts';
import type { Bucket, Pair, StatementGroup } from '../model/statements.ts';
import { metaEvidence } from '../weighing/claim-weighing.ts';
import type { Weighed } from '../weighing/weighing.ts';

/**
 * Arguments that attack, are attacked and agree alike: either all plain claims of one statement, or one claim
 * by itself.
 */
export interface ArgumentNode {
  readonly index: number;
  /** Claims of the framework, sorted by id. */
  readonly members: readonly Claim[];
  /** The statement its members make; null for a meta-claim. */
  readonly group: StatementGroup | null;
  /** True for a claim that some distinction, supersession or meta-claim treats unlike its peers. */
  readonly special: boolean;
  /** Members with something beside their own assertion, and Σ of their probabilities. */
  covered: number;
  credibility: number;
}

/** The argumentation framework of one (subject, predicate). Source: reasoning model §7. */
export interface Framework {
  readonly pair: Pair;
  /** Claims of the framework, sorted by id. */
  readonly claims: readonly Claim[];
  /** By smallest member id. */
  readonly nodes: readonly ArgumentNode[];
  /** By claim index: place of its node; only for claims of this framework. */
  readonly nodeIndexOf: Int32Array;
  /**
   * targets[i] = indexes of the nodes that node i attacks, ascending; null when there are too many to write
   * out.
   */
  readonly targets: readonly (readonly number[])[] | null;
  /** True when any two nodes attack each other: each node by itself is a preferred extension. */
  readonly plain: boolean;
  /** Support edges other than agreement: supporter to supported, by supporter. */
  readonly supports: ReadonlyMap<Claim, ReadonlySet<Claim>>;
  /**
   * Nodes whose members agree with the members of node i, itself included where it has a statement;
   * ascending. Itself alone where all of its bucket are of one class, whose agreement joins nothing.
   */
  readonly agreeing: readonly (readonly number[])[];
  /** joined[i]: per node j ≥ i the number of unordered pairs between them that a support edge joins. */
  readonly joined: readonly ReadonlyMap<number, number>[];
}

/** Why one claim attacks another. */
export type AttackKind = 'contradicts' | 'supersedes' | 'refutes' | 'withstands';

/** How, if at all, claim `a` attacks claim `b` of the same framework. Source: reasoning model §7 and §10. */
export function attackKind(a: Claim, b: Claim, { weighings, groupOf }: Weighed): AttackKind | null {
  if (a.distinguishedFrom?.has(b)) return null;
  if (a.supersedes.includes(b)) return 'supersedes';
  if (b.supersedes.includes(a)) return null;
  if (a.target === b && a.valence === 'Refutes') return outweighs(a, b, weighings) ? 'refutes' : null;
  if (b.target === a && b.valence === 'Refutes') return outweighs(b, a, weighings) ? null : 'withstands';
  const groupA = groupOf[a.index];
  const groupB = groupOf[b.index];
  if (!groupA || !groupB || a.scope !== b.scope) return null;
  return relation(groupA, groupB) === CONFLICT ? 'contradicts' : null;
}

function outweighs(meta: Claim, target: Claim, weighings: Weighed['weighings']): boolean {
  return (
    roundForComparison(metaEvidence(weighings[meta.index]!)) >=
    roundForComparison(weighings[target.index]!.weight)
  );
}

/** State shared by the frameworks of one analysis. Each claim belongs to at most one framework. */
export interface FrameworkScratch {
  readonly nodeIndexOf: Int32Array;
  readonly tally: GroupCounter;
}

const NO_CLAIMS: ReadonlySet<Claim> = new Set();
const NO_SUPPORTS: ReadonlyMap<Claim, ReadonlySet<Claim>> = new Map();

/** Builds the framework of one pair. Never throws. */
export function buildFramework(
  pair: Pair,
  weighed: Weighed,
  { nodeIndexOf, tally }: FrameworkScratch,
): Framework {
  const claims = argumentsOf(pair, weighed);
  const tied = claims.some(isTied);
  const inside = tied ? new Set(claims) : NO_CLAIMS;
  const supports = tied ? supportEdges(claims, inside) : NO_SUPPORTS;
  const special = tied ? specialClaims(claims, inside) : NO_CLAIMS;
  const nodes = buildNodes(claims, special, weighed);
  for (const node of nodes) for (const member of node.members) nodeIndexOf[member.index] = node.index;
  const bucket = pair.buckets[0]!;
  const plain =
    pair.buckets.length === 1 && special.size === 0 && claims.length > 0 && weighed.plainBuckets.has(bucket);
  const agreeing = agreeingNodes(pair, nodes, plain, tally);
  const joined = joinedPairs(nodes, agreeing, supports, nodeIndexOf, tally);
  cover(nodes, agreeing, supports, nodeIndexOf, tally, weighed);
  const targets = plain ? null : attackTargets(pair, nodes, nodeIndexOf, claims, inside, weighed);
  return { pair, claims, nodes, nodeIndexOf, targets, plain, supports, agreeing, joined };
}

/** Whether anything but its statement can join a claim to others. */
function isTied({ relationships, supersedes, target, distinguishedFrom }: Claim): boolean {
  return relationships.length > 0 || supersedes.length > 0 || target !== null || distinguishedFrom !== null;
}

/** Claims with weight, and the meta-claims with weight that reach them through such claims; by id. */
function argumentsOf(pair: Pair, { weighings }: Weighed): Claim[] {
  const claims = pair.claims.filter((claim) => weighings[claim.index]!.weight > 0);
  let metas = false;
  for (let i = 0; i < claims.length; i += 1) {
    for (const meta of claims[i]!.metas) {
      if (weighings[meta.index]!.weight <= 0) continue;
      claims.push(meta);
      metas = true;
    }
  }
  return metas ? claims.sort((a, b) => a.index - b.index) : claims;
}

function supportEdges(claims: readonly Claim[], inside: ReadonlySet<Claim>): Map<Claim, Set<Claim>> {
  const supports = new Map<Claim, Set<Claim>>();
  const add = (supporter: Claim, supported: Claim) => {
    const known = supports.get(supporter);
    if (known) known.add(supported);
    else supports.set(supporter, new Set([supported]));
  };
  for (const claim of claims) {
    for (const { type, target } of claim.relationships)
      if (type !== 'challenges_methodology' && inside.has(target)) add(claim, target);
    if (claim.target && claim.valence === 'Supports') add(claim, claim.target);
  }
  return supports;
}

function specialClaims(claims: readonly Claim[], inside: ReadonlySet<Claim>): ReadonlySet<Claim> {
  const special = new Set<Claim>();
  for (const claim of claims) {
    if (claim.target) {
      special.add(claim);
      if (claim.valence === 'Refutes') special.add(claim.target);
    }
    for (const other of claim.supersedes) if (inside.has(other)) special.add(claim).add(other);
    for (const other of claim.distinguishedFrom ?? []) if (inside.has(other)) special.add(claim);
  }
  return special;
}

function buildNodes(
  claims: readonly Claim[],
  special: ReadonlySet<Claim>,
  { groupOf, weighings }: Weighed,
): ArgumentNode[] {
  const making: { members: Claim[]; group: StatementGroup | null; special: boolean }[] = [];
  const plainNode = new Map<StatementGroup, Claim[]>();
  for (const claim of claims) {
    const group = groupOf[claim.index] ?? null;
    const members = group === null || special.has(claim) ? undefined : plainNode.get(group);
    if (members) {
      members.push(claim);
      continue;
    }
    const node = { members: [claim], group, special: special.has(claim) };
    if (group !== null && !node.special) plainNode.set(group, node.members);
    making.push(node);
  }
  return making.map(({ members, group, special: isSpecial }, index) => {
    let credibility = 0;
    for (const claim of members) credibility += expectedProbability(weighings[claim.index]!.opinion);
    return { index, members, group, special: isSpecial, covered: 0, credibility };
  });
}

/** The nodes of each statement group, by bucket. */
function nodesByGroup(bucket: Bucket, nodes: readonly ArgumentNode[]): Map<StatementGroup, ArgumentNode[]> {
  const byGroup = new Map<StatementGroup, ArgumentNode[]>(bucket.groups.map((group) => [group, []]));
  for (const node of nodes) if (node.group) byGroup.get(node.group)?.push(node);
  return byGroup;
}

/** Whether the actors of all claims of some nodes are of one class. */
function isOneVoice(nodes: readonly ArgumentNode[], tally: GroupCounter): boolean {
  const first = nodes[0]?.members[0];
  return (
    first !== undefined &&
    nodes.every(({ members }) => members.every((claim) => tally.areOneVoice(first, claim)))
  );
}

function agreeingNodes(
  pair: Pair,
  nodes: readonly ArgumentNode[],
  plain: boolean,
  tally: GroupCounter,
): number[][] {
  if (plain) return nodes.map((node) => [node.index]);
  const agreeing: number[][] = nodes.map(() => []);
  for (const bucket of pair.buckets) {
    const byGroup = nodesByGroup(bucket, nodes);
    if (isOneVoice([...byGroup.values()].flat(), tally)) {
      // No agreement of theirs is an edge, and written out it can be too long for memory.
      for (const here of byGroup.values()) for (const { index } of here) agreeing[index]!.push(index);
      continue;
    }
    const related = relatedStatements(bucket.groups);
    for (const group of bucket.groups) {
      const here = byGroup.get(group)!;
      if (here.length === 0) continue;
      for (const other of related.agreeing(group.index))
        for (const node of here)
          for (const agreed of byGroup.get(bucket.groups[other]!)!) agreeing[node.index]!.push(agreed.index);
    }
  }
  for (const list of agreeing) list.sort((a, b) => a - b);
  return agreeing;
}

/**
 * Per pair of nodes, how many of their claims a support edge joins: agreement across classes, or any other
 * support.
 */
function joinedPairs(
  nodes: readonly ArgumentNode[],
  agreeing: readonly (readonly number[])[],
  supports: ReadonlyMap<Claim, ReadonlySet<Claim>>,
  nodeIndexOf: Int32Array,
  tally: GroupCounter,
): Map<number, number>[] {
  const joined: Map<number, number>[] = nodes.map(() => new Map<number, number>());
  for (const node of nodes) {
    for (const index of agreeing[node.index]!) {
      if (index < node.index) continue;
      const pairs =
        index === node.index ? pairsWithin(node, tally) : pairsBetween(node, nodes[index]!, tally);
      if (pairs > 0) joined[node.index]!.set(index, pairs);
    }
  }
  const seen = new Set<string>();
  for (const [supporter, list] of supports) {
    for (const supported of list) {
      const here = nodeIndexOf[supporter.index]!;
      const there = nodeIndexOf[supported.index]!;
      if (!tally.areOneVoice(supporter, supported) && agreeing[here]!.includes(there)) continue;
      const [a, b] = supporter.index < supported.index ? [supporter, supported] : [supported, supporter];
      const pair = `${a.index} ${b.index}`;
      if (seen.has(pair)) continue;
      seen.add(pair);
      const low = Math.min(here, there);
      const high = Math.max(here, there);
      joined[low]!.set(high, (joined[low]!.get(high) ?? 0) + 1);
    }
  }
  return joined;
}

/** Unordered pairs of claims of one node whose actors are of different classes. */
function pairsWithin({ members }: ArgumentNode, tally: GroupCounter): number {
  let pairs = 0;
  tally.start();
  members.forEach((claim, before) => {
    pairs += before - tally.of(claim);
    tally.add(claim);
  });
  return pairs;
}

/** Pairs of claims, one of each node, whose actors are of different classes. */
function pairsBetween(a: ArgumentNode, b: ArgumentNode, tally: GroupCounter): number {
  let pairs = 0;
  tally.start();
  for (const claim of a.members) tally.add(claim);
  for (const claim of b.members) pairs += a.members.length - tally.of(claim);
  return pairs;
}

/**
 * Counts, per node, the members with a Supports item, a valid corroboration or a support edge from anywhere
 * in the framework.
 */
function cover(
  nodes: readonly ArgumentNode[],
  agreeing: readonly (readonly number[])[],
  supports: ReadonlyMap<Claim, ReadonlySet<Claim>>,
  nodeIndexOf: Int32Array,
  tally: GroupCounter,
  { weighings }: Weighed,
): void {
  const supported = new Set<Claim>();
  /**
   * Claims of other classes with which each claim agrees and which another support edge already joins to it.
   */
  const joinedPartners = new Map<Claim, Set<Claim>>();
  const join = (a: Claim, b: Claim) => {
    const partners = joinedPartners.get(a);
    if (partners) partners.add(b);
    else joinedPartners.set(a, new Set([b]));
  };
  for (const [supporter, list] of supports) {
    for (const claim of list) {
      supported.add(claim);
      if (tally.areOneVoice(supporter, claim)) continue;
      if (!agreeing[nodeIndexOf[supporter.index]!]!.includes(nodeIndexOf[claim.index]!)) continue;
      join(supporter, claim);
      join(claim, supporter);
    }
  }
  for (const node of nodes) {
    let agreed = 0;
    tally.start();
    for (const index of agreeing[node.index]!) {
      for (const claim of nodes[index]!.members) tally.add(claim);
      agreed += nodes[index]!.members.length;
    }
    for (const claim of node.members) {
      const others = agreed - tally.of(claim) - (joinedPartners.get(claim)?.size ?? 0);
      const covered =
        others > 0 ||
        supported.has(claim) ||
        weighings[claim.index]!.ageing.corroborations > 0 ||
        claim.evidence.some((item) => item.valence === 'Supports');
      if (covered) node.covered += 1;
    }
  }
}

/** All attacks between nodes; null when there are more than EXPLICIT_ATTACKS_MAX. */
function attackTargets(
  pair: Pair,
  nodes: readonly ArgumentNode[],
  nodeIndexOf: Int32Array,
  claims: readonly Claim[],
  inside: ReadonlySet<Claim>,
  weighed: Weighed,
): number[][] | null {
  const targets: number[][] = nodes.map(() => []);
  let count = 0;
  for (const bucket of pair.buckets) {
    const byGroup = nodesByGroup(bucket, nodes);
    const related = relatedStatements(bucket.groups);
    const sizes = Int32Array.from(bucket.groups, (group) => byGroup.get(group)!.length);
    const facing = related.sums(sizes);
    // Counted before any is written: of too many, none is kept.
    for (const [group, size] of sizes.entries()) if (size > 0) count += size * facing.conflicting(group);
    if (count > EXPLICIT_ATTACKS_MAX) return null;
    for (const group of bucket.groups) {
      const here = byGroup.get(group)!;
      if (here.length === 0) continue;
      for (const other of related.conflicting(group.index)) {
        if (other <= group.index) continue;
        const there = byGroup.get(bucket.groups[other]!)!;
        for (const a of here) {
          for (const b of there) {
            if (nodesAttack(a, b, weighed)) targets[a.index]!.push(b.index);
            if (nodesAttack(b, a, weighed)) targets[b.index]!.push(a.index);
          }
        }
      }
    }
  }
  const attack = (a: Claim, b: Claim) => {
    if (attackKind(a, b, weighed)) targets[nodeIndexOf[a.index]!]!.push(nodeIndexOf[b.index]!);
  };
  for (const claim of claims) {
    for (const other of claim.supersedes) {
      const here = nodes[nodeIndexOf[claim.index]!]!;
      // Where their statements conflict, the attack was written above.
      if (inside.has(other) && !statementsConflict(here, nodes[nodeIndexOf[other.index]!]!))
        attack(claim, other);
    }
    const { target } = claim;
    if (target && !claim.supersedes.includes(target)) attack(claim, target);
    if (target && !target.supersedes.includes(claim)) attack(target, claim);
  }
  for (const list of targets) list.sort((a, b) => a - b);
  return targets;
}

/**
 * Whether node `a` attacks node `b`. Only special claims make exceptions to the conflict of statements, and
 * only among themselves.
 */
export function nodesAttack(a: ArgumentNode, b: ArgumentNode, weighed: Weighed): boolean {
  return a.special && b.special
    ? attackKind(a.members[0]!, b.members[0]!, weighed) !== null
    : statementsConflict(a, b);
}

function statementsConflict(a: ArgumentNode, b: ArgumentNode): boolean {
  if (a.group === null || b.group === null || a.members[0]!.scope !== b.members[0]!.scope) return false;
  return relation(a.group, b.group) === CONFLICT;
}

/**
 * coherence_score of a set of nodes, 0..1: 25 % share of covered claims, 25 % joined pairs ÷ possible pairs
 * (a single claim: 1 if covered, else 0), 50 % mean probability; 0 for the empty set. Source: rule 14;
 * reasoning model §7. Never throws.
 */
export function coherence(extension: readonly number[], { nodes, joined }: Framework): number {
  let size = 0;
  let covered = 0;
  let credibility = 0;
  let pairs = 0;
  const members = new Set(extension);
  for (const index of extension) {
    const node = nodes[index]!;
    size += node.members.length;
    covered += node.covered;
    credibility += node.credibility;
    for (const [other, count] of joined[index]!) if (members.has(other)) pairs += count;
  }
  if (size === 0) return 0;
  const coverage = covered / size;
  const density = size === 1 ? coverage : pairs / ((size * (size - 1)) / 2);
  return (
    COHERENCE.coverage * coverage + COHERENCE.density * density + COHERENCE.credibility * (credibility / size)
  );
}
