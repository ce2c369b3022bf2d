/**
 * An operation's input that is still the bytes of a request: an object in JSON, or with `bodyField` the
 * member of that name. What the URL says comes on top. Read by the input reader, large ones off the request
 * thread.
 */
export class RequestBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly fromUrl: Readonly<Record<string, string>>;
  readonly bodyField: string | null;
  /** Members used where the body has none, or null. */
  readonly defaults: Readonly<Record<string, unknown>>;

  constructor(
    bytes: Uint8Array<ArrayBuffer>,
    fromUrl: Readonly<Record<string, string>>,
    bodyField: string | null = null,
    defaults: Readonly<Record<string, unknown>> = {},
  ) {
    this.bytes = bytes;
    this.fromUrl = fromUrl;
    this.bodyField = bodyField;
    this.defaults = defaults;
  }
}
