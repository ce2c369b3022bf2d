import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GOOD, handMade, mistyped, type HostileFile } from '@platform/interchange/fixtures';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { startBuilt, type BuiltService } from './built-service.fixture.ts';

let service: BuiltService;
beforeAll(async () => {
  service = await startBuilt();
});
afterAll(() => service?.stop());

const call = (path: string, init: RequestInit = {}) =>
  fetch(`${service.url}/api/v1${path}`, {
    ...init,
    headers: { authorization: `Bearer ${service.token}`, ...init.headers },
  });
const importing = ({ format, bytes }: Pick<HostileFile, 'format' | 'bytes'>) =>
  call(`/imports/${format}?session=hostile`, { method: 'POST', body: Uint8Array.from(bytes) });

describe('hostile files', () => {
  it('more than 500 hostile files end in an import or in a refusal with its cause, and the next file is read', async () => {
    covers('INV-IMPORT.5', 'INV-IMPORT.1');
    const headers = { 'content-type': 'application/json' };
    await call('/sessions', { method: 'POST', headers, body: '{"session_id":"hostile","name":"hostile"}' });
    const wrong = [...mistyped()];
    const step = Math.floor(wrong.length / 200);
    // Another part of them with every seed.
    const files = [...handMade(), ...wrong.filter((_, index) => index % step === SEED % step)];
    expect(files.length).toBeGreaterThan(500);
    for (const file of files) {
      const response = await importing(file);
      const { error } = (await response.json()) as { error?: string };
      expect([file.format, file.name, response.status, error]).toEqual([
        file.format,
        file.name,
        error === undefined ? 200 : 422,
        error === undefined ? undefined : expect.stringMatching(/^.{10,}/s),
      ]);
    }
    expect((await importing({ format: 'stix', bytes: GOOD.stix })).status).toBe(200);
  });
});
