import { describe, expect, it } from '@jest/globals';
import { boundedWarnings, groupedWarnings } from './warning-lines.ts';

describe('warnings in the responses of tools', () => {
  it('warnings that differ in names and numbers alone are one, with how many more there are', () => {
    const repeated = ['c1', 'c2', 'c3'].map((id) => `Claim \`${id}\` repeats \`c0\` of the same actor.`);
    expect(groupedWarnings([repeated[0]!, 'Another matter.', ...repeated.slice(1)])).toEqual([
      'Claim `c1` repeats `c0` of the same actor. (and 2 more warnings like this one)',
      'Another matter.',
    ]);
  });

  it('warnings beyond the limit are counted by kind', () => {
    const kinds = ['One.', 'Two.', 'Three.'];
    expect(boundedWarnings(kinds, 2)).toEqual(['One.', 'Two.', 'Further kinds of warnings: 1.']);
    expect(boundedWarnings(kinds, 3)).toEqual(kinds);
  });
});
