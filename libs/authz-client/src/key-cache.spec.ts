import { describe, expect, it } from '@jest/globals';
import { generateSigningKey, verificationKeyOf } from '@platform/jwt';
import type { DomainError } from '@platform/error-contracts';
import { covers } from '@platform/testing/covers';
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

  it('the key cache finds a key that was made just after it loaded, and refuses one that was retired', async () => {
    covers('AUTHZ-K.21');
    let published = [first];
    let loads = 0;
    const cache = createKeyCache(
      async () => {
        loads += 1;
        return published;
      },
      () => 0,
    );
    await cache.findKey(first.kid);
    published = [second];
    expect(await cache.findKey(second.kid)).toBe(second);
    for (let asked = 0; asked < 100; asked += 1) expect(await cache.findKey(first.kid)).toBeNull();
    expect(loads).toBe(3);
  });

  it('the key cache loads again for an id that a load under way may lack', async () => {
    covers('AUTHZ-K.21');
    const publish: ((keys: readonly (typeof first)[]) => void)[] = [];
    const cache = createKeyCache(
      () => new Promise((resolve) => publish.push(resolve)),
      () => 0,
    );
    const before = cache.findKey(first.kid);
    const after = cache.findKey(second.kid);
    publish[0]!([first]);
    expect(await before).toBe(first);
    publish[1]!([second]);
    expect(await after).toBe(second);
  });

  it('forged key ids cause ten loads at once and one a second, and are unavailable beyond that', async () => {
    covers('AUTHZ-K.21');
    let nowMs = 0;
    let loads = 0;
    const cache = createKeyCache(
      async () => {
        loads += 1;
        return [first];
      },
      () => nowMs,
    );
    const results = { refused: 0, unavailable: 0 };
    for (let forged = 0; forged < 100; forged += 1)
      await Promise.resolve(cache.findKey(`forged-${forged}`)).then(
        (found) => (expect(found).toBeNull(), results.refused++),
        (error: DomainError) => (expect(error.kind).toBe('unavailable'), results.unavailable++),
      );
    expect([loads, results]).toEqual([10, { refused: 10, unavailable: 90 }]);
    nowMs = 1_000;
    expect(await cache.findKey('forged')).toBeNull();
    await expect(cache.findKey('another')).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await cache.findKey(first.kid)).toBe(first);
    expect(loads).toBe(11);
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
