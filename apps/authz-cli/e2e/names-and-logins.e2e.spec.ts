import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ROOT_PASSWORD } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { everyCommand } from '../src/every-command.fixture.ts';
import { buildProgram } from '../src/program.ts';
import { startCommandLine, type Ran } from './command-line.fixture.ts';

let line: Awaited<ReturnType<typeof startCommandLine>>;
let asRoot: (...args: string[]) => Promise<Ran>;
let tenantId: string;
/** Ids of accounts, by name. */
const ids: Record<string, string> = {};

beforeAll(async () => {
  line = await startCommandLine();
  const { platform, json, folder } = line;
  const root = { PLATFORM_PASSWORD: ROOT_PASSWORD, PLATFORM_CONFIG: join(folder, 'root.json') };
  asRoot = (...args) => platform(args, root);
  await asRoot('login', 'root');
  for (const name of ['ann', 'dora', 'gone'])
    ids[name] = (await platform(['users', 'create', name, `${name}@example.org`])).out;
  await platform(['login', 'ann']);
  tenantId = (await json<{ id: string }>(['tenants', 'create', 'acme'])).id;
  await platform(['use', '--tenant', 'acme']);
  for (const name of ['dora', 'gone']) {
    const own = { PLATFORM_CONFIG: join(folder, `${name}.json`) };
    await platform(['members', 'add', ids[name]!]);
    await platform(['login', name, '--tenant', 'acme'], own);
    await platform(['check', ids[name]!, 'read', 'docs/plan'], own);
    await platform(['members', 'remove', ids[name]!]);
  }
  await asRoot('users', 'delete', ids['gone']!);
  for (const _ of [1, 2]) {
    const bot = await json<{ service_account_id: string }>(['service-accounts', 'create', 'bot']);
    ids['svc:bot'] = bot.service_account_id;
    await platform(['check', bot.service_account_id, 'read', 'docs/plan']);
    await platform(['service-accounts', 'delete', bot.service_account_id]);
  }
  const once = await json<{ service_account_id: string }>(['service-accounts', 'create', 'once']);
  ids['svc:once'] = once.service_account_id;
  await platform(['check', ids['svc:once'], 'read', 'docs/plan']);
  await platform(['service-accounts', 'delete', 'svc:once']);
  await platform(['check', 'zoe', 'read', 'docs/plan']);
});
afterAll(() => line?.stop());

const tail = (...more: string[]) => line.platform(['audit', 'tail', ...more]);
const rowsOf = ({ out }: Ran) => out.split('\n').slice(1);
const NOT_FOUND = (name: string) =>
  `platform: no account that you may look up is or was called \`${name}\`, and no row is about this text: rows of an account that left are found by its id, which the row of its DeleteTenantUserAssociation has`;

it.each(['nosuchuser', 'Ann', 'ann@elsewhere.example', 'dora', 'gone'])(
  'the audit of %s, which no account is called, is an error and no empty list',
  async (name) => {
    covers('AUTHZ-CLI.60');
    for (const more of [[], ['--follow']])
      expect(await tail('--subject', name, ...more)).toEqual({ code: 2, out: '', error: NOT_FOUND(name) });
    const { code, out, error } = await line.platform(['--json', 'audit', 'tail', '--subject', name]);
    expect([code, out, error]).toEqual([2, '', expect.stringContaining('is or was called')]);
  },
);

it('the audit finds those who left by id, and the system root by name', async () => {
  covers('AUTHZ-CLI.60', 'AUTHZ-CLI.61');
  for (const name of ['dora', 'gone']) {
    const byId = await tail('--subject', ids[name]!, '--kind', 'check');
    expect([byId.code, rowsOf(byId).length]).toEqual([0, 1]);
    const byName = await asRoot('audit', 'tail', '--tenant', tenantId, '--subject', name, '--kind', 'check');
    expect([name, byName.code, rowsOf(byName)]).toEqual([
      name,
      0,
      [expect.stringMatching(RegExp(` ${name} `))],
    ]);
  }
});

it('the audit of what belongs to no tenant takes and shows names', async () => {
  covers('AUTHZ-CLI.61');
  await line.platform(['login', 'ann', '--save-as', 'wrong'], { PLATFORM_PASSWORD: 'wrong' });
  const refused = ['audit', 'tail', '--system', '--kind', 'login', '--refused', '--subject'];
  for (const given of ['ann', 'ann@example.org', ids['ann']!]) {
    const { code, out } = await asRoot(...refused, given);
    expect([code, out]).toEqual([0, expect.stringMatching(/refused: LOGIN_FAILED +ann /)]);
  }
  const deleted = await asRoot('audit', 'tail', '--system', '--subject', 'gone');
  expect([deleted.code, rowsOf(deleted).length > 0]).toEqual([0, true]);
  expect(await asRoot(...refused, 'nosuchuser')).toMatchObject({ code: 2, out: '' });
});

it('the audit finds a deleted service account by name, and asks for the id where several had it', async () => {
  covers('AUTHZ-CLI.61');
  const found = await tail('--subject', 'svc:once');
  expect([found.code, rowsOf(found)]).toEqual([0, [expect.stringContaining(' svc:once ')]]);
  expect(await tail('--subject', 'svc:bot')).toMatchObject({
    code: 2,
    error: expect.stringMatching(
      /^platform: several accounts are or were called svc:bot; name one by its id: \S{36}, \S{36}$/,
    ),
  });
});

it('the audit of a text says that no account is called so, and not where it is in quotation marks', async () => {
  covers('AUTHZ-CLI.60');
  const bare = await tail('--subject', 'zoe');
  expect([bare.code, rowsOf(bare).length, bare.error]).toEqual([
    0,
    1,
    'no account that you may look up is or was called `zoe`: these are rows about this text',
  ]);
  expect(await tail('--subject', '"zoe"')).toEqual({ ...bare, error: '' });
  expect(await tail('--subject', '"nobody"')).toMatchObject({ code: 0, error: '' });
});

/** Arguments and options that take an account, a tenant or a domain. */
const TAKES_NAME = /^(?:--)?(?:user|account|tenant|domain|superior|subject)$/;

it('every command that is given an unknown name says so, and none ends well without a word', async () => {
  covers('AUTHZ-CLI.60');
  const asked: unknown[] = [];
  const silent: unknown[] = [];
  // These serve until they are ended, or keep what they are given for later.
  const others = new Set(['console', 'mcp-guard', 'completion', 'login']);
  const lines = everyCommand(join(line.folder, 'none.yaml')).filter(([name]) => !others.has(name!));
  for (const given of lines) {
    const isPlace = (word?: string) => word === '--tenant' || word === '--domain';
    const whole = given.filter((word, at) => !isPlace(word) && !isPlace(given[at - 1]));
    let command = buildProgram({ env: {}, out: () => {}, setExitCode: () => {} });
    let depth = 0;
    for (const word of whole) {
      const next = command.commands.find((one) => one.name() === word);
      if (next === undefined) break;
      [command, depth] = [next, depth + 1];
    }
    const path = whole.slice(0, depth);
    const names = [
      ...command.registeredArguments.flatMap((one, at) => (TAKES_NAME.test(one.name()) ? [at] : [])),
      ...command.options.flatMap(({ long }) => (TAKES_NAME.test(long!) ? [long!] : [])),
    ];
    for (const name of names) {
      const args = whole.slice(depth);
      if (typeof name === 'number') args[name] = 'nosuch';
      else if (args.includes(name)) args[args.indexOf(name) + 1] = 'nosuch';
      else args.push(name, 'nosuch');
      const ran = await line.platform([...path, ...args]);
      asked.push(`${path.join(' ')} ${name}`);
      if (ran.code === 0 && ran.error === '' && !ran.out.includes('nosuch')) silent.push([path, args, ran]);
    }
  }
  expect(asked).toEqual(
    expect.arrayContaining(['audit tail --subject', 'members list --tenant', 'api-keys list --user']),
  );
  expect(silent).toEqual([]);
});

it('a search that finds nothing for a subject without an account says whom it was about', async () => {
  covers('AUTHZ-CLI.62');
  for (const search of [
    ['resources', 'nosuch', 'read'],
    ['actions', 'nosuch', 'docs/plan'],
  ])
    expect(await line.platform(['search', ...search])).toMatchObject({
      code: 0,
      out: '',
      error: 'nothing found: no account that you may look up is called `nosuch`',
    });
});

it('a login without a tenant leads back to the tenant and domain of the context', async () => {
  covers('AUTHZ-CLI.63');
  await line.platform(['domains', 'create', 'projects']);
  await line.platform(['use', '--domain', 'projects']);
  const before = await line.json<{ domain_id: string }>(['use']);
  const again = await line.platform(['login', 'ann']);
  expect(again.out).toBe(
    `logged in as ann (context default, tenant ${tenantId}, domain ${before.domain_id})`,
  );
  expect(await line.json(['use'])).toEqual(before);
  expect((await line.json<{ tenant_id: string }>(['whoami'])).tenant_id).toBe(tenantId);
  expect((await line.json<{ tenant_id: string }>(['login', 'ann'])).tenant_id).toBe(tenantId);
  // Others who log in to the context get none of it.
  expect((await line.platform(['login', 'dora'])).out).toBe('logged in as dora (context default)');
  await line.platform(['login', 'ann', '--tenant', 'acme']);
});

it('a login to a tenant that the user left says that the context has none now', async () => {
  covers('AUTHZ-CLI.63');
  const own = { PLATFORM_CONFIG: join(line.folder, 'left.json') };
  await line.platform(['members', 'add', ids['dora']!]);
  await line.platform(['login', 'dora', '--tenant', 'acme'], own);
  await line.platform(['members', 'remove', ids['dora']!]);
  expect(await line.platform(['login', 'dora'], own)).toEqual({
    code: 0,
    out: 'logged in as dora (context default)',
    error: `the context was of tenant ${tenantId}, which you may not log in to now: it has no tenant any more`,
  });
});

it('the end of a session is told with the command that leads back to it', async () => {
  covers('AUTHZ-CLI.64');
  await line.platform(['login', 'ann', '--save-as', 'work', '--tenant', 'acme']);
  await line.platform(['logout']);
  const check = ['check', 'zoe', 'read', 'docs/plan'];
  expect((await line.platform(check)).error).toMatch(/: run `platform login ann`, or set PLATFORM_TOKEN/);
  expect((await line.platform(['whoami'])).error).toContain(': run `platform login ann`, or set');
  await line.platform(['login', 'ann', '--save-as', 'default', '--tenant', 'acme']);
  const { error } = await line.platform(['--context', 'work', ...check]);
  expect(error).toContain('run `platform login ann --context work`, or set');
  expect((await line.platform(['login', 'ann', '--context', 'work'])).out).toContain(`tenant ${tenantId}`);
  await line.platform(['use', 'default']);
});

it('`use` names the root domain in words', async () => {
  covers('AUTHZ-CLI.65');
  const { domains } = await line.json<{ domains: { id: string; name: string }[] }>(['domains', 'list']);
  const root = domains.find(({ name }) => name !== 'projects')!.id;
  const used = async (domain: string) => (await line.platform(['use', '--domain', domain])).out;
  expect(await used(root)).toBe(
    `using default: tenant ${tenantId}, domain ${root}, the root domain of the tenant`,
  );
  expect(await used('projects')).toMatch(/, domain \S{36}$/);
  expect((await line.platform(['use', '--tenant', 'acme'])).out).toMatch(/, domain \S{36}$/);
});

it('a page of the audit that is not the last says how the older rows are read', async () => {
  covers('AUTHZ-CLI.66');
  const since = ['--kind', 'check', '--since', '1h', '--limit', '2'];
  const first = await tail(...since);
  const [, older] =
    /^older rows are not shown: (--since \S+ --cursor \S+) reads them$/.exec(first.error) ?? [];
  const { events } = await line.json<{ events: { id: string }[] }>(['audit', 'tail', '--kind', 'check']);
  const idsOf = (ran: Ran) => rowsOf(ran).map((row) => row.trim().split(/\s+/).at(-1));
  const second = await tail('--kind', 'check', '--limit', '2', ...older!.split(' '));
  expect([...idsOf(second), ...idsOf(first)]).toEqual(
    events
      .slice(0, 4)
      .map(({ id }) => id)
      .toReversed(),
  );
  expect(await tail('--cursor', 'x', '--follow')).toMatchObject({ code: 2 });
  expect((await tail('--kind', 'check', '--since', '1h', '--limit', '1000')).error).toBe('');
});

it('the audit shows with --wide who asked', async () => {
  covers('AUTHZ-CLI.67');
  const { out } = await tail('--wide', '--subject', '"zoe"');
  const [head, row] = out.split('\n');
  expect(head).toContain('CALLER_ID');
  expect(row).toContain(ids['ann']);
});

it('policies that are read, compared or planned are told with their version', async () => {
  covers('AUTHZ-CLI.68');
  await line.platform(['use', '--domain', 'projects']);
  const { out, error } = await line.platform(['policies', 'get']);
  expect([out, error]).toEqual([expect.stringMatching(/^policies:/), 'version 1 is the present one']);
  const file = join(line.folder, 'same.yaml');
  writeFileSync(file, out);
  for (const verb of ['diff', 'plan']) {
    expect(await line.platform(['policies', verb, file])).toMatchObject({
      error: 'version 1 is the present one',
    });
    expect(await line.json(['policies', verb, file])).toMatchObject({ version: 1 });
  }
});
