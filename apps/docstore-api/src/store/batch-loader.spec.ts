import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { createBatchLoader } from './batch-loader.ts';

describe('a batch loader', () => {
  it('a batch loader refuses the callers of a batch that never gets a response, and serves later ones', async () => {
    covers('PLAT-W.1');
    const batches: string[][] = [];
    const load = createBatchLoader(
      async (keys) => {
        batches.push(keys);
        if (batches.length === 1) return new Promise<never>(() => undefined);
        return new Map(keys.map((key) => [key, `value of ${key}`]));
      },
      { batchMaxMs: 20 },
    );
    const lost = load('a');
    const waiting = load('b');
    await expect(lost).rejects.toMatchObject({ kind: 'unavailable' });
    expect([await waiting, await load('a')]).toEqual(['value of b', 'value of a']);
    expect(batches).toEqual([['a'], ['b'], ['a']]);
  });

  it('a batch loader keeps nobody waiting for a batch that takes long', async () => {
    covers('PLAT-W.1');
    let respond: (found: ReadonlyMap<string, string>) => void = () => undefined;
    const load = createBatchLoader(
      async (keys) =>
        keys.includes('slow')
          ? new Promise<ReadonlyMap<string, string>>((resolve) => (respond = resolve))
          : new Map(keys.map((key) => [key, `value of ${key}`])),
      { nextAfterMs: 5 },
    );
    const slow = load('slow');
    expect(await load('quick')).toBe('value of quick');
    respond(new Map([['slow', 'value of slow']]));
    expect(await slow).toBe('value of slow');
  });
});
