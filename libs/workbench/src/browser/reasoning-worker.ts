import {
  analyze,
  explainAndAudit,
  InvalidInvestigation,
  withoutDistinctions,
  type InvestigationInput,
} from '@platform/opinion-fusion';

/** A judgement to explain, or an investigation to judge, of which the verdicts alone come back. */
export type ReasoningTask =
  | { readonly input: InvestigationInput; readonly evaluatedAt: string }
  | { readonly input: InvestigationInput; readonly judgeAt: string };

/**
 * Explains a judgement in a worker thread: the same engine on the same input and instant gives what the
 * service would freeze in a share. Judges what is being edited, for the verdicts next to it.
 */
addEventListener('message', ({ data }: MessageEvent<ReasoningTask>) => {
  self.postMessage(
    'judgeAt' in data ? judged(data.input, data.judgeAt) : explained(data.input, data.evaluatedAt),
  );
});

function explained(input: InvestigationInput, evaluatedAt: string) {
  const now = new Date(evaluatedAt);
  const { explanations, claimAudits } = explainAndAudit(input, { now });
  return {
    explanations,
    claim_audits: claimAudits,
    without_distinctions: withoutDistinctions(input, { now }),
  };
}

function judged(input: InvestigationInput, judgeAt: string) {
  try {
    const result = analyze({ ...input, summary_mode: false }, { now: new Date(judgeAt) });
    return { verdicts: 'subject_results' in result ? result.subject_results : [], problems: [] };
  } catch (error) {
    if (error instanceof InvalidInvestigation) return { verdicts: [], problems: error.problems };
    throw error;
  }
}
