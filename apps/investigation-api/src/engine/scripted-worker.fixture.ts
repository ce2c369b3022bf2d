import { parentPort } from 'node:worker_threads';
import { textOf, type TextPieces } from '../model/text-pieces.ts';

/**
 * A worker that does what its task says: replies, hangs, dies or runs out of memory. Stands in for a failing
 * engine.
 */
/** The body itself, or the research question of the session that is judged. */
function scriptOf({ body, payload }: Task): string {
  if (payload === undefined) return new TextDecoder().decode(body);
  return (JSON.parse(textOf(payload)) as { research_question: string }).research_question;
}

interface Task {
  readonly body?: Uint8Array;
  readonly payload?: TextPieces;
  readonly wantsProgress?: boolean;
}

parentPort?.on('message', (task: Task) => {
  const script = scriptOf(task);
  if (script === 'hang') for (;;);
  if (script === 'throw') throw new Error('scripted failure');
  if (script === 'exit') process.exit(3);
  if (script === 'exhaust memory') {
    const hoard: unknown[] = [];
    for (;;) hoard.push(new Array(1000).fill(hoard.length));
  }
  if (script === 'problem')
    return parentPort?.postMessage({ reply: { problem: 'claims[0].id: must not be empty' } });
  if (task.wantsProgress) parentPort?.postMessage({ event: { phase: 'weighing', done: 1, total: 2 } });
  const result = new TextEncoder().encode(JSON.stringify({ echo: script }));
  const kept = {
    inputSnapshot: textOf(task.payload ?? []) || 'null',
    result: new TextDecoder().decode(result),
    resultBytes: result.length,
  };
  parentPort?.postMessage({ reply: { result, kept } }, [result.buffer]);
});
