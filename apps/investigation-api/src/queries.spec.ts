import { beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { SESSION_OPERATIONS } from './session-api.ts';
import { suiteService } from './suite-service.fixture.ts';

const service = suiteService('scripted');
let headers: Record<string, string>;
beforeAll(async () => {
  const token = await service.sign({ tenant_id: 't', sub: 'u' }, 'at+jwt');
  headers = { authorization: `Bearer ${token}` };
});

async function get(path: string): Promise<[status: number, error: string | undefined]> {
  const response = await fetch(`${service.url}/api/v1${path}`, { headers });
  return [response.status, ((await response.json()) as { error?: string }).error];
}

const WITH_QUERY = SESSION_OPERATIONS.filter(({ query }) => query !== undefined);

describe('queries', () => {
  it.each(WITH_QUERY.map(({ operationId, path }) => [operationId, path]))(
    'a misspelt parameter of %s is refused by its name',
    async (_operation, path) => {
      covers('INV-S.47');
      const at = path.replace(/\{\w+\}/g, 'x');
      const [status, error] = await get(`${at}?limitt=1&${'n'.repeat(5_000)}=1`);
      expect([status, error]).toEqual([422, expect.stringMatching(/^limitt: is none of the parameters \w/)]);
      expect(error!.length).toBeLessThan(2_000);
    },
  );

  it('times before the year 1 are refused in every list of sessions', async () => {
    covers('INV-S.47');
    for (const name of ['updated_after', 'updated_before'])
      for (const time of ['0000', '0000-12-31', '0000-01-01T00:00:00Z', '0001-01-01T00:00:00%2B01:00'])
        expect(await get(`/sessions?${name}=${time}`)).toEqual([
          422,
          `${name}: must be in the year 1 or later`,
        ]);
    expect((await get('/sessions?updated_after=0001'))[0]).toBe(200);
  });
});
