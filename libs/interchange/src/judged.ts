import type { InvestigationResult, SubjectResult } from '@platform/opinion-fusion';
import type { JudgedInvestigation, ShareDetails } from '@platform/viewer';

/** A judged investigation to be written: that of a session, or the public part of a share. */
export type Judged = JudgedInvestigation & { readonly share?: ShareDetails };

/** The verdicts of a full or compact result. */
export const verdictsOf = ({ result }: Judged): readonly SubjectResult[] =>
  'subject_results' in result ? result.subject_results : result.top_findings;

/** The full result; null for a compact one. */
export const fullResult = ({ result }: Judged): InvestigationResult | null =>
  'subject_results' in result ? result : null;

/** JSON in UTF-8, indented for people. */
export const jsonBytes = (value: unknown): Uint8Array =>
  new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`);
