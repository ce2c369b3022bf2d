import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { shareText } from './response-text.ts';

describe('a share in the text of tools', () => {
  it('a share tells when it was judged apart from when it was frozen, and its warnings', () => {
    covers('INV-Q.97');
    const share = {
      url: 'https://x.example/s',
      is_public: true,
      snapshot_taken_at: 'noon',
      judged_at: 'ten',
    };
    expect(shareText({ ...share, warnings: ['Edited.'] })).toBe(
      'https://x.example/s, open to anyone with the link, as judged at ten and frozen at noon\nWarning: Edited.',
    );
    expect(shareText({ ...share, judged_at: null })).toContain(
      'before the last judgement and frozen at noon',
    );
    expect(shareText({ ...share, is_public: false })).toBe('https://x.example/s, hidden');
  });
});
