import { asOfText, instant } from './times.ts';
import { plain } from './text.ts';
import type { JudgedInvestigation, ShareSnapshot } from '../snapshot.ts';

/** The headline of the page: the question, or the name of its session where none was asked. */
export function headline({ result, session_name }: JudgedInvestigation): string {
  return result.research_question.trim() === '' ? session_name : result.research_question;
}

/**
 * One line that names the snapshot so that it can be found and checked: author and publisher where they are
 * given, question, time, engine, address, digest.
 */
export function citation(snapshot: ShareSnapshot): string {
  const { judgement, result_sha256, share } = snapshot;
  const authors = [share.byline, share.publisher].filter((name) => name !== undefined).map(plain);
  return (
    `${authors.length > 0 ? `${authors.join(', ')}: ` : ''}“${plain(headline(snapshot))}” Snapshot of ${instant(share.snapshot_taken_at)}, ` +
    `judged ${instant(judgement.judged_at)}${asOfText(snapshot, instant)} by engine ${judgement.engine_version}. ${share.url} ` +
    `(SHA-256 of the result: ${result_sha256})`
  );
}
