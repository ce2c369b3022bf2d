import { constants } from 'node:buffer';
import { DomainError } from '@platform/error-contracts';

/**
 * Throws DomainError `payload_too_large` for a result that is longer than a text of this runtime can be: it
 * can be sent as it is, but neither kept nor read.
 */
export function refuseBeyondText(json: Pick<Uint8Array, 'length'>): void {
  if (json.length > constants.MAX_STRING_LENGTH)
    throw new DomainError(
      'payload_too_large',
      `claims: the full result takes ${Math.ceil(json.length / MIB)} MiB, and at most ${Math.floor(constants.MAX_STRING_LENGTH / MIB)} MiB can be kept or sent over MCP; send fewer claims, or submit them over REST, where any result is sent`,
    );
}
const MIB = 1024 * 1024;

declare const described: unique symbol;

/**
 * A JSON text in UTF-8, ready to be sent, of a value of type T. Large parts pass through without ever
 * becoming values.
 */
export type JsonBytes<T> = Uint8Array & { readonly [described]?: T };

/** A value, or the JSON of one. */
export type ValueOrJson<T> = T | JsonBytes<T>;

/** A part of a JSON text that is JSON itself, as text or in UTF-8. */
export class JsonPart {
  readonly json: string | Uint8Array;

  constructor(json: string | Uint8Array) {
    this.json = json;
  }
}

/** The JSON of a response in UTF-8; one that is JSON already stays as it is. */
export function bytesOfResponse(response: unknown): Uint8Array {
  return response instanceof Uint8Array ? response : Buffer.from(JSON.stringify(response));
}

/** The value of a response. */
export function valueOfResponse<T>(response: ValueOrJson<T>): T {
  return response instanceof Uint8Array ? parseJsonBytes(response as JsonBytes<T>) : response;
}

/**
 * An object some of whose members are JSON already, a JsonPart or bytes in UTF-8: its JSON, in which these
 * stand as they are. Without such members, the object itself.
 */
export function jsonObject<T>(members: {
  readonly [K in keyof T]: T[K] | JsonPart | JsonBytes<T[K]>;
}): ValueOrJson<T> {
  const isJson = (member: unknown) => member instanceof JsonPart || member instanceof Uint8Array;
  if (!Object.values(members).some(isJson)) return members as T;
  const chunks: Uint8Array[] = [];
  let separator = '{';
  for (const [key, value] of Object.entries<unknown>(members)) {
    const json = value instanceof JsonPart ? value.json : bytesOfResponse(value);
    chunks.push(Buffer.from(`${separator}${JSON.stringify(key)}:`));
    chunks.push(typeof json === 'string' ? Buffer.from(json) : json);
    separator = ',';
  }
  chunks.push(Buffer.from(separator === '{' ? '{}' : '}'));
  return Buffer.concat(chunks);
}

/** An object that is not empty with one member more, the last; its JSON stays as it is but for that. */
export function withMember<T extends object>(
  object: ValueOrJson<T>,
  name: string,
  value: unknown,
): ValueOrJson<T> {
  if (!(object instanceof Uint8Array)) return { ...object, [name]: value };
  const member = Buffer.from(`,${JSON.stringify(name)}:${JSON.stringify(value)}}`);
  return Buffer.concat([object.subarray(0, -1), member]);
}

/** The value of such a text. Throws DomainError `payload_too_large` where it is longer than a text can be. */
function parseJsonBytes<T>(json: JsonBytes<T>): T {
  refuseBeyondText(json);
  return JSON.parse(Buffer.from(json.buffer, json.byteOffset, json.length).toString()) as T;
}
