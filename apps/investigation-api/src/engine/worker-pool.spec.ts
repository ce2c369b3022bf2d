import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import type { AnalysisProgress, AnalysisReply } from './analysis-task.ts';
import { bundleWorker } from './bundle-worker.fixture.ts';
import type { WorkerPool } from './worker-pool.ts';
import { createWorkerPool, QueueFull, WorkerDied } from './worker-pool.ts';

const worker = bundleWorker(new URL('./scripted-worker.fixture.ts', import.meta.url));
type Task = { body: Uint8Array; wantsProgress?: boolean };
let pool: WorkerPool<Task, AnalysisReply, AnalysisProgress>;

function create(threads: number, queueMax: number, more: { stopGraceMs?: number } = {}) {
  pool = createWorkerPool({ file: worker.file, threads, queueMax, memoryMiBMax: 64, ...more });
}
afterEach(() => pool.close());
afterAll(() => worker.remove());

const never = () => new AbortController().signal;
const task = (script: string): Task => ({ body: new TextEncoder().encode(script) });
async function run(script: string, signal = never()): Promise<string> {
  const reply = await pool.run(task(script), { signal });
  return 'result' in reply
    ? (JSON.parse(new TextDecoder().decode(reply.result)) as { echo: string }).echo
    : (reply as { problem: string }).problem;
}

describe('the worker pool', () => {
  it('replies, first come, first served', async () => {
    create(1, 10);
    const order: string[] = [];
    await Promise.all(['a', 'b', 'c', 'd'].map(async (name) => order.push(await run(name))));
    expect(order).toEqual(['a', 'b', 'c', 'd']);
  });

  it('takes as many waiting tasks as it is told and not one more', async () => {
    create(1, 2);
    const stop = new AbortController();
    const running = run('hang', stop.signal);
    const waiting = [run('a'), run('b')];
    await expect(run('c')).rejects.toBeInstanceOf(QueueFull);
    expect(pool.load()).toEqual({ waiting: 2, busy: 1, threads: 1 });
    stop.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    expect(await Promise.all(waiting)).toEqual(['a', 'b']);
  });

  it('ends the worker that runs an aborted task, however it hangs, and serves on with another', async () => {
    create(2, 3);
    for (let round = 0; round < 3; round++) {
      const stop = new AbortController();
      const running = run('hang', stop.signal);
      stop.abort(new Error(`round ${round}`));
      await expect(running).rejects.toThrow(`round ${round}`);
    }
    expect(await run('still here')).toBe('still here');
  });

  it('lets a worker that stops when asked live on', async () => {
    // On a busy machine it may be long before the worker gets a turn.
    create(1, 3, { stopGraceMs: 600_000 });
    await run('count');
    const stop = new AbortController();
    const running = run('spin until asked', stop.signal);
    stop.abort(new Error('gone'));
    await expect(running).rejects.toThrow('gone');
    // Its count of tasks went on: it is the same worker.
    expect(await run('count')).toBe('3');
  });

  it('takes an aborted task from the queue without disturbing the one that runs', async () => {
    create(1, 5);
    const running = run('a');
    const stop = new AbortController();
    const queued = run('b', stop.signal);
    const behind = run('c');
    stop.abort(new Error('gone'));
    await expect(queued).rejects.toThrow('gone');
    expect([await running, await behind]).toEqual(['a', 'c']);
  });

  it('starts nothing for a signal aborted before', async () => {
    create(1, 5);
    await expect(run('hang', AbortSignal.abort(new Error('before')))).rejects.toThrow('before');
    expect(await run('a')).toBe('a');
  });

  it.each([
    ['throw', 'scripted failure'],
    ['exit', undefined],
    ['exhaust memory', 'reaching memory limit'],
  ])('outlives a worker that dies: %s', async (script, why) => {
    create(1, 5);
    const died = await run(script).catch((error: unknown) => error as WorkerDied);
    expect(died).toBeInstanceOf(WorkerDied);
    if (why) expect(String((died as WorkerDied).cause)).toContain(why);
    expect(await run('after')).toBe('after');
  });

  it('passes on events before the reply', async () => {
    create(1, 5);
    const events: AnalysisProgress[] = [];
    const signal = never();
    await pool.run({ ...task('a'), wantsProgress: true }, { signal, onEvent: (event) => events.push(event) });
    expect(events).toEqual([{ phase: 'weighing', done: 1, total: 2 }]);
  });

  it('refuses what runs, waits and comes once it is closed', async () => {
    create(1, 5);
    const outcomes = Promise.allSettled([run('hang'), run('waiting')]);
    await pool.close();
    for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: { name: 'WorkerDied' } });
    await expect(run('late')).rejects.toBeInstanceOf(WorkerDied);
  });
});
