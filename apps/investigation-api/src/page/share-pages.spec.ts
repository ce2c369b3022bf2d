import { expect, it } from '@jest/globals';
import type { PageAssets } from '@platform/viewer';
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
