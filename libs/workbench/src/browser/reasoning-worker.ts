import { auditClaims, explainAll, type InvestigationInput } from '@platform/opinion-fusion';

/**
 * Explains a judgement in a worker thread: the same engine on the same input and instant gives what the service would freeze
 * in a share.
 */
addEventListener('message', ({ data }: MessageEvent<{ input: InvestigationInput; evaluatedAt: string }>) => {
  const now = new Date(data.evaluatedAt);
  self.postMessage({
    explanations: explainAll(data.input, { now }),
    claim_audits: auditClaims(data.input, { now }),
  });
});
