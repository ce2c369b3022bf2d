import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { clientOf, type Client } from '../test-service.fixture.ts';
import { useTestService } from './service-for-suite.fixture.ts';

const LARGE = 'y'.repeat(100_000);
const READS = 20;

const { service, client: flooding } = useTestService({ DOCSTORE_LARGE_BODIES: '1' });
afterEach(() => void jest.restoreAllMocks());

let calm: Client;
let ofFlooding: { id: string };
let ofCalm: { id: string };
beforeAll(async () => {
  calm = await clientOf(service);
  ofFlooding = await flooding.create('flooding', LARGE);
  ofCalm = await calm.create('calm', LARGE);
});

/** Holds each read of a large text with `method` until a `pass`, and notes whose it is. */
function holdReads(method: 'find' | 'findVersion') {
  const owners: string[] = [];
  const held: (() => void)[] = [];
  const { documents } = service.deps;
  const real = documents[method] as (...args: unknown[]) => Promise<unknown>;
  const spy = jest.spyOn(documents, method) as unknown as {
    mockImplementation(work: (...args: unknown[]) => Promise<unknown>): void;
  };
  spy.mockImplementation(async (...args) => {
    owners.push(args[0] as string);
    await new Promise<void>((resolve) => held.push(resolve));
    return real(...args);
  });
  return {
    owners,
    async pass() {
      while (held.length === 0) await new Promise(setImmediate);
      held.shift()!();
    },
  };
}

describe('large documents that one tenant reads many times at once', () => {
  it.each([
    ['find', ''],
    ['find', '/contents'],
    ['findVersion', '/versions/1'],
  ] as const)(
    'a read of another tenant waits for one of them, and its list for none: %s by GET %s',
    async (method, path) => {
      covers('DOC-D.77');
      const { owners, pass } = holdReads(method);
      const read = ({ send }: Client, { id }: { id: string }) => send('GET', `/v1/file/${id}${path}`);
      const reads = Array.from({ length: READS }, () => read(flooding, ofFlooding));
      while (owners.length === 0) await new Promise(setImmediate);
      const list = await calm.send('GET', '/v1/file');
      const calmRead = read(calm, ofCalm);
      // Each request arrived longer ago by now than one takes to get to its turn.
      for (let n = 0; n < 2; n++) await calm.send('GET', '/v1/file');
      const begunMeanwhile = owners.length;
      for (let passed = 0; passed <= READS; passed++) await pass();
      const statuses = (await Promise.all([calmRead, ...reads])).map(({ status }) => status);
      expect([list.status, begunMeanwhile, owners.indexOf(calm.owner)]).toEqual([200, 1, 1]);
      expect([owners.length, new Set(statuses)]).toEqual([READS + 1, new Set([200])]);
    },
  );
});
