import { describe, expect, it } from '@jest/globals';
import { claimFragment, readFragment, verdictFragment } from './fragments.ts';
import { plain, shortened, visible } from './text.ts';
import { day, days, instant } from './times.ts';

describe('text of users', () => {
  it('characters that HTML cannot hold are shown as a replacement', () => {
    expect(visible('a\u0000b\u001bc\u0085d\ud800e\tf\ng')).toBe('a\ufffdb\ufffdc\ufffdd\ufffde\tf\ng');
    expect(visible('👩‍🚀 שלום')).toBe('👩‍🚀 שלום');
  });

  it('direction marks are removed where direction cannot be isolated', () => {
    expect(plain('a\u202eb\u2066c\n d')).toBe('abc d');
  });

  it('text of users is cut between characters', () => {
    expect(shortened('🙂🙂🙂', 2)).toBe('🙂…');
    expect(shortened('short', 5)).toBe('short');
  });
});

describe('fragments', () => {
  it.each(['c1', 'with space', 'ünï', 'a#b%20', '\ud800', '"><script>'])(
    'a claim %p has one without white space',
    (id) => {
      const fragment = claimFragment(id);
      expect(fragment).toMatch(/^claim-[^\s"<>#]*$/);
      expect(readFragment(fragment)).toEqual({ kind: 'claim', id: fragment });
    },
  );

  it('two verdicts have two, wherever hyphens stand', () => {
    expect(verdictFragment('a-b', 'c')).not.toBe(verdictFragment('a', 'b-c'));
    expect(verdictFragment('a%2Db', 'c')).not.toBe(verdictFragment('a-b', 'c'));
  });

  it('fragments name panes and verdicts, and nothing else', () => {
    expect(readFragment('mesh')).toEqual({ kind: 'pane', pane: 'mesh' });
    expect(readFragment(verdictFragment('s 1', 'p'))).toEqual({ kind: 'verdict', id: 'verdict-s%201-p' });
    expect(readFragment('panes')).toBeNull();
    expect(readFragment('')).toBeNull();
  });
});

describe('times', () => {
  it('times read the same everywhere', () => {
    expect(instant('2026-03-14T23:12:45-02:00').replaceAll('\u00a0', ' ')).toBe('15 Mar 2026, 01:12 UTC');
    expect(day('1903-12-17').replaceAll('\u00a0', ' ')).toBe('17 Dec 1903');
    expect(day(null)).toBe('');
    expect(day('no time')).toBe('no time');
  });

  it('spans of time read as people say them', () => {
    expect([0.4, 1, 45, 365, 73_000].map(days).map((text) => text.replaceAll('\u00a0', ' '))).toEqual([
      '0.4 days',
      '1 day',
      '45 days',
      '365 days',
      '200 years',
    ]);
  });
});
