import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { MiB } from '../rules/limits.ts';
import { createBodySlots } from './body-slots.ts';

describe('body slots', () => {
  it('are given to owners in turn, and not to who has hung up', async () => {
    const slots = createBodySlots({ slots: 1, waitMaxMs: 600_000 });
    const given: string[] = [];
    const ask = async (owner: string, name: string) => {
      const req = new IncomingMessage(new Socket());
      const done = slots.acquire(req, 2 * MiB, owner).then(
        (release) => {
          given.push(name);
          release();
        },
        () => given.push(`${name} gone`),
      );
      return { req, done };
    };
    const first = await slots.acquire(new IncomingMessage(new Socket()), 2 * MiB, 'a');
    const asked = await Promise.all([
      ask('a', 'a1'),
      ask('a', 'a2'),
      ask('a', 'a3'),
      ask('b', 'b1'),
      ask('b', 'b2'),
    ]);
    asked[1]!.req.emit('close');
    expect(slots.load()).toEqual({ inUse: 1, waiting: 4 });
    first();
    await Promise.all(asked.map(({ done }) => done));
    expect(given).toEqual(['a2 gone', 'a1', 'b1', 'a3', 'b2']);
    expect(slots.load()).toEqual({ inUse: 0, waiting: 0 });
  });
});
