import {
  analyze,
  explainAndAudit,
  InvalidInvestigation,
  staleCounts,
  withoutDistinctions,
  type InvestigationInput,
} from '@platform/opinion-fusion';

/**
 * A judgement to explain, an investigation to judge, of which the verdicts alone come back, or one whose
 * stale claims are counted for some half-lives.
 */
export type ReasoningTask =
  | { readonly input: InvestigationInput; readonly evaluatedAt: string }
  | { readonly input: InvestigationInput; readonly judgeAt: string }
  | {
      readonly input: InvestigationInput;
      readonly halfLivesDays: readonly number[];
      readonly ageAt: string;
    };

/**
 * Explains a judgement in a worker thread: the same engine on the same input and instant gives what the
 * service would freeze in a share. Judges what is being edited, for the verdicts next to it.
 */
addEventListener('message', ({ data }: MessageEvent<ReasoningTask>) => {
  self.postMessage(done(data));
});

function done(task: ReasoningTask) {
  if ('judgeAt' in task) return judged(task.input, task.judgeAt);
  if ('ageAt' in task) return aged(task.input, task.halfLivesDays, task.ageAt);
  return explained(task.input, task.evaluatedAt);
}

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

/** Null where the investigation cannot be judged. */
function aged(input: InvestigationInput, halfLivesDays: readonly number[], ageAt: string) {
  try {
    return staleCounts(input, halfLivesDays, { now: new Date(ageAt) });
  } catch (error) {
    if (error instanceof InvalidInvestigation) return null;
    throw error;
  }
}
