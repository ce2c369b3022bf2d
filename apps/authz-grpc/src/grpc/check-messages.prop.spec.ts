import { describe, expect, it } from '@jest/globals';
import {
  BatchCheckAuthorizationRequest,
  BatchCheckAuthorizationResponse,
  CheckAuthorizationRequest,
} from '@platform/proto/authz/v1/authorization';
import type { RequestValue } from '@platform/proto/authz/v1/policy';
import { AuthzError } from '@platform/error-contracts';
import fc from 'fast-check';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import {
  readBatchRequest,
  readCheckRequest,
  writeBatchResponse,
  type ReadContext,
} from './check-messages.ts';
import { contextOf } from './policy-messages.ts';

fc.configureGlobal({ seed: SEED });

/**
 * What a reader does with bytes: the contexts it reads, errors of a context by their field, or that it
 * throws.
 */
type Outcome = readonly unknown[] | 'throws';

const comparable = (context: ReadContext) =>
  context instanceof AuthzError ? [context.reason, context.field] : [...context];

function outcomeOf(read: () => readonly ReadContext[]): Outcome {
  try {
    return read().map(comparable);
  } catch {
    return 'throws';
  }
}

/** The generated code, then `contextOf`: what the readers must equal. */
function reference({ context }: CheckAuthorizationRequest): ReadContext {
  try {
    return contextOf(context);
  } catch (error) {
    if (error instanceof AuthzError) return error;
    throw error;
  }
}

const expectSame = (bytes: Buffer) => {
  expect(outcomeOf(() => [readCheckRequest(bytes)])).toEqual(
    outcomeOf(() => [reference(CheckAuthorizationRequest.decode(bytes))]),
  );
  expect(outcomeOf(() => readBatchRequest(bytes))).toEqual(
    outcomeOf(() => BatchCheckAuthorizationRequest.decode(bytes).checks.map(reference)),
  );
};

const text = fc.oneof(
  fc.constantFrom('', 'subject', 'action', 'object', 'user-7', 'user-8', '\u{feff}bom', 'ü', '__proto__'),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.integer({ min: 120, max: 20_000 }).map((length) => 'x'.repeat(length)),
);
const value: fc.Arbitrary<RequestValue> = fc.oneof(
  {
    weight: 6,
    arbitrary: text.map((single): RequestValue => ({ value: { $case: 'single', value: single } })),
  },
  {
    weight: 3,
    arbitrary: fc
      .array(text, { maxLength: 4 })
      .map((values): RequestValue => ({ value: { $case: 'multiple', value: { values } } })),
  },
  { weight: 1, arbitrary: fc.constant<RequestValue>({ value: undefined }) },
);
const context = fc.array(fc.tuple(text, value), { maxLength: 6 }).map((entries) => new Map(entries));
const checks = fc.array(
  context.map((one) => ({ context: one })),
  { maxLength: 6 },
);

describe('messages of checks', () => {
  it('messages of checks are read as the generated code reads them', () => {
    fc.assert(
      fc.property(checks, (sent) => {
        const batch = Buffer.from(BatchCheckAuthorizationRequest.encode({ checks: sent }).finish());
        expectSame(batch);
        for (const one of sent) expectSame(Buffer.from(CheckAuthorizationRequest.encode(one).finish()));
      }),
      { numRuns: soak(200) },
    );
  });

  it('messages of checks are read as the generated code reads them, whatever bytes are changed, cut or inserted', () => {
    const edits = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }), fc.constantFrom(0, 1, 2)), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(checks, edits, (sent, changes) => {
        let bytes = Buffer.from(BatchCheckAuthorizationRequest.encode({ checks: sent }).finish());
        for (const [at, byte, kind] of changes) {
          const place = at % (bytes.length + 1);
          const rest = bytes.subarray(place + (kind === 1 ? 0 : 1));
          bytes = Buffer.concat([
            bytes.subarray(0, place),
            kind === 2 ? Buffer.alloc(0) : Buffer.from([byte]),
            rest,
          ]);
        }
        expectSame(bytes);
      }),
      { numRuns: soak(1_000) },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 24 }), (bytes) => expectSame(Buffer.from(bytes))),
      { numRuns: soak(1_000) },
    );
  });

  it('messages of checks are written as the generated code writes them', () => {
    const error = fc.record({ code: fc.nat(16), reason: text, message: text });
    const decided = fc.record({
      authorized: fc.boolean(),
      checkId: fc.uuid(),
      error: fc.constant(undefined),
      denied: fc.constantFrom(undefined, true, false),
    });
    const refused = fc.record({ authorized: fc.constant(false), checkId: fc.constant(''), error });
    const results = fc.oneof(fc.array(decided), fc.array(fc.oneof(decided, refused)));
    fc.assert(
      fc.property(results, (list) => {
        const written = writeBatchResponse({ results: list });
        const expected = BatchCheckAuthorizationResponse.encode({ results: list }).finish();
        expect(written.toString('hex')).toBe(Buffer.from(expected).toString('hex'));
      }),
    );
  });
});
