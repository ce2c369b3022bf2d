import { expect, it } from '@jest/globals';
import { readSince } from './arguments.ts';

const NOW = new Date('2026-02-01T00:00:00Z');

it('a time is read as so long before now, or as itself', () => {
  expect(readSince('7d', NOW)).toEqual(new Date('2026-01-25T00:00:00Z'));
  expect(readSince('2026-01-31', NOW)).toEqual(new Date('2026-01-31T00:00:00Z'));
});

it.each(['2026-02-02', '9999-01-01', '0m'])('%s as the start of a time is refused as not past', (text) => {
  expect(() => readSince(text, NOW)).toThrow(
    '--since must be in the past: it is 2026-02-01T00:00:00.000Z now',
  );
});
