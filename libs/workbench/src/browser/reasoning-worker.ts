import { explainAndAudit, withoutDistinctions, type InvestigationInput } from '@platform/opinion-fusion';

/**
 * Explains a judgement in a worker thread: the same engine on the same input and instant gives what the
 * service would freeze in a share.
 */
addEventListener('message', ({ data }: MessageEvent<{ input: InvestigationInput; evaluatedAt: string }>) => {
  const now = new Date(data.evaluatedAt);
  const { explanations, claimAudits } = explainAndAudit(data.input, { now });
  self.postMessage({
    explanations,
    claim_audits: claimAudits,
    without_distinctions: withoutDistinctions(data.input, { now }),
  });
});
