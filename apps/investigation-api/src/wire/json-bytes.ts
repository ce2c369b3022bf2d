import { constants } from 'node:buffer';
import { DomainError } from '@platform/error-contracts';
import { bytesOf, textOf } from '../model/text-pieces.ts';

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

/** The same in chunks, which are sent as they lie in memory: a copy of 26 MB would hold the event loop. */
export class JsonChunks<T> {
  declare readonly [described]?: T;
  readonly chunks: readonly Uint8Array[];

  constructor(chunks: readonly Uint8Array[]) {
    this.chunks = chunks;
  }

  /** Bytes of all chunks. */
  get length(): number {
    return bytesOf(this.chunks);
  }

  toString(): string {
    return textOf(this.chunks);
  }
}

/** A value, or the JSON of one. */
export type ValueOrJson<T> = T | JsonBytes<T> | JsonChunks<T>;

/** A part of a JSON text that is JSON itself, in UTF-8. */
export class JsonPart {
  readonly pieces: readonly Uint8Array[];

  constructor(json: Uint8Array | readonly Uint8Array[]) {
    this.pieces = json instanceof Uint8Array ? [json] : json;
  }
}

/** The JSON of a response in UTF-8; one that is JSON already stays as it is. */
export function jsonOfResponse<T>(response: ValueOrJson<T>): JsonChunks<T> {
  if (response instanceof JsonChunks) return response;
  return new JsonChunks([response instanceof Uint8Array ? response : Buffer.from(JSON.stringify(response))]);
}

/**
 * The value of a response. Throws DomainError `payload_too_large` for JSON that is longer than a text can be.
 */
export function valueOfResponse<T>(response: ValueOrJson<T>): T {
  if (!isJson(response)) return response;
  const json = jsonOfResponse(response);
  refuseBeyondText(json);
  return JSON.parse(json.toString()) as T;
}

/** Whether a response is JSON already. */
export function isJson<T>(response: ValueOrJson<T>): response is JsonBytes<T> | JsonChunks<T> {
  return response instanceof JsonChunks || response instanceof Uint8Array;
}

/**
 * An object some of whose members are JSON already: its JSON, in which these stand as they are. Without such
 * members, the object itself.
 */
export function jsonObject<T>(members: {
  readonly [K in keyof T]: JsonPart | ValueOrJson<T[K]>;
}): ValueOrJson<T> {
  const values = Object.values<unknown>(members);
  if (!values.some((member) => member instanceof JsonPart || isJson(member))) return members as T;
  const chunks: Uint8Array[] = [];
  let separator = '{';
  for (const [key, value] of Object.entries<unknown>(members)) {
    chunks.push(Buffer.from(`${separator}${JSON.stringify(key)}:`));
    chunks.push(...(value instanceof JsonPart ? value.pieces : jsonOfResponse(value).chunks));
    separator = ',';
  }
  chunks.push(Buffer.from('}'));
  return new JsonChunks(chunks);
}

/** An object that is not empty with one member more, the last; its JSON stays as it is but for that. */
export function withMember<T extends object>(
  object: ValueOrJson<T>,
  name: string,
  value: unknown,
): ValueOrJson<T> {
  if (!isJson(object)) return { ...object, [name]: value };
  const { chunks } = jsonOfResponse(object);
  const member = Buffer.from(`,${JSON.stringify(name)}:${JSON.stringify(value)}}`);
  return new JsonChunks([...chunks.slice(0, -1), chunks.at(-1)!.subarray(0, -1), member]);
}
