import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SEED } from '@platform/testing/seed';
import { covers } from '@platform/testing/covers';
import { soak } from '@platform/testing/soak';
import { checkOf, Evaluation } from './authzen.ts';

fc.configureGlobal({ seed: SEED });

const ROOT = '3d0e1a2b-0000-4000-8000-000000000001';
const read = (resource: object, more: object = {}) =>
  checkOf(
    Evaluation.parse({ subject: { type: 'user', id: 'bob' }, action: { name: 'read' }, resource, ...more }),
    ROOT,
  );
const objectOf = (type: string, id: string) => read({ type, id }).get('object');

describe('the object of an evaluation', () => {
  covers('AUTHZ-Z.4');
  it('is the type and the id below the root domain', () => {
    expect(objectOf('record', 'record-1')).toBe(`svc://${ROOT}/record/record-1`);
    expect(objectOf('record', 'a/b c%')).toBe(`svc://${ROOT}/record/a/b c%`);
    expect(objectOf('org/record', '1')).toBe(`svc://${ROOT}/org%2Frecord/1`);
  });

  it('is the id where that is an object URI', () => {
    expect(objectOf('record', `svc://${ROOT}/record/1`)).toBe(`svc://${ROOT}/record/1`);
  });

  it('is another one for another type or id', () => {
    const part = fc.string({
      unit: fc.constantFrom('a', '/', '%', '2', 'F', '5'),
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(part, part, part, part, (type, id, otherType, otherId) => {
        expect(objectOf(type, id) === objectOf(otherType, otherId)).toBe(
          type === otherType && id === otherId,
        );
      }),
      {
        numRuns: soak(5_000),
        examples: [
          ['a/b', 'c', 'a', 'b/c'],
          ['a/', 'c', 'a%2F', 'c'],
        ],
      },
    );
  });
});

describe('the properties of an evaluation', () => {
  const properties = (name: string, value: unknown) =>
    JSON.parse(`{${JSON.stringify(name)}: ${JSON.stringify(value)}}`) as object;

  it('are all kept, whatever their names', () => {
    covers('AUTHZ-Z.1');
    for (const name of ['group', '__proto__', 'constructor', 'toString', '']) {
      for (const [value, kept] of [
        ['x', 'x'],
        [7, '7'],
        [
          ['x', true, null],
          ['x', 'true'],
        ],
      ] as const) {
        const sent = properties(name, value);
        const resource = { type: 'record', id: '1' };
        for (const evaluation of [
          read({ ...resource, properties: sent }),
          read(resource, { action: { name: 'read', properties: sent } }),
          read(resource, { subject: { type: 'user', id: 'bob', properties: sent } }),
          read(resource, { context: sent }),
        ]) {
          expect(evaluation.get(name)).toEqual(kept);
        }
      }
    }
  });

  it('stand in the order subject, action, resource, context, and never for what is decided on', () => {
    const all = { who: 'context', subject: 'mallory', object: 'x', 'resource.id': 'y', owner: 'context' };
    const context = read(
      { type: 'record', id: '1', properties: { ...all, who: 'resource', owner: 'o', ownerID: 'alice' } },
      { action: { name: 'read', properties: { who: 'action' } }, context: all },
    );
    expect(Object.fromEntries(context)).toEqual({
      who: 'action',
      owner: 'alice',
      subject: 'bob',
      action: 'read',
      object: `svc://${ROOT}/record/1`,
      'subject.type': 'user',
      'resource.type': 'record',
      'resource.id': '1',
    });
  });

  it('are an object', () => {
    for (const wrong of [[], 'x', 1, null]) {
      expect(Evaluation.safeParse({ properties: wrong, context: wrong }).error?.issues).toContainEqual(
        expect.objectContaining({ path: ['context'], message: 'must be an object' }),
      );
    }
  });
});
