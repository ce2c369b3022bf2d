import { describe, expect, it } from '@jest/globals';
import { SEED } from '@platform/testing/seed';
import { covers } from '@platform/testing/covers';
import fc from 'fast-check';
import { argumentReadings, plainReading } from './argument-attributes.ts';
import { itemRanges, memberRanges } from './json-parts.ts';
import { asOneLine } from './lines.ts';
import { objectOf, type Kind } from './objects.ts';

fc.configureGlobal({ seed: SEED });

const PLACE = { domainId: '00000000-0000-4000-8000-000000000000', server: 'files' };
const tryObject = (kind: Kind, name: string) => {
  try {
    return objectOf(PLACE, kind, name);
  } catch {
    return null;
  }
};

describe('spellings', () => {
  it('two names never share an object, and every object is within its place', () => {
    covers('AUTHZ-MCP.3');
    const name = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.stringMatching(/^[a-c./~%2F-]{1,6}$/),
    );
    fc.assert(
      fc.property(name, name, (a, b) => {
        const [one, other] = [tryObject('tools', a), tryObject('tools', b)];
        if (one !== null) expect(one).toMatch(/^svc:\/\/[0-9a-f-]{36}\/mcp\/files\/tools\/[A-Za-z0-9_.~-]+$/);
        expect(one !== null && one === other).toBe(one !== null && a === b);
      }),
    );
  });

  it.each([
    ['files/read', 'files~2Fread'],
    ['a%b', 'a~25b'],
    ['..', '~2E~2E'],
    ['~2F', '~7E2F'],
    ['zażółć', 'za~C5~BC~C3~B3~C5~82~C4~87'],
  ])('the name %s is spelled %s in an object', (name, segment) => {
    covers('AUTHZ-MCP.3');
    expect(tryObject('tools', name)).toBe(`svc://${PLACE.domainId}/mcp/files/tools/${segment}`);
  });

  it.each([
    ['/desk/plan', '/desk/plan'],
    ['/desk/../etc', '/etc'],
    ['/desk/%2e%2e/etc', '/etc'],
    ['..\\..\\etc', '../../etc'],
    ['//etc///passwd', '/etc/passwd'],
    ['https://a/b/../c', 'https://a/c'],
    ['a sentence, with a dot.', 'a sentence, with a dot.'],
    ['C:\\work\\plan', 'C:\\work\\plan'],
  ])('a lenient reader takes %s for %s', (text, plain) => {
    covers('AUTHZ-MCP.3');
    expect(plainReading(text)).toBe(plain);
  });

  it('every combination of the values in lists is asked for once', () => {
    covers('AUTHZ-MCP.3');
    const readings = argumentReadings({ a: ['1', '2'], b: { c: [true, 'x'] }, d: null, e: [] }, new Set());
    expect(readings.map((reading) => JSON.stringify(reading)).sort()).toEqual(
      ['1', '2'].flatMap((a) =>
        ['true', 'x'].map((c) => JSON.stringify({ 'mcp.arg.a': a, 'mcp.arg.b.c': c, 'mcp.arg.d': 'null' })),
      ),
    );
    expect(argumentReadings({ a: '1', b: '2' }, new Set(['b']))).toEqual([{ 'mcp.arg.a': '1' }]);
  });

  it.each<[string, unknown, Record<string, string>[]]>([
    ['a key that its neighbor has', [{ path: 'a' }, { file: 'b' }], [{ '.path': 'a' }, { '.file': 'b' }]],
    ['no key', [{ path: 'a' }, {}], [{ '.path': 'a' }, {}]],
    ['an empty list for a key', [{ path: 'a' }, { path: [] }], [{ '.path': 'a' }, {}]],
    ['no keys at all', [{ path: 'a' }, 'b'], [{ '.path': 'a' }, { '': 'b' }]],
    ['a list without items', ['a', []], [{ '': 'a' }, {}]],
    ['another shape', ['a', { x: 'b' }], [{ '': 'a' }, { '.x': 'b' }]],
    ['a deeper shape', [{ path: 'a' }, { path: { x: 'b' } }], [{ '.path': 'a' }, { '.path.x': 'b' }]],
    ['lists in lists', [[{ path: 'a' }], [{}]], [{ '.path': 'a' }, {}]],
    [
      'its own values',
      [
        { p: '1', q: '2' },
        { p: '3', q: '4' },
      ],
      [
        { '.p': '1', '.q': '2' },
        { '.p': '3', '.q': '4' },
      ],
    ],
  ])('an item of a list that has %s is asked about by itself', (_what, list, expected) => {
    covers('AUTHZ-MCP.3');
    expect(argumentReadings({ f: list }, new Set())).toEqual(
      expected.map((each) =>
        Object.fromEntries(Object.entries(each).map(([key, value]) => [`mcp.arg.f${key}`, value])),
      ),
    );
  });

  it('each item of any list is asked about as if it stood alone', () => {
    covers('AUTHZ-MCP.3');
    const item = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom<unknown>('a', 'b', null, 5, true),
        fc.array(tie('value'), { maxLength: 2 }),
        fc.dictionary(fc.constantFrom('p', 'q'), tie('value'), { maxKeys: 2 }),
      ),
    })).value;
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 3 }), (list) => {
        const together = argumentReadings({ f: list }, new Set()).map((each) => JSON.stringify(each));
        const alone = list.flatMap((each) => argumentReadings({ f: each }, new Set()));
        expect(new Set(together)).toEqual(new Set(alone.map((each) => JSON.stringify(each))));
      }),
    );
  });

  it('the places of members and items in a JSON text hold their values', () => {
    covers('AUTHZ-MCP.2');
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.array(fc.jsonValue()),
        fc.nat(3),
        (o, l, indent) => {
          const object = JSON.stringify(o, null, indent);
          const found = [...memberRanges(object, 0)].map(([key, [a, b]]) => [
            key,
            JSON.parse(object.slice(a, b)),
          ]);
          expect(found).toEqual(Object.entries(JSON.parse(object) as object));
          const list = JSON.stringify(l, null, indent);
          expect(itemRanges(list, 0).map(([a, b]) => JSON.parse(list.slice(a, b)) as unknown)).toEqual(
            JSON.parse(list),
          );
        },
      ),
    );
  });

  it('a message is one line for every reader, and says the same', () => {
    covers('AUTHZ-MCP.3');
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), fc.string(), (value, text) => {
        const json = JSON.stringify([value, `${text}\u2028\u0085`], null, '\r');
        const line = asOneLine(json.replaceAll('\n', ' '));
        expect(line).not.toMatch(/[\n\r\u0085\u2028\u2029]/);
        expect(JSON.parse(line)).toEqual(JSON.parse(json));
      }),
    );
  });
});
