import { describe, expect, it } from '@jest/globals';
import { BatchCheckAuthorizationRequest } from '@platform/proto/authz/v1/authorization';
import { DomainServiceService, PutDomainPoliciesRequest } from '@platform/proto/authz/v1/domain';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import { bounded } from './bounded-messages.ts';
import { checkingService } from './check-messages.ts';
import { LongMessage } from './long-message.ts';

fc.configureGlobal({ seed: SEED });

interface Method {
  readonly path: string;
  readonly requestDeserialize: (bytes: Buffer) => unknown;
}

/** Fails unless the server reads the bytes to what the method reads them to, in small pieces. */
async function expectReadInPieces(method: Method, bytes: Buffer): Promise<void> {
  const sizes: number[] = [];
  const requestDeserialize = (piece: Buffer) => {
    sizes.push(piece.length);
    return method.requestDeserialize(piece);
  };
  const { one } = bounded({ one: { ...method, requestDeserialize } } as never) as { one: Method };
  const message = one.requestDeserialize(bytes);
  expect(message).toBeInstanceOf(LongMessage);
  expect(await (message as LongMessage<unknown>).request()).toEqual(method.requestDeserialize(bytes));
  expect(Math.max(...sizes)).toBeLessThan(bytes.length / 3);
}

const text = fc.string({ maxLength: 40 });
const long = fc.string({ minLength: 250, maxLength: 300 });
const policy = fc.record({
  name: text,
  description: long,
  invert: fc.boolean(),
  deny: fc.boolean(),
  engine: fc.integer({ min: 0, max: 5 }),
  statements: fc.array(
    fc.record({ rules: fc.array(fc.tuple(text, text), { maxLength: 3 }).map((rules) => new Map(rules)) }),
    { maxLength: 10 },
  ),
});
const value = fc.oneof(
  fc.record({ single: text }),
  fc.record({ multiple: fc.record({ values: fc.array(text, { maxLength: 3 }) }) }),
  // In no plain form: the generated code reads it.
  fc.constant({}),
);
const check = fc.record({
  context: fc.array(fc.tuple(long, value), { minLength: 1, maxLength: 4 }).map((pairs) => new Map(pairs)),
});
const ONCE = { numRuns: 20, endOnFailure: true };

describe('a long message', () => {
  covers('AUTHZ-G.12');
  it('a long message is read to what it says, however its fields are mixed, in small pieces', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(policy, { minLength: 130, maxLength: 160 }),
        fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
        fc.option(fc.bigInt({ min: 0n, max: 2n ** 62n }), { nil: undefined }),
        async (policies, cuts, expectedVersion) => {
          const encode = (part: object) =>
            PutDomainPoliciesRequest.encode(PutDomainPoliciesRequest.fromPartial(part)).finish();
          // What is not a policy may stand anywhere between them.
          const between = [{ tenantId: 'first' }, { tenantId: 't', domainId: 'd' }, { expectedVersion }, {}];
          const size = Math.ceil(policies.length / between.length);
          const parts = between.flatMap((rest, i) => {
            const here = encode({ policies: policies.slice(i * size, (i + 1) * size) });
            return cuts[i] ? [encode(rest), here] : [here, encode(rest)];
          });
          await expectReadInPieces(DomainServiceService.putDomainPolicies, Buffer.concat(parts));
        },
      ),
      ONCE,
    );
  });

  it('a long batch of checks is read to the contexts that it has, in small pieces', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(check, { minLength: 140, maxLength: 180 }), async (checks) => {
        const bytes = Buffer.from(
          BatchCheckAuthorizationRequest.encode({ checks } as BatchCheckAuthorizationRequest).finish(),
        );
        await expectReadInPieces(checkingService.batchCheckAuthorization, bytes);
      }),
      ONCE,
    );
  });
});
