import { describe, expect, it } from '@jest/globals';
import { quotasHeld } from './quotas-held.ts';

const QUOTA = 10;
const LOSS = { from: 60_000, to: 60_100 };
/** `count` grants, received a millisecond after they were sent. */
const grants = (count: number, sentAt: number) =>
  Array.from({ length: count }, () => ({ sentAt, answeredAt: sentAt + 1 }));
const brokenBy = (granted: ReturnType<typeof grants>, redisLosses = [LOSS]) =>
  quotasHeld(new Map([['t', granted]]), { grantsMax: QUOTA, redisLosses }).broken;

describe('quotasHeld', () => {
  it('quotasHeld accepts a quota used up, and reports one grant more', () => {
    expect(brokenBy(grants(10, 0))).toEqual([]);
    expect(brokenBy(grants(11, 0))).toEqual(['tenant t was granted 11 of 10, 0 may be forgotten']);
    expect(brokenBy(grants(11, 59_500), [])).toHaveLength(1);
  });

  it('quotasHeld allows as many more as were granted in the second before each loss, and no more', () => {
    const before = [...grants(4, 10_000), ...grants(3, 59_500)];
    expect(brokenBy([...before, ...grants(6, 70_000)])).toEqual([]);
    expect(brokenBy([...before, ...grants(7, 70_000)])).toEqual([
      'tenant t was granted 14 of 10, 3 may be forgotten',
    ]);
    const again = { from: 80_000, to: 80_000 };
    const twice = [...before, ...grants(2, 79_800), ...grants(6, 90_000)];
    expect(brokenBy(twice, [LOSS, again])).toEqual([]);
    expect(brokenBy([...twice, ...grants(1, 90_000)], [LOSS, again])).toHaveLength(1);
  });

  it('quotasHeld allows nothing for grants before that second or after the loss', () => {
    expect(brokenBy([...grants(9, 58_700), ...grants(2, 60_101)])).toHaveLength(1);
  });

  it('quotasHeld counts a call that overlaps either end as one that may be forgotten', () => {
    const long = [
      { sentAt: 50_000, answeredAt: 59_000 },
      { sentAt: 60_050, answeredAt: 65_000 },
    ];
    expect(brokenBy([...long, ...grants(10, 70_000)])).toEqual([]);
    expect(brokenBy([...long, ...grants(11, 70_000)])).toHaveLength(1);
  });

  it('quotasHeld returns how many tenants it compared', () => {
    const held = quotasHeld(new Map([['a', grants(1, 0)], ['b', grants(11, 0)]]), { grantsMax: QUOTA, redisLosses: [] }); // prettier-ignore
    expect(held).toMatchObject({ compared: 2, broken: [expect.stringContaining('tenant b')] });
  });
});
