import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type * as engine from '@platform/opinion-fusion';
import { analyze } from '@platform/opinion-fusion';
import type { z } from 'zod';
import { INPUT_SCHEMAS } from './investigation-schema.ts';
import { InvestigationResult, InvestigationSummary } from './result-schema.ts';

// Both ways, at compile time: what the engine returns is what is published.
type Assignable<From extends To, To> = From;
export type ResultIsPublished = Assignable<engine.InvestigationResult, z.output<typeof InvestigationResult>>;
export type SummaryIsPublished = Assignable<
  engine.InvestigationSummary,
  z.output<typeof InvestigationSummary>
>;

const folder = new URL('../../../../examples/', import.meta.url);
const read = (file: string) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as object;
const EXAMPLES = (read('index.json') as { file: string }[]).map(({ file }) => file);
const now = new Date('2026-06-01T12:00:00Z');
const onWire = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;

describe('published shapes', () => {
  it.each(EXAMPLES)(
    'published shapes of the result hold for %s, nothing missing and nothing unlisted',
    (file) => {
      const result = onWire(analyze(read(file), { now }));
      expect(InvestigationResult.parse(result)).toEqual(result);
    },
  );

  it.each(EXAMPLES)('published shapes of the summary hold for %s', (file) => {
    const summary = onWire(analyze({ ...read(file), summary_mode: true }, { now }));
    expect(InvestigationSummary.parse(summary)).toEqual(summary);
  });

  it('published shapes hold for an empty investigation', () => {
    const result = onWire(analyze({ research_question: '', actors: [], subjects: [], claims: [] }, { now }));
    expect(InvestigationResult.parse(result)).toEqual(result);
  });

  it.each(EXAMPLES)('published shapes of the input hold for %s', (file) => {
    expect(INPUT_SCHEMAS.InvestigationInput.parse(read(file))).toEqual(read(file));
  });
});
