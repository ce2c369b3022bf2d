import {
  compareJudgements,
  InvalidInvestigation,
  type InvestigationInput,
  type InvestigationResult,
  type StopSignal,
} from '@platform/opinion-fusion';
import type { PublishedChanges, ShareSnapshot } from '@platform/viewer';
import { unpackJsonSync } from '../wire/packed-json.ts';
import type { FreezeTask } from './analysis-task.ts';
import { listedChanges } from './listed-changes.ts';
import { withoutContexts } from './public-parts.ts';

/** Verdicts that the page of changes lists. */
const VERDICTS_MAX = 50;

/**
 * What changed since the publication that readers see now, from its public part alone. The same judgement
 * published again keeps what it showed. Null without such a publication, where one of the two is compact, and
 * where this version cannot judge the earlier input any more. Throws the signal's reason.
 */
export function publishedChanges(
  { published, frame, result }: Pick<FreezeTask, 'published' | 'frame' | 'result'>,
  input: InvestigationInput,
  signal: StopSignal,
): PublishedChanges | null {
  if (published === null) return null;
  const parse = (json: Parameters<typeof unpackJsonSync>[0]): unknown =>
    JSON.parse(new TextDecoder().decode(unpackJsonSync(json)));
  const before = parse(published) as Omit<ShareSnapshot, 'share'>;
  if (before.judgement.id === frame.judgement.id) return before.changes ?? null;
  const after = parse(result) as InvestigationResult;
  if ('summary_mode' in before.result || 'summary_mode' in after) return null;
  const since = before.judgement.judged_at;
  try {
    const comparison = compareJudgements(
      // Words around a quote that one of the two leaves out are no change.
      { input: withoutContexts(before.input, []), result: before.result, judgedAt: new Date(since) },
      { input: withoutContexts(input, []), result: after, judgedAt: new Date(frame.judgement.judged_at) },
      { signal },
    );
    return { since, ...listedChanges(comparison, { offset: 0, limit: VERDICTS_MAX }) };
  } catch (error) {
    if (error instanceof InvalidInvestigation) return null;
    throw error;
  }
}
