import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { originalPosition, shownText } from './textarea-positions.ts';

describe('positions in a textarea', () => {
  it('each position among line ends of every kind is that of the same characters in the text', () => {
    covers('INV-Q.15');
    const text = 'a\r\n𝔞b\rc\nd\r\n';
    const shown = shownText(text).replace(/\r\n?/g, '\n');
    const positions = [...shown].map((_, index) =>
      originalPosition(text, [...shown].slice(0, index).join('').length, 'from'),
    );
    expect(positions.map((at) => text.slice(at, at + 2))).toEqual(
      [...shown].map((_, index) => text.slice(positions[index], positions[index]! + 2)),
    );
    expect(originalPosition(text, shown.indexOf('d'), 'from')).toBe(text.indexOf('d'));
    expect(originalPosition(text, shown.length, 'to')).toBe(text.length);
    expect(originalPosition(text, 99, 'to')).toBe(text.length);
  });

  it('page breaks are shown as lines that say which page begins', () => {
    covers('INV-Q.21');
    expect(shownText('one\ftwo\f')).toBe('one\n— Page 2 —\ntwo\n— Page 3 —\n');
  });

  it('a passage selected across, up to or from within a page break is pinned to its own characters', () => {
    covers('INV-Q.21');
    const text = 'one\r\n\ftwo𝔞\f\fend';
    const shown = shownText(text).replace(/\r\n?/g, '\n');
    const selected = (from: number, to: number) =>
      text.slice(originalPosition(text, from, 'from'), originalPosition(text, to, 'to'));
    const [first, second] = [shown.indexOf('— Page 2'), shown.indexOf('two')];
    expect(selected(second, second + 5)).toBe('two𝔞');
    expect(selected(shown.indexOf('one'), second + 3)).toBe('one\r\n\ftwo');
    expect(selected(first + 4, second + 3)).toBe('two');
    expect(selected(0, first + 4)).toBe('one\r\n');
    expect(selected(first, first + 8)).toBe('');
    expect(selected(shown.indexOf('end'), shown.length)).toBe('end');
  });
});
