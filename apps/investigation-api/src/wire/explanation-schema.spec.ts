import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type * as engine from '@platform/opinion-fusion';
import { explainAll } from '@platform/opinion-fusion';
import type { z } from 'zod';
import { VerdictExplanation } from './explanation-schema.ts';

// At compile time: what the engine returns has all that is published; the spec below finds what is not.
type Assignable<From extends To, To> = From;
export type ExplanationIsPublished = Assignable<
  engine.VerdictExplanation,
  z.output<typeof VerdictExplanation>
>;

const folder = new URL('../../../../examples/', import.meta.url);
const read = (file: string) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as object;
const EXAMPLES = (read('index.json') as { file: string }[]).map(({ file }) => file);

describe('the published shape of an explanation', () => {
  it.each(EXAMPLES)(
    'the published shape of an explanation holds for every verdict of %s, nothing missing and nothing unlisted',
    (file) => {
      const explanations = explainAll(read(file), { now: new Date('2026-06-01T12:00:00Z') });
      expect(explanations.length).toBeGreaterThan(0);
      for (const explanation of explanations) {
        const onWire = JSON.parse(JSON.stringify(explanation)) as object;
        expect(VerdictExplanation.parse(onWire)).toEqual(onWire);
      }
    },
  );
});
