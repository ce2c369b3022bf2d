import { request, type ClientRequest } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { clientOf, type Client } from '../test-service.fixture.ts';
import { useTestService } from './service-for-suite.fixture.ts';

const { service } = useTestService();
let client: Client;
beforeEach(async () => {
  client = await clientOf(service);
});
afterEach(() => void jest.restoreAllMocks());

const keyId = () => `key_${client.key.split('_')[2]}`;
const revoke = () => service.deps.keys.revoke(client.owner, keyId(), new Date());
const countDocuments = async () => (await service.deps.documents.usage(client.owner)).documents;

/**
 * Begins a creation; resolves once all but its body has been judged. `finish` sends the body and gives the
 * response.
 */
async function beginCreation(headers: Record<string, string>) {
  const body = JSON.stringify({ filename: 'late', contents: 'x' });
  const sent: ClientRequest = request(`${service.base}/v1/file`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${client.key}`,
      'Content-Type': 'application/json',
      Expect: '100-continue',
      ...headers,
    },
  });
  sent.flushHeaders();
  await new Promise((resolve) => sent.once('continue', resolve));
  const answered = new Promise<{ status: number; challenge: string | undefined }>((resolve, reject) => {
    sent.once('error', reject).once('response', (response) => {
      response.resume();
      resolve({ status: response.statusCode!, challenge: response.headers['www-authenticate'] });
    });
  });
  return () => {
    sent.end(body);
    return answered;
  };
}

const REFUSED = { status: 401, challenge: expect.stringContaining('invalid_token') as unknown };

describe('a credential that ends while a body comes in', () => {
  it.each<Record<string, string>>([{}, { 'Idempotency-Key': 'late' }])(
    'a request whose credential is revoked while its body arrives writes nothing, with headers %p',
    async (headers) => {
      covers('DOC-A.2');
      const finish = await beginCreation(headers);
      await revoke();
      expect(await finish()).toEqual(REFUSED);
      expect(await countDocuments()).toBe(0);
    },
  );

  it('a request whose credential expires while its body arrives writes nothing', async () => {
    covers('DOC-A.2');
    const owner = client.owner;
    client = { ...client, key: await service.keyFor(owner, 'file:write', 1) };
    const finish = await beginCreation({});
    jest.spyOn(service.deps, 'now').mockReturnValue(new Date(Date.now() + 48 * 3600 * 1000));
    expect(await finish()).toEqual(REFUSED);
    expect(await countDocuments()).toBe(0);
  });

  it('a request whose credential stays valid while its body arrives writes', async () => {
    const finish = await beginCreation({});
    expect((await finish()).status).toBe(201);
  });
});

describe('a credential that ends while a merge is worked out', () => {
  it('a request whose credential ends while its merge runs writes nothing', async () => {
    covers('DOC-A.2');
    const { id, etag } = await client.create('merged', 'a\n');
    const { compute, documents } = service.deps;
    const merge = compute.merge.bind(compute);
    jest.spyOn(compute, 'merge').mockImplementationOnce(async (...texts) => {
      await revoke();
      return merge(...texts);
    });
    const json = { base_etag: etag, contents: 'b\n' };
    const response = await client.send('POST', `/v1/file/${id}/merge`, { json });
    expect([response.status, response.json.error.code]).toEqual([401, 'unauthorized']);
    expect((await documents.find(client.owner, id))?.contents).toBe('a\n');
  });
});

describe('a credential that ends while a response waits for changes', () => {
  it('a follower whose key ended while it waited is shown no change made since', async () => {
    covers('DOC-A.2');
    const { documents } = service.deps;
    const writer = await service.keyFor(client.owner, 'file:write');
    const sequence = documents.sequence.bind(documents);
    jest.spyOn(documents, 'sequence').mockImplementationOnce(async (owner) => {
      const before = await sequence(owner);
      await revoke();
      const written = await fetch(`${service.base}/v1/file`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${writer}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ filename: 'later', contents: 'x' }),
      });
      expect(written.status).toBe(201);
      return before;
    });
    const response = await client.send('GET', '/v1/changes?wait=30');
    expect([response.status, response.json.error?.code]).toEqual([401, 'unauthorized']);
  });
});
