import type { EventEmitter } from 'node:events';
import { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MessageChannel, Worker, type TransferListItem } from 'node:worker_threads';
import type { HostMessage, HostRequest } from './pglite-host.ts';

/** Next to the bundle. Node reads no TypeScript in a thread, so sources run in this one. */
const THREAD = import.meta.url.endsWith('.js') ? new URL('./pglite-thread.js', import.meta.url) : null;
/** Bytes that the driver reads in one turn of the event loop. */
const READ_BYTES = 1024 * 1024;
/** First byte of the message that ends a session. PGlite has one session, which the next connection keeps. */
const TERMINATE = 'X'.charCodeAt(0);

/** A thread, or one end of a channel. */
interface HostPort extends EventEmitter {
  postMessage(request: HostRequest, moved: readonly TransferListItem[]): void;
  ref(): void;
  unref(): void;
  terminate?(): Promise<unknown>;
  close?(): void;
}

/** PGlite in a thread of its own, where its statements and their syncs hold up no request. */
export class PgliteConnection {
  /** Bytes written to the write-ahead log since they were last set to 0. */
  logBytes = 0;
  readonly #port: HostPort;
  readonly #waiting: { resolve: (message: HostMessage) => void; reject: (error: unknown) => void }[] = [];
  #isOpen = false;
  #stream: Duplex | null = null;
  readonly #onPanic: (error: unknown) => void;
  /** The error after which nothing can be done with the database. */
  #panic: { readonly error: unknown } | null = null;

  private constructor(port: HostPort, onPanic: (error: unknown) => void) {
    this.#port = port;
    this.#onPanic = onPanic;
    port.on('message', (message: HostMessage) => this.#take(message));
    port.on('error', (error: unknown) => this.panic(error));
    port.on('exit', () => this.panic(new Error('the thread of the embedded database has ended')));
  }

  /** Starts PGlite over `folder`, or in memory for null. `onPanic` is called once, for an open database. */
  static async open(folder: string | null, onPanic: (error: unknown) => void): Promise<PgliteConnection> {
    const connection = new PgliteConnection(await startHost(folder), onPanic);
    await connection.#next();
    connection.#isOpen = true;
    return connection;
  }

  /** A connection for the driver. One at a time may be open. */
  stream(): Duplex {
    this.#stream = new ConnectionStream((bytes) => this.#send(bytes));
    return this.#stream;
  }

  /** The response of Postgres to whole messages of its protocol. Rejects after a panic, with its error. */
  async #send(bytes: Uint8Array): Promise<Uint8Array> {
    const message = await this.#request(bytes, [bytes.buffer as ArrayBuffer]);
    if (message.kind !== 'response') return new Uint8Array();
    this.logBytes += message.logBytes;
    return message.bytes;
  }

  /**
   * Postgres would have ended its process. PGlite cannot, and would spin at the next statement, so every
   * later statement fails with `error`.
   */
  panic(error: unknown): void {
    if (this.#panic !== null) return;
    this.#panic = { error };
    for (const { reject } of this.#waiting.splice(0)) reject(error);
    this.#stream?.destroy(error as Error);
    this.#end();
    if (this.#isOpen) this.#onPanic(error);
  }

  async close(): Promise<void> {
    // After a panic there is nothing left that could be closed.
    if (this.#panic !== null) return;
    await this.#request('close');
    this.#port.removeAllListeners('exit');
    this.#end();
  }

  #end(): void {
    void this.#port.terminate?.();
    this.#port.close?.();
  }

  #request(request: HostRequest, moved: ArrayBuffer[] = []): Promise<HostMessage> {
    if (this.#panic !== null) return Promise.reject(this.#panic.error);
    this.#port.postMessage(request, moved);
    return this.#next();
  }

  /** The host's next message that no caller waits for yet. The process does not end while one waits. */
  #next(): Promise<HostMessage> {
    this.#port.ref();
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  #take(message: HostMessage): void {
    const waiter = this.#waiting.shift();
    if (this.#waiting.length === 0) this.#port.unref();
    if (message.kind !== 'failed') return waiter?.resolve(message);
    waiter?.reject(message.error);
    this.panic(message.error);
  }
}

async function startHost(folder: string | null): Promise<HostPort> {
  if (THREAD !== null) return new Worker(THREAD, { workerData: folder });
  const { hostPglite } = await import('./pglite-host.ts');
  const { port1, port2 } = new MessageChannel();
  void hostPglite(port2, folder);
  return port1 as unknown as HostPort;
}

/** Stands in the place of pg's socket. Each write of pg holds whole messages. */
class ConnectionStream extends Duplex {
  readonly #send: (bytes: Uint8Array) => Promise<Uint8Array>;

  constructor(send: (bytes: Uint8Array) => Promise<Uint8Array>) {
    super();
    this.#send = send;
  }

  connect(): this {
    setImmediate(() => this.emit('connect'));
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#post([chunk]);
    done();
  }

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this.#post(chunks.map(({ chunk }) => chunk));
    done();
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }

  #post(chunks: readonly Buffer[]): void {
    const messages = chunks.filter(([type]) => type !== TERMINATE);
    if (messages.length === 0) return;
    // A copy, as its memory moves to the thread.
    this.#send(new Uint8Array(Buffer.concat(messages)))
      .then((response) => this.#receive(response))
      .catch((error: Error) => this.destroy(error));
  }

  /** Hands a response to the driver as a socket would: what it reads at once keeps the event loop busy. */
  async #receive({ buffer, byteOffset, byteLength }: Uint8Array): Promise<void> {
    for (let at = 0; at < byteLength && !this.readableEnded; at += READ_BYTES) {
      if (at > 0) await nextTurn();
      const length = Math.min(READ_BYTES, byteLength - at);
      this.push(Buffer.from(buffer as ArrayBuffer, byteOffset + at, length));
    }
  }
}
