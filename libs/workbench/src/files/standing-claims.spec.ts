import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { putBack } from './namesakes.ts';
import { keptReason, restatedClaims, standingClaim } from './standing-claims.ts';

const OLD = {
  id: 'row-0000000000000001',
  actor_id: 'a',
  subject_id: 'dam',
  predicate: 'height',
  value: '12 m',
  content: 'It is 12 m high.',
  assertion_time: '2024-05-06T00:00:00Z',
};
const NEW = { ...OLD, id: 'row-0000000000000002', value: '21 m', content: 'It is 21 m high.' };
const standing = (added: object, there: object = {}, inFile: object[] = []) => {
  const claims = [{ ...NEW, ...added }];
  const read = { claims: [...claims, ...(inFile as (typeof OLD)[])] };
  return restatedClaims(read, { claims }, { claims: [{ ...OLD, ...there }] }).map((one) =>
    standingClaim(one),
  );
};

describe('claims of the investigation that a file states otherwise', () => {
  it('a claim that comes with another value names the older one, which still counts', () => {
    covers('INV-IMPORT.30');
    expect(standing({})).toEqual([
      {
        path: `claims ${OLD.id}`,
        reason:
          'stays in the session and counts beside "It is 21 m high." of the file: where that corrects it, delete it or set its epistemic_status to retracted; it says "It is 12 m high."',
      },
    ]);
    expect(standing({ assertion_time: '2024-05-06' })).toHaveLength(1);
    expect(standing({ value: OLD.value, valence: 'Refutes' })).toHaveLength(1);
    expect(standing({ value: OLD.value, epistemic_status: 'theory' })).toHaveLength(1);
  });

  it('a claim that comes back retracted says that the older one still counts, and how to withdraw it', () => {
    covers('INV-IMPORT.31');
    expect(standing({ value: OLD.value, content: OLD.content, epistemic_status: 'retracted' })).toEqual([
      {
        path: `claims ${OLD.id}`,
        reason:
          'is withdrawn in the file, and still counts in the session: set its epistemic_status to retracted there, or delete it; it says "It is 12 m high."',
      },
    ]);
  });

  const later = (inFile: object, there: object = {}) => {
    const claims = [{ ...NEW, ...inFile }];
    return restatedClaims({ claims }, {}, { claims: [{ ...OLD, ...there }, ...claims] }).map((one) =>
      standingClaim(one),
    );
  };
  it.each([
    ['another value', {}, /^stays in the session and counts beside "It is 21 m high\."/],
    ['another side', { value: OLD.value, valence: 'Refutes' }, /^stays in the session and counts beside/],
    ['another status', { value: OLD.value, epistemic_status: 'theory' }, /^stays in the session/],
    ['its withdrawal', { value: OLD.value, epistemic_status: 'retracted' }, /^is withdrawn in the file/],
  ])(
    'a claim of the file that brought %s before names the older one until it is withdrawn, too',
    (...named) => {
      covers('INV-IMPORT.45');
      const [, inFile, reason] = named;
      expect(later(inFile)).toEqual([{ path: `claims ${OLD.id}`, reason: expect.stringMatching(reason) }]);
      expect(later(inFile)[0]!.reason).toMatch(
        /set its epistemic_status to retracted.*; it says "It is 12 m high\."$/,
      );
      expect(later(inFile, { epistemic_status: 'retracted' })).toEqual([]);
      // Own ids that the file gives again replace the claim by itself.
      const claims = [{ ...NEW, ...inFile, id: 'c2' }];
      expect(restatedClaims({ claims }, { claims }, { claims: [OLD, ...claims] })).toHaveLength(1);
    },
  );

  it('a claim that was rejected in the session restates none', () => {
    covers('INV-IMPORT.45');
    const rejected = { ...NEW, epistemic_status: 'retracted' };
    expect(restatedClaims({ claims: [NEW] }, {}, { claims: [OLD, rejected] })).toEqual([]);
  });

  it('a claim that the file withdraws and corrects is named as withdrawn', () => {
    covers('INV-IMPORT.31');
    const back = { ...OLD, id: 'row-0000000000000003', epistemic_status: 'retracted' };
    const claims = [NEW, back];
    const [one] = restatedClaims({ claims }, { claims }, { claims: [OLD] });
    expect(standingClaim(one!).reason).toMatch(/^is withdrawn in the file/);
  });

  it.each([
    ['another source', { actor_id: 'b' }],
    ['another subject', { subject_id: 'quay' }],
    ['another property', { predicate: 'length' }],
    ['another scope', { scope: 'at low water' }],
    ['another time of saying', { assertion_time: '2024-05-07' }],
    ['another time of the event', { event_start_time: '2023' }],
    ['another target', { subject_id: undefined, target_claim_id: 'c' }],
    ['the same value and status', { value: OLD.value }],
    ['another value, retracted', { epistemic_status: 'retracted' }],
    ['a note that it supersedes the older one', { supersedes_claim_id: OLD.id }],
    [
      'a relationship that says so',
      { relationships: [{ relationship_type: 'supersedes', target_claim_id: OLD.id }] },
    ],
  ])('a claim with %s names no older one', (_, change) => {
    covers('INV-IMPORT.30');
    expect(standing(change)).toEqual([]);
  });

  it('a claim that is retracted, or still in the file, is not named', () => {
    covers('INV-IMPORT.30');
    expect(standing({}, { epistemic_status: 'retracted' })).toEqual([]);
    expect(standing({}, {}, [OLD])).toEqual([]);
  });

  it('a claim that states an older one otherwise is not said to be put back', () => {
    covers('INV-IMPORT.29');
    const same = { ...OLD, id: 'row-0000000000000003', predicate: 'age' };
    const file = { claims: [same, NEW] };
    expect(putBack(file, { claims: [OLD, same] }, { claims: [NEW] })).toEqual([]);
  });

  it('a claim that stays although its file withdrew it says so', () => {
    covers('INV-IMPORT.31');
    expect(keptReason(OLD, { ...OLD, epistemic_status: 'retracted' })).toMatch(/^is withdrawn in the file/);
    expect(keptReason({ ...OLD, epistemic_status: 'retracted' }, OLD)).toMatch(/^stays as it is/);
    expect(keptReason(OLD, { ...OLD, value: 'x' })).toMatch(/^stays as it is/);
  });
});
