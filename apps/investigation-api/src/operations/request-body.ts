/**
 * An operation's input that is still the bytes of a request: an object in JSON, or with `under` the member of that name. What
 * the URL says comes on top. Read by the input reader, large ones off the request thread.
 */
export class RequestBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly fromUrl: Readonly<Record<string, string>>;
  readonly under: string | null;

  constructor(
    bytes: Uint8Array<ArrayBuffer>,
    fromUrl: Readonly<Record<string, string>>,
    under: string | null = null,
  ) {
    this.bytes = bytes;
    this.fromUrl = fromUrl;
    this.under = under;
  }
}
