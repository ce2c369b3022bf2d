import { generateSigningKey, publicJwks, signToken, verificationKeyOf, type SigningKey } from '@platform/jwt';
import { runBuiltService, startBuiltService, type BuiltProcess } from '@platform/testing';

export interface BuiltService extends BuiltProcess {
  readonly url: string;
  readonly probeUrl: string;
  readonly token: string;
  /** Every log line so far. */
  readonly log: Record<string, unknown>[];
}

/** Runs the built program to its end. */
export async function runBuilt(env: Record<string, string>, args: readonly string[] = []) {
  const { code, stdout: out, stderr: err } = await runBuiltService('investigation-api', args, env);
  return { code, out, err };
}

/** Starts the built service on free ports, with a key of its own unless given. */
export async function startBuilt(
  settings: Record<string, string> = {},
  givenKey?: SigningKey,
): Promise<BuiltService> {
  const key = givenKey ?? (await generateSigningKey());
  const log: Record<string, unknown>[] = [];
  const service = await startBuiltService(
    'investigation-api',
    {
      INVESTIGATION_JWT_PUBLIC_KEY: JSON.stringify(publicJwks([verificationKeyOf(key)])),
      ...settings,
    },
    (entry) => log.push(entry),
  );
  const { port, probe_port: probePort } = service.ports;
  const seconds = Math.floor(Date.now() / 1000);
  return {
    ...service,
    url: `http://127.0.0.1:${port}`,
    probeUrl: `http://127.0.0.1:${probePort}`,
    token: await signToken(
      {
        iss: 'authz-grpc',
        aud: 'platform',
        sub: 'analyst',
        tenant_id: '018f0000-0000-7000-8000-000000000001',
        iat: seconds,
        nbf: seconds,
        exp: seconds + 3600,
        jti: 'e2e',
      },
      { type: 'at+jwt', key },
    ),
    log,
  };
}

/** Posts a body to the analysis. */
export function analyze(
  service: BuiltService,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
) {
  return fetch(`${service.url}/api/v1/investigations/analyze`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json', ...headers },
    body: body as string,
  });
}

/** What a path below `/api/v1` returns to the service's own token, parsed. Errors: any status but 2xx. */
export async function callApi<Answer>(
  service: BuiltService,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const response = await fetch(`${service.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}
