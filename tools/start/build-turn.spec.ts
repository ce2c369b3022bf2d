import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import { takeBuildTurn } from './build-turn.ts';

it('a start waits while another one builds, is told so once, and then builds', async () => {
  covers('PLAT-D.15');
  const folder = await mkdtemp(join(tmpdir(), 'build-turn-'));
  const told: string[] = [];
  const giveBack = await takeBuildTurn(folder, (sentence) => told.push(sentence));
  expect(told).toEqual([]);
  let isTaken = false;
  const second = takeBuildTurn(folder, (sentence) => told.push(sentence)).then((release) => {
    isTaken = true;
    return release;
  });
  await eventually(async () => told).toEqual([
    `Another start builds here (process ${process.pid}); this one waits until it is ready.`,
  ]);
  expect(isTaken).toBe(false);
  await giveBack();
  await (
    await second
  )();
  expect(told).toHaveLength(1);
  await rm(folder, { recursive: true, force: true });
});
