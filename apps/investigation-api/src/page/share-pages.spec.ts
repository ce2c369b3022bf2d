import { expect, it } from '@jest/globals';
import type { PageAssets } from '@platform/viewer';
import { covers } from '@platform/testing/covers';
import { createSharePages } from './share-pages.ts';

// The worker says in each reply how many pages it has drawn.
const WORKER = `
  import { parentPort } from 'node:worker_threads';
  let count = 0;
  parentPort.on('message', () => parentPort.postMessage({ reply: Uint8Array.of(++count) }));
`;

it('a page of a share is drawn and compressed once for all readers, and again once the share changes', async () => {
  const file = new URL(`data:text/javascript,${encodeURIComponent(WORKER)}`);
  const pages = createSharePages({ assets: {} as PageAssets, memoryMiBMax: 64, file });
  const read = async (etag: string) => {
    const snapshot = () => Promise.resolve([new Uint8Array(1)]);
    const share = { slug: 's', path: '/share/s', etag, snapshot, feed: () => Promise.resolve([]) };
    return (await pages.render(share, { form: 'csv' }, new AbortController().signal))[0];
  };
  expect([await read('"1"'), await read('"1"'), await read('"2"'), await read('"1"')]).toEqual([1, 1, 2, 1]);
  await pages.close();
});

it('a few snapshots are in memory at a time, and a share that many ask for makes another wait for one of them', async () => {
  covers('PLAT-S.5');
  const file = new URL(`data:text/javascript,${encodeURIComponent(WORKER)}`);
  const pages = createSharePages({ assets: {} as PageAssets, memoryMiBMax: 64, file });
  const ended: string[] = [];
  let inMemory = 0;
  let most = 0;
  const read = async (path: string) => {
    const snapshot = async () => {
      most = Math.max(most, ++inMemory);
      await new Promise(setImmediate);
      return [new Uint8Array(1)];
    };
    const share = { slug: 's', path, etag: '"1"', snapshot, feed: () => Promise.resolve([]) };
    await pages.withSnapshot(share, new AbortController().signal, () => void inMemory--);
    ended.push(path);
  };
  const flood = Array.from({ length: 50 }, () => read('/share/large'));
  await Promise.all([...flood, read('/share/calm')]);
  expect(most).toBeLessThanOrEqual(4);
  expect(ended.indexOf('/share/calm')).toBeLessThanOrEqual(8);
  await pages.close();
});
