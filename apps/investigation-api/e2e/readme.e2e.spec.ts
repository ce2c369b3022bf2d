import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateSigningKey, publicJwks, verificationKeyOf } from '@platform/jwt';
import { killOnExit } from '@platform/testing';
import { InvestigationSummary } from '../src/wire/result-schema.ts';
import type { BuiltService } from './built-service.fixture.ts';
import { startBuilt } from './built-service.fixture.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');
/** The commands a reader would paste: the bodies of the fences marked `sh`. */
const commandsOf = (file: string) =>
  [...read(file).matchAll(/^```sh\n(.*?)^```$/gms)].map(([, body]) => body!.trim());

const deletesTour = (body: string) => /^send -X DELETE \$API\/sessions\/bridge$/m.test(body);
const SERVICE = 'http://127.0.0.1:8080';
const requests = ['README.md', 'apps/investigation-api/README.md'].flatMap((file) =>
  commandsOf(file)
    .filter((command) => command.startsWith('curl') && command.includes(SERVICE))
    .map((command) => ({ file, command })),
);

describe('the requests in the READMEs', () => {
  let service: BuiltService;
  beforeAll(async () => {
    service = await startBuilt();
  });
  afterAll(() => service?.stop());

  it.each(requests)('work as they stand, with a token in TOKEN: $file', async ({ command }) => {
    const { stdout } = await promisify(execFile)('bash', ['-c', command.replace(SERVICE, service.url)], {
      env: { PATH: process.env.PATH, TOKEN: service.token },
    });
    const { summary_mode, top_findings } = InvestigationSummary.parse(JSON.parse(stdout));
    expect([summary_mode, top_findings.length]).toEqual([true, 1]);
  });
});

describe('the tour of sessions in the README', () => {
  it("the README's tour of sessions works as it stands, with a token in TOKEN", async () => {
    const service = await startBuilt();
    try {
      const commands = commandsOf('apps/investigation-api/README.md');
      const tour = [commands.find((body) => body.includes('/sessions'))!, commands.find(deletesTour)!].join(
        '\n',
      );
      const { stdout } = await promisify(execFile)('bash', ['-ec', tour.replace(SERVICE, service.url)], {
        env: { PATH: process.env.PATH, TOKEN: service.token },
      });
      const responses = stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      expect(responses).toEqual([
        { session_id: 'bridge', warnings: [] },
        expect.objectContaining({ session_id: 'bridge', status: 'updated', added: 1, warnings: [] }),
        expect.objectContaining({ id: 'post' }),
        { session_id: 'bridge', result: expect.objectContaining({ summary_mode: true }) },
        expect.objectContaining({ explanation: expect.objectContaining({ leading_value: '1731' }) }),
        [expect.objectContaining({ session_id: 'bridge' })],
        expect.objectContaining({ session_id: 'bridge', status: 'updated', added: 2, warnings: [] }),
        { session_id: 'bridge', result: expect.objectContaining({ summary_mode: true }) },
        expect.objectContaining({ session_id: 'bridge', change_count: 2, changed_verdicts: 1 }),
        expect.objectContaining({ session_id: 'bridge', change_count: 2, changed_verdicts: 1 }),
        expect.objectContaining({ interpretation: 'The record outweighs the post.' }),
        expect.objectContaining({ statements: [expect.anything(), expect.anything(), expect.anything()] }),
        expect.objectContaining({ is_public: true, slug: 'when-was-the-bridge-built' }),
        expect.objectContaining({ is_public: true, preferred_pane: 'mesh' }),
        [expect.objectContaining({ session_name: 'When was the bridge built?' })],
        // Entries of the feed.
        1,
        { session_id: 'bridge', result: expect.objectContaining({ summary_mode: true }) },
        expect.objectContaining({ is_public: true }),
        // Lines of the page of changes.
        1,
        expect.objectContaining({ forecast: expect.objectContaining({ was_right: true, sources_wrong: 1 }) }),
        expect.objectContaining({ outcomes: 1, scored: 1, accuracy: 1 }),
        expect.arrayContaining([expect.objectContaining({ name: 'A blog', right: 0, statements: 1 })]),
        expect.objectContaining({ session_id: 'bridge', kept: 0 }),
        expect.objectContaining({ session_id: 'bridge', rules: expect.arrayContaining(['goes_stale']) }),
        expect.objectContaining({ session_id: 'bridge', paused_at: expect.any(String) }),
        expect.objectContaining({ session_id: 'bridge', paused_at: null }),
        expect.objectContaining({ session_id: 'bridge', status: 'queued' }),
        [expect.objectContaining({ session_id: 'bridge', error: null })],
        // Milliseconds after which a receiver of the stream comes back.
        2000,
        expect.objectContaining({ is_public: false }),
      ]);
    } finally {
      await service.stop();
    }
  });
});

describe('the commands in the READMEs', () => {
  it('the session of the tour is deleted behind all that uses it', () => {
    const using = commandsOf('apps/investigation-api/README.md').filter((body) =>
      body.includes('/sessions/bridge'),
    );
    expect(using.map(deletesTour)).toEqual([...using.slice(1).map(() => false), true]);
  });

  it('the commands in the READMEs name scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...read('README.md').matchAll(/npm (?:run )?([a-z][\w:-]*)/g)]
      .map(([, name]) => name!)
      .filter((name) => name !== 'ci');
    expect(named).toEqual(expect.arrayContaining(['start', 'test']));
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
  });

  it('the README command starts the service with a key file and nothing else', async () => {
    const start = commandsOf('apps/investigation-api/README.md')
      .flatMap((body) => body.split('\n'))
      .find((line) => line.endsWith('main.js'))!;
    const folder = mkdtempSync(join(tmpdir(), 'readme-'));
    symlinkSync(join(root, 'dist'), join(folder, 'dist'));
    const keys = publicJwks([verificationKeyOf(await generateSigningKey())]);
    writeFileSync(join(folder, 'public.jwks.json'), JSON.stringify(keys));
    const child = spawn('bash', ['-c', `exec env ${start}`], {
      cwd: folder,
      env: { PATH: process.env.PATH, INVESTIGATION_PORT: '0', INVESTIGATION_PROBE_PORT: '0' },
    });
    killOnExit(child);
    const ended = new Promise((resolve) => child.once('close', resolve));
    try {
      const said: unknown[] = [];
      for await (const line of createInterface(child.stdout)) {
        said.push((JSON.parse(line) as { msg: string }).msg);
        if (said.includes('listening')) break;
      }
      expect(said).toContain('listening');
    } finally {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true });
    }
  });
});
