import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { createInterchange } from './interchange.ts';

describe('files of several tenants', () => {
  it('a small file of a tenant is read while two others hold every thread with files that never end', async () => {
    covers('PLAT-F.21');
    const file = new URL('./scripted-files.fixture.mjs', import.meta.url);
    const interchange = createInterchange({ memoryMiBMax: 64, sliceMs: 50, file });
    const stop = new AbortController();
    const read = (owner: string, format: 'json' | 'xlsx', signal = new AbortController().signal) =>
      interchange.read({ format, bytes: new Uint8Array(), records: [] }, { owner, signal });
    const endless = ['a', 'a', 'b', 'b'].map((owner) => read(owner, 'xlsx', stop.signal));
    for (let n = 0; n < 3; n++) await expect(read('calm', 'json')).rejects.toThrow('read');
    stop.abort(new Error('enough'));
    for (const outcome of await Promise.allSettled(endless))
      expect(outcome).toMatchObject({ reason: { message: 'enough' } });
    await interchange.close();
  });

  it('an export may take longer than a file that is read, and each that takes too long says what to do', async () => {
    covers('INV-EXPORT.16');
    const file = new URL('./scripted-files.fixture.mjs', import.meta.url);
    const interchange = createInterchange({ memoryMiBMax: 64, readMaxMs: 50, writeMaxMs: 1_000, file });
    const signal = new AbortController().signal;
    const said: string[] = [];
    const keep = ({ message }: Error) => void said.push(message);
    await Promise.all([
      interchange.write({ format: 'pdf' } as never, { owner: 'a', signal }).catch(keep),
      interchange
        .read({ format: 'xlsx', bytes: new Uint8Array(), records: [] }, { owner: 'b', signal })
        .catch(keep),
    ]);
    expect(said).toEqual([
      'the file takes too long: send it in parts',
      'the file takes too long: try again later, or ask for `json`, which takes the least',
    ]);
    await interchange.close();
  });
});
