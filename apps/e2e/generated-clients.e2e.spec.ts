import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { cachedFolder } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { suitePlatform } from './platform-suite.fixture.ts';
import type { ServiceName } from './platform/index.ts';

const NAMES: readonly ServiceName[] = ['authz-grpc', 'docstore-api', 'investigation-api'];
/** The generator wants a TypeScript of its own, which the workspace does not use: outside the repository. */
const TOOLS = ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3'];

const platform = suitePlatform();
const folder = mkdtempSync(join(tmpdir(), 'generated-clients-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A program of a stranger: one call or two of each service, its README's example among them. */
const PROGRAM = `import createClient from 'openapi-fetch';
import type { paths as AuthzPaths } from './authz-grpc.js';
import type { paths as DocstorePaths } from './docstore-api.js';
import type { paths as InvestigationPaths } from './investigation-api.js';

const [authzUrl = '', docstoreUrl = '', investigationUrl = '', token = ''] = process.argv.slice(2);
const headers = { Authorization: 'Bearer ' + token };
const authz = createClient<AuthzPaths>({ baseUrl: authzUrl, headers });
const docstore = createClient<DocstorePaths>({ baseUrl: docstoreUrl, headers });
const investigation = createClient<InvestigationPaths>({ baseUrl: investigationUrl, headers });

const check = await authz.POST('/v1/authz/check', {
  body: { context: { subject: 'nobody', action: 'read', object: 'svc://' + process.argv[6] + '/reports/1' } },
});
const allowed: boolean | undefined = check.data?.allowed;

const made = await docstore.POST('/v1/file', { body: { filename: 'a.md', contents: 'one\\n' } });
const id: string = made.data?.id ?? '';
const read = await docstore.GET('/v1/file/{id}', { params: { path: { id } } });
const contents: string | undefined = read.data?.contents;

const judged = await investigation.POST('/api/v1/investigations/analyze', {
  body: {
    research_question: 'Is the bridge open?',
    actors: [{ id: 'council', name: 'City council', source_type: 'Regulator' }],
    subjects: [{ id: 'bridge', name: 'North bridge', subject_type: 'structure' }],
    claims: [{ id: 'c1', actor_id: 'council', subject_id: 'bridge', predicate: 'open', value: 'true', content: 'The bridge is open.' }],
  },
});
const session = await investigation.POST('/api/v1/sessions', { body: { name: 'by a generated client' } });
const session_id: string = session.data?.session_id ?? '';
const changed = await investigation.PATCH('/api/v1/sessions/{session_id}', {
  params: { path: { session_id } },
  body: { actors: [{ id: 'a', name: 'A', source_type: 'Expert' }] },
});
console.log(JSON.stringify([allowed, contents, judged.response.status, changed.data?.added]));
`;

it('clients that openapi-typescript makes at its defaults of the three documents compile and work', async () => {
  covers('PLAT-G.6');
  const { services, tenant } = platform;
  const tools = await cachedFolder(`openapi-clients-${TOOLS.join('-')}`, async (into) => {
    writeFileSync(join(into, 'package.json'), '{ "private": true }');
    execFileSync(
      'npm',
      ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', ...TOOLS],
      {
        cwd: into,
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
  });
  const modules = join(tools, 'node_modules');
  mkdirSync(join(folder, 'src'));
  symlinkSync(modules, join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const node = (script: string, args: readonly string[]) =>
    execFileSync(process.execPath, [join(modules, script), ...args], { cwd: folder, encoding: 'utf8' });
  for (const name of NAMES)
    node('openapi-typescript/bin/cli.js', [`${services[name].url}/openapi.json`, '-o', `src/${name}.d.ts`]);
  writeFileSync(join(folder, 'src/program.ts'), PROGRAM);
  const compilerOptions = { strict: true, target: 'es2022', module: 'nodenext', lib: ['es2022', 'dom'] };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...compilerOptions, types: [], skipLibCheck: false } }),
  );
  writeFileSync(join(folder, 'src/node.d.ts'), 'declare const process: { argv: string[] };\n');
  // Compiler errors are in what the failing command wrote.
  node('typescript/bin/tsc', ['-p', '.']);
  const addresses = NAMES.map((name) => services[name].url);
  const printed = execFileSync(
    process.execPath,
    ['src/program.js', ...addresses, tenant.token, tenant.rootDomainId],
    { cwd: folder, encoding: 'utf8' },
  );
  expect(JSON.parse(printed)).toEqual([false, 'one\n', 200, 1]);
});
