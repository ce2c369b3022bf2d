import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

type Id = string | number;

export interface AnsweringTransportOptions {
  readonly stdin: Readable;
  readonly stdout: NodeJS.WritableStream & StdioOutput;
  /** Longest message. Bytes. */
  readonly messageBytesMax: number;
  /** Longest wait, once stdin has ended, for the answers to what was asked. Milliseconds. */
  readonly drainMaxMs: number;
}

type StdioOutput = NonNullable<ConstructorParameters<typeof StdioServerTransport>[1]>;

/**
 * stdin and stdout as a transport that closes once every request has its response. The SDK's own closes with
 * stdin, and a program that pipes requests in and ends would get no response to those still at work. `onEnd`
 * is called when it closes.
 */
export class AnsweringTransport extends StdioServerTransport {
  readonly #unanswered: Unanswered;

  constructor({ stdin, stdout, messageBytesMax, drainMaxMs }: AnsweringTransportOptions, onEnd: () => void) {
    const unanswered = new Unanswered();
    const input = Readable.from(untilAnswered(stdin, unanswered, drainMaxMs), { objectMode: false });
    super(input, stdout, { maxBufferSize: messageBytesMax });
    this.#unanswered = unanswered;
    input.once('close', onEnd);
  }

  override async start(): Promise<void> {
    const deliver = this.onmessage;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport has this property and no events
    this.onmessage = (message) => {
      this.#unanswered.noteRead(message);
      deliver?.(message);
    };
    await super.start();
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    try {
      await super.send(message);
    } finally {
      this.#unanswered.noteSent(message);
    }
  }
}

/** Everything from `stdin`; after its end, waits until all calls have their response or the time is up. */
async function* untilAnswered(stdin: Readable, unanswered: Unanswered, drainMaxMs: number) {
  yield* stdin;
  const timer = new AbortController();
  await Promise.race([unanswered.none(), delay(drainMaxMs, undefined, { signal: timer.signal })]);
  timer.abort();
}

/** Requests that were read and neither answered nor cancelled. */
class Unanswered {
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

  /** Resolves when no call is unanswered. */
  async none(): Promise<void> {
    // The last messages read are delivered first.
    await delay(0);
    if (this.#ids.size > 0) await new Promise<void>((resolve) => (this.#whenNone = resolve));
  }

  #settle(id: Id): void {
    if (this.#ids.delete(id) && this.#ids.size === 0) this.#whenNone();
  }
}
