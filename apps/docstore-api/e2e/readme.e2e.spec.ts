import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DocstoreClient } from '@platform/docstore-client';
import { outputOf, startReplica, type Replica } from './replica.fixture.ts';

let folder: string;
let replica: Replica;
let key: string;
let clientKey: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'readme-'));
  const env = {
    DATABASE_URL: '',
    REDIS_URL: '',
    DOCSTORE_DATA_DIR: join(folder, 'data'),
    DOCSTORE_REQUESTS_PER_MINUTE: '600',
  };
  key = await outputOf(['key', '--owner', 'me'], env);
  clientKey = await outputOf(['key', '--owner', 'client'], env);
  replica = await startReplica(env);
});
afterAll(async () => {
  await replica.stop();
  rmSync(folder, { recursive: true });
});

describe('the README’s first walk, on the embedded database', () => {
  it("the README's walk prints what the README shows", () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const walk = readme.slice(readme.indexOf('<!-- walk'), readme.indexOf('## What it promises'));
    const script = [...walk.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, lines]) => lines!).join('');
    const said = [...script.matchAll(/^# (.*)$/gm)].map(([, line]) => line!);
    expect(said.length).toBeGreaterThan(8);
    const printed = execFileSync('bash', ['-eu', '-c', script], {
      cwd: folder,
      env: { ...process.env, DOCSTORE_URL: replica.url, DOCSTORE_KEY: key },
    });
    expect(printed.toString().replaceAll('\r', '').trim().split('\n')).toEqual(said);
  });

  it('the example of every method of the client gives what the page on operations says', () => {
    const library = createRequire(import.meta.url).resolve('@platform/docstore-client');
    const readme = readFileSync(join(library, '../../docs/operations.md'), 'utf8');
    const rows = [...readme.matchAll(/^\| `(\w+)` +\| `(.+?)` +\| `(.+?)` is `(.+?)` +\|$/gm)];
    const methods = Object.getOwnPropertyNames(DocstoreClient.prototype).filter(
      (name) => name !== 'constructor',
    );
    expect(rows.map(([, name]) => name).sort()).toEqual(methods.sort());
    for (const [, name, example] of rows) expect(example).toContain(`store.${name}(`);
    const script = [
      "import { DocstoreClient } from '@platform/docstore-client';",
      'const store = new DocstoreClient({ baseUrl: process.env.DOCSTORE_URL, key: process.env.DOCSTORE_KEY });',
      ...rows.flatMap(([, , example, value]) => [`${example};`, `console.log(JSON.stringify(${value}));`]),
    ];
    const printed = execFileSync(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '--eval', script.join('\n')],
      {
        cwd: fileURLToPath(new URL('../../..', import.meta.url)),
        env: { ...process.env, NODE_OPTIONS: '', DOCSTORE_URL: replica.url, DOCSTORE_KEY: clientKey },
      },
    );
    const said = rows.map(([, name, , , value]) => `${name}: ${value}`);
    const lines = printed.toString().trim().split('\n');
    expect(lines.map((line, index) => `${rows[index]![1]}: ${line}`)).toEqual(said);
  });

  it("the README's TypeScript lines print what the README shows", () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const [, lines = '', said] = /```ts\n([\s\S]*?)^\/\/ (.*)\n```/m.exec(readme) ?? [];
    const printed = execFileSync(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '--eval', lines],
      {
        cwd: fileURLToPath(new URL('../../..', import.meta.url)),
        env: { ...process.env, NODE_OPTIONS: '', DOCSTORE_URL: replica.url, DOCSTORE_KEY: key },
      },
    );
    expect(printed.toString().trim()).toBe(said);
  });
});
