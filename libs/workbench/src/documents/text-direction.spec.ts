import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { directionOf } from './text-direction.ts';

describe('the direction of a text', () => {
  it('the first letter of a text decides its direction, as dir="auto" would', () => {
    covers('INV-B.66');
    const direction = (text: string) => [text, directionOf(text)];
    const ltr = ['', '2024: 12', 'The dam', '“The dam” סכר', 'Плотина', '大坝'];
    const rtl = ['הסכר', '12. هذا السد', '— ܐܒ', '\u{10800} dam', '\u{1e900}'];
    expect(ltr.map(direction)).toEqual(ltr.map((text) => [text, 'ltr']));
    expect(rtl.map(direction)).toEqual(rtl.map((text) => [text, 'rtl']));
  });
});
