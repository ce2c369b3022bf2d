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
