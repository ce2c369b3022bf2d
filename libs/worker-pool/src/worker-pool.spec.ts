import { afterEach, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import {
  createWorkerPool,
  QueueFull,
  TaskTimedOut,
  WaitedTooLong,
  WorkerDied,
  type PoolOptions,
  type WorkerPool,
} from './index.ts';

const FILE = new URL('./scripted-worker.fixture.mjs', import.meta.url);
let pool: WorkerPool<string, string, string>;

function create(threads: number, queueMax: number, more: Partial<PoolOptions> = {}) {
  pool = createWorkerPool({ file: FILE, threads, queueMax, memoryMiBMax: 64, ...more });
}
afterEach(() => pool.close());

const run = (script: string, signal?: AbortSignal, owner = '') => pool.run(script, { owner, signal });

describe('the worker pool', () => {
  it('the worker pool runs the tasks of one owner in order', async () => {
    create(1, 10);
    const order: string[] = [];
    await Promise.all(['a', 'b', 'c', 'd'].map(async (name) => order.push(await run(name))));
    expect(order).toEqual(['a', 'b', 'c', 'd']);
  });

  it('the worker pool delays a task by at most one task of an owner that floods it', async () => {
    covers('PLAT-F.1');
    create(1, 100);
    const order: string[] = [];
    const add = async (owner: string, name: string) => order.push(await run(name, undefined, owner));
    const flood = Array.from({ length: 20 }, (_, n) => add('flood', `flood ${n}`));
    await Promise.all([...flood, add('calm', 'calm')]);
    expect(order.indexOf('calm')).toBe(1);
  });

  it('the worker pool leaves a thread to others when an owner holds its share', async () => {
    create(2, 10, { threadsPerOwner: 1 });
    const stop = new AbortController();
    const hanging = [run('hang', stop.signal, 'a'), run('hang', stop.signal, 'a')];
    expect(await run('calm', undefined, 'b')).toBe('calm');
    expect(pool.load()).toEqual({ waiting: 1, busy: 1, threads: 2 });
    stop.abort(new Error('enough'));
    await Promise.allSettled(hanging);
  });

  it('a calm owner runs while two others hold both threads with tasks past their slice', async () => {
    covers('PLAT-F.21');
    create(2, 10, { threadsPerOwner: 1, sliceMs: 50 });
    const stop = new AbortController();
    const hanging = [run('hang', stop.signal, 'a'), run('hang', stop.signal, 'b')];
    for (const name of ['first', 'second', 'third']) expect(await run(name, undefined, 'calm')).toBe(name);
    stop.abort(new Error('enough'));
    for (const outcome of await Promise.allSettled(hanging))
      expect(outcome).toMatchObject({ reason: { message: 'enough' } });
    while (pool.load().busy > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(pool.load().waiting).toBe(0);
    expect(await Promise.all([run('a', undefined, 'a'), run('b', undefined, 'b')])).toEqual(['a', 'b']);
  });

  it('a task past its slice that gave its thread to another runs from its start until its reply', async () => {
    covers('PLAT-F.21');
    create(2, 10, { threadsPerOwner: 1, sliceMs: 50 });
    const stop = new AbortController();
    const held = run('hang', stop.signal, 'a').catch(() => 'stopped');
    const starts: string[] = [];
    const work = { owner: 'b', onEvent: (event: string) => starts.push(event) };
    const cell = new Int32Array(new SharedArrayBuffer(4));
    const long = pool.run({ until: cell, reply: 'long' } as never, work);
    while (starts.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(await run('short', undefined, 'calm')).toBe('short');
    while (starts.length < 2) await new Promise((resolve) => setImmediate(resolve));
    Atomics.store(cell, 0, 1);
    expect(await long).toBe('long');
    stop.abort(new Error('enough'));
    expect(await held).toBe('stopped');
  });

  it('a task past its slice keeps its thread while nobody else waits', async () => {
    covers('PLAT-F.21');
    create(2, 10, { threadsPerOwner: 1, sliceMs: 1 });
    const starts: string[] = [];
    const stop = new AbortController();
    const work = { owner: 'a', signal: stop.signal, onEvent: (event: string) => starts.push(event) };
    const cell = new Int32Array(new SharedArrayBuffer(4));
    const long = pool.run({ until: cell, reply: 'long' } as never, work);
    // A task of the same owner cannot use another thread: an owner may hold one here.
    const next = run('next', undefined, 'a');
    for (let n = 0; n < 20; n++) expect(await run('calm', undefined, 'b')).toBe('calm');
    Atomics.store(cell, 0, 1);
    expect([await long, await next, starts]).toEqual(['long', 'next', ['started']]);
  });

  it('the worker pool refuses one task more than may wait', async () => {
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

  it('the worker pool replaces the worker of an aborted task that hangs', async () => {
    create(2, 3);
    for (let round = 0; round < 3; round++) {
      const stop = new AbortController();
      const running = run('hang', stop.signal);
      stop.abort(new Error(`round ${round}`));
      await expect(running).rejects.toThrow(`round ${round}`);
    }
    expect(await run('still here')).toBe('still here');
  });

  it('the worker pool keeps a worker that stops on request', async () => {
    // On a busy machine it may be long before the worker gets a turn.
    create(1, 3, { stopGraceMs: 600_000 });
    await run('count');
    const stop = new AbortController();
    const running = run('spin until asked', stop.signal);
    stop.abort(new Error('gone'));
    await expect(running).rejects.toThrow('gone');
    // Its count of tasks continued: it is the same worker.
    expect(await run('count')).toBe('3');
  });

  it('the worker pool removes an aborted task from the queue without disturbing the one that runs', async () => {
    create(1, 5);
    const running = run('a');
    const stop = new AbortController();
    const queued = run('b', stop.signal);
    const behind = run('c');
    stop.abort(new Error('gone'));
    await expect(queued).rejects.toThrow('gone');
    expect([await running, await behind]).toEqual(['a', 'c']);
  });

  it('the worker pool starts nothing for a signal that was already aborted', async () => {
    create(1, 5);
    await expect(run('hang', AbortSignal.abort(new Error('before')))).rejects.toThrow('before');
    expect(await run('a')).toBe('a');
  });

  it('the worker pool ends a task that runs too long, and does not count the time it waited', async () => {
    create(1, 5, { taskMaxMs: 3_000 });
    const outcomes = await Promise.allSettled([run('hang'), run('a')]);
    expect(
      outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.name : outcome.value)),
    ).toEqual(['TaskTimedOut', 'a']);
    expect((outcomes[0] as PromiseRejectedResult).reason).toBeInstanceOf(TaskTimedOut);
  });

  it('the worker pool refuses a task that waited too long', async () => {
    create(1, 5, { waitMaxMs: 1 });
    const stop = new AbortController();
    const running = run('hang', stop.signal);
    await expect(run('a')).rejects.toBeInstanceOf(WaitedTooLong);
    stop.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    while (pool.load().busy > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(await run('b')).toBe('b');
  });

  it('the worker pool ends a thread that idles, and starts another with the next task', async () => {
    create(1, 5, { idleMs: 1 });
    expect(await run('count')).toBe('1');
    let count = '';
    // A fresh worker counts from the start.
    while (count !== '1') {
      await new Promise((resolve) => setTimeout(resolve, 20));
      count = await run('count');
    }
  });

  it.each([
    ['throw', 'scripted failure'],
    ['exit', undefined],
    ['exhaust memory', 'reaching memory limit'],
  ])('the worker pool outlives a worker that dies: %s', async (script, why) => {
    create(1, 5);
    const died = await run(script).catch((error: unknown) => error as WorkerDied);
    expect(died).toBeInstanceOf(WorkerDied);
    if (why) expect(String((died as WorkerDied).cause)).toContain(why);
    expect(await run('after')).toBe('after');
  });

  it('the worker pool passes on events before the reply', async () => {
    create(1, 5);
    const events: string[] = [];
    await pool.run('event', { owner: '', onEvent: (event) => events.push(event) });
    expect(events).toEqual(['half-way']);
  });

  it('the worker pool refuses running, waiting and later tasks once it is closed', async () => {
    create(1, 5);
    const outcomes = Promise.allSettled([run('hang'), run('waiting')]);
    await pool.close();
    for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: { name: 'WorkerDied' } });
    await expect(run('late')).rejects.toBeInstanceOf(WorkerDied);
  });
});
