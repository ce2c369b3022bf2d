import { useEffect, useState } from 'preact/hooks';
import type { InvestigationInput, StaleCounts } from '@platform/opinion-fusion';

/**
 * How many claims judging would find stale with each of the half-lives, counted by the engine in a thread of
 * its own. Undefined until they are counted, null where the investigation cannot be judged as it stands.
 */
export function useStaleCounts(
  input: InvestigationInput,
  halfLivesDays: readonly number[],
): StaleCounts | null | undefined {
  const [counted, setCounted] = useState<{ readonly of: object; readonly counts: StaleCounts | null }>();
  useEffect(() => {
    const thread = new Worker(document.getElementById('app')!.dataset['reasoning']!);
    thread.addEventListener('message', ({ data }: MessageEvent<StaleCounts | null>) => {
      setCounted({ of: input, counts: data });
      thread.terminate();
    });
    thread.postMessage({ input, halfLivesDays, ageAt: new Date().toISOString() });
    return () => thread.terminate();
  }, [input]);
  return counted?.of === input ? counted.counts : undefined;
}
