import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { investigations } from '../fixtures/investigation.arbitrary.fixture.ts';
import { judge, NOW } from '../fixtures/investigation.fixture.ts';
import { checkStored } from './check-stored.ts';

fc.configureGlobal({ seed: SEED });

/** Of a reference without effect. */
const DANGLES = /not among the (claims|actors)|in a circle|itself; this has no effect/;
/** Whether an inference counts depends on what its premises weigh, too. */
const isOfInference = (sentence: string) => sentence.startsWith('Inference ');

describe('what is stored', () => {
  it('what is stored is warned of as judging warns of it, and every reference without effect is named', () => {
    covers('INV-S.54', 'INV-S.55');
    fc.assert(
      fc.property(investigations(), (input) => {
        const { problems, warnings, cautions } = checkStored(input, NOW);
        const judged = new Set(judge(input).warnings);
        expect(problems).toEqual([]);
        for (const sentence of [...warnings, ...cautions])
          if (!isOfInference(sentence)) expect(judged).toContain(sentence);
        for (const sentence of judged) if (DANGLES.test(sentence)) expect(cautions).toContain(sentence);
      }),
    );
  });
});
