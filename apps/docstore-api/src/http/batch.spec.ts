import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { DomainError } from '@platform/error-contracts';
import { covers } from '@platform/testing/covers';
import type { Caller } from '../auth/caller.ts';
import { runItems } from './batch.ts';
import type { HttpDeps } from './http-deps.ts';

describe('runItems', () => {
  it('an item of a batch whose request is still in flight says when to send it again, and a taken filename does not', async () => {
    covers('DOC-D.17', 'DOC-D.57');
    const errors = [
      new DomainError('conflict', 'in flight', { retryAfterSeconds: 1.2 }),
      new DomainError('conflict', 'taken'),
    ];
    const create = { method: 'create', file: { filename: 'a', contents: 'x' } };
    const { text } = await runItems({} as HttpDeps, {} as Caller, [create, create], {
      once: (part) => (part === '#' ? Promise.resolve({ status: 200 }) : Promise.reject(errors.shift()!)),
      requestId: 'r',
    });
    const conflict = { code: 'conflict', request_id: 'r' };
    expect(JSON.parse(text!)).toEqual({
      results: [
        { status: 409, error: { ...conflict, message: 'in flight', retry_after_seconds: 2 } },
        { status: 409, error: { ...conflict, message: 'taken' } },
      ],
    });
  });

  it('a batch of refused items lets other requests run between two of them', async () => {
    let turns = 0;
    let isOver = false;
    const others = (async () => {
      for (; !isOver; turns++) await setImmediate();
    })();
    const items = Array.from({ length: 20 }, () => ({ method: 'POST' }));
    await runItems({} as HttpDeps, {} as Caller, items, {
      once: () => Promise.resolve({ status: 200 }),
      requestId: 'r',
    });
    isOver = true;
    await others;
    // One for the digest of each, one for its result.
    expect(turns).toBeGreaterThanOrEqual(2 * items.length);
  });
});
