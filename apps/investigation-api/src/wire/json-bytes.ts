declare const described: unique symbol;

/** A JSON text in UTF-8, ready to be sent, of a value of type T. Large parts pass through without ever becoming values. */
export type JsonBytes<T> = Uint8Array & { readonly [described]?: T };

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
export function valueOfResponse<T>(response: T | JsonBytes<T>): T {
  return response instanceof Uint8Array ? parseJsonBytes(response as JsonBytes<T>) : response;
}

/** The JSON of an object; members that are a JsonPart stand in it as they are. */
export function jsonObject<T>(members: { readonly [K in keyof T]: T[K] | JsonPart }): JsonBytes<T> {
  const chunks: Uint8Array[] = [];
  let separator = '{';
  for (const [key, value] of Object.entries<unknown>(members)) {
    const json = value instanceof JsonPart ? value.json : JSON.stringify(value);
    chunks.push(Buffer.from(`${separator}${JSON.stringify(key)}:`));
    chunks.push(typeof json === 'string' ? Buffer.from(json) : json);
    separator = ',';
  }
  chunks.push(Buffer.from(separator === '{' ? '{}' : '}'));
  return Buffer.concat(chunks);
}

/** The value of such a text. */
function parseJsonBytes<T>(json: JsonBytes<T>): T {
  return JSON.parse(Buffer.from(json.buffer, json.byteOffset, json.length).toString()) as T;
}
