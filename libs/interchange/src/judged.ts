import {
  quote,
  type DistinctionInput,
  type InvestigationResult,
  type SubjectResult,
} from '@platform/opinion-fusion';
import type { JudgedInvestigation, ShareDetails } from '@platform/viewer';
import type { InferenceInput } from './claim-words.ts';

/** A judged investigation to be written: that of a session, or the public part of a share. */
export type Judged = JudgedInvestigation & { readonly share?: ShareDetails };

/** The verdicts of a full or compact result. */
export const verdictsOf = ({ result }: Judged): readonly SubjectResult[] =>
  'subject_results' in result ? result.subject_results : result.top_findings;

/** The full result; null for a compact one. */
export const fullResult = ({ result }: Judged): InvestigationResult | null =>
  'subject_results' in result ? result : null;

/** By id, the claims that were taken back or that another one replaced: they are kept and do not count. */
export function withdrawnClaims(judged: Judged): ReadonlyMap<string, 'retracted' | 'superseded'> {
  const statuses = [
    ...judged.input.claims.map(({ id, epistemic_status: status }) => [id, status] as const),
    ...(fullResult(judged)?.claim_analyses ?? []).map(
      ({ claim_id: id, epistemic_status: status }) => [id, status] as const,
    ),
  ];
  return new Map(
    statuses.flatMap(([id, status]) =>
      status === 'retracted' || status === 'superseded' ? [[id, status] as const] : [],
    ),
  );
}

/** The distinctions that the judgement did not drop with a warning. */
export const keptDistinctions = (judged: Judged): readonly DistinctionInput[] =>
  keptOf(judged, 'Distinction', judged.input.distinctions ?? []);

/** The inferences that the judgement did not drop with a warning. */
export const keptInferences = (judged: Judged): readonly InferenceInput[] =>
  keptOf(judged, 'Inference', judged.input.inferences ?? []);

function keptOf<T extends { readonly id: string }>(
  { result }: Judged,
  kind: string,
  items: readonly T[],
): readonly T[] {
  const begins = new Set(result.warnings.map((warning) => warning.split(' was dropped: ', 1)[0]));
  return items.filter(({ id }) => !begins.has(`${kind} ${quote(id)}`));
}

/** JSON in UTF-8, indented for people. */
export const jsonBytes = (value: unknown): Uint8Array =>
  new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`);
