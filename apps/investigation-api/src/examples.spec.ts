import { describe, expect, it } from '@jest/globals';
import { analyze, OBJECTS } from '@platform/opinion-fusion';
import type { InvestigationResult, ObjectName, TruthStatus } from '@platform/opinion-fusion';
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

/** Judged as of this time, so that the verdicts below do not age with the calendar. */
const NOW = new Date('2026-11-21T00:00:00Z');

function judge(file: string): InvestigationResult {
  return analyze(read(file), { now: NOW }) as InvestigationResult;
}

type Headline = readonly [subject: string, predicate: string, value: string | null, status: TruthStatus];

const HEADLINES: Readonly<Record<string, readonly Headline[]>> = {
  'first-flight.json': [
    ['first-flight', 'achieved_by', 'Wilbur and Orville Wright', 'True'],
    ['flyer-1905', 'flew_before_the_14_bis', null, 'Neither'],
    ['no-21', 'flew_under_power', 'true', 'False'],
    ['no-21', 'airframe_capable_of_flight', 'true', 'Both'],
    ['aerodrome-a', 'capable_of_flight', 'true', 'Both'],
    ['photo-1906', 'shows_powered_flight', 'true', 'False'],
  ],
  'chernobyl-deaths.json': [
    ['acute', 'deaths', '30', 'True'],
    ['most-exposed', 'predicted_deaths', '4,000', 'True'],
    ['europe', 'predicted_deaths', '16,000', 'True'],
    ['world', 'predicted_deaths', '27K', 'Neither'],
    ['low-dose', 'counts_of_deaths_may_be_projected', 'true', 'Both'],
    ['thyroid', 'cases_registered', '19,233', 'True'],
  ],
  'lk-99.json': [
    ['lk-99', 'superconductor_at_room_temperature', 'true', 'False'],
    ['lk-99', 'cause_of_resistivity_drop', 'phase transition of Cu2S', 'True'],
    ['lk-99', 'cause_of_partial_levitation', 'ferromagnetism', 'Both'],
    ['lk-99', 'will_be_confirmed_by_journal_review', 'true', 'Neither'],
  ],
};

/** What the first quotation of each warning names; a warning of the whole investigation quotes nothing. */
const WARNED: Readonly<Record<string, readonly (string | undefined)[]>> = {
  'first-flight.json': ['connecticut-2013'],
  'chernobyl-deaths.json': ['30,000 to 60,000', '27K', 'predicted_deaths'],
  'lk-99.json': ['hobby-levitation', 'prank-levitation', undefined, 'will_be_confirmed_by_journal_review'],
};

describe('examples', () => {
  it('the examples list every file of the folder and exactly one demo', () => {
    const files = readdirSync(folder).filter((file) => file.endsWith('.json') && file !== 'index.json');
    expect(index.map((entry) => entry.file).toSorted()).toEqual(files.toSorted());
    expect(index.filter((entry) => entry.demo)).toHaveLength(1);
  });

  it('the examples use every field and every word of the contract between them', () => {
    const used = new Set<string>();
    for (const { file } of index)
      featuresOf('InvestigationInput', read(file) as Record<string, unknown>, used);
    // No example can name a document of the reader's own store, or have outcomes.
    const ofStores = /^(PinnedSource|TextSelector|ReliabilityRecord)\.|\.(source|reliability_record)$/;
    expect(allFeatures().filter((feature) => !used.has(feature) && !ofStores.test(feature))).toEqual([]);
  });

  it.each(Object.entries(HEADLINES))('%s gives the verdicts its README states', (file, headlines) => {
    const { subject_results } = judge(file);
    for (const [subject, predicate, value, status] of headlines) {
      const verdict = subject_results.find((v) => v.subject_id === subject && v.predicate === predicate);
      expect([subject, predicate, verdict?.leading_value, verdict?.truth_status]).toEqual([
        subject,
        predicate,
        value,
        status,
      ]);
    }
  });

  it.each(Object.entries(WARNED))(
    '%s warns of what is meant to be warned of, and of nothing else',
    (file, ids) => {
      const { warnings } = judge(file);
      expect(warnings.map((warning) => /`([^`]+)`/.exec(warning)?.[1])).toEqual(ids);
    },
  );

  it('the examples show rival interpretations, conditions, stale and superseded claims', () => {
    for (const { file } of index) {
      const result = judge(file);
      expect(result.conflict_analysis.some(({ interpretations }) => interpretations.length > 1)).toBe(true);
      expect(result.accumulative_analysis?.conditional_conclusions.length).toBeGreaterThanOrEqual(2);
      expect(result.temporal_analysis?.stale_claims.length).toBeGreaterThan(0);
      expect(result.temporal_analysis?.supersession_chains.length).toBeGreaterThan(0);
      expect(result.temporal_analysis?.recently_corroborated.length).toBeGreaterThan(0);
      expect(result.conflict_analysis.every(({ is_exact }) => is_exact)).toBe(true);
    }
  });
});
