import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SEED } from '@platform/testing/seed';
import { covers } from '@platform/testing/covers';
import { soak } from '@platform/testing/soak';
import { subjectIdOf } from './authzen-search.ts';
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
  it("an evaluation's object is the type and the id below the root domain", () => {
    expect(objectOf('record', 'record-1')).toBe(`svc://${ROOT}/record/record-1`);
    expect(objectOf('my record', 'a/b c')).toBe(`svc://${ROOT}/my%20record/a/b%20c`);
  });

  it("an evaluation's object is the id where that is an object URI", () => {
    expect(objectOf('record', `svc://${ROOT}/record/1`)).toBe(`svc://${ROOT}/record/1`);
  });

  it.each([
    ['org/record', '1'],
    ['50%', '1'],
    ['..', '1'],
    ['record', 'a//b'],
    ['record', '../record/1'],
    ['record', '100%'],
    ['record', 'cafe\u0301'],
  ])(
    'an evaluation of type %j and id %j has no object, because its spelling would be another one',
    (type, id) => {
      expect(() => objectOf(type, id)).toThrow('`resource` must have a type without `/`');
    },
  );

  it("an evaluation's object differs for another type or id", () => {
    const part = fc.string({
      unit: fc.constantFrom('a', '/', '%', '2', 'F', '5', '.', ' ', 'é', 'e', '\u0301'),
      minLength: 1,
      maxLength: 6,
    });
    const objectOrNull = (type: string, id: string) => {
      try {
        return objectOf(type, id);
      } catch {
        return null;
      }
    };
    fc.assert(
      fc.property(part, part, part, part, (type, id, otherType, otherId) => {
        const [one, other] = [objectOrNull(type, id), objectOrNull(otherType, otherId)];
        if (one === null || other === null) return;
        expect(one === other).toBe(type === otherType && id === otherId);
      }),
      {
        numRuns: soak(5_000),
        examples: [
          ['a/b', 'c', 'a', 'b/c'],
          ['a b', 'c', 'a%20b', 'c'],
        ],
      },
    );
  });
});

describe('the subject of an evaluation', () => {
  covers('AUTHZ-Z.6');
  const subjectOf = (type: string, id: string) =>
    read({ type: 'record', id: '1' }, { subject: { type, id } }).get('subject') as string;

  it("an evaluation's subject is the id of a user, and type and id of anything else", () => {
    expect(subjectOf('user', 'bob')).toBe('bob');
    expect(subjectOf('group', 'bob')).toBe('group:bob');
    expect(subjectOf('my:group', 'bob')).toBe('my%3Agroup:bob');
  });

  const part = fc.string({ unit: fc.constantFrom(...'a:%3A'), minLength: 1, maxLength: 5 });
  const type = fc.oneof(part, fc.constant('user'));

  it('a user is by AuthZEN the subject that other ways name by the id, whatever the id', () => {
    covers('AUTHZ-C.30');
    fc.assert(
      fc.property(fc.oneof(part, fc.string({ minLength: 1 })), (id) => {
        expect(subjectOf('user', id)).toBe(id);
      }),
      { examples: [['did:web:ann'], ['user:bob'], ['team:x']] },
    );
  });

  it("an evaluation's subject differs for another id, and for another type than `user`", () => {
    const other = part.map((text) => `o${text}`);
    fc.assert(
      fc.property(other, part, other, part, (one, id, two, otherId) => {
        expect(subjectOf(one, id) === subjectOf(two, otherId)).toBe(one === two && id === otherId);
      }),
      { numRuns: soak(5_000) },
    );
  });

  it('a search of subjects names a subject of checks by exactly the ids of the type that are that subject', () => {
    covers('AUTHZ-C.31');
    fc.assert(
      fc.property(type, part, part, (of, id, name) => {
        expect(subjectIdOf(subjectOf(of, id), of)).toBe(id);
        const found = subjectIdOf(name, of);
        if (found !== null) expect([found === '', subjectOf(of, found)]).toEqual([false, name]);
      }),
      { numRuns: soak(5_000) },
    );
    expect(subjectIdOf('team:x', 'user')).toBe('team:x');
    expect(subjectIdOf('team:x', 'team')).toBe('x');
    expect(subjectIdOf('team:x', 'did')).toBeNull();
  });
});

describe('the properties of an evaluation', () => {
  covers('AUTHZ-Z.1');
  const properties = (name: string, value: unknown) =>
    JSON.parse(`{${JSON.stringify(name)}: ${JSON.stringify(value)}}`) as object;

  it('the properties of an evaluation are all kept under the name of their owner, whatever their names', () => {
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
        for (const [evaluation, key] of [
          [read({ ...resource, properties: sent }), `resource.${name}`],
          [read(resource, { action: { name: 'read', properties: sent } }), `action.${name}`],
          [read(resource, { subject: { type: 'user', id: 'bob', properties: sent } }), `subject.${name}`],
          [read(resource, { context: sent }), name],
        ] as const) {
          expect(evaluation.get(key)).toEqual(kept);
        }
      }
    }
  });

  it('the properties of one entity never stand for another entity, nor for what is decided on', () => {
    covers('AUTHZ-Z.6');
    const all = { role: 'admin', type: 'x', id: 'y', subject: 'mallory', object: 'x', ownerID: 'alice' };
    const context = read(
      { type: 'record', id: '1', properties: all },
      { action: { name: 'read', properties: { role: 'action' } }, context: { role: 'context' } },
    );
    expect(Object.fromEntries(context)).toEqual({
      role: 'context',
      owner: 'alice',
      subject: 'bob',
      action: 'read',
      object: `svc://${ROOT}/record/1`,
      'action.role': 'action',
      'subject.type': 'user',
      'resource.type': 'record',
      'resource.id': '1',
      'resource.role': 'admin',
      'resource.subject': 'mallory',
      'resource.object': 'x',
      'resource.ownerID': 'alice',
    });
  });

  it('the owner of an evaluation is the property `owner` of the resource, or else `ownerID`', () => {
    covers('AUTHZ-Z.9');
    const ownerOf = (properties: object) => read({ type: 'record', id: '1', properties }).get('owner');
    expect(ownerOf({ owner: 'bob', ownerID: 'eve' })).toBe('bob');
    expect(ownerOf({ owner: ['bob', 'eve'] })).toEqual(['bob', 'eve']);
    expect(ownerOf({ owner: null, ownerID: 'eve' })).toBe('eve');
    expect(ownerOf({ 'owner.id': 'bob' })).toBeUndefined();
  });

  it.each(['subject', 'subject.role', 'action.soft', 'resource.owner', 'object', 'owner'])(
    'an evaluation whose context holds `%s` is refused, because an entity says that',
    (name) => {
      covers('AUTHZ-Z.6');
      expect(() => read({ type: 'record', id: '1' }, { context: { [name]: 'x' } })).toThrow(
        `\`context.${name}\` must have another name`,
      );
    },
  );

  it('the properties of an evaluation are an object', () => {
    for (const wrong of [[], 'x', 1, null]) {
      expect(Evaluation.safeParse({ properties: wrong, context: wrong }).error?.issues).toContainEqual(
        expect.objectContaining({ path: ['context'], message: 'must be an object' }),
      );
    }
  });
});
