import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT_PASSWORD, startBuiltService, type BuiltProcess } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { exitCodeOf } from '../src/exit-codes.ts';
import { buildProgram } from '../src/program.ts';

describe('platform bundle', () => {
  let folder: string;
  let service: BuiltProcess;
  const env: Record<string, string> = { PLATFORM_PASSWORD: 'correct horse battery staple' };
  const file = (name: string) => join(folder, name);
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'platform-bundle-'));
    service = await startBuiltService('authz-grpc', {
      AUTHZ_ROOT_PASSWORD: ROOT_PASSWORD,
    });
    env['PLATFORM_ADDRESS'] = `127.0.0.1:${service.ports['grpc_port']}`;
    env['PLATFORM_CONFIG'] = file('config.json');
    for (const args of [
      ['users', 'create', 'ann', 'ann@example.org'],
      ['login', 'ann'],
      ['tenants', 'create', 'acme'],
      ['use', '--tenant', 'acme'],
      ['domains', 'create', 'projects', '--detached'],
      ['use', '--domain', 'projects'],
    ])
      expect([args, await platform(args)]).toMatchObject([args, { code: 0 }]);
    writeFileSync(
      file('policies.yaml'),
      'policies:\n  - name: readers\n    engine: regex\n    statements:\n      - rules: { subject: ^(alice|bob)$, action: ^read$ }\n',
    );
    expect(await platform(['policies', 'put', file('policies.yaml')])).toMatchObject({ code: 0 });
  });
  afterAll(async () => {
    await service?.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  async function platform(args: string[]) {
    const out: string[] = [];
    let code = 0;
    const terminal = {
      env,
      out: (text: string) => void out.push(text),
      setExitCode: (value: number) => (code = value),
    };
    await buildProgram(terminal)
      .configureOutput({ writeErr: () => undefined })
      .parseAsync(args, { from: 'user' })
      .catch((error: unknown) => {
        code = exitCodeOf(error);
        out.push(String(error));
      });
    return { code, out: out.join('\n') };
  }
  const url = () => `http://127.0.0.1:${service.ports['http_port']}`;

  it('a bundle is fetched, verified and decided by, also without the service', async () => {
    covers('AUTHZ-BUNDLE.10');
    const fetched = await platform(['bundle', 'fetch', file('b.json'), '--url', url()]);
    expect(fetched).toMatchObject({ code: 0, out: expect.stringContaining('1 policy of 1 domain') });
    expect(await platform(['bundle', 'verify', file('b.json')])).toMatchObject({ code: 0 });
    const keys = await fetch(`${url()}/.well-known/jwks.json`);
    writeFileSync(file('keys.json'), await keys.text());
    const check = (subject: string, action: string) =>
      platform(['bundle', 'check', file('b.json'), subject, action, 'a/b', '--keys', file('keys.json')]);
    expect(await check('alice', 'read')).toEqual({ code: 0, out: 'allowed by policy `readers`' });
    expect(await check('alice', 'write')).toEqual({ code: 1, out: 'denied' });
    expect(await check('', 'read')).toMatchObject({ code: 1, out: expect.stringContaining('refused: ') });
  });

  it('a decision of a bundle by a policy of another domain names that domain', async () => {
    covers('AUTHZ-CLI.53');
    const json = async (args: string[]) =>
      JSON.parse((await platform(['--json', ...args])).out) as Record<string, string>;
    const { user_id: ann = '' } = await json(['whoami']);
    const root = await json(['use', '--domain', 'root']);
    await platform(['use', '--domain', 'projects']);
    await platform(['domains', 'create', 'below']);
    await platform(['policies', 'put', file('policies.yaml'), '--domain', 'below']);
    await platform(['bundle', 'fetch', file('below.json'), '--url', url(), '--domain', 'below']);
    const { out } = await platform(['bundle', 'check', file('below.json'), ann, 'write', 'a']);
    expect(out).toBe(`allowed by policy \`starter\` of domain \`${root['domain_id']}\``);
  });

  it('a key of a service account fetches a bundle, and the key of a user is told what REST takes', async () => {
    covers('AUTHZ-BUNDLE.25');
    const json = async (args: string[]) =>
      JSON.parse((await platform(['--json', ...args])).out) as Record<string, string>;
    const account = await json(['service-accounts', 'create', 'ci']);
    const { domains } = (await json(['domains', 'list'])) as unknown as { domains: Record<string, string>[] };
    const root = domains.find(({ name }) => name === 'root')?.['id'] ?? JSON.stringify(domains);
    const object = `svc://${root}/domains/**`;
    const reader = `  - name: ci reads\n    engine: glob\n    statements:\n      - rules: { subject: ${account['service_account_id']}, action: read, object: '${object}' }\n`;
    const { out: present } = await platform(['policies', 'get', '--domain', root]);
    writeFileSync(file('root.yaml'), `${present}\n${reader}`);
    const put = await platform(['policies', 'put', file('root.yaml'), '--domain', root]);
    expect([put, present, reader]).toMatchObject([{ code: 0 }, present, reader]);
    const key = await json(['api-keys', 'create']);
    const { domain_id: domain = '' } = await json(['use', '--domain', 'projects']);
    const fetchWith = async (token: string) => {
      env['PLATFORM_TOKEN'] = token;
      const ran = await platform(['bundle', 'fetch', file('k.json'), '--url', url(), '--domain', domain]);
      delete env['PLATFORM_TOKEN'];
      return ran;
    };
    expect(await fetchWith(account['token']!)).toMatchObject({ code: 0 });
    expect(await fetchWith(key['api_key']!)).toMatchObject({
      code: 3,
      out: expect.stringMatching(/REST takes no API keys/),
    });
  });

  it('attributes of the subject are given to a bundle, or that there are none', async () => {
    covers('AUTHZ-BUNDLE.24');
    const named = file('attributes.yaml');
    writeFileSync(
      named,
      'policies:\n  - name: team\n    engine: fixed\n    statements:\n      - rules: { action: read, user.team: red, floor: "2" }\n',
    );
    await platform(['domains', 'create', 'teams', '--detached']);
    await platform(['policies', 'put', named, '--domain', 'teams']);
    await platform(['bundle', 'fetch', file('t.json'), '--url', url(), '--domain', 'teams']);
    const check = (...more: string[]) =>
      platform(['bundle', 'check', file('t.json'), 'alice', 'read', 'a', ...more]);
    const allowed = { code: 0, out: 'allowed by policy `team`' };
    expect(await check('floor=2', '--attribute', 'team=red')).toEqual(allowed);
    expect(await check('floor=2', '--attribute', 'team=blue', 'team=red')).toEqual(allowed);
    expect(await check('floor=2', '--attribute', 'team=blue')).toEqual({ code: 1, out: 'denied' });
    expect(await check('floor=2', '--no-attributes')).toEqual({ code: 1, out: 'denied' });
    expect(await check('floor=2')).toEqual({
      code: 1,
      out: 'refused: policies name attributes of the subject: add --attribute <key=value>, or --no-attributes',
    });
    expect(await check('floor=2', 'user.team=red')).toEqual({
      code: 2,
      out: 'UsageError: `user.team` is an attribute that the service keeps: write --attribute team=red',
    });
    expect(await check('--no-attributes', '--attribute', 'team=red')).toMatchObject({
      out: expect.stringContaining('cannot be used with'),
    });
  });

  it('a file that was changed or is no bundle is refused with the reason', async () => {
    covers('AUTHZ-BUNDLE.10', 'AUTHZ-BUNDLE.7');
    await platform(['bundle', 'fetch', file('b.json'), '--url', url()]);
    writeFileSync(file('changed.json'), readFileSync(file('b.json'), 'utf8').replace('alice', 'mallory'));
    writeFileSync(file('none.json'), 'nonsense');
    const refused = await platform([
      '--json',
      'bundle',
      'check',
      file('changed.json'),
      'mallory',
      'read',
      'a',
    ]);
    expect([refused.code, JSON.parse(refused.out)]).toMatchObject([
      1,
      { valid: false, code: 'bad_signature' },
    ]);
    expect(await platform(['bundle', 'verify', file('none.json')])).toMatchObject({ code: 1 });
    expect(await platform(['bundle', 'verify', file('absent.json')])).toMatchObject({ code: 2 });
  });

  it('a bundle that is not given out, or without an address, ends with the code of the reason', async () => {
    covers('AUTHZ-BUNDLE.10');
    const foreign = ['--domain', '3d0e1a2b-0000-4000-8000-0000000000ab'];
    const codes = [
      await platform(['bundle', 'fetch', file('x.json')]),
      await platform(['bundle', 'fetch', file('x.json'), '--url', url(), ...foreign]),
      await platform(['bundle', 'fetch', file('x.json'), '--url', 'http://127.0.0.1:1']),
    ].map(({ code }) => code);
    expect(codes).toEqual([2, 4, 8]);
  });
});
