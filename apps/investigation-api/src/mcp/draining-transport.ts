import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

type Id = string | number;

export interface DrainingTransportOptions {
  readonly stdin: Readable;
  readonly stdout: NodeJS.WritableStream & StdioOutput;
  /** Longest message. Bytes. */
  readonly messageBytesMax: number;
  /** Longest wait, once stdin has ended, for the responses to what was asked. Milliseconds. */
  readonly drainMaxMs: number;
}

type StdioOutput = NonNullable<ConstructorParameters<typeof StdioServerTransport>[1]>;

/**
 * stdin and stdout as a transport that closes once every request has its response. The SDK's own closes with
 * stdin, and a program that pipes requests in and ends would get no response to those still at work. `onEnd`
 * is called when it closes.
 */
export class DrainingTransport extends StdioServerTransport {
  readonly #pending: PendingRequests;

  constructor({ stdin, stdout, messageBytesMax, drainMaxMs }: DrainingTransportOptions, onEnd: () => void) {
    const pending = new PendingRequests();
    const input = Readable.from(untilAllResponded(stdin, pending, drainMaxMs), { objectMode: false });
    super(input, stdout, { maxBufferSize: messageBytesMax });
    this.#pending = pending;
    input.once('close', onEnd);
  }

  override async start(): Promise<void> {
    const deliver = this.onmessage;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport has this property and no events
    this.onmessage = (message) => {
      this.#pending.noteRead(message);
      deliver?.(message);
    };
    await super.start();
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    try {
      await super.send(message);
    } finally {
      this.#pending.noteSent(message);
    }
  }
}

/** Everything from `stdin`; after its end, waits until all calls have their response or the time is up. */
async function* untilAllResponded(stdin: Readable, pending: PendingRequests, drainMaxMs: number) {
  yield* stdin;
  const timer = new AbortController();
  await Promise.race([pending.none(), delay(drainMaxMs, undefined, { signal: timer.signal })]);
  timer.abort();
}

/** Requests that were read and neither responded to nor cancelled. */
class PendingRequests {
  readonly #ids = new Set<Id>();
  #whenNone: () => void = () => {};

  noteRead(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if ('id' in message) this.#ids.add(message.id);
    else if (message.method === 'notifications/cancelled') this.#settle(message.params?.['requestId'] as Id);
  }

  noteSent(message: JSONRPCMessage): void {
    if (!('method' in message) && message.id !== undefined) this.#settle(message.id);
  }

  /** Resolves when no call is pending. */
  async none(): Promise<void> {
    // The last messages read are delivered first.
    await delay(0);
    if (this.#ids.size > 0) await new Promise<void>((resolve) => (this.#whenNone = resolve));
  }

  #settle(id: Id): void {
    if (this.#ids.delete(id) && this.#ids.size === 0) this.#whenNone();
  }
}
