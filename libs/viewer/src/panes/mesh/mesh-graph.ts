import type {
  DistinctionInput,
  EvidenceInput,
  InferenceInput,
  SubjectArgumentation,
} from '@platform/opinion-fusion';
import type { Claim, Model, Verdict } from '../../model.ts';

/** Nodes that one question draws at first, and at most. All others are in its table. */
export const NODES_DRAWN = { first: 40, most: 150 } as const;
/** Claims of one position, and items of evidence of one claim, that are drawn at most while there are many. */
const MEMBERS_MAX = 8;
/** Positions of one question that are drawn at most: more arrows than among these nobody can follow. */
const POSITIONS_MAX = 8;
const EVIDENCE_MAX = 4;

export type NodeKind = 'verdict' | 'claim' | 'meta' | 'premise' | 'evidence' | 'inference';

export interface MeshNode {
  /** Unique in its question: the kind and the id in the input. */
  readonly id: string;
  readonly kind: NodeKind;
  /** Null for verdicts, evidence and inferences. */
  readonly claim: Claim | null;
  readonly evidence: EvidenceInput | null;
  readonly inference: InferenceInput | null;
  /** The claim node that an item of evidence or a meta-claim speaks about. */
  readonly parent: string | null;
}

/**
 * Claims that agree, and that attack and are attacked alike: one position on the question. Attacks are drawn between positions, so a
 * hundred sources that contradict a hundred others are one arrow. Source: reasoning model §7, classes of claims.
 */
export interface Position {
  readonly id: string;
  /** The value its strongest claim gives; for a denial `not …`. */
  readonly title: string;
  /** In rank order. */
  readonly claims: readonly Claim[];
  /** How many of them are drawn: the first ones. */
  readonly drawn: number;
  readonly kind: 'position' | 'weightless' | 'premises';
}

/**
 * - supports, attacks: as the framework has them; attacks also stand for evidence and sides of the verdict.
 * - weighs: a meta-claim too weak to attack, which only counts in the numbers.
 * - neutral: says something without taking a side.
 * - suppressed: the attack that a distinction ends. infers: a premise, its inference, the verdict.
 */
export const EDGE_KINDS = ['supports', 'attacks', 'weighs', 'neutral', 'suppressed', 'infers'] as const;
export type EdgeKind = (typeof EDGE_KINDS)[number];

export interface MeshEdge {
  readonly id: string;
  /** Ids of nodes or positions. */
  readonly from: string;
  readonly to: string;
  readonly kind: EdgeKind;
  readonly label: string;
  /** Interpretations in which it holds from → to and to → from; null where it does not depend on them. */
  readonly forward: ReadonlySet<number> | null;
  readonly backward: ReadonlySet<number> | null;
}

/** One question, that is one (subject, predicate), with all that hangs on it. */
export interface MeshQuestion {
  readonly verdict: Verdict;
  readonly conflict: SubjectArgumentation;
  readonly nodes: readonly MeshNode[];
  readonly positions: readonly Position[];
  readonly edges: readonly MeshEdge[];
  /** For each interpretation the ids of the claims it accepts. */
  readonly accepted: readonly ReadonlySet<string>[];
  /** Claims that are not drawn. */
  readonly undrawn: number;
}

export const claimNode = (id: string): string => `claim:${id}`;
const evidenceNode = (id: string) => `evidence:${id}`;
const inferenceNode = (id: string) => `inference:${id}`;
export const VERDICT_NODE = 'verdict';

/** What a question draws, at most `most` nodes, strongest first and position by position. Pure. */
export function createQuestion(
  verdict: Verdict,
  conflict: SubjectArgumentation,
  model: Model,
  most: number,
): MeshQuestion {
  const accepted = conflict.interpretations.map(
    ({ accepted_claims }) => new Set(accepted_claims.map(({ claim_id }) => claim_id)),
  );
  const attacks = attacksOf(conflict);
  const distinctions = activeDistinctions(verdict, model);
  const kept = verdict.claims.filter(({ analysis }) => analysis !== null);
  const own = kept.filter(({ input }) => !input.target_claim_id);
  const positions = drawnPositions(
    positionsOf(own, attacks, distinctions, agreementsOf(conflict)),
    verdict,
    most,
  );
  const inferences = keptInferences(verdict, conflict, model);
  const drawnClaims = positions.flatMap(({ claims, drawn }) => claims.slice(0, drawn));
  const nodes = nodesOf(drawnClaims, inferences, model, most);
  const premises = premisePosition(nodes);
  const all = premises ? [...positions, premises] : positions;
  return {
    verdict,
    conflict,
    nodes,
    positions: all,
    edges: edgesOf({ verdict, conflict, nodes, positions: all, attacks, distinctions, inferences }),
    accepted,
    undrawn: kept.length - nodes.filter(({ kind }) => kind === 'claim' || kind === 'meta').length,
  };
}

/** For each attacking claim its targets, with the interpretations that list the attack and the words of the engine. */
type Attacks = ReadonlyMap<
  string,
  ReadonlyMap<string, { readonly readings: ReadonlySet<number>; readonly description: string }>
>;

function attacksOf(conflict: SubjectArgumentation): Attacks {
  const attacks = new Map<string, Map<string, { readings: Set<number>; description: string }>>();
  conflict.interpretations.forEach((tree, reading) => {
    for (const { attacker_claim_id, target_claim_id, description } of tree.attacks) {
      let targets = attacks.get(attacker_claim_id);
      if (!targets) attacks.set(attacker_claim_id, (targets = new Map()));
      const attack = targets.get(target_claim_id);
      if (attack) attack.readings.add(reading);
      else targets.set(target_claim_id, { readings: new Set([reading]), description });
    }
  });
  return attacks;
}

/** Distinctions whose arguments are two claims of this question. */
function activeDistinctions(verdict: Verdict, { judged }: Model): DistinctionInput[] {
  const ids = new Set(verdict.claims.flatMap(({ id, analysis }) => (isWeightless(analysis) ? [] : [id])));
  return (judged.input.distinctions ?? []).filter(
    ({ argument_a, argument_b }) => argument_a !== argument_b && ids.has(argument_a) && ids.has(argument_b),
  );
}

function isWeightless(analysis: Claim['analysis']): boolean {
  return !analysis || analysis.below_credibility_floor === true || analysis.epistemic_status === 'retracted';
}

function positionsOf(
  claims: readonly Claim[],
  attacks: Attacks,
  distinctions: readonly DistinctionInput[],
  agreements: ReadonlyMap<string, readonly string[]>,
): Position[] {
  const ids = new Set(claims.map(({ id }) => id));
  const attackers = new Map<string, string[]>();
  for (const [attacker, targets] of attacks) {
    if (!ids.has(attacker)) continue;
    for (const target of targets.keys()) attackers.set(target, [...(attackers.get(target) ?? []), attacker]);
  }
  const apart = new Set(distinctions.flatMap(({ argument_a, argument_b }) => [argument_a, argument_b]));
  const groups = new Map<string, Claim[]>();
  for (const claim of claims) {
    const key = positionKey(
      claim,
      attacks.get(claim.id)?.keys() ?? [],
      attackers.get(claim.id) ?? [],
      ids,
      apart,
    );
    const group = groups.get(key);
    if (group) group.push(claim);
    else groups.set(key, [claim]);
  }
  return [...groups].flatMap(([key, alike]) =>
    (key === WEIGHTLESS ? [alike] : agreeing(alike, agreements)).map((members) => ({
      id: `position:${members[0]!.id}`,
      title: key === WEIGHTLESS ? 'without weight' : valueWords(members[0]!),
      claims: members,
      drawn: 0,
      kind: key === WEIGHTLESS ? 'weightless' : 'position',
    })),
  );
}

const WEIGHTLESS = 'weightless';

/** Equal for claims that attack the same claims and are attacked by the same. */
function positionKey(
  claim: Claim,
  targets: Iterable<string>,
  attackers: Iterable<string>,
  peers: ReadonlySet<string>,
  apart: ReadonlySet<string>,
): string {
  if (isWeightless(claim.analysis)) return WEIGHTLESS;
  if (apart.has(claim.id)) return JSON.stringify([claim.id]);
  const among = (list: Iterable<string>) => [...list].filter((id) => peers.has(id)).toSorted();
  return JSON.stringify([among(targets), among(attackers)]);
}

/** Parts claims by what they say: the same words together, and what the engine found to agree (99M and 100M). */
function agreeing(claims: readonly Claim[], agreements: ReadonlyMap<string, readonly string[]>): Claim[][] {
  const groups = new Map<string, Claim[]>();
  const groupOf = new Map<string, Claim[]>();
  for (const claim of claims) {
    const { value, valence, scope } = claim.input;
    const words = JSON.stringify([
      value.trim().toLowerCase(),
      valence?.toLowerCase() === 'refutes',
      scope ?? '',
    ]);
    const friend = agreements.get(claim.id)?.find((id) => groupOf.has(id));
    let group = groups.get(words) ?? (friend === undefined ? undefined : groupOf.get(friend));
    if (!group) group = [];
    groups.set(words, group);
    group.push(claim);
    groupOf.set(claim.id, group);
  }
  return [...new Set(groups.values())];
}

/** For each claim those that an interpretation lists as supporting it or supported by it. */
function agreementsOf(conflict: SubjectArgumentation): ReadonlyMap<string, readonly string[]> {
  const agreements = new Map<string, string[]>();
  const note = (from: string, to: string) => {
    const list = agreements.get(from);
    if (list) list.push(to);
    else agreements.set(from, [to]);
  };
  for (const { supports } of conflict.interpretations) {
    for (const { supporter_claim_id: from, supported_claim_id: to } of supports) {
      note(from, to);
      note(to, from);
    }
  }
  return agreements;
}

/** A claim's value as a reader reads it, its denial and its scope included. */
export function valueWords({ input: { value, valence, scope } }: Claim): string {
  const words = valence?.toLowerCase() === 'refutes' ? `not ${value}` : value;
  return scope ? `${words} (${scope})` : words;
}

/** The position of the verdict first, then by their strongest claim; those without weight last. Deals out the nodes. */
function drawnPositions(positions: readonly Position[], verdict: Verdict, most: number): Position[] {
  const leadingId = verdict.explanation?.leading_claim_id;
  const leading = verdict.result.leading_value?.trim().toLowerCase();
  const leads = ({ claims }: Position) =>
    leadingId
      ? claims.some(({ id }) => id === leadingId)
      : claims.some(
          ({ input }) =>
            input.value.trim().toLowerCase() === leading && input.valence?.toLowerCase() !== 'refutes',
        );
  const order = (position: Position) => (position.kind === 'weightless' ? 2 : leads(position) ? 0 : 1);
  const sorted = positions.toSorted((a, b) => order(a) - order(b)).slice(0, POSITIONS_MAX);
  const drawn = new Map(sorted.map(({ id }) => [id, 0]));
  let left = most - 1;
  for (let round = 0; round < MEMBERS_MAX && left > 0; round += 1) {
    for (const { id, claims } of sorted) {
      const claim = claims[round];
      if (!claim || left <= 0) continue;
      drawn.set(id, round + 1);
      left -= 1 + Math.min(claim.evidence.length, EVIDENCE_MAX) + claim.metaClaimIds.length;
    }
  }
  return sorted.flatMap((position) => {
    const count = drawn.get(position.id)!;
    return count === 0 ? [] : [{ ...position, drawn: count }];
  });
}

/** Inferences that the engine kept: each forms a chain with each of its premises. */
function keptInferences(
  verdict: Verdict,
  conflict: SubjectArgumentation,
  { judged }: Model,
): InferenceInput[] {
  const named = new Set(conflict.causal_chains.flatMap(({ argument_ids }) => argument_ids.slice(-1)));
  return (judged.input.inferences ?? []).filter(
    ({ id, subject_id, predicate }) =>
      subject_id === verdict.subjectId && predicate === verdict.predicate && named.has(id),
  );
}

function nodesOf(
  claims: readonly Claim[],
  inferences: readonly InferenceInput[],
  model: Model,
  most: number,
): MeshNode[] {
  const none = { claim: null, evidence: null, inference: null, parent: null };
  const nodes: MeshNode[] = [{ ...none, id: VERDICT_NODE, kind: 'verdict' }];
  const hang = (claim: Claim, parent: string) => {
    for (const item of claim.evidence.slice(0, EVIDENCE_MAX))
      if (nodes.length < most)
        nodes.push({ ...none, id: evidenceNode(item.id), kind: 'evidence', evidence: item, parent });
    for (const id of claim.metaClaimIds) {
      const meta = model.claimById.get(id)!;
      if (!meta.analysis || nodes.length >= most) continue;
      nodes.push({ ...none, id: claimNode(id), kind: 'meta', claim: meta, parent });
      hang(meta, claimNode(id));
    }
  };
  for (const claim of claims) {
    if (nodes.length >= most) break;
    nodes.push({ ...none, id: claimNode(claim.id), kind: 'claim', claim });
    hang(claim, claimNode(claim.id));
  }
  const known = new Set(nodes.map(({ id }) => id));
  for (const inference of inferences) {
    for (const id of inference.premise_claim_ids) {
      const claim = model.claimById.get(id);
      if (!claim || known.has(claimNode(id)) || nodes.length >= most) continue;
      known.add(claimNode(id));
      nodes.push({ ...none, id: claimNode(id), kind: 'premise', claim });
    }
    if (nodes.length < most)
      nodes.push({ ...none, id: inferenceNode(inference.id), kind: 'inference', inference });
  }
  return nodes;
}

/** The premises that belong to other questions, as a block of their own. */
function premisePosition(nodes: readonly MeshNode[]): Position | null {
  const claims = nodes.flatMap(({ kind, claim }) => (kind === 'premise' ? [claim!] : []));
  if (claims.length === 0) return null;
  return { id: 'premises', title: 'from other questions', claims, drawn: claims.length, kind: 'premises' };
}

interface Parts {
  readonly verdict: Verdict;
  readonly conflict: SubjectArgumentation;
  readonly nodes: readonly MeshNode[];
  readonly positions: readonly Position[];
  readonly attacks: Attacks;
  readonly distinctions: readonly DistinctionInput[];
  readonly inferences: readonly InferenceInput[];
}

function edgesOf(parts: Parts): MeshEdge[] {
  const { nodes, distinctions, inferences } = parts;
  const known = new Set(nodes.map(({ id }) => id));
  const always = { forward: null, backward: null };
  const edges: MeshEdge[] = [
    ...hangingEdges(parts),
    ...relationEdges(parts),
    ...positionAttacks(parts),
    ...sides(parts),
  ];
  for (const { id, argument_a, argument_b, feature } of distinctions)
    edges.push({
      ...always,
      id: `distinction:${id}`,
      from: claimNode(argument_a),
      to: claimNode(argument_b),
      kind: 'suppressed',
      label: `distinguished by ${feature}`,
    });
  for (const { id, premise_claim_ids, rule_type } of inferences) {
    for (const premise of premise_claim_ids)
      edges.push({
        ...always,
        id: `premise:${id}:${premise}`,
        from: claimNode(premise),
        to: inferenceNode(id),
        kind: 'infers',
        label: 'premise',
      });
    edges.push({
      ...always,
      id: `infers:${id}`,
      from: inferenceNode(id),
      to: VERDICT_NODE,
      kind: 'infers',
      label: rule_type,
    });
  }
  const positions = new Set(parts.positions.map(({ id }) => id));
  const isDrawn = (id: string) => known.has(id) || positions.has(id);
  return edges.filter(({ from, to }) => isDrawn(from) && isDrawn(to));
}

/** What evidence and meta-claims say about the claim they hang on. */
function hangingEdges({ nodes, attacks }: Parts): MeshEdge[] {
  return nodes.flatMap((node): MeshEdge[] => {
    if (node.parent === null) return [];
    const valence = (node.evidence?.valence ?? node.claim?.input.valence ?? 'neutral').toLowerCase();
    const edge = { id: `on:${node.id}`, from: node.id, to: node.parent, forward: null, backward: null };
    if (valence === 'supports') return [{ ...edge, kind: 'supports', label: 'supports' }];
    if (valence !== 'refutes') return [{ ...edge, kind: 'neutral', label: 'neutral' }];
    if (node.evidence) return [{ ...edge, kind: 'attacks', label: 'refutes' }];
    const [meta, target] = [node.claim!.id, node.parent.slice(claimNode('').length)];
    const [there, back] = [attacks.get(meta)?.get(target), attacks.get(target)?.get(meta)];
    if (!there && !back) return [{ ...edge, kind: 'weighs', label: 'weighs against' }];
    return [
      {
        ...edge,
        kind: there ? 'attacks' : 'weighs',
        label: there ? 'refutes' : 'weighs against, is outweighed',
        forward: there?.readings ?? null,
        backward: back?.readings ?? null,
      },
    ];
  });
}

/** Relationships that support, and agreement between claims that stand in different positions. */
function relationEdges({ nodes, conflict, positions }: Parts): MeshEdge[] {
  const positionOf = new Map(
    positions.flatMap((position) => position.claims.map((claim) => [claim.id, position])),
  );
  const edges = new Map<string, MeshEdge>();
  const always = { kind: 'supports', forward: null, backward: null } as const;
  for (const { kind, claim } of nodes) {
    if (kind !== 'claim') continue;
    for (const { relationship_type, target_claim_id } of claim!.input.relationships ?? []) {
      const label = relationship_type.toLowerCase();
      if (label === 'supersedes' || label === 'challenges_methodology') continue;
      const id = `relation:${claim!.id}:${target_claim_id}`;
      edges.set(id, { ...always, id, from: claimNode(claim!.id), to: claimNode(target_claim_id), label });
    }
  }
  for (const { supports } of conflict.interpretations) {
    for (const { supporter_claim_id: from, supported_claim_id: to } of supports) {
      const [here, there] = [positionOf.get(from), positionOf.get(to)];
      // Equal words need no line to say that they agree.
      if (!here || !there || here.title === there.title) continue;
      if (edges.has(`relation:${from}:${to}`) || edges.has(`relation:${to}:${from}`)) continue;
      const [a, b] = [here, there].map(({ claims }) => claims[0]!.id).toSorted() as [string, string];
      const id = `relation:${a}:${b}`;
      if (!edges.has(id))
        edges.set(id, { ...always, id, from: claimNode(a), to: claimNode(b), label: 'agrees' });
    }
  }
  return [...edges.values()];
}

/** One edge for each two positions of which one attacks the other. */
function positionAttacks({ positions, attacks }: Parts): MeshEdge[] {
  const standing = positions.filter(({ kind }) => kind === 'position');
  const edges: MeshEdge[] = [];
  standing.forEach((a, index) => {
    for (const b of standing.slice(index + 1)) {
      const [there, back] = [attackBetween(a, b, attacks), attackBetween(b, a, attacks)];
      const attack = there ?? back;
      if (!attack) continue;
      const isSuperseding = attack.description.startsWith('supersedes');
      edges.push({
        id: `attack:${a.id}:${b.id}`,
        from: a.id,
        to: b.id,
        kind: 'attacks',
        label: isSuperseding ? 'supersedes' : there && back ? 'attack each other' : 'attacks',
        forward: there?.readings ?? new Set(),
        backward: back?.readings ?? new Set(),
      });
    }
  });
  return edges;
}

/** Claims of one position attack alike, so the first two tell for all. */
function attackBetween(from: Position, to: Position, attacks: Attacks) {
  return attacks.get(from.claims[0]!.id)?.get(to.claims[0]!.id);
}

/** On which side of the verdict each position stands. */
function sides({ verdict, positions, attacks }: Parts): MeshEdge[] {
  const leading = positions[0]?.kind === 'position' ? positions[0] : undefined;
  const sideOf = new Map(
    verdict.explanation?.contributions.flatMap(({ claim_id, side, route }) =>
      claim_id !== null && route === 'voice' ? [[claim_id, side]] : [],
    ),
  );
  const spoken = new Set(verdict.explanation?.unrelated_claim_ids);
  return positions.flatMap((position): MeshEdge[] => {
    if (position.kind !== 'position' || !leading) return [];
    const first = position.claims[0]!.id;
    const against =
      sideOf.get(first) === 'opposition' ||
      (!sideOf.has(first) &&
        (attackBetween(position, leading, attacks) ?? attackBetween(leading, position, attacks)) !==
          undefined);
    const aside = spoken.has(first) || (!against && position !== leading && !sideOf.has(first));
    const edge = {
      id: `side:${position.id}`,
      from: position.id,
      to: VERDICT_NODE,
      forward: null,
      backward: null,
    };
    if (aside) return [{ ...edge, kind: 'neutral', label: 'beside the verdict' }];
    return [
      against
        ? { ...edge, kind: 'attacks', label: 'against the verdict' }
        : { ...edge, kind: 'supports', label: 'for the verdict' },
    ];
  });
}
