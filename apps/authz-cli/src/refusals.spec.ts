import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createHttp2Server, type Http2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Server as GrpcServer, ServerCredentials } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { freePort } from '@platform/testing';
import { IntrospectCredentialResponse, SessionServiceService } from '@platform/proto/authz/v1/session';
import { covers } from '@platform/testing/covers';
import type { Command } from 'commander';
import { everyCommand, UUID } from './every-command.fixture.ts';
import { EXIT, exitCodeOf } from './exit-codes.ts';
import { errorText } from './output.ts';
import { buildProgram } from './program.ts';

const REFUSAL = 'the caller may not do this here';

/** Commands that ask no service before they have something else to do. */
const ASK_NOTHING = new Set(['completion', 'contexts', 'use', 'console', 'mcp-guard', 'doctor', 'logout']);
let folder: string;
let grpc: Http2Server;
let rest: Server;
let body = JSON.stringify({ error: 'access_denied', message: REFUSAL });
const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'refusals-'));
  writeFileSync(join(folder, 'file'), 'policies: []\n');
  grpc = createHttp2Server().on('stream', (stream) => {
    stream.respond(
      { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '7', 'grpc-message': REFUSAL },
      { endStream: true },
    );
  });
  rest = createServer((_, response) => response.writeHead(403).end(body));
  for (const server of [grpc, rest]) await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  for (const server of [grpc, rest]) server.close();
  rmSync(folder, { recursive: true });
});

const env = () => ({
  PLATFORM_ADDRESS: `127.0.0.1:${portOf(grpc)}`,
  PLATFORM_URL: `http://127.0.0.1:${portOf(rest)}`,
  PLATFORM_TOKEN: 'token',
  PLATFORM_PASSWORD: 'correct horse battery staple',
  PLATFORM_NEW_PASSWORD: 'correct horse battery staple',
  PLATFORM_CONFIG: join(folder, 'config.json'),
});

/** The error that the command line ends with; null when it ends well. */
async function run(args: readonly string[], more: Record<string, string> = {}): Promise<unknown> {
  const program = buildProgram({ env: { ...env(), ...more }, out: () => {}, setExitCode: () => {} });
  return program.parseAsync([...args], { from: 'user' }).then(
    () => null,
    (error: unknown) => error,
  );
}

it('every command that asks a service tells its refusal as one sentence, with the code for what is not permitted', async () => {
  covers('AUTHZ-CLI.1');
  const lines = everyCommand(join(folder, 'file')).filter(([name]) => !ASK_NOTHING.has(name!));
  expect(lines.length).toBeGreaterThan(60);
  const told = [];
  for (const line of lines) {
    const error = await run(line);
    told.push([line.join(' '), error === null ? 'done' : errorText(error, false), exitCodeOf(error)]);
  }
  expect(
    told.filter(([, text, code]) => !String(text).startsWith(`platform: ${REFUSAL}`) || code !== EXIT.denied),
  ).toEqual([]);
});

it('what is advised to be added to a command is an option that the command has', async () => {
  covers('AUTHZ-CLI.30');
  const server = new GrpcServer();
  server.addService(SessionServiceService, {
    introspectCredential: (_call: unknown, done: (error: null, value: object) => void) =>
      done(null, IntrospectCredentialResponse.fromPartial({ live: true, subjectId: UUID })),
  });
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  const place = { ...env(), PLATFORM_ADDRESS: `127.0.0.1:${port}` };
  const advised: string[] = [];
  for (const whole of everyCommand(join(folder, 'file')).filter(([name]) => !ASK_NOTHING.has(name!))) {
    // Without a tenant and a domain, objects as paths.
    const line = whole
      .filter(
        (word, index) =>
          !/^--(tenant|domain)$/.test(word) && !/^--(tenant|domain)$/.test(whole[index - 1] ?? ''),
      )
      .map((word) => word.replace(`svc://${UUID}/`, ''));
    const program = buildProgram({ env: place, out: () => {}, setExitCode: () => {} });
    let command: Command = program;
    for (const word of line) command = command.commands.find((one) => one.name() === word) ?? command;
    const error = await program.parseAsync(line, { from: 'user' }).then(
      () => null,
      (caught: unknown) => caught,
    );
    const options = errorText(error, false).match(/(?<=\badd )--[a-z-]+/g) ?? [];
    advised.push(
      ...options.map(
        (option) => `${command.options.some(({ long }) => long === option)} ${line[0]!} ${option}`,
      ),
    );
  }
  server.forceShutdown();
  expect(advised).toContain('true search --tenant');
  expect(advised.filter((one) => one.startsWith('false'))).toEqual([]);
});

it('explain refuses --tenant without --at, which would have no effect', async () => {
  covers('AUTHZ-CLI.37');
  expect(await run(['explain', 'bob', 'read', `svc://${UUID}/docs/plan`, '--tenant', UUID])).toMatchObject({
    message: 'explain --tenant goes with --at; without it the object says the domain',
  });
});

it('an empty PLATFORM_TOKEN is named as such, and no command runs with it', async () => {
  covers('AUTHZ-CLI.72');
  const lines = everyCommand(join(folder, 'file')).filter(([name]) => !ASK_NOTHING.has(name!));
  const errors = new Set<string>();
  for (const line of lines) errors.add(errorText(await run(line, { PLATFORM_TOKEN: ' ' }), false));
  expect([...errors]).toEqual([
    'platform: PLATFORM_TOKEN is empty: set it to a token, or unset it to work by a login',
  ]);
});

it('a refusal over REST is one sentence, also of something else than the service', async () => {
  covers('AUTHZ-CLI.1');
  const fetchBundle = ['bundle', 'fetch', join(folder, 'bundle'), '--tenant', UUID, '--domain', UUID];
  const refused = await run(fetchBundle);
  const sentence = `${REFUSAL}: this needs \`read\` on the policies of domain ${UUID} and of those above it`;
  expect([errorText(refused, false), exitCodeOf(refused)]).toEqual([`platform: ${sentence}`, EXIT.denied]);
  expect(JSON.parse(errorText(refused, true))).toEqual({
    error: { message: sentence, reason: 'access_denied' },
  });
  for (const other of ['<!doctype html><h1>403</h1>', '', 'null', '{"error":{"code":1}}', '"x"']) {
    body = other;
    expect(errorText(await run(fetchBundle), false)).toBe(
      `platform: ${env().PLATFORM_URL} responds 403 without a reason: is it where authz-grpc serves REST?`,
    );
  }
  const silent = `http://127.0.0.1:${await freePort()}`;
  expect(errorText(await run([...fetchBundle, '--url', silent]), false)).toBe(
    `platform: no response from ${silent}; start the service, or choose another with --url (connect ECONNREFUSED ${silent.slice(7)})`,
  );
  const typo = await run([...fetchBundle, '--url', '127.0.0.1:8081']);
  expect([errorText(typo, false), exitCodeOf(typo)]).toEqual([
    'platform: no REST address: `127.0.0.1:8081`; one is such as http://127.0.0.1:8081',
    EXIT.usage,
  ]);
});
