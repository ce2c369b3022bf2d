import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { clientOf, type Client, type Send } from '../test-service.fixture.ts';
import { useTestService } from './service-for-suite.fixture.ts';

const LARGE = 'y'.repeat(100_000);
const READS = 20;

const { service, client: flooding } = useTestService({ DOCSTORE_LARGE_BODIES: '2' });
afterEach(() => void jest.restoreAllMocks());

let calm: Client;
let ofFlooding: { id: string; etag: string };
let ofCalm: { id: string; etag: string };
beforeAll(async () => {
  calm = await clientOf(service);
  ofFlooding = await flooding.create('flooding', LARGE);
  ofCalm = await calm.create('calm', LARGE);
});

/** Writes that are refused once the large text is read. */
const BODIES: Record<string, (etag: string) => Send> = {
  '/edit': (ifMatch) => ({ ifMatch, json: { old_str: 'absent', new_str: '' } }),
  '/restore': () => ({ ifMatch: '"another"', json: { version: 1 } }),
};

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

describe('large documents that one tenant works on many times at once', () => {
  it.each([
    ['GET', '', 'find', 200],
    ['GET', '/contents', 'find', 200],
    ['GET', '/versions/1', 'findVersion', 200],
    ['POST', '/edit', 'find', 422],
    ['POST', '/restore', 'findVersion', 412],
  ] as const)(
    'requests of another tenant wait for none of them, be they large or small: %s %s',
    async (method, path, read, status) => {
      covers('DOC-D.77');
      const { owners, pass } = holdReads(read);
      const request = ({ send }: Client, { id, etag }: typeof ofCalm) =>
        send(method, `/v1/file/${id}${path}`, BODIES[path]?.(etag));
      const requests = Array.from({ length: READS }, () => request(flooding, ofFlooding));
      while (owners.length === 0) await new Promise(setImmediate);
      const list = await calm.send('GET', '/v1/file');
      const calmRequest = request(calm, ofCalm);
      // Whatever arrived with it has begun by now, if it may.
      for (let n = 0; n < 2; n++) await calm.send('GET', '/v1/file');
      const begun = [...owners];
      for (let passed = 0; passed <= READS; passed++) await pass();
      const statuses = (await Promise.all([calmRequest, ...requests])).map((response) => response.status);
      expect([list.status, begun]).toEqual([200, [flooding.owner, calm.owner]]);
      expect([owners.length, new Set(statuses)]).toEqual([READS + 1, new Set([status])]);
    },
  );
});
