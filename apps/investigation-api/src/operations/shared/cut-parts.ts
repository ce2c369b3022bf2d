import { workFor, type Caller } from '../../access/caller.ts';
import type { Verdicts } from '../../engine/analysis-pool.ts';
import type { CutParts } from '../../engine/analysis-task.ts';
import type { PartTexts, ResultPart } from '../../engine/result-part.ts';
import { withDeadline } from '../../engine/with-deadline.ts';
import type { SessionDeps } from '../../ports.ts';

/**
 * A part of a full result, and what a payload is about. Throws `deadline_exceeded`, `payload_too_large`,
 * `unavailable`, `internal`.
 */
export function cutParts(
  { analysis, config }: SessionDeps,
  texts: PartTexts,
  part: ResultPart,
  caller: Caller,
  aborted: AbortSignal,
): Promise<CutParts<Verdicts>> {
  return withDeadline(config.analysisTimeoutMs, aborted, (signal) =>
    analysis.part(texts, part, { signal, ...workFor(caller) }),
  );
}
