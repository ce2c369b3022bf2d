import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createFileRegistry,
  fromBinary,
  fromJson,
  ScalarType,
  toBinary,
  type DescField,
  type DescMessage,
  type DescService,
  type JsonObject,
  type JsonValue,
} from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { Server, ServerCredentials, type ServiceDefinition } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { everyCommand, UUID } from './every-command.fixture.ts';
import { toJson } from './output.ts';
import { buildProgram } from './program.ts';

const DESCRIPTORS = createRequire(import.meta.url).resolve('@platform/proto/authz.binpb');
const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(DESCRIPTORS)));
const services = [...registry].filter(
  (one): one is DescService => one.kind === 'service' && one.file.proto.package === 'authz.v1',
);

/** Values of enums and members of oneofs that are tried: more than any has. */
const CHOICES = 7;
/** A time that is told as a number. Unix epoch, seconds. */
const SECONDS = 1_795_989_665;

/** The message as proto3 JSON with everything set, of enums and oneofs the choice. */
function filled(message: DescMessage, choice: number, depth = 0): JsonObject {
  const isChosen = ({ oneof }: DescField, at: number) =>
    oneof === undefined || message.fields[at] === oneof.fields[choice % oneof.fields.length];
  return Object.fromEntries(
    message.fields
      .filter((field, at) => isChosen(field, at) && (depth < 4 || field.fieldKind !== 'message'))
      .map((field) => [field.name, valueOf(field, choice, depth)]),
  );
}

function valueOf(field: DescField, choice: number, depth: number): JsonValue {
  if (field.fieldKind === 'map' || field.fieldKind === 'list') {
    const kind = field.fieldKind === 'map' ? field.mapKind : field.listKind;
    if (depth >= 4 && kind === 'message') return field.fieldKind === 'map' ? {} : [];
    const item = single({ ...field, kind } as Single, choice, depth);
    return field.fieldKind === 'map' ? { a_key: item } : [item];
  }
  return single({ ...field, kind: field.fieldKind }, choice, depth);
}

type Single = Pick<DescField, 'name' | 'scalar' | 'enum' | 'message'> & {
  kind: 'scalar' | 'enum' | 'message';
};

function single(
  { name, kind, scalar, enum: values, message }: Single,
  choice: number,
  depth: number,
): JsonValue {
  if (kind === 'enum') return values!.values[1 + (choice % (values!.values.length - 1))]!.name;
  if (kind === 'message')
    return message!.typeName === 'google.protobuf.Timestamp'
      ? '2026-01-02T03:04:05.678Z'
      : filled(message!, choice, depth + 1);
  switch (scalar) {
    case ScalarType.BOOL:
      return true;
    case ScalarType.STRING:
      return name === 'next_page_token' || name === 'next_cursor' ? '' : UUID;
    case ScalarType.BYTES:
      return 'AAEC';
    case ScalarType.INT64:
    case ScalarType.UINT64:
      if (name.endsWith('_at')) return SECONDS;
      // No double holds it exactly.
      return '9007199254740993';
    default:
      return 1;
  }
}

/** The methods of a service, as the generated code has them. */
async function definitionOf({ name, file }: DescService): Promise<ServiceDefinition> {
  const code = (await import(`@platform/proto/${file.name}`)) as Record<string, ServiceDefinition>;
  return code[`${name}Service`]!;
}

const bytesOf = (message: DescMessage, json: JsonValue) =>
  Buffer.from(toBinary(message, fromJson(message, json, { registry })));

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
let server: Server;
let port: number;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'json-'));
  writeFileSync(join(folder, 'file'), 'policies: []\n');
  server = new Server();
  for (const service of services) {
    const definition = await definitionOf(service);
    const handlers = service.methods.map(({ localName, output }) => {
      const response: unknown = definition[localName]!.responseDeserialize(
        bytesOf(output, filled(output, 1)),
      );
      return [
        localName,
        (_: unknown, done: (error: null, response: unknown) => void) => done(null, response),
      ];
    });
    server.addService(definition, Object.fromEntries(handlers));
  }
  port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
});
afterAll(() => {
  server.forceShutdown();
  rmSync(folder, { recursive: true });
});

function envOf([command]: readonly string[]): Record<string, string> {
  const env = {
    PLATFORM_ADDRESS: `127.0.0.1:${port}`,
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
