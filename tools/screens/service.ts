import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateSigningKey, publicJwks, signToken, verificationKeyOf } from '@platform/jwt';
import { startBuiltService } from '@platform/testing';
import { invented } from './invented.ts';

export const ROOT = join(import.meta.dirname, '../..');
export const PANES = ['overview', 'sources', 'timeline', 'mesh', 'distinctions', 'audit'];
export const TABS = ['edit', 'claims', ...PANES, 'history', 'publish'];
const LIFE_SECONDS = 3_600;
const ANALYST = '018f0000-0000-7000-8000-000000000001';
const BEGINNER = '018f0000-0000-7000-8000-000000000002';

export interface ShownService {
  /** Where it takes requests, without a slash at the end. */
  readonly url: string;
  /** Token of the analyst, whose investigations are published. */
  readonly token: string;
  /** Token of somebody who has no investigation yet. */
  readonly beginner: string;
  /** Address of the page of each investigation, by the id of its session. */
  readonly shares: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/**
 * The built investigation-api with published investigations: without a claim, with 1, 300 and 10,000 of them,
 * and the first flight of the examples. Errors: an app that was not built.
 */
export async function startShown(): Promise<ShownService> {
  const key = await generateSigningKey();
  const service = await startBuiltService('investigation-api', {
    INVESTIGATION_JWT_PUBLIC_KEY: JSON.stringify(publicJwks([verificationKeyOf(key)])),
  });
  const url = `http://127.0.0.1:${service.ports['port']}`;
  const tokenOf = (user: string) => {
    const now = Math.floor(Date.now() / 1000);
    const times = { iat: now, nbf: now, exp: now + LIFE_SECONDS };
    const claims = { iss: 'authz-grpc', aud: 'platform', sub: user, tenant_id: user, jti: user, ...times };
    return signToken(claims, { type: 'at+jwt', key });
  };
  const token = await tokenOf(ANALYST);

  async function api<T>(method: string, path: string, body: object = {}): Promise<T> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(`${url}/api/v1${path}`, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }

  /** Keeps, judges and publishes an investigation; the address of its page. */
  async function publish(id: string, payload: object): Promise<string> {
    const { research_question: name } = payload as { research_question: string };
    await api('POST', '/sessions', { session_id: id, name, payload });
    await api('POST', `/sessions/${id}/judge`);
    return (await api<{ url: string }>('PUT', `/sessions/${id}/share`, { public: true })).url;
  }

  try {
    const example = JSON.parse(readFileSync(join(ROOT, 'examples/first-flight.json'), 'utf8')) as object;
    const shares = {
      empty: await publish('empty', invented(0)),
      one: await publish('one', invented(1)),
      example: await publish('example', example),
      '300': await publish('300', invented(300)),
      '10000': await publish('10000', invented(10_000)),
    };
    return {
      url,
      token,
      beginner: await tokenOf(BEGINNER),
      shares,
      stop: async () => void (await service.stop()),
    };
  } catch (error) {
    await service.stop();
    throw error;
  }
}
