import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { RegexMemory } from '@platform/decide/regex';
import type { Policy } from '../policy/types.ts';
import { createPolicyCache } from './policy-cache.ts';

const allow = (subject: string): Policy => ({
  name: subject,
  description: '',
  invert: false,
  deny: false,
  engine: 'fixed',
  statements: [{ rules: { subject } }],
});

/** One row of domains each, and how often it was read. */
function createDomains(rows: Record<string, { version: number; policies: Policy[] }>) {
  const reads: string[] = [];
  const entities = {
    async loadPolicies(id: string) {
      reads.push(id);
      return rows[id] ?? null;
    },
  };
  return { entities, rows, reads };
}

describe('the policy cache', () => {
  covers('AUTHZ-D.17');
  it('the policy cache compiles a version once for all concurrent readers, and another version anew', async () => {
    const { entities, rows, reads } = createDomains({ d: { version: 1, policies: [allow('a')] } });
    const cache = createPolicyCache(entities, { bytesMax: 1_000_000 });
    expect(cache.find('d', 1)).toBeUndefined();
    expect(await Promise.all([cache.load('d', 1), cache.load('d', 1)])).toEqual([true, true]);
    const first = cache.find('d', 1);
    expect(cache.find('d', 1)).toBe(first);
    expect([first?.version, reads]).toEqual([1, ['d']]);

    rows['d'] = { version: 2, policies: [allow('b')] };
    expect(cache.find('d', 2)).toBeUndefined();
    expect(await cache.load('d', 2)).toBe(true);
    expect(cache.find('d', 2)?.evaluate(new Map([['subject', 'b']])).allowed).toBe(true);
    expect(await cache.load('d', 1)).toBe(false);
    expect(reads).toEqual(['d', 'd', 'd']);
  });

  it('the policy cache holds compiled policies and no decision', async () => {
    const { entities } = createDomains({ d: { version: 1, policies: [allow('a')] } });
    const cache = createPolicyCache(entities, { bytesMax: 1_000_000 });
    await cache.load('d', 1);
    const context = new Map([['subject', 'a']]);
    expect(cache.find('d', 1)?.evaluate(context).allowed).toBe(true);
    context.set('subject', 'b');
    expect(cache.find('d', 1)?.evaluate(context).allowed).toBe(false);
  });

  it('the policy cache holds a set that is heavier than its bound until another one comes', async () => {
    const { entities } = createDomains({
      heavy: { version: 1, policies: [allow('a')] },
      next: { version: 1, policies: [allow('b')] },
    });
    const cache = createPolicyCache(entities, { bytesMax: 1 });
    await cache.load('heavy', 1);
    expect(cache.find('heavy', 1)).toBeDefined();
    await cache.load('next', 1);
    expect([cache.find('heavy', 1), cache.find('next', 1)?.version]).toEqual([undefined, 1]);
  });

  it('the policy cache evicts the least recently used set when it is over its bound', async () => {
    const policies = Array.from({ length: 100 }, (_, i) => allow(`user-${i}`));
    const domains = Object.fromEntries(['a', 'b', 'c'].map((id) => [id, { version: 1, policies }]));
    const { entities } = createDomains(domains);
    const probe = createPolicyCache(entities, { bytesMax: Number.MAX_SAFE_INTEGER });
    await probe.load('a', 1);
    const cache = createPolicyCache(entities, { bytesMax: 2 * probe.bytes });
    for (const id of ['a', 'b']) await cache.load(id, 1);
    cache.find('a', 1);
    await cache.load('c', 1);
    expect(['a', 'b', 'c'].map((id) => cache.find(id, 1) !== undefined)).toEqual([true, false, true]);
    expect(cache.bytes).toBe(2 * probe.bytes);
  });

  it('the policy cache compiles regexes ahead of the first check, and yields in between', async () => {
    const policies = Array.from({ length: 1_000 }, (_, i): Policy => ({
      ...allow(`p${i}`),
      engine: 'regex',
      statements: [{ rules: { object: `report-${i}-[a-z0-9]+/x` } }],
    }));
    const { entities } = createDomains({ d: { version: 1, policies } });
    const regexMemory = new RegexMemory(64 * 1024 * 1024);
    const cache = createPolicyCache(entities, { bytesMax: Number.MAX_SAFE_INTEGER, regexMemory });
    let isLoading = true;
    let turns = 0;
    const others = (async () => {
      while (isLoading) {
        await new Promise((resolve) => setImmediate(resolve));
        turns += 1;
      }
    })();
    expect(await cache.load('d', 1)).toBe(true);
    isLoading = false;
    await others;
    // 1,000 patterns are five sets at least, none of which is compiled in a few milliseconds.
    expect(turns).toBeGreaterThanOrEqual(5);
    const ready = regexMemory.bytesHeld;
    expect(ready).toBeGreaterThan(0);
    const context = new Map([['object', 'report-7-a/x']]);
    expect(cache.find('d', 1)?.evaluate(context).matched?.policy).toBe('p7');
    expect(regexMemory.bytesHeld).toBeLessThan(ready + 2_000_000);
  });
});
