import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { MiB } from './rules/limits.ts';
import { createBodySlots } from './http/body-slots.ts';
import { measuringBodySlots } from './metrics.ts';

it('counts large bodies whose turn did not come, and not those whose clients left', async () => {
  const registry = new Registry();
  const slots = measuringBodySlots(createBodySlots({ slots: 1, waitMaxMs: 50 }), registry);
  const value = async (name: string) =>
    (await registry.getSingleMetric(`docstore_body_slots_${name}`)!.get()).values[0]!.value;
  const upload = () => new IncomingMessage(new Socket());
  const release = await slots.acquire(upload(), 2 * MiB, 'owner');
  const gone = upload();
  const [late, left] = [slots.acquire(upload(), 2 * MiB, 'owner'), slots.acquire(gone, 2 * MiB, 'owner')];
  expect([await value('in_use'), await value('waiting')]).toEqual([1, 2]);
  gone.emit('close');
  await expect(left).rejects.toMatchObject({ kind: 'invalid_argument' });
  await expect(late).rejects.toMatchObject({ kind: 'unavailable' });
  release();
  const values = await Promise.all(['in_use', 'waiting', 'refused_total'].map(value));
  expect(values).toEqual([0, 0, 1]);
});
