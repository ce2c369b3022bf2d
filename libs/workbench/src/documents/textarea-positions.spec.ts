import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { originalPosition } from './textarea-positions.ts';

describe('positions in a textarea', () => {
  it('each position among line ends of every kind is that of the same characters in the text', () => {
    covers('INV-Q.15');
    const text = 'a\r\n𝔞b\rc\nd\r\n';
    const shown = text.replace(/\r\n?/g, '\n');
    const positions = [...shown].map((_, index) =>
      originalPosition(text, [...shown].slice(0, index).join('').length),
    );
    expect(positions.map((at) => text.slice(at, at + 2))).toEqual(
      [...shown].map((_, index) => text.slice(positions[index], positions[index]! + 2)),
    );
    expect(originalPosition(text, shown.indexOf('d'))).toBe(text.indexOf('d'));
    expect(originalPosition(text, shown.length)).toBe(text.length);
    expect(originalPosition(text, 99)).toBe(text.length);
  });
});
