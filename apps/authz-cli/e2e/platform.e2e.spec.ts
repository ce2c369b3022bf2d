import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Server, ServerCredentials, status, type handleUnaryCall } from '@grpc/grpc-js';
import { AuthorizationServiceService } from '@platform/proto/authz/v1/authorization';
import { DomainServiceService } from '@platform/proto/authz/v1/domain';
import { exitCodeOf } from '../src/exit-codes.ts';
import { buildProgram } from '../src/program.ts';

const TSX = fileURLToPath(import.meta.resolve('tsx'));
const SERVICE = fileURLToPath(new URL('../../authz-grpc/e2e/service-process.fixture.ts', import.meta.url));

/** The README's first ten minutes, against the service as a process of its own. */
describe('platform', () => {
  let folder: string;
  let service: ChildProcess;
  const env: Record<string, string> = { PLATFORM_PASSWORD: 'correct horse battery staple' };
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'platform-'));
    service = spawn(process.execPath, ['--import', TSX, SERVICE], {
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        DATABASE_URL: 'pglite:memory://',
        AUTHZ_ROOT_PASSWORD: 'a root password for tests 7391',
        AUTHZ_GRPC_PORT: '0',
        AUTHZ_HTTP_PORT: '0',
        AUTHZ_PROBE_PORT: '0',
        AUTHZ_LOG_LEVEL: 'error',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: service.stdout as NodeJS.ReadableStream });
    const port = await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve);
      service.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
    });
    env['PLATFORM_ADDRESS'] = `127.0.0.1:${port}`;
    env['PLATFORM_CONFIG'] = join(folder, 'config.json');
  });
  afterAll(() => {
    service.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  async function platform(args: string[], more: Record<string, string> = {}) {
    const out: string[] = [];
    let code = 0;
    const terminal = {
      env: { ...env, ...more },
      out: (text: string) => void out.push(text),
      setExitCode: (value: number) => (code = value),
    };
    await buildProgram(terminal)
      .configureOutput({ writeErr: () => undefined })
      .parseAsync(args, { from: 'user' })
      .catch((error: unknown) => (code = exitCodeOf(error)));
    return { code, out: out.join('\n') };
  }
  const json = async <T>(args: string[]) => JSON.parse((await platform(['--json', ...args])).out) as T;

  it.each([[['whoami']], [['login', 'alice']]])(
    'names to %j the address that does not answer',
    async (args) => {
      const terminal = {
        env: { ...env, PLATFORM_ADDRESS: '127.0.0.1:1' },
        out: () => {},
        setExitCode: () => {},
      };
      const error = await buildProgram(terminal)
        .parseAsync(args, { from: 'user' })
        .catch((reason: unknown) => reason);
      expect(String(error)).toMatch(
        /^Error: no answer from 127\.0\.0\.1:1; start the service, or choose another with --address or PLATFORM_ADDRESS \(.+\)$/,
      );
      expect(exitCodeOf(error)).toBe(8);
    },
  );

  it('a credential that cannot be one is no credential, and is not told', async () => {
    for (const token of ['secret\r', 'two words', 'ä']) {
      const terminal = { env: { ...env, PLATFORM_TOKEN: token }, out: () => {}, setExitCode: () => {} };
      const error = await buildProgram(terminal)
        .parseAsync(['users', 'list'], { from: 'user' })
        .catch((reason: unknown) => reason);
      expect(String(error)).toMatch(/^Refused: the credential has characters that no token has/);
      expect(String(error)).not.toContain(token);
      expect(exitCodeOf(error)).toBe(3);
    }
  });

  it('gives a set of policies as long as the service may take over it', async () => {
    const deadlines: number[] = [];
    const server = new Server();
    const note: handleUnaryCall<unknown, unknown> = (call, callback) => {
      deadlines.push(Number(call.getDeadline()));
      callback({ code: status.ABORTED });
    };
    server.addService(DomainServiceService, { putDomainPolicies: note } as never);
    server.addService(AuthorizationServiceService, { validatePolicies: note, testPolicies: note } as never);
    const port = await new Promise<number>((resolve, reject) =>
      server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      ),
    );
    const file = join(folder, 'none.yaml');
    writeFileSync(file, 'policies: []');
    const there = { PLATFORM_ADDRESS: `127.0.0.1:${port}` };
    const workAndWaitMs = 60_000;
    const begun = Date.now();
    for (const args of [
      ['validate', file],
      ['test', file],
      ['put', file, '--domain', 'd', '--tenant', 't'],
    ]) {
      expect((await platform(['policies', ...args], there)).code).toBe(6);
    }
    server.forceShutdown();
    expect(deadlines.map((deadline) => deadline > begun + workAndWaitMs)).toEqual([true, true, true]);
  });

  it('takes a user from nothing to a refused key', async () => {
    expect((await platform(['users', 'create', 'alice', 'alice@example.org'])).code).toBe(0);
    expect(await platform(['whoami'])).toEqual({ code: 3, out: '' });
    expect(await platform(['login', 'alice'])).toEqual({
      code: 0,
      out: 'logged in as alice (context default)',
    });
    expect(statSync(env['PLATFORM_CONFIG'] as string).mode & 0o777).toBe(0o600);
    const tenant = await json<{ id: string; domains: { id: string }[] }>(['tenants', 'create', 'acme']);
    const domain = tenant.domains[0]?.id as string;
    await platform(['login', 'alice', '--tenant', 'acme']);
    const me = await json<{ user_id: string; tenant_id: string }>(['whoami']);
    expect(me.tenant_id).toBe(tenant.id);

    const file = join(folder, 'policies.yaml');
    writeFileSync(
      file,
      `policies:
  - { name: starter, engine: fixed, statements: [{ rules: { subject: ${me.user_id} } }] }
  - { name: readers, engine: prefix, statements: [{ rules: { action: read, object: 'svc://${domain}/docs/' } }] }
  - { name: secrets, deny: true, engine: glob, statements: [{ rules: { action: read, object: 'svc://${domain}/docs/secret-*' } }] }
tests:
  - { name: bob reads, context: { subject: bob, action: read, object: 'svc://${domain}/docs/plan' }, expected: allow }
  - { name: bob writes, context: { subject: bob, action: write, object: 'svc://${domain}/docs/plan' }, expected: deny }
`,
    );
    expect((await platform(['policies', 'validate', file])).code).toBe(0);
    expect((await platform(['policies', 'test', file])).out).toContain('2 passed, 0 failed');
    const diff = await platform(['policies', 'diff', file, '--domain', domain]);
    expect(diff).toEqual({ code: 1, out: '+ readers\n+ secrets\n- root-access\n~ starter' });
    expect((await platform(['policies', 'put', file, '--domain', domain])).code).toBe(0);
    expect((await platform(['policies', 'diff', file, '--domain', domain])).code).toBe(0);

    const check = (path: string, more = {}) =>
      platform(['check', 'bob', 'read', `svc://${domain}/docs/${path}`, 'group=a', 'group=b'], more);
    expect(await check('plan')).toEqual({ code: 0, out: 'allowed' });
    expect(await check('secret-plan')).toEqual({ code: 1, out: 'denied' });
    const explained = await platform(['explain', 'bob', 'read', `svc://${domain}/docs/secret-plan`]);
    expect(explained.out).toContain('● secrets (deny)');
    expect(explained.out).toContain('○ starter (allow): statement 0 fails on `subject`');

    const key = await json<{ key_id: string; api_key: string }>(['api-keys', 'create']);
    const withKey = { PLATFORM_TOKEN: key.api_key };
    expect((await check('plan', withKey)).code).toBe(0);
    expect((await platform(['api-keys', 'delete', key.key_id])).code).toBe(0);
    expect((await check('plan', withKey)).code).toBe(3);

    const tail = await json<{ events: { matched_policy: string }[] }>(['audit', 'tail', '--denied']);
    expect(tail.events.map(({ matched_policy }) => matched_policy)).toEqual(['secrets']);
    expect((await platform(['audit', 'verify'])).out).toBe('3 rows: the chain holds');
    expect((await platform(['tenants', 'get', '00000000-0000-0000-0000-000000000000'])).code).toBe(4);
    expect((await platform(['check', 'bob'])).code).not.toBe(0);
    expect((await platform(['logout'])).code).toBe(0);
    expect((await platform(['whoami'])).code).toBe(3);
  });

  it('limits keys and accounts to scopes, and replaces the key of an account', async () => {
    expect((await platform(['users', 'create', 'carol', 'carol@example.org'])).code).toBe(0);
    expect((await platform(['login', 'carol'])).code).toBe(0);
    const { id } = await json<{ id: string }>(['tenants', 'create', 'carols']);
    expect((await platform(['tenants', 'mine'])).out).toContain(id);
    expect((await platform(['login', 'carol', '--tenant', 'carols'])).code).toBe(0);

    const key = await json<{ api_key: string }>(['api-keys', 'create', '--scope', 'check', 'explain']);
    expect((await platform(['tenants', 'mine'], { PLATFORM_TOKEN: key.api_key })).code).toBe(4);
    const account = await json<{ service_account_id: string; token: string }>([
      'service-accounts',
      'create',
      'ci',
      '--scope',
      'read',
    ]);
    const rotate = ['service-accounts', 'rotate-key', account.service_account_id];
    const rotated = await json<{ token: string }>(rotate);
    const whoami = async (token: string) => (await platform(['whoami'], { PLATFORM_TOKEN: token })).code;
    expect([await whoami(account.token), await whoami(rotated.token)]).toEqual([3, 0]);
    expect((await platform(rotate, { PLATFORM_TOKEN: rotated.token })).code).toBe(4);
  });
});
