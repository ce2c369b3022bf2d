import { expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
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

it.each(['2026-02-30', '2026-02-31', '2025-02-29', '2026-13-01', '1/2/2026', 'January', '2026-1-1'])(
  '%s as a time is refused, since no calendar has it or several readings do',
  (text) => {
    covers('AUTHZ-CLI.6');
    expect(() => readSince(text, NOW)).toThrow('--since is not a time: write 7d, 12h, 30m or 2026-01-31');
  },
);

it.each(['3', '7', '12', '15', '30', '2025'])('a bare %s as a time is asked for its unit', (text) => {
  covers('AUTHZ-CLI.6');
  expect(() => readSince(text, NOW)).toThrow(`--since needs a unit: write ${text}d, ${text}h or ${text}m`);
});

it.each(['2024-02-29', '2026-01-31T23:59', '2026-01-31T12:30:00Z', '2026-01-31T12:30:00.5+02:00'])(
  '%s is read as the time that it says',
  (text) => expect(readSince(text, NOW)).toEqual(new Date(text)),
);
