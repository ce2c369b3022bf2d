import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { outputOf, startReplica, type Replica } from './replica.fixture.ts';

let folder: string;
let replica: Replica;
let key: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'readme-'));
  const env = { DATABASE_URL: '', REDIS_URL: '', DOCSTORE_DATA_DIR: join(folder, 'data') };
  key = await outputOf(['key', '--owner', 'me'], env);
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
