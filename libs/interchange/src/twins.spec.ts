import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { strFromU8, strToU8 } from 'fflate';
import { readFile } from './files.ts';
import { GOOD } from './hostile-files.fixture.ts';
import { isObject } from './read-json.ts';

const FORMATS = ['claimreview', 'hypothesis', 'wikidata', 'stix', 'misp'] as const;
const IDS = ['id', 'uuid', '@id'];
/** Fields that say what a value is, and the qualifiers of a statement of Wikidata, which are one scope. */
const OF_FORMAT = /(?:^|\.)(?:@?type|property|datatype|snaktype|calendarmodel)$/;
const ONE_SCOPE = 'qualifiers';

/**
 * The file with a second one of each object of its lists behind it, for each of its texts: that differs, and
 * so do its ids, or it has none where `isNamed` is false.
 */
function* withTwins(value: unknown, isNamed: boolean): Generator<readonly [where: string, file: unknown]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    if (key === ONE_SCOPE) continue;
    const put = (changed: unknown) =>
      Array.isArray(value)
        ? value.map((one: unknown, index) => (String(index) === key ? changed : one))
        : { ...value, [key]: changed };
    for (const [where, changed] of withTwins(child, isNamed)) yield [`${key}.${where}`, put(changed)];
    if (!Array.isArray(value) || !isObject(child)) continue;
    for (const [field, twin] of changedTexts(child))
      if (!IDS.includes(field) && !OF_FORMAT.test(field))
        yield [`${key} twin ${field}`, [...value, withOtherIds(twin as object, isNamed)]];
  }
}

function* changedTexts(value: object): Generator<readonly [string, unknown]> {
  for (const [key, child] of Object.entries(value)) {
    const put = (changed: unknown) =>
      Array.isArray(value)
        ? value.map((one: unknown, index) => (String(index) === key ? changed : one))
        : { ...value, [key]: changed };
    if (typeof child === 'string') yield [key, put(`${child} twin`)];
    else if (typeof child === 'object' && child !== null)
      for (const [where, changed] of changedTexts(child)) yield [`${key}.${where}`, put(changed)];
  }
}

function withOtherIds(twin: object, isNamed: boolean): object {
  const entries = Object.entries(twin).filter(([key]) => isNamed || !IDS.includes(key));
  return Object.fromEntries(
    entries.map(([key, value]) => [
      key,
      IDS.includes(key) ? String(value).replace(/.$/, 'e') : (value as unknown),
    ]),
  );
}

describe('objects of a file that differ in little', () => {
  it.each(FORMATS.flatMap((format) => [true, false].map((isNamed) => ({ format, isNamed }))))(
    'a second object of a $format file with one other text is read or named, with an id: $isNamed',
    ({ format, isNamed }) => {
      covers('INV-IMPORT.25');
      const good = JSON.parse(strFromU8(GOOD[format])) as unknown;
      const read = (file: unknown) => readFile(format, strToU8(JSON.stringify(file)));
      const before = read(good);
      const lost: string[] = [];
      let files = 0;
      for (const [where, file] of withTwins(good, isNamed)) {
        files += 1;
        const { payload, leftOutTotal } = read(file);
        const isRead = JSON.stringify(payload) !== JSON.stringify(before.payload);
        const kept = [...before.payload.claims, ...(before.payload.evidence ?? [])].every((item) =>
          JSON.stringify(payload).includes(JSON.stringify(item)),
        );
        if (!kept || (!isRead && leftOutTotal === before.leftOutTotal)) lost.push(`${where} ${kept}`);
      }
      expect([files > 3, lost]).toEqual([true, []]);
    },
  );
});
