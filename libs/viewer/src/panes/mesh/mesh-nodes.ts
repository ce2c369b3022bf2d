import type { EvidenceInput, InferenceInput } from '@platform/opinion-fusion';
import type { Claim, Model } from '../../model.ts';
import { EVIDENCE_MAX } from './mesh-positions.ts';

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

export const claimNode = (id: string): string => `claim:${id}`;
const evidenceNode = (id: string) => `evidence:${id}`;
export const inferenceNode = (id: string) => `inference:${id}`;
export const VERDICT_NODE = 'verdict';

/** The verdict, the claims with what hangs on them, and the inferences with premises of other questions. */
export function nodesOf(
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
