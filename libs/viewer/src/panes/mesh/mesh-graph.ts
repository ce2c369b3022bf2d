import type { DistinctionInput, InferenceInput, SubjectArgumentation } from '@platform/opinion-fusion';
import type { Model, Verdict } from '../../model.ts';
import { edgesOf } from './mesh-edges.ts';
import type { MeshEdge } from './mesh-edges.ts';
import { nodesOf } from './mesh-nodes.ts';
import type { MeshNode } from './mesh-nodes.ts';
import { agreementsOf, attacksOf, drawnPositions, isWeightless, positionsOf } from './mesh-positions.ts';
import type { Position } from './mesh-positions.ts';

/**
 * Nodes that one question draws at first, and at most, and that the questions which are open at first draw
 * together. All others are in the tables.
 */
export const NODES_DRAWN = { first: 40, most: 150, together: 60 } as const;

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

/** The drawing of a question: at most `most` nodes, strongest first and position by position. Pure. */
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

/** Distinctions whose arguments are two claims of this question. */
function activeDistinctions(verdict: Verdict, { judged }: Model): DistinctionInput[] {
  const ids = new Set(verdict.claims.flatMap(({ id, analysis }) => (isWeightless(analysis) ? [] : [id])));
  return (judged.input.distinctions ?? []).filter(
    ({ argument_a, argument_b }) => argument_a !== argument_b && ids.has(argument_a) && ids.has(argument_b),
  );
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

/** The premises that belong to other questions, as a block of their own. */
function premisePosition(nodes: readonly MeshNode[]): Position | null {
  const claims = nodes.flatMap(({ kind, claim }) => (kind === 'premise' ? [claim!] : []));
  if (claims.length === 0) return null;
  return { id: 'premises', title: 'from other questions', claims, drawn: claims.length, kind: 'premises' };
}
