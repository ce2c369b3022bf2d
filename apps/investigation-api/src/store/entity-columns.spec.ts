import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { byStoredKey, columnsOf } from './entity-columns.ts';

describe('columns of entities', () => {
  it('one body of megabytes that are all escaped lets other work run meanwhile, and loses no character', async () => {
    covers('PLAT-F.22');
    const body = JSON.stringify({ name: '"\\ä\u{1f600}'.repeat(800_000) });
    const [turns, [, , bodies]] = await countTurns(() => columnsOf([{ kind: 'actors', id: 'a', body }]));
    expect(turns).toBeGreaterThan(1);
    expect(bodies === `{"${body.replaceAll(/["\\]/g, String.raw`\$&`)}"}`).toBe(true);
  });

  it('keys of 200,000 items let other work run meanwhile, and equal ones are one', async () => {
    covers('PLAT-F.22');
    const items = Array.from({ length: 200_000 }, (_, n) => ({ kind: 'claims' as const, id: `c${n >> 1}` }));
    const [turns, found] = await countTurns(() => byStoredKey(items));
    expect(turns).toBeGreaterThan(1);
    expect(found.size).toBe(100_000);
  });
});

/** How many turns of the event loop other work had while `work` ran, and what it resolved to. */
async function countTurns<T>(work: () => Promise<T>): Promise<[turns: number, result: T]> {
  let turns = 0;
  const turn = () => {
    turns += 1;
    immediate = setImmediate(turn);
  };
  let immediate = setImmediate(turn);
  const result = await work();
  clearImmediate(immediate);
  return [turns, result];
}
