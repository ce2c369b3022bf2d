import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { suggestionOf } from './evidence-gaps.tsx';

describe('what would change a finding', () => {
  it.each([
    [
      'Look for a second, independent source on whether `the flag state of the freighter w…`: one voice says so.',
      'Look for a second, independent source on this: one voice says so.',
    ],
    [
      'Look for any statement on `flag_state` of `Aurora` by a source.',
      'Look for any statement on this by a source.',
    ],
    [
      'Look for evidence against, on whether `the bridge is open`, by an expert.',
      'Look for evidence against this, by an expert.',
    ],
  ])(
    '“%s” stands below its finding without saying it again, and cuts no sentence',
    (suggestion, sentence) => {
      covers('INV-V.63');
      expect(suggestionOf({ suggestion })).toBe(sentence);
    },
  );
});
