import { describe, expect, it } from '@jest/globals';
import { AuthzError } from '@platform/error-contracts';
import { covers } from '@platform/testing/covers';
import { turnsOf } from '@platform/testing/event-loop';
import { batchCheckAuthorization } from './batch-check-authorization.ts';

type Deps = Parameters<typeof batchCheckAuthorization>[0];
type Caller = Parameters<typeof batchCheckAuthorization>[1];

const contexts = Array.from(
  { length: 1_000 },
  (_, n) =>
    new Map<string, string | readonly string[]>([
      ['subject', 'a'],
      ['action', 'read'],
      ['object', 'svc://018f0000-0000-7000-8000-000000000000/x'],
      ['k', Array.from({ length: 200 }, (_, i) => `${n} ${i} ${'y'.repeat(100)}`)],
    ]),
);

/** Of a batch, what is done before the limits are asked, which here refuse it. */
function read(isGone: () => boolean, onEntered: () => void): Promise<unknown> {
  const decisions = {
    runDecision: () => {
      onEntered();
      return Promise.reject(new AuthzError('RATE_LIMITED', 'too many'));
    },
  } as unknown as Deps['decisions'];
  const arrival = { startedAt: 0, address: '', isGone };
  return batchCheckAuthorization({ decisions } as unknown as Deps, {} as Caller, contexts, arrival);
}

describe('a batch of long contexts', () => {
  it('contexts of a batch are read over several turns of the event loop', async () => {
    covers('AUTHZ-G.12');
    let enteredIn = 0;
    await turnsOf((turn) => {
      const reading = read(
        () => false,
        () => (enteredIn = turn()),
      );
      return expect(reading).rejects.toMatchObject({ reason: 'RATE_LIMITED' });
    });
    expect(enteredIn).toBeGreaterThan(1);
  });

  it('a batch whose caller is gone while it is read takes no calls', async () => {
    covers('AUTHZ-K.18');
    let hasEntered = false;
    const reading = read(
      () => true,
      () => (hasEntered = true),
    );
    await expect(reading).rejects.toMatchObject({ kind: 'request_timeout' });
    expect(hasEntered).toBe(false);
  });
});
