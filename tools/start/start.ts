/**
 * `npm start`: builds and starts the platform on embedded defaults, judges the demo and prints how to use it. Everything it
 * keeps lies in `.data` (or PLATFORM_DATA_DIR); `-- --fresh` forgets it. Ctrl-C stops all services.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ensureKeys, issue } from './credentials.ts';
import { demoFile, judgeDemo } from './demo.ts';
import { SERVICES, urlOf } from './services.ts';
import type { Supervised } from './supervise.ts';
import { supervise } from './supervise.ts';

process.chdir(resolve(import.meta.dirname, '../..'));
const data = resolve(process.env.PLATFORM_DATA_DIR || '.data');
const logs = join(data, 'logs');
const running: Supervised[] = [];
let stopping: Promise<void> | undefined;

function stop(exitCode: number): Promise<void> {
  stopping ??= Promise.all(running.map((service) => service.stop())).then(() => process.exit(exitCode));
  return stopping;
}

function build(): void {
  const projects = SERVICES.map(({ name }) => name).join(',');
  const nx = join('node_modules', 'nx', 'dist', 'bin', 'nx.js');
  const result = spawnSync(process.execPath, [nx, 'run-many', '-t', 'build', '-p', projects], {
    encoding: 'utf8',
    // A daemon would outlive us.
    env: { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false' },
  });
  if (result.status !== 0) throw new Error(`the build failed\n${result.stdout}${result.stderr}`);
}

async function main(): Promise<void> {
  if (process.argv.includes('--fresh')) rmSync(data, { recursive: true, force: true });
  mkdirSync(data, { recursive: true, mode: 0o700 });
  console.log('Building …');
  build();
  const { key, publicKeys } = await ensureKeys(join(data, 'keys'));
  for (const service of SERVICES) {
    running.push(supervise(service, { ...service.settings({ publicKeys }), ...process.env }, logs));
  }
  await Promise.all(running.map(({ ready }) => ready));

  const url = urlOf(SERVICES[0]!, 'port');
  const [token, apiKey] = await Promise.all([issue(key, 'at+jwt'), issue(key, 'key+jwt')]);
  const verdict = await judgeDemo(url, token);
  const platform = { investigation_url: url, demo: { token, api_key: apiKey } };
  writeFileSync(join(data, 'platform.json'), `${JSON.stringify(platform, null, 2)}\n`, { mode: 0o600 });

  const analyze = `curl -s ${url}/api/v1/investigations/analyze -H 'Content-Type: application/json' -d @${demoFile()}`;
  console.log(`
${verdict}

The platform is up: ${url} (documentation at ${url}/docs, MCP at ${url}/mcp). Logs: ${logs}

Bearer token (one day):
${token}

API key (one year):
${apiKey}

The whole verdict, by token or by key:
${analyze} -H 'Authorization: Bearer ${token}'
${analyze} -H 'X-API-Key: ${apiKey}'

Ctrl-C stops it. All of the above stands in ${join(data, 'platform.json')}.`);
}

process.on('SIGINT', () => void stop(0));
process.on('SIGTERM', () => void stop(0));
main().catch((error: unknown) => {
  if (stopping) return;
  console.error(error instanceof Error ? error.message : error);
  void stop(1);
});
