import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { IntrospectCredentialResponse } from '@platform/proto/authz/v1/session';
import { covers } from '@platform/testing/covers';
import { everyCommand, UUID } from './every-command.fixture.ts';
import { startEveryMethod } from './every-method.fixture.ts';
import { buildProgram } from './program.ts';

const idOf = (digit: string) => UUID.replaceAll('1', digit);
const TENANT = idOf('2');
const ROOT = idOf('3');
const CHOSEN = idOf('5');
const OTHER_ROOT = idOf('7');

/** Tokens, with what their introspection responds. */
const CREDENTIALS: Readonly<Record<string, object>> = {
  session: { tenantId: TENANT, rootDomainId: ROOT },
  key: { tenantId: TENANT, rootDomainId: ROOT },
  other: { tenantId: idOf('6'), rootDomainId: OTHER_ROOT },
};

/** Commands that work on no domain, or serve until they are ended. */
const OTHERS = new Set(['completion', 'console', 'mcp-guard', 'doctor', 'login', 'use', 'logout']);

let folder: string;
let server: Awaited<ReturnType<typeof startEveryMethod>>;
let rest: Server;
/** Domains that the service was asked about. */
let asked: Set<string>;

function record(text: string): void {
  for (const id of [ROOT, CHOSEN, OTHER_ROOT]) if (text.includes(id)) asked.add(id);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'domain-'));
  writeFileSync(join(folder, 'file'), 'policies: []\n');
  server = await startEveryMethod((method, request) => {
    if (method === 'introspectCredential') {
      const { credential } = request as { credential: string };
      const rest = { live: true, subjectId: UUID, username: 'ann', expiresAt: 4_000_000_000n };
      return IntrospectCredentialResponse.fromPartial({ ...rest, ...CREDENTIALS[credential] });
    }
    const plain = (_key: string, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value instanceof Map ? [...value] : value;
    record(JSON.stringify(request, plain));
    return undefined;
  });
  rest = createServer(({ url = '' }, response) => {
    record(url);
    response.writeHead(503).end();
  });
  await once(rest.listen(0, '127.0.0.1'), 'listening');
  for (const [name, domain] of Object.entries({ chosen: { domain_id: CHOSEN }, root: {}, none: null })) {
    const login = { token: 'session', user_id: UUID, username: 'ann', tenant_id: TENANT, ...domain };
    const address = `127.0.0.1:${server.port}`;
    const context = domain === null ? { address } : { address, ...login };
    writeFileSync(join(folder, name), JSON.stringify({ current: 'acme', contexts: { acme: context } }));
  }
});
afterAll(() => {
  server.stop();
  rest.close();
  rmSync(folder, { recursive: true });
});

/** What a command prints, what it says on standard error, and the domains that it asked about. */
async function run(line: readonly string[], more: Readonly<Record<string, string>>) {
  asked = new Set();
  const out: string[] = [];
  const notes: string[] = [];
  const env = {
    PLATFORM_URL: `http://127.0.0.1:${(rest.address() as AddressInfo).port}`,
    PLATFORM_PASSWORD: 'correct horse battery staple',
    PLATFORM_NEW_PASSWORD: 'correct horse battery staple',
    ...more,
  };
  await buildProgram({
    env,
    out: (text) => void out.push(text),
    // Which version a command read is the business of others.
    note: (text) => void (/^version \d+ is/.test(text) || notes.push(text)),
    setExitCode: () => {},
  })
    .parseAsync([...line], { from: 'user' })
    .catch(() => undefined);
  return { out: out.join('\n'), notes, domains: [...asked] };
}

/** Every command that works on a domain, without the options and the objects that name one. */
function linesOfDomain(): string[][] {
  return everyCommand(join(folder, 'file'))
    .filter(([name]) => !OTHERS.has(name!))
    .map((whole) =>
      whole
        .filter((word, at) => ![word, whole[at - 1] ?? ''].some((one) => /^--(tenant|domain)$/.test(one)))
        .map((word) => word.replace(`svc://${UUID}/`, '')),
    );
}

const elsewhere = () => ({ PLATFORM_ADDRESS: `localhost:${server.port}` });

it.each([
  ['the session of the context', 'chosen', {}, CHOSEN, null],
  ['the session of a context without a domain', 'root', {}, ROOT, null],
  ['the session of the context at another address', 'chosen', elsewhere, CHOSEN, null],
  ['a token of its tenant', 'chosen', { PLATFORM_TOKEN: 'key' }, CHOSEN, null],
  ['its own token from the environment', 'chosen', { PLATFORM_TOKEN: 'session' }, CHOSEN, null],
  ['a token of its tenant, without a domain', 'root', { PLATFORM_TOKEN: 'key' }, ROOT, null],
  ['a token without a login', 'none', { PLATFORM_TOKEN: 'key' }, ROOT, null],
  ['a token of another tenant', 'chosen', { PLATFORM_TOKEN: 'other' }, OTHER_ROOT, 'tenant'],
  [
    'a token for another address',
    'chosen',
    () => ({ ...elsewhere(), PLATFORM_TOKEN: 'key' }),
    ROOT,
    'address',
  ],
] as const)(
  'every command works with %s on the domain that doctor names',
  async (_, file, given, id, why) => {
    covers('AUTHZ-CLI.51', 'AUTHZ-CLI.52');
    const env = {
      PLATFORM_CONFIG: join(folder, file),
      ...(typeof given === 'function' ? given() : given),
    };
    const note =
      why === null
        ? ''
        : `working on domain ${id}, the root domain of PLATFORM_TOKEN: the context \`acme\` is of another ${why}`;
    const { out } = await run(['doctor'], env);
    expect(out).toMatch(new RegExp(`^ok {3}tenant: .*, domain ${id}\\b${why === null ? '$' : '; .*'}`, 'm'));
    const found = [];
    for (const line of linesOfDomain()) {
      const { domains, notes } = await run(line, env);
      if (domains.length > 0) found.push([line.slice(0, 2).join(' '), domains, notes.join('\n')]);
    }
    expect(found.length).toBeGreaterThan(20);
    expect(found.filter(([, domains, notes]) => String(domains) !== id || notes !== note)).toEqual([]);
    for (const name of [
      'check bob',
      'explain bob',
      'plan x',
      'bundle fetch',
      'policies put',
      'resources put',
    ])
      expect(found.map(([command]) => String(command).replace(/^check x$/, 'check bob'))).toContain(name);
  },
);
