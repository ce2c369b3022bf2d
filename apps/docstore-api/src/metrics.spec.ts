import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { MiB } from './rules/limits.ts';
import { createLargeBodies } from './http/large-bodies.ts';
import { measuringLargeBodies } from './metrics.ts';

it('the metric counts large bodies that were refused for lack of room, and not those whose clients disconnected', async () => {
  const registry = new Registry();
  const bodies = measuringLargeBodies(createLargeBodies({ concurrency: 1, waitMaxMs: 50 }), registry);
  const value = async (name: string) =>
    (await registry.getSingleMetric(`docstore_body_slots_${name}`)!.get()).values[0]!.value;
  const response = () => new ServerResponse(new IncomingMessage(new Socket()));
  const enter = (res: ServerResponse, work: () => Promise<void>) => bodies.run(res, 2 * MiB, 'owner', work);
  let end = () => undefined as void;
  const first = enter(response(), () => new Promise((resolve) => (end = resolve)));
  const gone = response();
  const [late, left] = [enter(response(), async () => {}), enter(gone, async () => {})];
  expect([await value('in_use'), await value('waiting')]).toEqual([1, 2]);
  gone.emit('close');
  await expect(left).rejects.toMatchObject({ kind: 'invalid_argument' });
  await expect(late).rejects.toMatchObject({ kind: 'unavailable' });
  end();
  await first;
  const values = await Promise.all(['in_use', 'waiting', 'refused_total'].map(value));
  expect(values).toEqual([0, 0, 1]);
});
