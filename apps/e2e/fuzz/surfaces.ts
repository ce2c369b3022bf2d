import { readFileSync } from 'node:fs';
import { Client, credentials, Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { loadFileDescriptorSetFromBuffer, type MethodDefinition } from '@grpc/proto-loader';
import type { JsonSchema } from './schema-cases.ts';

/** How a hostile request ended. */
export interface Ended {
  /** An HTTP status, the name of a gRPC status, `tool error`, `connection` or `timeout`. */
  readonly result: string;
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

/** Something of a service that takes values by a schema. */
export interface Operation {
  readonly name: string;
  readonly schema: JsonSchema;
  /** How many bytes a request may have. */
  readonly bytesMax: number;
  readonly definitions: (ref: string) => JsonSchema;
  send(value: unknown): Promise<Ended>;
}

const TIMEOUT_MS = 20_000;
/** Longest request head that Node reads, less what the head has besides the query. */
const QUERY_BYTES_MAX = 12_000;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: JsonSchema;
}
interface Described {
  readonly operationId?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: JsonSchema }>> };
}

export interface RestOptions {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  /** How many bytes a body of a path may have. */
  readonly bytesMax: (path: string) => number;
  /** Values of the path's parameters, by the method and path of the operation. */
  readonly params: (operation: string) => Readonly<Record<string, string>>;
}

async function sendHttp(url: string, init: RequestInit & { readonly sentBytes: number }): Promise<Ended> {
  const { sentBytes } = init;
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const receivedBytes = await received(response, init.method);
    return { result: String(response.status), sentBytes, receivedBytes };
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === 'TimeoutError';
    return { result: isLate ? 'timeout' : 'connection', sentBytes, receivedBytes: 0 };
  }
}

/**
 * Bytes of the body of a response. That of a POST is read to its end, also where it is a stream of events, as
 * MCP's are; any other stream of events lasts as long as its credential, and is left after its first events.
 */
async function received({ headers, body }: Response, method: string | undefined): Promise<number> {
  let bytes = 0;
  const isEndless =
    method !== 'POST' && headers.get('content-type')?.startsWith('text/event-stream') === true;
  for await (const chunk of body ?? []) {
    bytes += (chunk as Uint8Array).byteLength;
    if (isEndless) break;
  }
  return bytes;
}

/** The operations of an OpenAPI document: bodies by their schema, and queries and headers by theirs. */
export async function restOperations(openApiUrl: string, options: RestOptions): Promise<Operation[]> {
  const document = (await (await fetch(openApiUrl)).json()) as {
    paths: Record<string, Record<string, Described>>;
  };
  const definitions = (ref: string) =>
    ref
      .replace('#/', '')
      .split('/')
      .reduce((at, key) => (at as Record<string, unknown>)[key], document as unknown) as JsonSchema;
  return Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).flatMap(([method, described]) =>
      pathsOf(template, described.parameters ?? []).flatMap((path) => {
        const name = `${method.toUpperCase()} ${path}`;
        const [type, body] = Object.entries(described.requestBody?.content ?? {})[0] ?? [];
        const request = { path, method: method.toUpperCase(), name };
        const operations: Operation[] = [];
        if (body?.schema !== undefined && type !== undefined)
          operations.push(bodyOperation(request, { type, schema: body.schema, definitions }, options));
        const parameters = (described.parameters ?? []).filter(({ in: where }) => where !== 'cookie');
        if (parameters.length > 0) operations.push(headOperation(request, parameters, definitions, options));
        return operations;
      }),
    ),
  );
}

/** A path once for each value of a parameter that has few, such as the format of a file. */
function pathsOf(path: string, parameters: readonly Parameter[]): string[] {
  const few = parameters.find(({ in: where, schema }) => where === 'path' && Array.isArray(schema?.['enum']));
  const values = few === undefined ? [] : (few.schema!['enum'] as string[]);
  return few === undefined ? [path] : values.map((value) => path.replace(`{${few.name}}`, value));
}

interface RestRequest {
  readonly path: string;
  readonly method: string;
  readonly name: string;
}

const filled = (path: string, params: Readonly<Record<string, string>>) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? 'x'));

function bodyOperation(
  { path, method, name }: RestRequest,
  { type, schema, definitions }: { type: string; schema: JsonSchema; definitions: Operation['definitions'] },
  { baseUrl, headers, bytesMax, params }: RestOptions,
): Operation {
  return {
    name: `${name} (body)`,
    schema,
    bytesMax: bytesMax(path),
    definitions,
    send(value) {
      const body = Buffer.from(type === 'application/json' ? JSON.stringify(value) : String(value));
      return sendHttp(baseUrl + filled(path, params(name)), {
        method,
        headers: { 'if-match': '*', ...headers, 'content-type': type },
        body,
        sentBytes: body.length,
      });
    },
  };
}

function headOperation(
  { path, method, name }: RestRequest,
  parameters: readonly Parameter[],
  definitions: Operation['definitions'],
  { baseUrl, headers, params }: RestOptions,
): Operation {
  return {
    name: `${name} (head)`,
    schema: {
      type: 'object',
      properties: Object.fromEntries(parameters.map((one) => [one.name, one.schema ?? {}])),
      required: parameters.filter(({ required }) => required).map((one) => one.name),
    },
    bytesMax: QUERY_BYTES_MAX,
    definitions,
    send(value) {
      const given = Object.entries(value instanceof Object ? value : {});
      const inOf = (key: string) => parameters.find((one) => one.name === key)?.in ?? 'query';
      const of = (where: string) =>
        given.filter(([key]) => inOf(key) === where).map(([key, one]) => [key, asText(one)] as const);
      const query = new URLSearchParams(of('query') as [string, string][])
        .toString()
        .slice(0, QUERY_BYTES_MAX);
      // Fetch takes Latin-1 in headers.
      const own = of('header').map(([key, text]) => [key, text.replaceAll(/[^ -~]/g, '?')] as const);
      const at = filled(path, { ...params(name), ...Object.fromEntries(of('path')) });
      return sendHttp(`${baseUrl}${at}?${query}`, {
        method,
        headers: { ...headers, ...Object.fromEntries(own) },
        sentBytes: query.length,
      });
    },
  };
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** The tools of an MCP server over HTTP, by their input schemas. */
export async function mcpOperations(
  url: string,
  { headers, bytesMax }: { readonly headers: RestOptions['headers']; readonly bytesMax: number },
): Promise<Operation[]> {
  const all = {
    ...headers,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
  };
  const rpc = (method: string, params: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(url, { method: 'POST', headers: all, body: rpc('tools/list', {}) });
  const text = await response.text();
  const line = text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? '{}');
  const { result } = JSON.parse(line) as {
    result?: { tools: { name: string; inputSchema: JsonSchema & { $defs?: Record<string, JsonSchema> } }[] };
  };
  if (result === undefined) throw new Error(`no list of tools: ${response.status} ${text.slice(0, 300)}`);
  return result.tools.map(({ name, inputSchema }) => ({
    name: `tool ${name}`,
    schema: inputSchema,
    bytesMax,
    definitions: (ref) => inputSchema.$defs?.[ref.split('/').at(-1)!] ?? {},
    send(value) {
      const body = Buffer.from(rpc('tools/call', { name, arguments: value }));
      return sendHttp(url, { method: 'POST', headers: all, body, sentBytes: body.length });
    },
  }));
}

interface ProtoField {
  readonly name: string;
  readonly type: string;
  readonly label: string;
  readonly typeName: string;
}
const INTEGERS = /^TYPE_(U?INT|S?FIXED|SINT)(32|64)$/;

/** The unary methods of `authz.v1` by the descriptors that the code generation wrote. */
export function grpcOperations(
  address: string,
  { token, bytesMax }: { readonly token: string; readonly bytesMax: (method: string) => number },
): { readonly operations: Operation[]; close(): void } {
  const package_ = loadFileDescriptorSetFromBuffer(
    readFileSync(new URL('../../../proto/gen/authz.binpb', import.meta.url)),
    { longs: Number, enums: String },
  );
  const client = new Client(address, credentials.createInsecure(), {
    'grpc.max_send_message_length': -1,
    'grpc.max_receive_message_length': -1,
  });
  const messageOf = (ref: string): JsonSchema => {
    const found = package_[ref] as
      { type?: { field?: ProtoField[]; value?: { name: string }[] } } | undefined;
    if (found?.type?.value !== undefined) return { enum: found.type.value.map(({ name }) => name) };
    const properties = Object.fromEntries(
      (found?.type?.field ?? []).map((field) => [camel(field.name), fieldOf(field)]),
    );
    // Every field of a sample is given: nothing in proto3 is required.
    return { type: 'object', properties };
  };
  const fieldOf = ({ type, label, typeName }: ProtoField): JsonSchema => {
    const one: JsonSchema = INTEGERS.test(type)
      ? { type: 'integer', minimum: type.includes('U') ? 0 : -(2 ** 31), maximum: 2 ** 31 - 1 }
      : type === 'TYPE_MESSAGE' || type === 'TYPE_ENUM'
        ? { $ref: typeName.startsWith('.') ? typeName.slice(1) : qualified(typeName) }
        : { type: { TYPE_BOOL: 'boolean', TYPE_DOUBLE: 'number' }[type] ?? 'string' };
    return label === 'LABEL_REPEATED' ? { type: 'array', items: one } : one;
  };
  const qualified = (name: string) =>
    [`authz.v1.${name}`, ...Object.keys(package_).filter((one) => one.endsWith(`.${name}`))].find(
      (one) => one in package_,
    ) ?? name;
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${token}`);

  const operations = Object.entries(package_)
    .filter(([name]) => /^authz\.v1\.\w+Service$/.test(name))
    .flatMap(([, service]) =>
      Object.values(service as unknown as Record<string, MethodDefinition<object, object>>),
    )
    .filter(({ requestStream, responseStream }) => !requestStream && !responseStream)
    .map((method): Operation => {
      const type = method.requestType.type as unknown as { name: string };
      return {
        name: method.path,
        schema: messageOf(qualified(type.name)),
        bytesMax: bytesMax(method.path),
        definitions: messageOf,
        async send(value) {
          let receivedBytes = 0;
          const count = (bytes: Buffer) => {
            receivedBytes = bytes.length;
            return bytes;
          };
          const message = serialized(method, value);
          if (message === null) return { result: 'not sendable', sentBytes: 0, receivedBytes };
          const sentBytes = message.length;
          const result = await new Promise<string>((resolve) => {
            client.makeUnaryRequest(
              method.path,
              () => message,
              count,
              {},
              metadata,
              { deadline: Date.now() + TIMEOUT_MS },
              (error: ServiceError | null) => {
                receivedBytes += error?.details.length ?? 0;
                resolve(error === null ? 'ok' : status[error.code]);
              },
            );
          });
          return { result, sentBytes, receivedBytes };
        },
      };
    });
  return { operations, close: () => client.close() };
}

/** The message on the wire; null for a value that no client can write as one. */
function serialized({ requestSerialize }: MethodDefinition<object, object>, value: unknown): Buffer | null {
  // A message is an object on every wire.
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  try {
    return requestSerialize(value);
  } catch {
    return null;
  }
}

const camel = (name: string) => name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
