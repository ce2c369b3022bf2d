import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Server, ServerCredentials, status, type handleUnaryCall } from '@grpc/grpc-js';
import { AuthorizationServiceService } from '@platform/proto/authz/v1/authorization';
import { DomainServiceService } from '@platform/proto/authz/v1/domain';
import { AUTHZ_SETTINGS, ROOT_PASSWORD, startBuiltService, type BuiltProcess } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { exitCodeOf } from '../src/exit-codes.ts';
import { errorText } from '../src/output.ts';
import { buildProgram } from '../src/program.ts';

/** The README's first ten minutes, against the service as a process of its own. */
describe('platform', () => {
  let folder: string;
  let service: BuiltProcess;
  const env: Record<string, string> = { PLATFORM_PASSWORD: 'correct horse battery staple' };
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'platform-'));
    service = await startBuiltService('authz-grpc', {
      ...AUTHZ_SETTINGS,
    });
    env['PLATFORM_ADDRESS'] = `127.0.0.1:${service.ports['grpc_port']}`;
    env['PLATFORM_CONFIG'] = join(folder, 'config.json');
  });
  afterAll(async () => {
    await service.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  async function platform(
    args: string[],
    more: Record<string, string> = {},
    confirm?: (question: string) => Promise<boolean>,
  ) {
    const out: string[] = [];
    let code = 0;
    const terminal = {
      env: { ...env, ...more },
      out: (text: string) => void out.push(text),
      setExitCode: (value: number) => (code = value),
      ...(confirm === undefined ? {} : { confirm }),
    };
    await buildProgram(terminal)
      .configureOutput({ writeErr: () => undefined })
      .parseAsync(args, { from: 'user' })
      .catch((error: unknown) => (code = exitCodeOf(error)));
    return { code, out: out.join('\n') };
  }
  /** What the command says on standard error. */
  async function complaint(args: string[]): Promise<string> {
    const terminal = { env, out: () => {}, setExitCode: () => {} };
    const error = await buildProgram(terminal)
      .parseAsync(args, { from: 'user' })
      .catch((reason: unknown) => reason);
    return errorText(error, false);
  }
  const json = async <T>(args: string[]) => JSON.parse((await platform(['--json', ...args])).out) as T;

  it.each([[['whoami']], [['login', 'alice']]])(
    'platform names the address that does not respond to %j',
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
        /^Error: no response from 127\.0\.0\.1:1; start the service, or choose another with --address or PLATFORM_ADDRESS$/,
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
      expect(String(error)).toMatch(/^GrpcCallError: the credential has characters that no token has/);
      expect(String(error)).not.toContain(token);
      expect(exitCodeOf(error)).toBe(3);
    }
  });

  it('platform writes a policy set for as long as the service may take over it', async () => {
    const deadlines: number[] = [];
    const server = new Server();
    const note: handleUnaryCall<unknown, unknown> = (call, callback) => {
      deadlines.push(Number(call.getDeadline()));
      callback({ code: status.ABORTED });
    };
    const none: handleUnaryCall<unknown, unknown> = (_call, callback) =>
      callback(null, { policies: [], version: 1n });
    server.addService(DomainServiceService, { getDomainPolicies: none, putDomainPolicies: note });
    const valid: handleUnaryCall<unknown, unknown> = (call, callback) => {
      deadlines.push(Number(call.getDeadline()));
      callback(null, { errors: [], warnings: [] });
    };
    server.addService(AuthorizationServiceService, { validatePolicies: valid, testPolicies: note });
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
    const place = ['--domain', randomUUID(), '--tenant', randomUUID()];
    const codes: number[] = [];
    for (const args of [
      ['validate', file, ...place],
      ['test', file],
      ['put', file, ...place],
    ])
      codes.push((await platform(['policies', ...args], there)).code);
    expect(codes).toEqual([0, 6, 6]);
    server.forceShutdown();
    expect(deadlines.map((deadline) => deadline > begun + workAndWaitMs)).toEqual([true, true, true, true]);
  });

  it('platform leads a user from an empty service to a refused key', async () => {
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
    const locking = join(folder, 'locking.yaml');
    writeFileSync(locking, 'policies: []');
    const judged = await platform(['policies', 'validate', locking]);
    expect([judged.code, judged.out]).toEqual([1, expect.stringContaining('error LOCKOUT')]);
    expect((await platform(['policies', 'put', locking])).code).toBe(6);
    expect((await platform(['policies', 'test', file])).out).toContain('2 passed, 0 failed');
    const diff = await platform(['policies', 'diff', file, '--domain', domain]);
    expect(diff.code).toBe(1);
    expect(diff.out.split('\n').filter((line) => !line.startsWith(' '))).toEqual([
      '+ readers',
      '+ secrets',
      '- root-access',
      '~ starter',
    ]);
    const leaves = '1 policy leaves the set: `root-access`';
    const dryRun = await platform(['policies', 'put', file, '--dry-run']);
    expect([dryRun.code, dryRun.out.split('\n').slice(-2)]).toEqual([
      1,
      [`error: ${leaves}`, 'nothing written'],
    ]);
    expect((await platform(['policies', 'put', file, '--dry-run', '--yes'])).code).toBe(0);
    expect(await complaint(['policies', 'put', file])).toBe(
      `platform: ${leaves}: nothing was written; add --yes to write it all the same`,
    );
    const asked: string[] = [];
    const confirm = async (question: string) => asked.push(question) === 0;
    expect(await platform(['policies', 'put', file], {}, confirm)).toEqual({ code: 2, out: '' });
    covers('AUTHZ-C.8', 'AUTHZ-C.9');
    expect(asked).toEqual([expect.stringMatching(/- root-access\n[^]*\. Write it\?$/)]);
    const put = await platform(['policies', 'put', file], {}, async () => true);
    expect([put.code, put.out]).toEqual([0, expect.stringContaining('~ starter')]);
    expect(put.out.split('\n').at(-1)).toBe('3 policies written, version 2');
    const again = await platform(['policies', 'put', file]);
    expect(again.code).toBe(0);
    expect(again.out).toMatch(/^no difference\n(?:.*\n)*nothing changed, version 2 stays$/);
    expect((await platform(['policies', 'diff', file, '--domain', domain])).code).toBe(0);

    const check = (path: string, more = {}) =>
      platform(['check', 'bob', 'read', `docs/${path}`, 'group=a', 'group=b'], more);
    expect(await check('plan')).toEqual({ code: 0, out: 'allowed' });
    expect(await check('secret-plan')).toEqual({ code: 1, out: 'denied' });
    const explained = await platform(['explain', 'bob', 'read', `svc://${domain}/docs/secret-plan`]);
    expect(explained.out).toContain('denied: policy `secrets` denies it\n');
    expect(explained.out).toContain('● secrets (deny)');
    expect(explained.out).toContain('○ starter (allow): `subject` does not match ("bob")');

    expect((await platform(['explain', 'bob', 'write', 'docs/plan'])).out.split('\n')[0]).toBe(
      'denied: no policy allows it; nearest: policy `readers`, `action` does not match',
    );

    const { check_id } = await json<{ check_id: string }>([
      'check',
      'bob',
      'read',
      'docs/secret-plan',
      'ip=::1',
    ]);
    const past = await platform(['explain', '--at', check_id]);
    expect([past.code, past.out]).toEqual([1, explained.out]);
    expect((await platform(['explain', 'bob', '--at', check_id])).code).toBe(2);
    expect((await platform(['explain', 'bob', 'read'])).code).toBe(2);

    const key = await json<{ key_id: string; api_key: string }>(['api-keys', 'create']);
    const withKey = { PLATFORM_TOKEN: key.api_key };
    expect((await check('plan', withKey)).code).toBe(0);
    expect((await platform(['api-keys', 'delete', key.key_id])).code).toBe(0);
    expect((await check('plan', withKey)).code).toBe(3);

    const tail = await json<{ events: { matched_policy: string }[] }>(['audit', 'tail', '--denied']);
    expect(tail.events.map(({ matched_policy }) => matched_policy)).toEqual(['secrets', 'secrets']);
    expect((await platform(['audit', 'verify'])).out).toMatch(/^\d+ rows: the chain holds$/);
    const followed: string[] = [];
    let began = (): void => undefined;
    const hasBegun = new Promise<void>((resolve) => (began = resolve));
    const out = (text: string) => {
      followed.push(text);
      began();
      // As Ctrl-C does.
      if (followed.length === 2) throw new Error('interrupted');
    };
    const following = buildProgram({ env, out, setExitCode: () => {} })
      .parseAsync(['audit', 'tail', '--limit', '1', '--follow'], { from: 'user' })
      .catch(String);
    await hasBegun;
    await platform(['check', 'bob', 'read', 'docs/followed']);
    expect(await following).toBe('Error: interrupted');
    expect(followed[1]).toContain('docs/followed');
    const changes = await platform(['audit', 'tail', '--kind', 'change', '--operation', 'DeleteApiKey']);
    expect(changes.out).toMatch(/ done .* DeleteApiKey .*api-keys/);
    expect((await platform(['tenants', 'get', '00000000-0000-0000-0000-000000000000'])).code).toBe(4);
    expect((await platform(['check', 'bob'])).code).not.toBe(0);
    expect((await platform(['logout'])).code).toBe(0);
    expect((await platform(['whoami'])).code).toBe(3);
    const unknown = ['check', 'bob', 'read', `svc://${domain}/docs/plan`];
    expect((await platform(unknown)).code).toBe(3);
    expect(await complaint(unknown)).toContain('run `platform login alice`');
  });

  it('platform manages domains, members and attributes by name, and finds what is wrong', async () => {
    expect((await platform(['users', 'create', 'dora', 'dora@example.org'])).code).toBe(0);
    const erin = (await platform(['users', 'create', 'erin', 'erin@example.org'])).out;
    expect((await platform(['doctor'])).code).toBe(1);
    await platform(['login', 'dora']);
    const { id } = await json<{ id: string }>(['tenants', 'create', 'doras']);
    expect((await platform(['use', '--tenant', 'doras'])).out).toContain(`tenant ${id}`);
    expect((await platform(['doctor'])).code).toBe(0);
    const made = (await platform(['domains', 'create', 'projects'])).out;
    expect((await platform(['domains', 'list'])).out).toContain(made);
    expect((await platform(['use', '--domain', 'projects'])).out).toContain(`domain ${made}`);
    covers('AUTHZ-CLI.14');
    const again = await platform(['login', 'dora', '--tenant', 'doras']);
    expect(again.out).toBe(`logged in as dora (context default, domain ${made})`);
    const check = ['check', (await json<{ user_id: string }>(['whoami'])).user_id, 'read', 'plan'];
    expect(await platform(check)).toEqual({ code: 0, out: 'allowed' });
    expect((await json<{ events: { object: string }[] }>(['audit', 'tail'])).events[0]?.object).toBe(
      `svc://${made}/plan`,
    );
    expect((await platform(['audit', 'tail'])).out).toContain('allowed');
    covers('AUTHZ-CLI.21');
    // The manager of a tenant may look up its members alone.
    for (const stranger of ['erin', 'erin@example.org', 'nobody'])
      expect(await complaint(['members', 'add', stranger])).toContain(
        `there is no user \`${stranger}\`, or you may not look them up: give their id, which \`platform whoami\` prints to them`,
      );
    expect((await platform(['members', 'add', erin])).code).toBe(0);
    expect((await platform(['members', 'list'])).out).toContain('erin');
    expect((await platform(['attributes', 'set', 'erin', 'team', 'red', 'blue'])).code).toBe(0);
    expect((await platform(['attributes', 'list', erin])).out).toMatch(/team +(red blue|blue red)/);
    expect((await platform(['attributes', 'remove', 'erin', 'team'])).code).toBe(0);
    expect((await platform(['users', 'get', 'erin'])).out).toContain(erin);
    expect((await platform(['members', 'remove', 'erin'])).code).toBe(0);
    const root = {
      PLATFORM_CONFIG: join(folder, 'root.json'),
      PLATFORM_PASSWORD: ROOT_PASSWORD,
    };
    expect((await platform(['login', 'root'], root)).code).toBe(0);
    for (const given of ['erin', 'erin@example.org']) {
      expect((await platform(['members', 'add', given, '--tenant', 'doras'], root)).code).toBe(0);
      expect((await platform(['members', 'remove', given, '--tenant', 'doras'], root)).code).toBe(0);
      expect((await platform(['api-keys', 'list', '--user', given], root)).code).toBe(0);
    }
    expect((await platform(['users', 'get', 'nobody'], root)).code).toBe(5);
    expect((await platform(['domains', 'delete', 'projects'])).code).toBe(0);
    expect((await platform(['tenants', 'get', 'doras'])).out).toContain('control_plane');
    expect((await platform(['signing-keys', 'list'])).out).toContain('now');
    expect((await platform(['tenants', 'refresh'])).code).toBe(4);

    const locking = join(folder, 'locking.yaml');
    writeFileSync(locking, 'policies: []\n');
    await platform(['use', '--domain', 'root']);
    const refused = await platform(['policies', 'put', locking, '--dry-run']);
    expect([refused.code, refused.out]).toEqual([1, expect.stringContaining('error LOCKOUT')]);
    const forced = await platform(['policies', 'put', locking, '--dry-run', '--allow-lockout', '--yes']);
    expect([forced.code, forced.out]).toEqual([0, expect.stringContaining('warning LOCKOUT')]);
    expect(await complaint(['policies', 'put', locking])).toContain('add `--allow-lockout`');
    expect((await platform(['policies', 'put', locking])).code).toBe(6);

    // A token from elsewhere brings its own tenant and user along.
    const key = await json<{ api_key: string }>(['api-keys', 'create']);
    const ci = { PLATFORM_TOKEN: key.api_key, PLATFORM_CONFIG: join(folder, 'none.json') };
    for (const args of [
      ['policies', 'get'],
      ['audit', 'tail'],
      ['service-accounts', 'list'],
      ['api-keys', 'list'],
    ])
      expect([args, (await platform(args, ci)).code]).toEqual([args, 0]);
    expect((await platform(['tenants', 'delete', 'doras'])).code).toBe(0);
  });

  describe('policies of a tenant', () => {
    let gina: string;
    let docs: string;
    /** The present set lets everyone read docs; the other lets nobody. */
    let file: string;
    let closed: string;
    /** What a diff says where the second takes the place of the first, and the reverse. */
    let gone: string;
    let come: string;
    beforeAll(async () => {
      expect((await platform(['users', 'create', 'gina', 'gina@example.org'])).code).toBe(0);
    });
    beforeEach(async () => {
      await platform(['login', 'gina']);
      gina = (await json<{ user_id: string }>(['whoami'])).user_id;
      const tenant = `ginas-${randomUUID()}`;
      const { domains } = await json<{ domains: { id: string }[] }>(['tenants', 'create', tenant]);
      await platform(['login', 'gina', '--tenant', tenant]);
      docs = `svc://${domains[0]?.id}/docs/`;
      const said = (sign: string) =>
        `${sign} readers\n    ${sign} engine: prefix\n    ${sign} statement: action: read, object: ${docs}`;
      [gone, come] = [said('-'), said('+')];
      file = fileOf('open.yaml', readers());
      closed = fileOf('closed.yaml');
      expect((await platform(['policies', 'put', file, '--yes', '--message', 'readers read'])).code).toBe(0);
    });
    const readers = () =>
      `  - { name: readers, engine: prefix, statements: [{ rules: { action: read, object: '${docs}' } }] }`;
    const fileOf = (name: string, ...policies: string[]) => {
      const path = join(folder, name);
      const starter = `  - { name: starter, engine: fixed, statements: [{ rules: { subject: ${gina} } }] }`;
      writeFileSync(path, ['policies:', starter, ...policies, ''].join('\n'));
      return path;
    };

    it('platform plans a change, and decides recorded checks by it', async () => {
      covers('AUTHZ-C.3', 'AUTHZ-C.5', 'AUTHZ-C.10');
      expect((await platform(['check', 'bob', 'read', 'docs/plan'])).code).toBe(0);
      expect((await platform(['check', 'gina', 'write', 'docs/plan'])).code).toBe(1);
      const planned = await platform(['policies', 'plan', closed, '--since', '7d']);
      expect(planned.code).toBe(1);
      expect(planned.out.split('\n')).toEqual([
        `- readers allows requests whose \`action\` begins with \`read\` and \`object\` begins with \`${docs}\``,
        expect.stringMatching(
          /^ {4}\S+ read\S* svc:\S+\/docs\/\S+: allowed by `readers`, then denied, as no policy allows it$/,
        ),
        '1 statement changes decisions, 0 without effect, 0 not decided',
        '2 recorded checks: 1 subject loses 1 object (1 check), 0 gain',
        `    bob read ${docs}plan: allowed by \`readers\`, then denied, as no policy allows it`,
      ]);
      const writes = fileOf(
        'writes.yaml',
        readers(),
        `  - { name: writers, deny: true, engine: fixed, statements: [{ rules: { action: write, subject: ${gina} } }] }`,
      );
      expect((await platform(['policies', 'plan', writes])).out).toContain(`\`${gina}\` (gina)`);
      const same = await platform(['policies', 'plan', file]);
      expect(same).toEqual({ code: 0, out: 'no difference' });
      const replayed = await platform(['policies', 'replay', closed, '--since', '1h']);
      expect([replayed.code, replayed.out.split('\n')[0]]).toEqual([
        1,
        '2 recorded checks: 1 subject loses 1 object (1 check), 0 gain',
      ]);
      expect((await platform(['policies', 'replay', file, '--since', '2026-01-31'])).code).toBe(0);
      expect((await platform(['policies', 'replay', file, '--since', 'soon'])).code).toBe(2);
      const later = await platform(['policies', 'replay', file, '--since', '9999-01-01']);
      expect(later.code).toBe(2);
    });

    it('a plan of more statements without effect than it lists ends with exit code 1 where one has an effect', async () => {
      covers('AUTHZ-CLI.74');
      const bob = `  - { name: bob, engine: fixed, statements: [{ rules: { subject: bob } }] }`;
      const grants = Array.from({ length: 1_000 }, (_, n) => `{ rules: { subject: bob, action: a${n} } }`);
      const single = `  - { name: tidied, engine: fixed, statements: [${grants.join(', ')}] }`;
      const pattern = `  - { name: tidied, engine: prefix, statements: [{ rules: { action: r } }] }`;
      await platform(['policies', 'put', fileOf('single.yaml', bob, single), '--yes']);
      const planned = await platform(['policies', 'plan', fileOf('pattern.yaml', bob, pattern)]);
      expect([planned.code, planned.out.split('\n').slice(-2)]).toEqual([
        1,
        [
          'not listed: 0 statements change decisions, 1 without effect, 0 not decided',
          '1 statement changes decisions, 1000 without effect, 0 not decided',
        ],
      ]);
      const same = await platform(['policies', 'plan', fileOf('bob.yaml', bob)]);
      expect([same.code, same.out.split('\n').at(-1)]).toEqual([
        0,
        '0 statements change decisions, 1000 without effect, 0 not decided',
      ]);
    });

    it('platform lists the versions of a set and who changed what, by names', async () => {
      covers('AUTHZ-C.1', 'AUTHZ-C.10');
      expect((await platform(['policies', 'put', closed, '--yes'])).code).toBe(0);
      const history = await json<{ versions: { version: number; message: string }[] }>([
        'policies',
        'history',
      ]);
      expect(history.versions.map(({ version, message }) => [version, message])).toEqual([
        [3, ''],
        [2, 'readers read'],
        [1, ''],
      ]);
      expect((await platform(['policies', 'history', '--limit', '1'])).out).toMatch(/^VERSION .*\n3 /);
      const wide = (await platform(['policies', 'history', '--wide'])).out;
      expect(wide).toMatch(new RegExp(`^VERSION .* AUTHOR +AUTHOR_ID .*\\n3 .* gina +${gina} `));
      expect((await platform(['policies', 'history'])).out).not.toContain(gina);
      const changes = ['audit', 'tail', '--kind', 'change'];
      expect((await platform(changes)).out).toMatch(/ done +gina +PutDomainPolicies /);
      expect((await platform([...changes, '--wide'])).out).toMatch(` ${gina} `);
      expect((await platform(changes)).out).toMatch(/ domains\/[^/ ]*[^/ 0-9a-f-][^/ ]*\/policies /);
      expect((await platform([...changes, '--subject', 'gina'])).out).toBe(
        (await platform([...changes, '--subject', gina])).out,
      );
      expect((await platform([...changes, '--subject', 'gina'])).out).toMatch(/ gina +PutDomainPolicies /);
      expect((await platform(['policies', 'show', '2'])).out).toMatch(
        /^# version 2, written .* by gina: readers read\npolicies:\n/,
      );
      expect((await platform(['policies', 'show', '9'])).code).toBe(5);
    });

    it('platform compares versions with one another and with a file', async () => {
      covers('AUTHZ-C.1');
      expect((await platform(['policies', 'put', closed, '--yes'])).code).toBe(0);
      expect((await platform(['policies', 'diff', '--from', '2', '--to', '3'])).out).toBe(gone);
      expect((await platform(['policies', 'diff', '--from', '2'])).out).toBe(gone);
      expect((await platform(['policies', 'diff', file, '--from', '2'])).code).toBe(0);
      expect((await platform(['policies', 'diff', file, '--to', '2'])).code).toBe(2);
      expect((await platform(['policies', 'diff'])).code).toBe(2);
    });

    it('platform goes back to the set of a version, and says which policies leave', async () => {
      covers('AUTHZ-C.2', 'AUTHZ-C.9', 'AUTHZ-CLI.12');
      expect((await platform(['policies', 'put', closed, '--yes'])).code).toBe(0);
      expect((await platform(['check', 'bob', 'read', 'docs/plan'])).code).toBe(1);
      const tried = await platform(['policies', 'rollback', '2', '--dry-run']);
      expect(tried.out).toBe(`${come}\nnothing written`);
      const back = await platform(['policies', 'rollback', '2', '--message', 'they need it']);
      expect(back.out).toBe(`${come}\nback to the set of version 2, version 4`);
      const repeated = await platform(['policies', 'rollback', '2']);
      expect(repeated.out).toBe('no difference\nnothing changed, version 4 stays');
      expect((await platform(['policies', 'rollback', '2', '--expected-version', '3'])).code).toBe(6);
      const leaving = await platform(['policies', 'rollback', '3']);
      expect([leaving.code, leaving.out]).toEqual([2, gone]);
      const leave = ['policies', 'rollback', '3', '--dry-run'];
      const leavingTried = await platform(leave);
      const leaves = 'error: 1 policy leaves the set: `readers`';
      expect([leavingTried.code, leavingTried.out]).toEqual([1, `${gone}\n${leaves}\nnothing written`]);
      expect(JSON.parse((await platform(['--json', ...leave])).out)).toMatchObject({ refusals: [leaves] });
      expect((await platform(['check', 'bob', 'read', 'docs/plan'])).code).toBe(0);
    });

    it('platform tries a set as a shadow of the present one, and promotes it', async () => {
      covers('AUTHZ-C.9', 'AUTHZ-C.10');
      const shadow = (...more: string[]) => platform(['policies', 'shadow', ...more]);
      expect((await shadow('show')).code).toBe(5);
      expect((await shadow('put', closed, '--message', 'close docs')).out).toMatch(
        /^\d+ polic(?:y decides|ies decide) as shadow set 1$/,
      );
      expect((await platform(['check', 'bob', 'read', 'docs/plan'])).code).toBe(0);
      const shown = (await shadow('show')).out.split('\n');
      expect(shown[0]).toMatch(/^shadow set 1, written .* by gina: close docs$/);
      expect(shown[1]).toBe('against version 2: 0 agree, 0 would gain, 1 would lose, 0 not decided');
      expect(shown[2]).toMatch(
        /^ {4}bob loses read svc:.*\/docs\/plan: real `readers`, shadow no policy \(.*\)$/,
      );
      expect((await shadow('show', '--policies')).out).toMatch(/^policies:\n/);
      expect((await shadow('put', closed, '--expected-version', '0')).code).toBe(6);
      expect((await shadow('promote', '--yes', '--expected-version', '1')).code).toBe(6);
      expect((await shadow('promote', '--yes', '--expected-shadow-version', '2')).code).toBe(6);
      const unasked = await shadow('promote');
      expect([unasked.code, unasked.out]).toEqual([2, gone]);
      expect((await platform(['check', 'bob', 'read', 'docs/plan'])).code).toBe(0);
      expect((await shadow('promote', '--yes')).out).toBe(`${gone}\nshadow set 1 decides, version 3`);
      expect((await platform(['check', 'bob', 'read', 'docs/plan'])).code).toBe(1);
      expect((await shadow('put', closed)).code).toBe(0);
      expect((await shadow('promote')).out).toBe(
        'no difference\nnothing changed, version 3 stays; shadow set 2 has ended',
      );
      expect((await shadow('put', file)).code).toBe(0);
      expect((await shadow('stop', '--expected-version', '1')).code).toBe(6);
      expect((await shadow('stop', '--expected-version', '3')).out).toBe('the shadow set has ended');
      expect((await shadow('stop')).code).toBe(5);
    });
  });

  it('platform limits keys and accounts to scopes, and replaces the key of an account', async () => {
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
    const ofAccount = (command: string, ...more: string[]) =>
      platform(['service-accounts', command, 'svc:ci', ...more]);
    expect((await ofAccount('rotate-key')).code).toBe(0);
    expect(await whoami(rotated.token)).toBe(3);
    expect((await platform(['service-accounts', 'rotate-key', 'svc:nobody'])).code).toBe(2);
    expect((await ofAccount('update', '--deactivate')).code).toBe(0);
    expect((await ofAccount('delete')).code).toBe(0);
    expect((await platform(['service-accounts', 'list'])).out).not.toContain('svc:ci');
  });

  it('platform lets an operator set quotas and passwords, and suspend and resume a tenant', async () => {
    const frank = (await platform(['users', 'create', 'frank', 'frank@example.org'])).out;
    expect((await platform(['login', 'frank'])).code).toBe(0);
    const { id } = await json<{ id: string }>(['tenants', 'create', 'franks']);
    const quota = ['tenants', 'set-quota', 'franks', '--plane', 'data'];
    expect((await platform([...quota, '--calls', '20_000_000'])).code).toBe(4);
    const { api_key: key } = await json<{ api_key: string }>(['api-keys', 'create']);

    const root = {
      PLATFORM_PASSWORD: ROOT_PASSWORD,
      PLATFORM_CONFIG: join(folder, 'root.json'),
    };
    const asRoot = (...args: string[]) => platform(args, root);
    expect((await asRoot('login', 'root')).code).toBe(0);
    expect((await asRoot(...quota)).code).toBe(2);
    expect((await asRoot(...quota, '--calls', 'many')).code).toBe(2);
    expect(await asRoot(...quota, '--calls', '20_000_000')).toEqual({
      code: 0,
      out: 'data: 20000000 calls, 1000000 beyond them',
    });
    expect((await asRoot(...quota, '--overage', '7')).out).toBe('data: 20000000 calls, 7 beyond them');
    expect((await asRoot('tenants', 'get', 'franks')).out).toMatch(/franks[^]*control_plane[^]*20000000/);

    const again = { PLATFORM_PASSWORD: 'another password 5520', PLATFORM_CONFIG: join(folder, 'frank.json') };
    const set = await platform(['users', 'set-password', frank], {
      ...root,
      PLATFORM_NEW_PASSWORD: again.PLATFORM_PASSWORD,
    });
    expect(set.code).toBe(0);
    expect((await platform(['whoami'])).code).toBe(3);
    expect((await platform(['whoami'], { PLATFORM_TOKEN: key })).code).toBe(3);
    expect((await platform(['login', 'frank'])).code).toBe(3);
    expect((await platform(['login', 'frank', '--tenant', 'franks'], again)).code).toBe(0);
    const own = { ...again, PLATFORM_NEW_PASSWORD: 'a third password 8841' };
    expect((await platform(['users', 'set-password'], { ...own, PLATFORM_PASSWORD: 'wrong' })).code).not.toBe(
      0,
    );
    expect((await platform(['users', 'set-password'], own)).code).toBe(0);

    expect((await asRoot('tenants', 'suspend', id)).out).toBe('suspended');
    expect((await platform(['whoami'], again)).code).toBe(3);
    const login = ['login', 'frank', '--tenant', 'franks'];
    const third = { ...again, PLATFORM_PASSWORD: own.PLATFORM_NEW_PASSWORD };
    expect((await platform(login, third)).code).not.toBe(0);
    expect((await asRoot('tenants', 'resume', id)).out).toBe('resumed');
    expect((await platform(login, third)).code).toBe(0);
  });
});
