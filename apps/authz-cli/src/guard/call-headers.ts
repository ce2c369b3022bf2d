import type { IncomingHttpHeaders } from 'node:http';
import { isObject, InvalidMessageError, type JsonObject, type Message } from './message.ts';

/** Headers that a client's message brings along to the server; no credential is among them. */
const PASSED = [
  'accept',
  'content-type',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'traceparent',
  'tracestate',
];
const PARAMETER = 'mcp-param-';

/** The headers that go to the server. */
export function passedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const passed = Object.entries(headers).filter(
    ([name, value]) => typeof value === 'string' && (PASSED.includes(name) || name.startsWith(PARAMETER)),
  );
  return Object.fromEntries(passed) as Record<string, string>;
}

/**
 * Refuses headers that say something else than the message: what stands between guard and server may go by
 * them. Throws InvalidMessageError.
 */
export function checkHeaders(headers: IncomingHttpHeaders, message: Message): void {
  const refuse = (name: string): never => {
    throw new InvalidMessageError(
      `the header ${name} does not say what the message says`,
      message.kind === 'request' ? message.id : null,
    );
  };
  const method = message.kind === 'response' ? undefined : message.method;
  const params: JsonObject = message.kind === 'response' ? {} : message.params;
  const { 'mcp-method': givenMethod, 'mcp-name': givenName } = headers;
  if (givenMethod !== undefined && givenMethod !== method) refuse('Mcp-Method');
  const names = [params['name'], params['uri'], params['taskId']];
  if (typeof givenName === 'string' && !names.includes(decoded(givenName))) refuse('Mcp-Name');
  const values = Object.entries(headers).filter(([name]) => name.startsWith(PARAMETER));
  const said = values.length === 0 ? new Set<string>() : new Set(textsIn(params['arguments']));
  for (const [name, value] of values) if (!said.has(decoded(String(value)))) refuse(name);
}

/** A header value; what no header can hold is written in Base64. */
function decoded(value: string): string {
  const [, base64] = /^=\?base64\?(.*)\?=$/.exec(value) ?? [];
  return base64 === undefined ? value : Buffer.from(base64, 'base64').toString();
}

function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [String(value)];
}
