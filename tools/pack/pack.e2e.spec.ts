import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { covers } from '@platform/testing/covers';
import { Ajv } from 'ajv';
import { packAssistant } from './pack-assistant.ts';
import { LIBRARIES, packLibraries } from './pack-libraries.ts';
import { readManifest, ROOT } from './packages.ts';

const SCOPE = '@acme';
/** Outside the repository, so that no import finds its packages. */
const folder = mkdtempSync(join(tmpdir(), 'pack-'));
const out = join(folder, 'packed');
const INSTALL = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
afterAll(() => rmSync(folder, { recursive: true }));

/** Installs tarballs into a folder of their own, as a stranger does. */
function install(name: string, tarballs: readonly string[]): string {
  const place = join(folder, name);
  mkdirSync(place);
  writeFileSync(join(place, 'package.json'), '{ "private": true, "type": "module" }');
  execFileSync('npm', [...INSTALL, ...tarballs], { cwd: place, stdio: ['ignore', 'ignore', 'inherit'] });
  return place;
}

describe('libraries that can be published', () => {
  let place: string;
  beforeAll(() => {
    mkdirSync(out);
    place = install('libraries', packLibraries(LIBRARIES, { scope: SCOPE, out }));
  });

  it('a program of strangers compiles against the packed libraries and runs', () => {
    covers('PLAT-K.1');
    writeFileSync(
      join(place, 'program.ts'),
      `import { connectAuthority } from '${SCOPE}/authz-client';
import { compilePolicySet } from '${SCOPE}/decide';
import { DocstoreClient, DocstoreError } from '${SCOPE}/docstore-client';
import { analyze, type InvestigationInput } from '${SCOPE}/opinion-fusion';

const store = new DocstoreClient({ baseUrl: 'http://127.0.0.1:9', key: 'k' });
const refused: string = await store.get('x').then(({ filename }) => filename, (e: unknown) => (e instanceof DocstoreError ? 'network ' + e.status : 'other'));
const authority = connectAuthority('dns:///127.0.0.1:9');
const asked: string = await authority.introspect('t').then((caller) => caller?.subjectId ?? 'nobody', (e: { kind?: string }) => String(e.kind));
authority.close();
const policies = compilePolicySet([{ domainId: 'd', version: 1, policies: [{ name: 'readers', description: '', deny: false, invert: false, engine: 'glob', statements: [{ rules: { subject: 'alice', action: 'read', object: 'svc://d/reports/*' } }] }] }]);
const allowed: boolean = policies.evaluate(new Map([['subject', 'alice'], ['action', 'read'], ['object', 'svc://d/reports/july']])).allowed;
const input: InvestigationInput = { research_question: 'Was the valve open?', actors: [{ id: 'a', name: 'Inspector', source_type: 'Regulator' }], subjects: [{ id: 's', name: 'Valve 3', subject_type: 'valve' }], claims: [{ id: 'c', actor_id: 'a', subject_id: 's', predicate: 'state', value: 'open', content: 'It was open.' }] };
const result = analyze(input, { now: new Date('2026-01-01T00:00:00Z') });
const leading = 'subject_results' in result ? result.subject_results.map(({ leading_value }) => leading_value) : [];
console.log(JSON.stringify([refused, asked, allowed, leading]));
`,
    );
    const compilerOptions = {
      strict: true,
      target: 'es2022',
      module: 'nodenext',
      types: ['node'],
      typeRoots: [join(ROOT, 'node_modules/@types')],
      noEmitOnError: true,
    };
    writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
    execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript-native/bin/tsc'), '-p', place], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const printed = execFileSync(process.execPath, ['program.js'], { cwd: place, encoding: 'utf8' });
    expect(JSON.parse(printed)).toEqual(['network 0', 'unavailable', true, ['open']]);
  });

  it('a packed library says what it is, brings its types, and has no sources, tests or private packages', () => {
    covers('PLAT-K.1');
    for (const name of LIBRARIES) {
      const installed = join(place, 'node_modules', SCOPE, name);
      const manifest = readManifest(installed) as unknown as Record<string, string>;
      expect(manifest).toMatchObject({ name: `${SCOPE}/${name}`, version: '0.1.0', license: 'Apache-2.0' });
      expect(manifest).not.toHaveProperty('private');
      expect(manifest['description']!.length).toBeGreaterThan(40);
      const files = readdirSync(installed, { recursive: true }).map(String);
      expect(files).toEqual(expect.arrayContaining(['README.md', 'LICENSE']));
      expect(files.filter((file) => /(?<!\.d)\.ts$|\.(spec|fixture)\.|tsconfig/.test(file))).toEqual([]);
      expect(readFileSync(join(installed, 'README.md'), 'utf8')).not.toMatch(/@platform\/|\]\(\.\./);
    }
  });
});

/**
 * The rules of `server.json` for what ours has, in our words. Source: reference of the MCP registry, format
 * of 2025-12-11 (ServerDetail, Package, KeyValueInput, StdioTransport).
 */
const SERVER_JSON = {
  type: 'object',
  required: ['name', 'description', 'version'],
  properties: {
    $schema: { const: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json' },
    name: { type: 'string', pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$', minLength: 3, maxLength: 200 },
    title: { type: 'string', minLength: 1, maxLength: 100 },
    description: { type: 'string', minLength: 1, maxLength: 100 },
    version: { type: 'string', maxLength: 255 },
    packages: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['registryType', 'identifier', 'transport'],
        properties: {
          registryType: { const: 'npm' },
          identifier: { type: 'string' },
          version: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+' },
          runtimeHint: { const: 'npx' },
          transport: {
            type: 'object',
            required: ['type'],
            properties: { type: { const: 'stdio' } },
            additionalProperties: false,
          },
          environmentVariables: {
            type: 'array',
            items: {
              type: 'object',
              required: ['name'],
              properties: {
                name: { type: 'string' },
                description: { type: 'string' },
                format: { enum: ['string', 'number', 'boolean', 'filepath'] },
                isSecret: { type: 'boolean' },
              },
              additionalProperties: false,
            },
          },
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
};

describe('the MCP server that can be published', () => {
  let place: string;
  let entry: { name: string; version: string; packages: { identifier: string; version: string }[] };
  beforeAll(() => {
    mkdirSync(out, { recursive: true });
    const [tarball, file] = packAssistant({ scope: SCOPE, namespace: 'io.github.acme', out });
    entry = JSON.parse(readFileSync(file!, 'utf8')) as typeof entry;
    place = install('assistant', [tarball!]);
  });

  it('npx starts the packed server outside the repository, and an assistant creates, judges and shares', async () => {
    covers('PLAT-K.2');
    const client = new Client({ name: 'e2e', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: 'npx',
        args: ['--no', 'investigation-mcp'],
        cwd: place,
        env: { PATH: process.env['PATH']!, HOME: folder, INVESTIGATION_DATA_DIR: join(folder, 'data') },
        stderr: 'ignore',
      }),
    );
    const call = async (name: string, args: object) => {
      const { structuredContent, isError, content } = await client.callTool({
        name,
        arguments: args as Record<string, unknown>,
      });
      expect([isError ?? false, isError ? content : null]).toEqual([false, null]);
      return structuredContent as Record<string, unknown>;
    };
    const session = { session_id: 'bridge' };
    await call('create_investigation_session', {
      ...session,
      payload: {
        research_question: 'Is the old bridge open?',
        actors: [{ id: 'council', name: 'City council', source_type: 'Regulator' }],
        subjects: [{ id: 'bridge', name: 'Old bridge', subject_type: 'structure' }],
        claims: [
          {
            id: 'c1',
            actor_id: 'council',
            subject_id: 'bridge',
            predicate: 'open',
            value: 'true',
            content: 'It is open.',
          },
        ],
      },
    });
    await call('judge_investigation_session', session);
    const { url } = await call('share_investigation_session', { ...session, public: true });
    const page = await fetch(String(url));
    expect([page.status, await page.text()]).toEqual([
      200,
      expect.stringContaining('<title>Is the old bridge open?</title>'),
    ]);
    await client.close();
  });

  it('the entry in a registry keeps to its format and names the package, which names the entry', () => {
    covers('PLAT-K.2');
    const ajv = new Ajv({ strict: false });
    expect([ajv.validate(SERVER_JSON, entry), ajv.errorsText()]).toEqual([true, 'No errors']);
    const installed = readManifest(join(place, 'node_modules', SCOPE, 'investigation-mcp'));
    expect(installed).toMatchObject({ mcpName: entry.name, name: entry.packages[0]!.identifier });
    expect([entry.version, entry.packages[0]!.version]).toEqual([installed.version, installed.version]);
  });

  it('the lines of the README for each client start the package', () => {
    const readme = readFileSync(join(ROOT, 'apps/investigation-api/npm/README.md'), 'utf8');
    const name = '@platform/investigation-mcp';
    expect(readme.match(/npx -y @platform\/investigation-mcp/g)).toHaveLength(1);
    const json = [...readme.matchAll(/```json\n(.*?)```/gs)].map(
      ([, text]) => JSON.parse(text!) as Record<string, Record<string, { command: string; args: string[] }>>,
    );
    expect(json.map((one) => Object.values(one)[0]!['investigation'])).toEqual([
      { command: 'npx', args: ['-y', name] },
      { type: 'stdio', command: 'npx', args: ['-y', name] },
    ]);
    expect(readme).toContain(`command = "npx"\nargs = ["-y", "${name}"]`);
  });
});
