import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { columnsOf } from './entity-columns.ts';

describe('columns of entities', () => {
  it('one body of megabytes that are all escaped lets other work run meanwhile, and loses no character', async () => {
    covers('PLAT-F.22');
    const body = JSON.stringify({ name: '"\\ä\u{1f600}'.repeat(800_000) });
    let turns = 0;
    const turn = () => {
      turns += 1;
      immediate = setImmediate(turn);
    };
    let immediate = setImmediate(turn);
    const [, , bodies] = await columnsOf([{ kind: 'actors', id: 'a', body }]);
    clearImmediate(immediate);
    expect(turns).toBeGreaterThan(1);
    expect(bodies === `{"${body.replaceAll(/["\\]/g, String.raw`\$&`)}"}`).toBe(true);
  });
});
