import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import type { Command } from 'commander';
import { ROOT_PASSWORD } from '@platform/testing';
import type { ContextsFile } from '../src/contexts.ts';
import { buildProgram } from '../src/program.ts';
import { startCommandLine } from './command-line.fixture.ts';
import { PLATFORM } from './guard.fixture.ts';

let line: Awaited<ReturnType<typeof startCommandLine>>;
/** A set that no user of the tenant could change again. */
let locking: string;
/** The version of such a set. */
let locked: string;

beforeAll(async () => {
  line = await startCommandLine();
  const { platform, json, folder } = line;
  await platform(['users', 'create', 'ann', 'ann@example.org']);
  await platform(['login', 'ann']);
  const { id, domains } = await json<{ id: string; domains: { id: string }[] }>([
    'tenants',
    'create',
    'acme',
  ]);
  await platform(['use', '--tenant', 'acme']);
  locking = join(folder, 'locking.yaml');
  writeFileSync(
    locking,
    'policies: [{ name: gone, engine: fixed, statements: [{ rules: { subject: left } }] }]',
  );
  const open = join(folder, 'open.yaml');
  writeFileSync(open, (await platform(['policies', 'get'])).out);
  const put = ['policies', 'put', '--yes'];
  locked = String((await json<{ version: number }>([...put, locking, '--allow-lockout'])).version);
  // Only the system root can take it back.
  const root = { PLATFORM_PASSWORD: ROOT_PASSWORD, PLATFORM_CONFIG: join(folder, 'root.json') };
  await platform(['login', 'root'], root);
  await platform([...put, open, '--tenant', id, '--domain', domains[0]!.id], root);
  await platform(['policies', 'shadow', 'put', locking]);
});
afterAll(() => line?.stop());

/** Every command that has `--dry-run`, with what makes it write a set that locks the tenant. */
function writes(): string[][] {
  const named = (command: Command): string[][] => [
    ...(command.options.some(({ long }) => long === '--dry-run') ? [[command.name()]] : []),
    ...command.commands.flatMap((one) => named(one).map((path) => [command.name(), ...path])),
  ];
  const program = buildProgram({ env: {}, out: () => {}, setExitCode: () => {} });
  const GIVEN: Readonly<Record<string, string[]>> = {
    put: [locking],
    rollback: [locked],
    promote: [],
  };
  return named(program).map(([, ...path]) => [...path, ...GIVEN[path.at(-1)!]!]);
}

it('every dry run refuses a set that the write refuses, with the reason and exit code 1', async () => {
  covers('AUTHZ-CLI.3');
  expect(writes().map((args) => args.slice(0, 3).join(' '))).toEqual([
    `policies put ${locking}`,
    `policies rollback ${locked}`,
    'policies shadow promote',
  ]);
  for (const args of writes()) {
    expect([args, await line.platform([...args, '--yes'])]).toMatchObject([args, { code: 6 }]);
    for (const yes of [[], ['--yes']]) {
      const tried = await line.platform([...args, '--dry-run', ...yes]);
      expect([args, tried]).toMatchObject([
        args,
        { code: 1, out: expect.stringMatching(/error LOCKOUT: [^]*nothing written$/) },
      ]);
    }
    const taken = await line.platform([...args, '--dry-run', '--yes', '--allow-lockout']);
    expect([args, taken]).toMatchObject([args, { code: 0, out: expect.stringContaining('warning LOCKOUT') }]);
  }
});

it('every dry run refuses an expected version that the write refuses, with the present one', async () => {
  covers('AUTHZ-CLI.3');
  const { version } = await line.json<{ version: number }>(['policies', 'get']);
  const promote = ['policies', 'shadow', 'promote', '--expected-shadow-version', '7'];
  const all = [...writes().map((args) => [...args, '--expected-version', '1']), promote];
  for (const args of all) {
    const sure = [...args, '--yes', '--allow-lockout'];
    expect([args, await line.platform(sure)]).toMatchObject([args, { code: 6 }]);
    const tried = await line.platform([...sure, '--dry-run']);
    const conflict =
      args === promote
        ? 'error VERSION_CONFLICT: the shadow set has version 1, not 7'
        : `error VERSION_CONFLICT: the domain has version ${version}, not 1`;
    expect([args, tried]).toMatchObject([args, { code: 1, out: expect.stringContaining(conflict) }]);
  }
  expect(await line.json(['policies', 'get'])).toMatchObject({ version });
});

it('--denied keeps to the kind that is asked for, and does not go together with --refused', async () => {
  covers('AUTHZ-CLI.4');
  await line.platform(['check', 'bob', 'read', 'docs/plan']);
  await line.platform(['policies', 'put', locking, '--yes']);
  await line.platform(['login', 'ann', '--tenant', 'acme', '--save-as', 'wrong'], {
    PLATFORM_PASSWORD: 'wrong',
  });
  const rows = async (...more: string[]) =>
    (
      await line.json<{ events: { kind: number; decision: boolean; operation: string }[] }>([
        'audit',
        'tail',
        '--denied',
        ...more,
      ])
    ).events;
  const OPERATIONS = { check: '', change: 'PutDomainPolicies' };
  for (const [kind, operation] of Object.entries(OPERATIONS)) {
    const found = await rows('--kind', kind);
    expect([kind, found.at(-1)]).toMatchObject([kind, { decision: false }]);
    expect([kind, found.map((row) => row.operation)]).toContainEqual(expect.arrayContaining([operation]));
    expect([kind, found.every((row) => (row.operation === '') === (kind === 'check'))]).toEqual([kind, true]);
  }
  expect((await rows()).every(({ operation }) => operation === '')).toBe(true);
  expect(await line.platform(['audit', 'tail', '--denied', '--refused'])).toMatchObject({
    code: 2,
    error: expect.stringMatching(/--denied.*--refused/),
  });
});

it('`use` writes to the context that it is for, and keeps neither a token of the environment nor an address', async () => {
  covers('AUTHZ-CLI.40');
  const file = join(line.folder, 'use.json');
  const run = (args: readonly string[], more = {}) => line.platform(args, { PLATFORM_CONFIG: file, ...more });
  const kept = () => JSON.parse(readFileSync(file, 'utf8')) as ContextsFile;
  await run(['login', 'ann', '--tenant', 'acme', '--save-as', 'prod']);
  await run(['login', 'ann', '--save-as', 'dev']);
  const before = kept();
  expect(await run(['--context', 'prod', 'use', '--domain', 'root'])).toMatchObject({ code: 0 });
  expect(kept()).toEqual({
    ...before,
    contexts: { ...before.contexts, prod: { ...before.contexts['prod'], domain_id: expect.any(String) } },
  });
  const chosen = kept();
  for (const [args, more, code] of [
    [['use', 'prod', '--domain', 'nope'], {}, 5],
    [['use', '--domain', 'root'], { PLATFORM_TOKEN: before.contexts['prod']!.token! }, 2],
    [['--context', 'prod', 'use', 'dev'], {}, 2],
    [['use', 'constructor'], {}, 2],
    [['login', 'ann', '--save-as', '__proto__'], {}, 2],
  ] as const)
    expect([args, (await run(args, more)).code, kept()]).toEqual([args, code, chosen]);
  expect(await run(['use', 'prod', '--domain', 'root'])).toMatchObject({ code: 0 });
  expect(kept().current).toBe('prod');
});

it('keys and tokens of the tenant decide on the domain of the context, and one of another tenant on its root', async () => {
  covers('AUTHZ-CLI.51', 'AUTHZ-CLI.52');
  const { platform, folder } = line;
  const config = { PLATFORM_CONFIG: join(folder, 'desk.json') };
  const run = (args: readonly string[], more = {}) => platform(args, { ...config, ...more });
  const read = async <T>(args: readonly string[]) => JSON.parse((await run(['--json', ...args])).out) as T;
  await run(['login', 'ann', '--tenant', 'acme']);
  const { out: desk } = await run(['domains', 'create', 'desk']);
  await run(['use', '--domain', desk]);
  const pings = join(folder, 'pings.yaml');
  const statement = '{ rules: { subject: bob, action: ping } }';
  writeFileSync(pings, `policies: [{ name: pings, engine: fixed, statements: [${statement}] }]`);
  expect(await run(['policies', 'put', pings])).toMatchObject({ code: 0, error: '' });
  const { token: account } = await read<{ token: string }>(['service-accounts', 'create', 'pinger']);
  const tokens = {
    'API key': (await read<{ api_key: string }>(['api-keys', 'create'])).api_key,
    'session token': (await run(['token'])).out,
    'key of a service account': account,
  };
  for (const [kind, token] of Object.entries(tokens)) {
    const checked = await run(['check', 'bob', 'ping', 'docs/a'], { PLATFORM_TOKEN: token });
    expect([kind, checked]).toEqual([kind, { code: 0, out: 'allowed', error: '' }]);
    const { out } = await run(['doctor'], { PLATFORM_TOKEN: token });
    expect([kind, out]).toEqual([kind, expect.stringMatching(new RegExp(`, domain ${desk}$`))]);
  }
  const other = { PLATFORM_CONFIG: join(folder, 'other.json') };
  await platform(['login', 'ann'], other);
  await platform(['tenants', 'create', 'beta'], other);
  await platform(['use', '--tenant', 'beta'], other);
  const { domain_id: root } = JSON.parse((await platform(['--json', 'use'], other)).out) as {
    domain_id: string;
  };
  const { out: token } = await platform(['token'], other);
  const of = 'the root domain of PLATFORM_TOKEN: the context `default` is of another tenant';
  expect(await run(['check', 'bob', 'ping', 'docs/a'], { PLATFORM_TOKEN: token })).toEqual({
    code: 1,
    out: 'denied',
    error: `working on domain ${root}, ${of}`,
  });
});

// Linux has a file that is always full.
(existsSync('/dev/full') ? it : it.skip)(
  'a command whose output does not fit on the disk says so and ends with an error',
  async () => {
    covers('AUTHZ-CLI.5');
    const commands = [
      ['--help'],
      ['--version'],
      ['policies', '--help'],
      ['completion', 'bash'],
      ['use', 'default'],
      ['whoami'],
      ['doctor'],
      ['policies', 'get'],
      ['policies', 'history'],
      ['policies', 'show', '1'],
      ['policies', 'validate', locking],
      ['policies', 'rollback', '1', '--dry-run', '--yes'],
      ['policies', 'shadow', 'show'],
      ['check', 'bob', 'read', 'docs/plan'],
      ['search', 'subjects', 'read', 'docs/plan'],
      ['plan', 'bob', 'read'],
      ['tenants', 'mine'],
      ['domains', 'list'],
      ['members', 'list'],
      ['audit', 'tail'],
      ['audit', 'verify'],
      ['--json', 'audit', 'tail', '--limit', '500'],
    ];
    const ran = [];
    for (const args of commands) {
      const full = openSync('/dev/full', 'w');
      const child = spawn(process.execPath, [PLATFORM, ...args], {
        env: { ...process.env, ...line.env },
        stdio: ['ignore', full, 'pipe'],
      });
      closeSync(full);
      let error = '';
      child.stderr!.setEncoding('utf8').on('data', (part: string) => (error += part));
      const [code] = (await once(child, 'close')) as [number];
      ran.push([args.join(' '), code, error]);
    }
    const said = expect.stringContaining('platform: the output could not be written: ENOSPC');
    expect(ran).toEqual(commands.map((args) => [args.join(' '), 2, said]));
  },
);

it('a reader that stops early ends a command without an error', async () => {
  covers('AUTHZ-CLI.5');
  const child = spawn('sh', ['-c', `"${process.execPath}" "${PLATFORM}" completion bash | head -1`], {
    env: { ...process.env, ...line.env },
  });
  let error = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => (error += part));
  await once(child, 'close');
  expect(error).toBe('');
});

it('platform token prints the token of the session, which ends with it', async () => {
  covers('AUTHZ-CLI.7');
  const { code, out } = await line.platform(['token']);
  expect([code, out]).toEqual([0, expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/)]);
  const withToken = { PLATFORM_TOKEN: out, PLATFORM_CONFIG: join(line.folder, 'none.json') };
  expect((await line.platform(['whoami'], withToken)).out).toMatch(/^ann /);
  const none = { PLATFORM_CONFIG: join(line.folder, 'none.json') };
  expect(await line.platform(['token'], none)).toMatchObject({ code: 3, out: '' });
});

it('a check of the name of an account is told its id, which policies know it by', async () => {
  covers('AUTHZ-CLI.8');
  const { user_id: ann } = await line.json<{ user_id: string }>(['whoami']);
  const hint = `\`ann\` is the name of an account, and policies know accounts by id: ask about ${ann}`;
  expect(await line.platform(['check', 'ann', 'read', 'docs/plan'])).toMatchObject({
    code: 1,
    out: `denied\n${hint}`,
  });
  expect((await line.platform(['explain', 'ann', 'read', 'docs/plan'])).out).toContain(hint);
  expect((await line.platform(['check', ann, 'read', 'docs/plan'])).out).toBe('allowed');
  // A key has no context, and learns the same.
  const { api_key: key } = await line.json<{ api_key: string }>(['api-keys', 'create']);
  const withKey = { PLATFORM_TOKEN: key, PLATFORM_CONFIG: join(line.folder, 'none.json') };
  expect((await line.platform(['check', 'ann', 'read', 'docs/plan'], withKey)).out).toBe(`denied\n${hint}`);
  expect((await line.platform(['check', 'nobody', 'read', 'docs/plan'])).out).toBe('denied');
});

it.each([
  ['search', 'resources', 'ann', 'read'],
  ['search', 'actions', 'ann', 'docs/plan'],
  ['plan', 'ann', 'read'],
  ['--json', 'check', 'ann', 'read', 'docs/plan'],
  ['--json', 'explain', 'ann', 'read', 'docs/plan'],
])(
  '`platform %s %s %s %s %s` says on standard error that policies know an account by its id',
  async (...args) => {
    covers('AUTHZ-CLI.8');
    const { user_id: ann } = await line.json<{ user_id: string }>(['whoami']);
    const { out, error } = await line.platform(args);
    const hint = `\`ann\` is the name of an account, and policies know accounts by id: ask about ${ann}`;
    expect([error, out.includes(hint)]).toEqual([hint, false]);
    const byId = args.map((arg) => (arg === 'ann' ? ann : arg));
    expect((await line.platform(byId)).error).toBe('');
  },
);

it('a test of a policy file brings attributes of accounts, and names those that it does not bring', async () => {
  covers('AUTHZ-A.23', 'AUTHZ-CLI.13');
  const file = join(line.folder, 'attributes.yaml');
  const domain = '22222222-2222-4222-8222-222222222222';
  const context = `subject: ann, action: read, object: 'svc://${domain}/x'`;
  writeFileSync(
    file,
    `policies: [{ name: team, engine: fixed, statements: [{ rules: { action: read, user.team: blue } }] }]
tests:
  - { name: one, context: { ${context}, user.team: blue }, expected: allow }
  - { name: several, context: { ${context}, user.team: [red, blue] }, expected: allow }
  - { name: other, context: { ${context}, user.team: red }, expected: deny }
  - { name: none, context: { ${context} }, expected: allow }
`,
  );
  expect(await line.platform(['policies', 'test', file])).toMatchObject({
    code: 1,
    out: `ok one
ok several
ok other
FAILED none: denied
  rules name \`user.team\`, which this case does not bring: add it to the context to decide as for an account that has it
3 passed, 1 failed`,
  });
  writeFileSync(
    file,
    `policies: []\ntests: [{ name: nested, context: { ${context}, user: { team: blue } }, expected: deny }]\n`,
  );
  expect((await line.platform(['policies', 'test', file])).error).toMatch(
    /: test `nested`: context\.user: must be a text or a list of texts: a key below it is written with a dot, as `user\.team: blue`$/,
  );
});

it('a file without tests is told to have none, with how to add one', async () => {
  covers('AUTHZ-CLI.19');
  const file = join(line.folder, 'no-tests.yaml');
  writeFileSync(file, 'policies: []\n');
  const { code, out } = await line.platform(['policies', 'test', file]);
  const [, example] =
    /^the file has no tests: add `tests:` with a list of tests, such as `(.*)`$/.exec(out) ?? [];
  expect([code, out]).toEqual([0, expect.stringContaining('the file has no tests')]);
  const domain = '22222222-2222-4222-8222-222222222222';
  writeFileSync(file, `policies: []\ntests: [${example?.replace('<domain>', domain)}]\n`);
  expect((await line.platform(['policies', 'test', file])).out).toMatch(/^FAILED bob reads: denied/);
});

it('removing an attribute that a user does not have says that there was nothing to remove', async () => {
  covers('AUTHZ-CLI.20');
  const removed = async (...values: string[]) =>
    (await line.platform(['attributes', 'remove', 'ann', 'team', ...values])).out;
  const nothing = 'nothing to remove: the user has no such attribute';
  expect(await removed()).toBe(nothing);
  await line.platform(['attributes', 'set', 'ann', 'team', 'red', 'blue']);
  expect([await removed('green'), await removed('red'), await removed('red'), await removed()]).toEqual([
    nothing,
    'removed',
    nothing,
    'removed',
  ]);
  expect(await line.json(['attributes', 'remove', 'ann', 'team'])).toEqual({ removed: null });
});

it('an explanation names the statement by which an inverted policy does not match', async () => {
  covers('AUTHZ-V.16');
  const [before, file] = [join(line.folder, 'before.yaml'), join(line.folder, 'inverted.yaml')];
  const { out } = await line.platform(['policies', 'get']);
  writeFileSync(before, out);
  const inverted = `{ name: turned, deny: true, invert: true, engine: glob, statements: [{ rules: { action: '*' } }] }`;
  writeFileSync(file, `${out}\n  - ${inverted}\n`);
  expect(await line.platform(['policies', 'put', file])).toMatchObject({ code: 0 });
  expect((await line.platform(['explain', 'bob', 'read', 'docs/plan'])).out.split('\n')).toContain(
    '○ turned (deny, inverted): statement 1 matches, and the policy is inverted',
  );
  await line.platform(['policies', 'put', before, '--yes']);
});

it.each([['put', '--yes'], ['test'], ['plan'], ['replay', '--since', '7d'], ['shadow', 'put']])(
  'policies %s names each policy that the service refuses at its line, by its name',
  async (...args) => {
    covers('AUTHZ-CLI.15');
    const file = join(line.folder, 'refused.yaml');
    writeFileSync(
      file,
      `policies:
  - { name: fine, engine: fixed, statements: [{ rules: { subject: bob } }] }
  - { name: first, engine: regex, statements: [{ rules: { subject: '(' } }] }
  - name: second
    engine: fixed
    statements:
      - rules: { subject: '$nobody()', action: '$none()' }
`,
    );
    const [verb, ...more] = args[0] === 'shadow' ? ['shadow put'] : args;
    const { code, error } = await line.platform(['policies', ...verb.split(' '), file, ...more]);
    expect(code).toBe(2);
    expect(error.replace(/^platform: /, '').split('\n')).toEqual([
      `${file}:3:68: error PATTERN_INVALID \`first\`: \`subject: (\`: unclosed group`,
      `${file}:7:27: error MACRO_UNKNOWN \`second\`: \`subject\`: \`$nobody()\` is not a macro`,
      `${file}:7:48: error MACRO_UNKNOWN \`second\`: \`action\`: \`$none()\` is not a macro`,
    ]);
  },
);

it('a search of subjects names the accounts behind ids', async () => {
  covers('AUTHZ-V.14');
  const { user_id: ann } = await line.json<{ user_id: string }>(['whoami']);
  expect((await line.platform(['search', 'subjects', 'read', 'docs/plan'])).out.split('\n')).toContain(
    `${ann} (ann)`,
  );
  const { subjects } = await line.json<{ subjects: string[] }>(['search', 'subjects', 'read', 'docs/plan']);
  expect(subjects).toContain(ann);
});

it('in a terminal of 80 columns the audit and a replay break between words, and cells have lines of their own', async () => {
  covers('AUTHZ-CLI.16');
  await line.platform(['check', 'bob', 'read', 'docs/plan', 'group=a']);
  const none = join(line.folder, 'none.yaml');
  writeFileSync(none, 'policies: []\n');
  for (const args of [
    ['audit', 'tail'],
    ['policies', 'replay', none, '--since', '7d'],
    ['policies', 'plan', none],
    ['policies', 'history'],
  ]) {
    const { out } = await line.platform(args, {}, 80);
    const long = out.split('\n').filter((one) => one.length > 80);
    // What is one word, such as an object that a user may copy, is not broken, and its line has nothing else.
    expect([args, long.filter((one) => !/^ +(\w+ +)?\S+$/.test(one))]).toEqual([args, []]);
    const words = (text: string) => text.split(/\s+/).sort();
    if (args[0] === 'policies' && args[1] !== 'history')
      expect(words(out)).toEqual(words((await line.platform(args)).out));
  }
  const { out } = await line.platform(['audit', 'tail', '--wide'], {}, 80);
  expect(out).toMatch(/^TIME .* DETAIL .* ID\n/);
});

it('a shadow set shows checks that are alike as one line with their count', async () => {
  covers('AUTHZ-SH.9');
  const { user_id: ann } = await line.json<{ user_id: string }>(['whoami']);
  await line.platform(['policies', 'shadow', 'put', locking]);
  const ids: string[] = [];
  for (const path of ['same', 'same', 'other', 'same'])
    ids.push((await line.json<{ check_id: string }>(['check', ann, 'read', path])).check_id);
  // The service counts after the response.
  await eventually(async () => (await line.json<{ would_lose: number }>(SHOW)).would_lose).toBe(4);
  const lines = (await line.platform(SHOW)).out.split('\n').filter((one) => one.includes(' loses '));
  expect(lines).toEqual([
    expect.stringMatching(`/same: real .*\\(3 checks, first ${ids[0]}\\)$`),
    expect.stringMatching(`/other: real .*\\(${ids[2]}\\)$`),
  ]);
});
const SHOW = ['policies', 'shadow', 'show'];

it('the counts of a shadow set say when they are of an earlier version of the domain', async () => {
  covers('AUTHZ-CLI.44');
  const counts = async () => (await line.platform(SHOW)).out.split('\n')[1];
  const { version } = await line.json<{ version: number }>(['policies', 'get']);
  expect(await counts()).toMatch(new RegExp(`^against version ${version}: [^;]*$`));
  const more = join(line.folder, 'more.yaml');
  const { out } = await line.platform(['policies', 'get']);
  const extra = `  - { name: extra, engine: fixed, statements: [{ rules: { subject: nobody } }] }\n`;
  writeFileSync(more, `${out}\n${extra}`);
  expect(await line.platform(['policies', 'put', more])).toMatchObject({ code: 0 });
  expect(await counts()).toMatch(
    new RegExp(
      `^against version ${version}: .*; nothing counted yet against version ${version + 1}, which is present$`,
    ),
  );
});

it('the audit tells the name of an account as a text from the account, and finds the rows of both', async () => {
  covers('AUTHZ-CLI.43');
  const { user_id: ann } = await line.json<{ user_id: string }>(['whoami']);
  await line.platform(['check', ann, 'read', 'told-apart']);
  const { user_id: cem } = await line.json<{ user_id: string }>([
    'users',
    'create',
    'cem',
    'cem@example.org',
  ]);
  await line.platform(['members', 'add', cem]);
  expect(await line.platform(['audit', 'tail', '--subject', 'cem'])).toMatchObject({ error: '' });
  await line.platform(['check', 'ann', 'read', 'told-apart']);
  const tail = async (...more: string[]) => {
    const { out, error } = await line.platform(['audit', 'tail', '--kind', 'check', ...more]);
    const rows = out.split('\n').filter((one) => one.includes('told-apart'));
    return { subjects: rows.map((one) => /"?\bann\b"?/.exec(one)?.[0]), error };
  };
  expect(await tail()).toEqual({ subjects: ['ann', '"ann"'], error: '' });
  expect(await tail('--subject', 'ann')).toEqual({
    subjects: ['ann'],
    error: `these are rows of the account; some checks name the text "ann" instead of its id: --subject '"ann"' shows them`,
  });
  expect(await tail('--subject', '"ann"')).toEqual({ subjects: ['"ann"'], error: '' });
});

it('a validation says why it did not check whether the set locks the tenant', async () => {
  covers('AUTHZ-CLI.45');
  const { user_id: bob } = await line.json<{ user_id: string }>([
    'users',
    'create',
    'bob',
    'bob@example.org',
  ]);
  await line.platform(['members', 'add', bob]);
  const validate = ['policies', 'validate', locking];
  const none = { PLATFORM_CONFIG: join(line.folder, 'bob.json') };
  await line.platform(['login', 'bob'], none);
  expect(await line.platform(validate, none)).toEqual({
    code: 0,
    out: 'valid; whether it locks a tenant was not checked: add --domain',
    error: '',
  });
  await line.platform(['login', 'bob', '--tenant', 'acme'], none);
  expect(await line.platform(validate, none)).toEqual({
    code: 0,
    out: 'valid; whether it locks the tenant was not checked: you may not read the policies of its domain',
    error: '',
  });
});

it('a refusal names the option that takes it', async () => {
  covers('AUTHZ-CLI.47');
  const { error } = await line.platform(['policies', 'put', locking, '--yes']);
  expect(error).toMatch(/; add `--allow-lockout` to do it all the same$/);
});

it('mistakes in names, files and limits are told with what to do', async () => {
  covers('AUTHZ-CLI.9');
  const test = join(line.folder, 'bad-context.yaml');
  writeFileSync(
    test,
    `policies: [{ name: a, engine: fixed, statements: [{ rules: { subject: x } }] }]
tests:
  - { name: first, context: { subject: x, action: read, object: 'svc://not-a-domain/x' }, expected: deny }
`,
  );
  const none = join(line.folder, 'none.pem');
  const told: [string[], string | RegExp][] = [
    [
      ['--context', 'nope', 'whoami'],
      'no context `nope`: `platform login <username> --save-as nope` makes one',
    ],
    [['use', '--tenant', 'nope'], 'you have no tenant `nope`: `platform tenants mine` lists yours'],
    [['policies', 'test', line.folder], `${line.folder}: it is a folder, not a file`],
    [['bundle', 'check', none, 'bob', 'read', 'docs/plan'], `${none}: there is no such file`],
    [['--tls-ca', none, 'whoami'], `${none}: there is no such file`],
    [['policies', 'history', '--limit', '1001'], '--limit must be at most 1000'],
    [['audit', 'tail', '--limit', '5000'], '--limit must be at most 1000'],
    [
      ['policies', 'test', test],
      `${test}:3:5: test \`first\`: \`object\` must be \`svc://<domain uuid>/<path>\`: the uuid without a port, and a path with at least one segment that is neither empty nor \`.\` or \`..\``,
    ],
  ];
  for (const [args, expected] of told) {
    const { error } = await line.platform(args);
    const text = error.replace(/^platform: /, '');
    expect([args, text]).toEqual([
      args,
      typeof expected === 'string' ? expected : expect.stringMatching(expected),
    ]);
  }
  expect((await line.platform(['policies', 'history', '--limit', '1'])).out).toMatch(
    /older versions are not shown: --limit <versions> shows more$/,
  );
});

it('a whole URI as a prefix is told the path to write', async () => {
  covers('AUTHZ-CLI.9');
  const { domain_id } = await line.json<{ domain_id: string }>(['use', '--domain', 'root']);
  const listed = async (prefix: string) =>
    (await line.platform(['resources', 'list', '--prefix', prefix])).error;
  const own = `svc://${domain_id}/`;
  expect(await listed(`${own}docs/`)).toContain('write `docs/`');
  expect(await listed(own)).toContain('leave it out');
  expect(await listed('svc://other/docs/')).toContain('without `svc://` and the id of a domain');
});
