import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { createBodyReader, type BodyReader } from './body-reader.ts';

let folder: string;
let reader: BodyReader;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'body-reader-'));
  const file = join(folder, 'worker.mjs');
  await writeFile(
    file,
    `import { parentPort } from 'node:worker_threads';
     parentPort.on('message', ({ bytes }) => parentPort.postMessage({ reply: { value: 'thread ' + bytes.length } }));`,
  );
  reader = createBodyReader(pathToFileURL(file));
});
afterAll(async () => {
  await reader.close();
  await rm(folder, { recursive: true });
});

const body = (length: number) => Buffer.from(JSON.stringify('x'.repeat(length - 2)));
const options = { owner: 'owner', valuesMax: 10 };

describe('createBodyReader', () => {
  it('a body of 64 KiB is parsed at once, and a larger one by the thread', async () => {
    covers('PLAT-F.4');
    expect(await reader.read(body(64 * 1024), options)).toHaveLength(64 * 1024 - 2);
    expect(await reader.read(body(64 * 1024 + 1), options)).toBe(`thread ${64 * 1024 + 1}`);
  });

  it('a body with too many values is refused with the limit', async () => {
    const many = Buffer.from(JSON.stringify(Array.from({ length: 20 }, () => 1)));
    await expect(reader.read(many, options)).rejects.toThrow('more than 10 keys or list items');
  });

  it('a body that arrives while the service stops is unavailable', async () => {
    const stopping = createBodyReader(new URL('file:///none'));
    await stopping.close();
    await expect(stopping.read(body(100_000), options)).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
