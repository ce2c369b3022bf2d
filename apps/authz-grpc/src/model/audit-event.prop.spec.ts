import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SEED } from '@platform/testing/seed';
import { covers } from '@platform/testing/covers';
import { chainText, GENESIS } from './audit-event.ts';

fc.configureGlobal({ seed: SEED });

it('the chain is over the text that JSON has for a row', () => {
  covers('AUTHZ-U.5');
  const id = fc.uuid();
  const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), fc.string());
  const whole = fc.maxSafeNat();
  const event = fc.record({
    id,
    time: whole,
    tenantId: id,
    domainId: id,
    subject: text,
    action: text,
    object: text,
    decision: fc.boolean(),
    matchedPolicy: text,
    callerId: id,
    latencyMicros: whole,
    policyVersion: whole,
    outcome: fc.oneof(fc.constant(''), text),
    operation: fc.oneof(fc.constant(''), text),
    detail: fc.oneof(fc.constant(''), text),
  });
  fc.assert(
    fc.property(event, whole, (row, sequence) => {
      const { id: rowId, time, tenantId, domainId, subject, action, object } = row;
      const { decision, matchedPolicy, callerId, latencyMicros, policyVersion } = row;
      const { outcome, operation, detail } = row;
      const others = [outcome, operation, detail].some((part) => part !== '')
        ? [outcome, operation, detail]
        : [];
      const fields = [GENESIS, sequence, rowId, time, tenantId, domainId, subject, action, object];
      const json = JSON.stringify([
        ...fields,
        decision,
        matchedPolicy,
        callerId,
        latencyMicros,
        policyVersion,
        ...others,
      ]);
      expect(chainText(GENESIS, sequence, row)).toBe(json);
    }),
    { numRuns: 1_000 },
  );
});
