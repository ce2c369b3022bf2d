import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
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
import { UUID } from './every-command.fixture.ts';

const DESCRIPTORS = createRequire(import.meta.url).resolve('@platform/proto/authz.binpb');
const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(DESCRIPTORS)));
/** The services of the contract. */
export const services = [...registry].filter(
  (one): one is DescService => one.kind === 'service' && one.file.proto.package === 'authz.v1',
);

/** A time that is told as a number. Unix epoch, seconds. */
export const SECONDS = 1_795_989_665;

/** The message as proto3 JSON with everything set, of enums and oneofs the choice. */
export function filled(message: DescMessage, choice: number, depth = 0): JsonObject {
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
    const item = single({ ...field, kind }, choice, depth);
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
export async function definitionOf({ name, file }: DescService): Promise<ServiceDefinition> {
  const code = (await import(`@platform/proto/${file.name}`)) as Record<string, ServiceDefinition>;
  return code[`${name}Service`]!;
}

/** The message of JSON as it is sent. */
export const bytesOf = (message: DescMessage, json: JsonValue) =>
  Buffer.from(toBinary(message, fromJson(message, json, { registry })));

/**
 * A server of every method, which responds with everything set. `respond` is told each call, and may give
 * another response. Answers its port and how to stop it.
 */
export async function startEveryMethod(
  respond: (method: string, request: object) => object | undefined = () => undefined,
): Promise<{ readonly port: number; readonly stop: () => void }> {
  const server = new Server();
  for (const service of services) {
    const definition = await definitionOf(service);
    const handlers = service.methods.map(({ localName, output }) => {
      const filledIn = definition[localName]!.responseDeserialize(
        bytesOf(output, filled(output, 1)),
      ) as object;
      const handle = ({ request }: { request: object }, done: (error: null, response: object) => void) =>
        done(null, respond(localName, request) ?? filledIn);
      return [localName, handle];
    });
    server.addService(definition, Object.fromEntries(handlers));
  }
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  return { port, stop: () => server.forceShutdown() };
}
