import { COHERENCE, EXPLICIT_ATTACKS_MAX } from './constants.ts';
import type { Claim } from './model.ts';
import { expectedProbability } from './opinion.ts';
import { byCodeUnits, compared } from './rounding.ts';
import { AGREE, CONFLICT, relation } from './statements.ts';
import type { Bucket, Pair, StatementGroup } from './statements.ts';
import type { Weighed } from './weighing.ts';

/** Arguments that attack, are attacked and agree alike: either all plain claims of one statement, or one claim by itself. */
export interface ArgumentNode {
  readonly index: number;
  /** By id. */
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
  /** By id. */
  readonly claims: readonly Claim[];
  /** By smallest member id. */
  readonly nodes: readonly ArgumentNode[];
  readonly nodeOf: ReadonlyMap<Claim, ArgumentNode>;
  /** targets[i] = indexes of the nodes that node i attacks, ascending; null when there are too many to write out. */
  readonly targets: readonly (readonly number[])[] | null;
  /** True when any two nodes attack each other: each node by itself is a preferred extension. */
  readonly plain: boolean;
  /** Support edges other than agreement: supporter to supported, by supporter. */
  readonly supports: ReadonlyMap<Claim, ReadonlySet<Claim>>;
  /** Nodes whose members agree with the members of node i, itself included where it has a statement; ascending. */
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
  const { weight, kappa } = weighings[meta.index]!;
  return compared(weight * kappa) >= compared(weighings[target.index]!.weight);
}

/** Builds the framework of one pair. Never throws. */
export function buildFramework(pair: Pair, weighed: Weighed): Framework {
  const claims = argumentsOf(pair, weighed);
  const inside = new Set(claims);
  const supports = supportEdges(claims, inside);
  const special = specialClaims(claims, inside);
  const nodes = buildNodes(claims, special, weighed);
  const nodeOf = new Map<Claim, ArgumentNode>();
  for (const node of nodes) for (const member of node.members) nodeOf.set(member, node);
  const bucket = pair.buckets[0]!;
  const plain =
    pair.buckets.length === 1 && special.size === 0 && claims.length > 0 && weighed.plainBuckets.has(bucket);
  const agreeing = agreeingNodes(pair, nodes, plain);
  const joined = joinedPairs(nodes, agreeing, supports, nodeOf, weighed);
  cover(nodes, agreeing, supports, nodeOf, weighed);
  const targets = plain ? null : attackTargets(pair, nodes, nodeOf, inside, weighed);
  return { pair, claims, nodes, nodeOf, targets, plain, supports, agreeing, joined };
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
  return metas ? claims.sort((a, b) => byCodeUnits(a.id, b.id)) : claims;
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

function agreeingNodes(pair: Pair, nodes: readonly ArgumentNode[], plain: boolean): number[][] {
  if (plain) return nodes.map((node) => [node.index]);
  const agreeing: number[][] = nodes.map(() => []);
  for (const bucket of pair.buckets) {
    const byGroup = nodesByGroup(bucket, nodes);
    for (const group of bucket.groups) {
      const here = byGroup.get(group)!;
      if (here.length === 0) continue;
      for (const other of bucket.groups) {
        if (relation(group, other) !== AGREE) continue;
        for (const node of here)
          for (const agreed of byGroup.get(other)!) agreeing[node.index]!.push(agreed.index);
      }
    }
  }
  for (const list of agreeing) list.sort((a, b) => a - b);
  return agreeing;
}

/** Per pair of nodes, how many of their claims a support edge joins: agreement across classes, or any other support. */
function joinedPairs(
  nodes: readonly ArgumentNode[],
  agreeing: readonly (readonly number[])[],
  supports: ReadonlyMap<Claim, ReadonlySet<Claim>>,
  nodeOf: ReadonlyMap<Claim, ArgumentNode>,
  { classes }: Weighed,
): Map<number, number>[] {
  const joined: Map<number, number>[] = nodes.map(() => new Map<number, number>());
  const sizes = nodes.map((node) => classSizes(node, classes.of.bind(classes)));
  for (const node of nodes) {
    for (const index of agreeing[node.index]!) {
      if (index < node.index) continue;
      const pairs = pairsAcrossClasses(node, nodes[index]!, sizes[node.index]!, sizes[index]!);
      if (pairs > 0) joined[node.index]!.set(index, pairs);
    }
  }
  const seen = new Set<string>();
  for (const [supporter, supported] of supports) {
    for (const claim of supported) {
      const here = nodeOf.get(supporter)!;
      const there = nodeOf.get(claim)!;
      const across = classes.of(supporter.actor) !== classes.of(claim.actor);
      if (across && agreeing[here.index]!.includes(there.index)) continue;
      const pair =
        supporter.index < claim.index
          ? `${supporter.index} ${claim.index}`
          : `${claim.index} ${supporter.index}`;
      if (seen.has(pair)) continue;
      seen.add(pair);
      const [low, high] = here.index < there.index ? [here.index, there.index] : [there.index, here.index];
      joined[low]!.set(high, (joined[low]!.get(high) ?? 0) + 1);
    }
  }
  return joined;
}

function classSizes(node: ArgumentNode, classOf: (actor: Claim['actor']) => number): Map<number, number> {
  const sizes = new Map<number, number>();
  for (const claim of node.members) {
    const cls = classOf(claim.actor);
    sizes.set(cls, (sizes.get(cls) ?? 0) + 1);
  }
  return sizes;
}

function pairsAcrossClasses(
  a: ArgumentNode,
  b: ArgumentNode,
  sizesA: ReadonlyMap<number, number>,
  sizesB: ReadonlyMap<number, number>,
): number {
  let within = 0;
  if (a === b) {
    const n = a.members.length;
    for (const size of sizesA.values()) within += (size * (size - 1)) / 2;
    return (n * (n - 1)) / 2 - within;
  }
  for (const [cls, size] of sizesA) within += size * (sizesB.get(cls) ?? 0);
  return a.members.length * b.members.length - within;
}

/** Counts, per node, the members with a Supports item, a valid corroboration or a support edge from anywhere in the framework. */
function cover(
  nodes: readonly ArgumentNode[],
  agreeing: readonly (readonly number[])[],
  supports: ReadonlyMap<Claim, ReadonlySet<Claim>>,
  nodeOf: ReadonlyMap<Claim, ArgumentNode>,
  { weighings, classes }: Weighed,
): void {
  const supported = new Set<Claim>();
  /** Claims of other classes with which each claim agrees and which another support edge already joins to it. */
  const joinedPartners = new Map<Claim, Set<Claim>>();
  const join = (a: Claim, b: Claim) => {
    const partners = joinedPartners.get(a);
    if (partners) partners.add(b);
    else joinedPartners.set(a, new Set([b]));
  };
  for (const [supporter, list] of supports) {
    for (const claim of list) {
      supported.add(claim);
      if (classes.of(supporter.actor) === classes.of(claim.actor)) continue;
      if (!agreeing[nodeOf.get(supporter)!.index]!.includes(nodeOf.get(claim)!.index)) continue;
      join(supporter, claim);
      join(claim, supporter);
    }
  }
  for (const node of nodes) {
    const sizes = new Map<number, number>();
    let agreed = 0;
    for (const index of agreeing[node.index]!) {
      for (const claim of nodes[index]!.members) {
        const cls = classes.of(claim.actor);
        sizes.set(cls, (sizes.get(cls) ?? 0) + 1);
        agreed += 1;
      }
    }
    for (const claim of node.members) {
      const others =
        agreed - (sizes.get(classes.of(claim.actor)) ?? 0) - (joinedPartners.get(claim)?.size ?? 0);
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
  nodeOf: ReadonlyMap<Claim, ArgumentNode>,
  inside: ReadonlySet<Claim>,
  weighed: Weighed,
): number[][] | null {
  const targets: number[][] = nodes.map(() => []);
  let count = 0;
  for (const bucket of pair.buckets) {
    const byGroup = nodesByGroup(bucket, nodes);
    for (const group of bucket.groups) {
      const here = byGroup.get(group)!;
      if (here.length === 0) continue;
      for (const other of bucket.groups) {
        if (other.index <= group.index || relation(group, other) !== CONFLICT) continue;
        const there = byGroup.get(other)!;
        count += 2 * here.length * there.length;
        if (count > EXPLICIT_ATTACKS_MAX) return null;
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
    if (attackKind(a, b, weighed)) targets[nodeOf.get(a)!.index]!.push(nodeOf.get(b)!.index);
  };
  for (const claim of inside) {
    for (const other of claim.supersedes) {
      const here = nodeOf.get(claim)!;
      // Where their statements conflict, the attack was written above.
      if (inside.has(other) && !statementsConflict(here, nodeOf.get(other)!)) attack(claim, other);
    }
    const { target } = claim;
    if (target && !claim.supersedes.includes(target)) attack(claim, target);
    if (target && !target.supersedes.includes(claim)) attack(target, claim);
  }
  for (const list of targets) list.sort((a, b) => a - b);
  return targets;
}

/** Whether node `a` attacks node `b`. Only special claims make exceptions to the conflict of statements, and only among themselves. */
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
 * coherence_score of a set of nodes, 0..1: 25 % share of covered claims, 25 % joined pairs ÷ possible pairs (a single claim:
 * 1 if covered, else 0), 50 % mean probability; 0 for the empty set. Source: rule 14; reasoning model §7. Never throws.
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
