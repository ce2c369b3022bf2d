import type { DistinctionInput, InferenceInput, SubjectArgumentation } from '@platform/opinion-fusion';
import type { Verdict } from '../../model.ts';
import { claimNode, inferenceNode, VERDICT_NODE } from './mesh-nodes.ts';
import type { MeshNode } from './mesh-nodes.ts';
import { attackBetween } from './mesh-positions.ts';
import type { Attacks, Position } from './mesh-positions.ts';

/**
 * - supports, attacks: as the framework has them; attacks also stand for evidence and sides of the verdict.
 * - weighs: a meta-claim too weak to attack, which only counts in the numbers.
 * - neutral: says something without taking a side.
 * - suppressed: the attack that a distinction ends. infers: a premise, its inference, the verdict.
 */
export type EdgeKind = 'supports' | 'attacks' | 'weighs' | 'neutral' | 'suppressed' | 'infers';

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

interface Parts {
  readonly verdict: Verdict;
  readonly conflict: SubjectArgumentation;
  readonly nodes: readonly MeshNode[];
  readonly positions: readonly Position[];
  readonly attacks: Attacks;
  readonly distinctions: readonly DistinctionInput[];
  readonly inferences: readonly InferenceInput[];
}

/** All that joins nodes and positions of a question. */
export function edgesOf(parts: Parts): MeshEdge[] {
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

/** Edges of evidence and meta-claims to the claim they are about. */
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
    const aside =
      spoken.has(first) ||
      sideOf.get(first) === 'neither' ||
      (!against && position !== leading && !sideOf.has(first));
    const edge = {
      id: `side:${position.id}`,
      from: position.id,
      to: VERDICT_NODE,
      forward: null,
      backward: null,
    };
    if (aside) return [{ ...edge, kind: 'neutral', label: 'no effect on the verdict' }];
    return [
      against
        ? { ...edge, kind: 'attacks', label: 'against the verdict' }
        : { ...edge, kind: 'supports', label: 'for the verdict' },
    ];
  });
}
