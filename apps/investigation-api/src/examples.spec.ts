import { describe, expect, it } from '@jest/globals';
import { OBJECTS } from '@platform/opinion-fusion';
import type { ObjectName } from '@platform/opinion-fusion';
import { readFileSync, readdirSync } from 'node:fs';

interface ExampleEntry {
  file: string;
  title: string;
  demo: boolean;
}

const folder = new URL('../../../examples/', import.meta.url);
const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
const index = read('index.json') as ExampleEntry[];

/** Every `Object.field` and `Object.field=word` that a value uses, by the engine's field table. */
function featuresOf(name: ObjectName, value: Record<string, unknown>, used: Set<string>): Set<string> {
  for (const [key, content] of Object.entries(value)) {
    const field = OBJECTS[name][key];
    if (!field) throw new Error(`${name}.${key} is not in the field table`);
    used.add(`${name}.${key}`);
    if (field.kind === 'word') used.add(`${name}.${key}=${String(content)}`);
    if (field.kind === 'list')
      for (const item of content as Record<string, unknown>[]) featuresOf(field.of!, item, used);
  }
  return used;
}

/** What there is to use: all fields, and all words except of the two that an investigation holds once. */
function allFeatures(): string[] {
  return Object.entries(OBJECTS).flatMap(([name, fields]) =>
    Object.entries(fields).flatMap(([key, field]) => [
      `${name}.${key}`,
      ...(field.kind === 'word' && name !== 'InvestigationInput'
        ? field.values!.map((word) => `${name}.${key}=${word}`)
        : []),
    ]),
  );
}

describe('examples', () => {
  it('lists every file of the folder and exactly one demo', () => {
    const files = readdirSync(folder).filter((file) => file.endsWith('.json') && file !== 'index.json');
    expect(index.map((entry) => entry.file).toSorted()).toEqual(files.toSorted());
    expect(index.filter((entry) => entry.demo)).toHaveLength(1);
  });

  it('uses every field and every word of the contract between them', () => {
    const used = new Set<string>();
    for (const { file } of index)
      featuresOf('InvestigationInput', read(file) as Record<string, unknown>, used);
    expect(allFeatures().filter((feature) => !used.has(feature))).toEqual([]);
  });
});
