import { describe, expect, it } from '@jest/globals';
import { generateSigningKey, verificationKeyOf } from '@platform/jwt';
import { createKeyCache } from './key-cache.ts';

const [one, two] = await Promise.all([generateSigningKey(), generateSigningKey()]);
const [first, second] = [verificationKeyOf(one), verificationKeyOf(two)];

describe('the key cache', () => {
  it('the key cache loads once for all waiting callers, and not again for a key it has', async () => {
    let loads = 0;
    const cache = createKeyCache(
      async () => {
        loads += 1;
        return [first];
      },
      () => 0,
    );
    expect(await Promise.all([cache.findKey(first.kid), cache.findKey(first.kid)])).toEqual([first, first]);
    expect(await cache.findKey(first.kid)).toBe(first);
    expect(loads).toBe(1);
  });

  it('the key cache loads again for an unknown id, after the cool-down only', async () => {
    let published = [first];
    let nowMs = 0;
    let loads = 0;
    const cache = createKeyCache(
      async () => {
        loads += 1;
        return published;
      },
      () => nowMs,
    );
    await cache.findKey(first.kid);
    published = [second];
    for (let asked = 0; asked < 100; asked += 1) expect(await cache.findKey(second.kid)).toBeNull();
    expect(loads).toBe(1);
    nowMs = 5_001;
    expect(await cache.findKey(second.kid)).toBe(second);
    expect(await cache.findKey(first.kid)).toBeNull();
    expect(loads).toBe(2);
  });

  it("the key cache continues to load after a caller's timeout", async () => {
    let publish: (keys: readonly [typeof first]) => void = () => undefined;
    let loads = 0;
    let isPatient = false;
    const cache = createKeyCache(
      () => {
        loads += 1;
        return new Promise((resolve) => (publish = resolve));
      },
      () => 0,
      (loading) => (isPatient ? loading : Promise.reject(new Error('long enough'))),
    );
    await expect(cache.findKey(first.kid)).rejects.toThrow('long enough');
    isPatient = true;
    const found = cache.findKey(first.kid);
    publish([first]);
    expect(await found).toBe(first);
    expect(loads).toBe(1);
  });

  it('the key cache passes a failure to the waiting callers and loads again for the next', async () => {
    let isUnavailable = true;
    const cache = createKeyCache(
      () => (isUnavailable ? Promise.reject(new Error('away')) : Promise.resolve([first])),
      () => 0,
    );
    await expect(cache.findKey(first.kid)).rejects.toThrow('away');
    isUnavailable = false;
    expect(await cache.findKey(first.kid)).toBe(first);
  });
});
