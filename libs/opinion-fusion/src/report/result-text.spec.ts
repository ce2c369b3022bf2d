import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { analyze } from '../analyze.ts';
import { investigations } from '../fixtures/investigation.arbitrary.fixture.ts';
import { actor, claim, investigation, judge, NOW } from '../fixtures/investigation.fixture.ts';
import { resultText } from './result-text.ts';

fc.configureGlobal({ seed: SEED });

describe('resultText', () => {
  it('the parts of a result joined are its JSON', () => {
    covers('RM-11.22', 'RM-11.147');
    fc.assert(
      fc.property(investigations(), fc.boolean(), (input, summary_mode) => {
        const result = analyze({ ...input, summary_mode }, { now: NOW });
        expect([...resultText(result)].join('')).toBe(JSON.stringify(result));
      }),
      { numRuns: 30 },
    );
  });

  it('no part holds more than a thousand entries of a list', () => {
    covers('RM-11.22');
    const claims = Array.from({ length: 2_500 }, (_, i) =>
      claim(`c${i}`, 'a', 'red', { predicate: `p${i}` }),
    );
    const result = judge(investigation(claims, { actors: [actor('a')] }));
    const parts = [...resultText(result)];
    expect(parts.join('')).toBe(JSON.stringify(result));
    for (const part of parts) expect(part.split('"predicate":').length - 1).toBeLessThanOrEqual(2_000);
  });
});
