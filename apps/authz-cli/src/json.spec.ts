import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { everyCommand, UUID } from './every-command.fixture.ts';
import {
  bytesOf,
  definitionOf,
  filled,
  SECONDS,
  services,
  startEveryMethod,
} from './every-method.fixture.ts';
import { toJson } from './output.ts';
import { buildProgram } from './program.ts';

/** Values of enums and members of oneofs that are tried: more than any has. */
const CHOICES = 7;

it('what a method of the service responds is printed as proto3 JSON, for every enum and oneof', async () => {
  covers('AUTHZ-CLI.17');
  expect(services.length).toBeGreaterThan(10);
  for (const service of services) {
    const definition = await definitionOf(service);
    for (const { localName, output } of service.methods)
      for (let choice = 0; choice < CHOICES; choice += 1) {
        const json = filled(output, choice);
        const response: unknown = definition[localName]!.responseDeserialize(bytesOf(output, json));
        expect([localName, toJson(response)]).toEqual([localName, json]);
      }
  }
});

let folder: string;
let server: Awaited<ReturnType<typeof startEveryMethod>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'json-'));
  writeFileSync(join(folder, 'file'), 'policies: []\n');
  server = await startEveryMethod();
});
afterAll(() => {
  server.stop();
  rmSync(folder, { recursive: true });
});

function envOf([command]: readonly string[]): Record<string, string> {
  const env = {
    PLATFORM_ADDRESS: `127.0.0.1:${server.port}`,
    PLATFORM_PASSWORD: 'correct horse battery staple',
    PLATFORM_NEW_PASSWORD: 'correct horse battery staple',
  };
  if (command !== 'use')
    return { ...env, PLATFORM_TOKEN: 'token', PLATFORM_CONFIG: join(folder, 'config.json') };
  // It works on the session of a context alone.
  const config = join(folder, 'session.json');
  const contexts = { default: { address: env.PLATFORM_ADDRESS, token: 'token' } };
  writeFileSync(config, JSON.stringify({ current: 'default', contexts }));
  return { ...env, PLATFORM_CONFIG: config };
}

/** Commands that print no JSON, or only after they have asked something else than the service over gRPC. */
const OTHERS = new Set(['completion', 'console', 'mcp-guard', 'doctor', 'bundle']);

it('no command prints times as seconds since 1970, or scopes as JSON, to people', async () => {
  covers('AUTHZ-CLI.33');
  const printed: string[] = [];
  for (const line of everyCommand(join(folder, 'file')).filter(([name]) => !OTHERS.has(name!)))
    await buildProgram({ env: envOf(line), out: (text) => void printed.push(text), setExitCode: () => {} })
      .parseAsync(line, { from: 'user' })
      .catch(() => undefined);
  const text = printed.join('\n');
  expect(text).toContain(new Date(SECONDS * 1000).toISOString());
  expect(text).not.toContain(String(SECONDS));
  expect(text).not.toMatch(/^.*scopes.*\n.*\[".*$/im);
});

it('use without arguments says with --json which context, tenant and domain commands work on', async () => {
  covers('AUTHZ-CLI.32');
  const printed: string[] = [];
  const config = join(folder, 'use.json');
  const kept = {
    contexts: { ci: { address: '127.0.0.1:1', tenant_id: UUID, domain_id: UUID } },
    current: 'ci',
  };
  writeFileSync(config, JSON.stringify(kept));
  await buildProgram({
    env: { PLATFORM_CONFIG: config },
    out: (text) => void printed.push(text),
    setExitCode: () => {},
  }).parseAsync(['--json', 'use'], { from: 'user' });
  expect(printed.map((text) => JSON.parse(text))).toEqual([
    { context: 'ci', tenant_id: UUID, domain_id: UUID },
  ]);
});

it('every command with --json names enums and has members of oneofs in their own place', async () => {
  covers('AUTHZ-CLI.17');
  const silent: unknown[] = [];
  for (const line of everyCommand(join(folder, 'file')).filter(([name]) => !OTHERS.has(name!))) {
    const printed: string[] = [];
    const terminal = {
      env: envOf(line),
      out: (text: string) => void printed.push(text),
      setExitCode: () => {},
    };
    const error: unknown = await buildProgram(terminal)
      .parseAsync(['--json', ...line], { from: 'user' })
      .catch((reason: unknown) => reason);
    if (printed.length === 0) silent.push([line, error]);
    for (const text of printed) {
      expect([line, text]).toEqual([line, expect.not.stringContaining('$case')]);
      expect([line, text]).toEqual([
        line,
        expect.not.stringMatching(/"(?:engine|kind|outcome|status|test|type)":\d/),
      ]);
    }
  }
  expect(silent).toEqual([]);
});
