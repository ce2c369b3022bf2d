import { instant } from '../format/times.ts';
import { plain } from '../format/text.ts';
import type { ShareSnapshot } from '../snapshot.ts';

/** One line that names the snapshot so that it can be found and checked: question, time, engine, address, digest. */
export function citation({ judgement, result, result_sha256, share }: ShareSnapshot): string {
  return (
    `“${plain(result.research_question)}” Snapshot of ${instant(share.snapshot_taken_at)}, ` +
    `judged ${instant(judgement.judged_at)} by engine ${judgement.engine_version}. ${share.url} ` +
    `(SHA-256 of the result: ${result_sha256})`
  );
}
