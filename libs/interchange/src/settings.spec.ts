import { describe, expect, it } from '@jest/globals';
import { OBJECTS, type InvestigationInput } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { readFile, writeFile } from './files.ts';
import { BRIDGE, judge, partsOf } from './judged.fixture.ts';
import { settingsToTake } from './settings.ts';

const OURS = ['json', 'aif', 'stix', 'misp'] as const;
const SETTINGS = Object.entries(OBJECTS.InvestigationInput).filter(([, { kind }]) => kind !== 'list');
/** For each kind of setting a value that is none's default, and another one. */
const VALUES: Readonly<Record<string, readonly [unknown, unknown]>> = {
  research_question: ['Who built it?', 'When was it built?'],
  domain: ['News', 'Political'],
  decay_half_life_days: [30, 400],
  dependent_refresh_factor: [0.2, 0.9],
  summary_mode: [true, false],
  as_of: ['2026-01-01', '2025-01-01T00:00:00Z'],
  dependence: ['declared', 'detected'],
  reliability: ['estimated', 'declared'],
  numeric: ['estimate', 'values'],
};
const EMPTY: InvestigationInput = { research_question: '', actors: [], subjects: [], claims: [] };
const cases = OURS.flatMap((format) => SETTINGS.map(([name]) => ({ format, name })));

describe('settings of an investigation that comes back', () => {
  it.each(cases)('$name of a $format file is taken by an empty session and named otherwise', (given) => {
    covers('INV-IMPORT.24');
    const { format, name } = given;
    const [value, own] = VALUES[name]!;
    const judged = judge({ ...BRIDGE, [name]: value });
    const { settings } = readFile(format, writeFile(format, judged, partsOf(judged)));
    expect(settingsToTake(settings!, EMPTY)).toMatchObject({ taken: { [name]: value }, differing: [] });

    const set = settingsToTake(settings!, { ...EMPTY, [name]: own });
    expect(set.taken).not.toHaveProperty(name);
    expect(set.differing).toEqual([
      {
        path: name,
        reason: `is ${JSON.stringify(value)} in the file and stays ${JSON.stringify(own)} in the session`,
      },
    ]);

    const held = settingsToTake(settings!, { ...EMPTY, subjects: BRIDGE.subjects });
    expect(held.taken).toEqual({});
    expect(held.differing).toContainEqual({
      path: name,
      reason: expect.stringContaining(`is ${JSON.stringify(value)} in the file and stays unset`),
    });
  });

  it('a setting that is the same in another spelling, or the default of one that is unset, is not named', () => {
    covers('INV-IMPORT.24');
    const file = { domain: 'general', as_of: '2026-01-01', numeric: 'VALUES' };
    const session = { ...EMPTY, subjects: BRIDGE.subjects, as_of: '2026-01-01T00:00:00Z' };
    expect(settingsToTake(file, session)).toEqual({ taken: {}, differing: [] });
  });

  it('a file without a question, and one of another tool, states none', () => {
    covers('INV-IMPORT.24');
    const { research_question: _, ...rest } = BRIDGE;
    const bytes = new TextEncoder().encode(JSON.stringify({ ...rest, domain: 'News' }));
    expect(readFile('json', bytes).settings).toEqual({ domain: 'News' });
    const event = { Event: { info: 'Is it?', Attribute: [{ type: 'domain', value: 'x' }] } };
    expect(readFile('misp', new TextEncoder().encode(JSON.stringify(event)))).not.toHaveProperty('settings');
  });
});
