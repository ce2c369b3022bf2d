import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as authzClient from '@platform/authz-client';
import { startFleet, type Fleet } from './service.fixture.ts';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const PLANS_PAGE = readFileSync(new URL('../../../libs/authz-client/docs/plans.md', import.meta.url), 'utf8');
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const DIST = join(ROOT, 'dist');

/** The README's code blocks in order, of the chapter that a newcomer follows. */
function readBlocks(): string[] {
  const chapter = README.slice(
    README.indexOf('## The first ten minutes'),
    README.indexOf('## From a program'),
  );
  return [...chapter.matchAll(/```(?:sh|yaml)\n([\s\S]*?)```/g)].map(([, block]) => block as string);
}

/** Every line of the README's first ten minutes, typed as it stands, with the ids that it says to fill in. */
describe('the first ten minutes', () => {
  let fleet: Fleet;
  let folder: string;
  beforeAll(async () => {
    fleet = await startFleet('embedded');
    folder = mkdtempSync(join(tmpdir(), 'readme-'));
    symlinkSync(DIST, join(folder, 'dist'));
  });
  afterAll(async () => {
    await fleet?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('the lines of the first ten minutes work as printed', async () => {
    const [first, policies, second, rest, ...more] = readBlocks() as [string, string, string, string];
    expect(more).toEqual([]);
    const setup = first.split('\n').filter((line) => /^(alias|export) /.test(line));
    expect(setup).toHaveLength(2);

    async function type(line: string): Promise<{ code: number; out: string }> {
      const shell = spawn('bash', ['-c', ['shopt -s expand_aliases', ...setup, line].join('\n')], {
        cwd: folder,
        env: {
          PATH: process.env['PATH'] ?? '',
          PLATFORM_ADDRESS: `127.0.0.1:${fleet.replicas[0]?.service.grpcPort}`,
          PLATFORM_CONFIG: join(folder, 'config.json'),
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let out = '';
      for (const stream of [shell.stdout, shell.stderr]) {
        stream.on('data', (chunk: Buffer) => (out += chunk.toString()));
      }
      const [code] = (await once(shell, 'close')) as [number];
      return { code, out: out.trimEnd() };
    }

    const commands = (block: string) =>
      block.split('\n').filter((line) => /\bplatform /.test(line) && !line.startsWith('alias'));
    const outputs = new Map<string, string>();
    /**
     * Types the line; what the README says about its end must be so, and nothing said means that it succeeds.
     */
    async function follow(line: string): Promise<string> {
      const said = /# (?<word>\w+), exit code (?<code>\d)/.exec(line)?.groups;
      const { code, out } = await type(line);
      expect([line, code, out]).toEqual([
        line,
        Number(said?.['code'] ?? (/ explain /.test(line) ? 1 : 0)),
        out,
      ]);
      if (said?.['word'] === 'allowed' || said?.['word'] === 'denied') expect(out).toBe(said['word']);
      outputs.set(line.split(' #')[0]?.trim() as string, out);
      return out;
    }

    for (const line of commands(first)) await follow(line);
    const created = outputs.get('platform tenants create acme') as string;
    const domain = /root domain (\S+)$/.exec(created)?.[1] as string;
    const alice = (await follow('platform whoami')).split(' ')[1] as string;
    const kept = await follow(`platform policies get --domain ${domain}`);
    const root = /root-access.*?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/s.exec(kept)?.[1] as string;
    writeFileSync(
      join(folder, 'policies.yaml'),
      policies.replaceAll('DOMAIN', domain).replaceAll('ALICE', alice).replaceAll('ROOT', root),
    );

    let [keyId, key] = ['', ''];
    for (const line of commands(second)) {
      const filled = line.replaceAll('DOMAIN', domain).replace('<key id>', keyId).replace('<key>', key);
      const out = await follow(filled);
      if (line.startsWith('platform api-keys create')) [keyId, key] = out.split('\n') as [string, string];
    }
    expect(outputs.get('platform policies test policies.yaml')).toContain('1 passed, 0 failed');
    const explained = outputs.get(`platform explain bob read docs/secret-plan`);
    expect(explained).toContain('● secrets (deny)');
    const tail = (outputs.get('platform audit tail') as string).split('\n').slice(1);
    // The other rows are of logins and changes: three checks, and what three searches listed.
    expect(tail.filter((row) => row.includes(`svc://${domain}/docs/`))).toHaveLength(3 + 4);
    expect(outputs.get('platform search resources bob read')).toBe(`svc://${domain}/docs/plan`);
    const readers = outputs.get('platform search subjects read docs/plan') as string;
    // Subjects come in the order of their ids, which are random.
    const named = (id: string) => (id === alice ? `${id} (alice)` : id);
    expect(readers.split('\n')).toEqual([alice, root].toSorted().map(named));
    expect(outputs.get('platform search actions bob docs/plan')).toBe('read');
    expect(outputs.get('platform plan bob read')).toContain(
      `not object is like "svc://${domain}/docs/secret-*"`,
    );
    const names = outputs.get('platform plan bob read --names-only');
    expect(names).toContain(`svc://${domain}/docs/`);
    expect(names).not.toContain('secret');

    const { contexts } = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')) as {
      contexts: Record<string, { token: string }>;
    };
    const curl = rest
      .replace('http://127.0.0.1:8081', fleet.httpUrl)
      .replaceAll('DOMAIN', domain)
      .replace('$TOKEN', contexts['default']?.token as string);
    expect(await type(curl)).toEqual({ code: 0, out: '{"allowed":true}' });

    const address = `127.0.0.1:${fleet.replicas[0]?.service.grpcPort}`;
    const token = contexts['default']?.token;
    const [, program = '', said] = /```js\n([\s\S]*?)^\/\/ (\{.*\})\n```/m.exec(README) ?? [];
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', program.replace('127.0.0.1:50051', address)],
      { cwd: ROOT, env: { TOKEN: token, OBJECT: `svc://${domain}/docs/plan` } },
    );
    expect(stdout.trim()).toBe(said);

    const [, plan = '', printed] =
      /```js\nimport \{[^}]*\} from '@platform\/authz-client';\n([^#]*?)```\n\nprints\n\n```text\n(.*?)\n```/s.exec(
        PLANS_PAGE,
      ) ?? [];
    const lines: string[] = [];
    await runInNewContext(`(async () => {${plan.replace('127.0.0.1:50051', address)}})()`, {
      ...authzClient,
      console: { log: (...values: unknown[]) => lines.push(format(...values)) },
      process: { env: { TOKEN: token, DOMAIN: domain } },
    });
    expect(lines.join('\n').replaceAll(domain, 'DOMAIN')).toBe(printed);
  });
});
