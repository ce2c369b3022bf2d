import type { EdgeKind, MeshEdge } from './mesh-edges.ts';
import type { MeshNode } from './mesh-nodes.ts';
import type { MeshQuestion } from './mesh-graph.ts';
import { claimNode, VERDICT_NODE } from './mesh-nodes.ts';

/** Kinds of nodes and edges that a reader may hide in all drawings and tables. */
export const FILTERS = ['evidence', 'meta-claims', 'inferences', 'supports', 'attacks', 'rejected'] as const;
export type Filter = (typeof FILTERS)[number];

/**
 * How a reader looks at one question. Interpretations are counted from 0; `compared` is null without a
 * comparison.
 */
export interface View {
  readonly reading: number;
  readonly compared: number | null;
  readonly hiddenKinds: ReadonlySet<Filter>;
  readonly hiddenNodes: ReadonlySet<string>;
  /** Id of the node whose neighbors stand out; null for all. */
  readonly focus: string | null;
}

/**
 * `weightless`: retracted or below the credibility floor, so no part of the argument. `aside`: not up for
 * acceptance.
 */
export type Standing = 'accepted' | 'rejected' | 'weightless' | 'aside';

/** Whether an interpretation accepts the claim of a node. */
export function standingOf(node: MeshNode, { accepted }: MeshQuestion, reading: number): Standing {
  if (!node.claim || node.kind === 'premise') return 'aside';
  const { analysis, id } = node.claim;
  if (!analysis || analysis.below_credibility_floor || analysis.epistemic_status === 'retracted')
    return 'weightless';
  return accepted[reading]?.has(id) ? 'accepted' : 'rejected';
}

/** What changes from the compared interpretation to the shown one: claim ids, in the order of nodes. */
export function changes({ nodes, accepted }: MeshQuestion, { reading, compared }: View) {
  const ids = nodes.flatMap(({ claim, kind }) => (claim && kind !== 'premise' ? [claim.id] : []));
  const [here, there] = [accepted[reading], compared === null ? undefined : accepted[compared]];
  if (!here || !there) return { added: [], dropped: [] };
  return {
    added: ids.filter((id) => here.has(id) && !there.has(id)),
    dropped: ids.filter((id) => !here.has(id) && there.has(id)),
  };
}

/** The nodes that the view shows; what hangs on a hidden node goes with it. */
export function shownNodes(question: MeshQuestion, view: View): MeshNode[] {
  const { hiddenKinds, hiddenNodes } = view;
  const shown = new Set<string>();
  return question.nodes.filter((node) => {
    const { id, kind, parent } = node;
    const isHidden =
      hiddenNodes.has(id) ||
      (parent !== null && !shown.has(parent)) ||
      (kind === 'evidence' && hiddenKinds.has('evidence')) ||
      (kind === 'meta' && hiddenKinds.has('meta-claims')) ||
      ((kind === 'inference' || kind === 'premise') && hiddenKinds.has('inferences')) ||
      (hiddenKinds.has('rejected') && standingOf(node, question, view.reading) === 'rejected');
    if (!isHidden) shown.add(id);
    return !isHidden;
  });
}

/** An edge as an interpretation draws it. */
export interface ShownEdge {
  readonly edge: MeshEdge;
  readonly headAtEnd: boolean;
  readonly headAtStart: boolean;
  /** An attack that this interpretation does not list, because its attacker is not accepted in it. */
  readonly isDormant: boolean;
}

const HIDDEN_BY: Readonly<Partial<Record<EdgeKind, Filter>>> = {
  supports: 'supports',
  attacks: 'attacks',
  weighs: 'attacks',
  suppressed: 'attacks',
  infers: 'inferences',
};

/** The edges between shown nodes and positions with a shown claim. */
export function shownEdges(question: MeshQuestion, view: View, nodes: readonly MeshNode[]): ShownEdge[] {
  const known = new Set(nodes.map(({ id }) => id));
  for (const { id, claims, drawn } of question.positions)
    if (claims.slice(0, drawn).some((claim) => known.has(claimNode(claim.id)))) known.add(id);
  return question.edges.flatMap((edge): ShownEdge[] => {
    const filter = HIDDEN_BY[edge.kind];
    if ((filter && view.hiddenKinds.has(filter)) || !known.has(edge.from) || !known.has(edge.to)) return [];
    if (edge.forward === null && edge.backward === null)
      return [{ edge, headAtEnd: true, headAtStart: false, isDormant: false }];
    const forward = edge.forward?.has(view.reading) ?? false;
    const backward = edge.backward?.has(view.reading) ?? false;
    if (forward || backward)
      return [
        { edge, headAtEnd: forward || edge.kind === 'weighs', headAtStart: backward, isDormant: false },
      ];
    return [
      {
        edge,
        headAtEnd: edge.forward === null || edge.forward.size > 0,
        headAtStart: (edge.backward?.size ?? 0) > 0,
        isDormant: true,
      },
    ];
  });
}

/** The focused node and its direct neighbors, positions and their claims included; null without focus. */
export function neighborhood(question: MeshQuestion, focus: string | null): ReadonlySet<string> | null {
  if (focus === null) return null;
  const membersOf = new Map(
    question.positions.map(({ id, claims, drawn }) => [
      id,
      claims.slice(0, drawn).map((claim) => claimNode(claim.id)),
    ]),
  );
  const own = new Set([focus]);
  for (const [id, members] of membersOf) if (members.includes(focus)) own.add(id);
  const near = new Set(own);
  for (const { from, to } of question.edges) {
    for (const [here, there] of [
      [from, to],
      [to, from],
    ] as const) {
      if (!own.has(here)) continue;
      near.add(there);
      for (const member of membersOf.get(there) ?? []) near.add(member);
    }
  }
  if (focus !== VERDICT_NODE) near.add(VERDICT_NODE);
  return near;
}
