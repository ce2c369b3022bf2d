import { html, prose, type Html } from './html.ts';

/** A field of a request in a `.proto`. */
interface GrpcField {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly isEnum: boolean;
  readonly isOptional: boolean;
  readonly isRepeated: boolean;
  /** The `oneof` it is one of; null where it stands alone. */
  readonly oneof: string | null;
}

interface GrpcMethod {
  readonly name: string;
  readonly description: string;
  readonly request: readonly GrpcField[];
  /** Name of the message that comes back. */
  readonly response: string;
}

export interface GrpcService {
  readonly name: string;
  readonly description: string;
  readonly methods: readonly GrpcMethod[];
}

/** A gRPC contract as the guide shows it. */
export interface GrpcCalls {
  /** Its package in the `.proto` files. */
  readonly packageName: string;
  /** `host:port` that examples call. */
  readonly address: string;
  readonly isTls: boolean;
  /** What its services are for, in the order of the guide: a title, and the client's name for the service. */
  readonly groups: readonly {
    readonly service: GrpcService;
    readonly title: string;
    readonly client: string;
  }[];
}

type Group = GrpcCalls['groups'][number];

/** The id of a method's entry, which fragments name. */
export const callId = (service: GrpcService, method: GrpcMethod) => `grpc-${service.name}.${method.name}`;
export const groupId = ({ service }: Group) => `group-grpc-${service.name}`;

/** What grpcurl sends for a method: its required texts, to be filled in. */
function grpcurlOf(calls: GrpcCalls, service: GrpcService, method: GrpcMethod): string {
  const required = method.request.filter((field) => isRequired(field) && field.type === 'string');
  const body = JSON.stringify(Object.fromEntries(required.map(({ name }) => [name, '…'])));
  const plain = calls.isTls ? '' : ' -plaintext';
  return [
    `grpcurl${plain} -H "authorization: Bearer $TOKEN"`,
    `  -d '${body}'`,
    `  ${calls.address} ${calls.packageName}.${service.name}/${method.name}`,
  ].join(' \\\n');
}

const isRequired = ({ isOptional, isRepeated, oneof }: GrpcField) =>
  !isOptional && !isRepeated && oneof === null;

/** The same call over the typed client, with every field that its type asks for. */
function clientCallOf(calls: GrpcCalls, { client }: Group, method: GrpcMethod): string {
  const oneofs = [...new Set(method.request.flatMap(({ oneof }) => oneof ?? []))];
  const fields = [
    ...method.request
      .filter(({ isOptional, oneof }) => !isOptional && oneof === null)
      .map((field) => `${camel(field.name)}: ${emptyValue(field)}`),
    ...oneofs.map((name) => `${camel(name)}: undefined`),
  ];
  const request = fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
  return [
    "import { openAuthzClients } from '@platform/authz-client';",
    '',
    `const clients = openAuthzClients('${calls.address}');`,
    `const response = await clients.${client}.${lowerFirst(method.name)}(`,
    `  ${request},`,
    '  { token: TOKEN },',
    ');',
  ].join('\n');
}

function emptyValue({ type, isEnum, isRepeated }: GrpcField): string {
  if (isRepeated) return '[]';
  if (isEnum) return '0';
  switch (type) {
    case 'string':
      return "'…'";
    case 'bool':
      return 'false';
    case 'map':
      return 'new Map()';
    case 'bytes':
      return 'new Uint8Array()';
    case 'int64':
    case 'uint64':
      return '0n';
    case 'int32':
    case 'uint32':
    case 'double':
      return '0';
    default:
      return 'undefined';
  }
}

const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const lowerFirst = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);

/** A method's name in words: `CreateUser` is “Create user”. */
export function titleOf({ name }: GrpcMethod): string {
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The groups of the calls with an entry for each method; `code` draws an example. */
export function grpcGroups(calls: GrpcCalls, code: (text: Html, label: string) => Html): Html {
  return html`${calls.groups.map(
    (group) =>
      html`<section class="group" aria-labelledby="${groupId(group)}">
        <h2 id="${groupId(group)}">${group.title}</h2>
        <p class="group-lead">${prose(group.service.description)}</p>
        ${group.service.methods.map((method) => entry(calls, group, method, code))}
      </section> `,
  )}`;
}

function entry(
  calls: GrpcCalls,
  group: Group,
  method: GrpcMethod,
  code: (text: Html, label: string) => Html,
): Html {
  const { service } = group;
  const words = [service.name, method.name, titleOf(method), method.description].join(' ').toLowerCase();
  return html`<details class="operation" id="${callId(service, method)}" data-words="${words}">
    <summary>
      <span class="method">gRPC</span>
      <h3>${titleOf(method)}</h3>
      <code class="path">${service.name}/${method.name}</code>
    </summary>
    <div class="operation-body">
      <div class="reference">
        ${method.description === '' ? null : html`<p>${prose(method.description)}</p>`}
        ${
          method.request.length === 0
            ? html`<p class="note">The request has no fields.</p>`
            : html`<h4>Request</h4>
                <ul class="fields">
                  ${method.request.map(fieldLine)}
                </ul>`
        }
        <p class="note">Returns <code>${method.response}</code>.</p>
      </div>
      <div class="example">
        ${code(html`${grpcurlOf(calls, service, method)}`, 'grpcurl')}
        ${code(html`${clientCallOf(calls, group, method)}`, 'TypeScript')}
      </div>
    </div>
  </details> `;
}

function fieldLine({ name, type, description, isOptional, isRepeated, oneof }: GrpcField): Html {
  const kind = isRepeated ? `list of ${type}` : type;
  return html`<li class="field">
    <p class="field-line">
      <code class="field-name">${name}</code>
      <span class="field-type">${kind}</span>
      ${isOptional ? html`<span class="field-limits">optional</span>` : null}
      ${oneof === null ? null : html`<span class="field-limits">one of ${oneof}</span>`}
    </p>
    ${description === '' ? null : html`<p>${prose(description)}</p>`}
  </li> `;
}
