import { describe, expect, it } from '@jest/globals';
import { version } from 'uuid';
import { createOrderedIds, isUuid } from './ids.ts';

describe('createOrderedIds', () => {
  it('createOrderedIds makes distinct, ascending UUIDv7s while the clock stands still, advances and is set back', () => {
    const times = [5, 5, 5, 7, 6, 6, 2 ** 40, 2 ** 40 - 1];
    let call = 0;
    const next = createOrderedIds(() => times[Math.floor((call++ * times.length) / 5_000)] as number);
    const ids = Array.from({ length: 5_000 }, next);
    expect(ids.every((id) => isUuid(id) && version(id) === 7)).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.toSorted()).toEqual(ids);
  });

  it('createOrderedIds puts the time into the first 48 bits (RFC 9562 §5.7)', () => {
    const time = 1_645_557_742_000;
    expect(createOrderedIds(() => time)().slice(0, 13)).toBe('017f22e2-79b0');
  });
});
