import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { Caller, Correlation } from './decider.ts';
import type { Admission, Guard, Note } from './guard.ts';
import { asOneLine, createLineSplitter } from './lines.ts';
import { END_BYTES, lostWith } from './lost-responses.ts';
import { InvalidMessageError, readMessage, type Message, type RequestId } from './message.ts';
import type { ListKind } from './needs.ts';
import { refusedResponse } from './refusals.ts';

/** Messages of one direction that are being decided; the next ones wait in the pipe. */
const IN_FLIGHT_MAX = 64;
/** Requests without a response. */
const REQUESTS_MAX = 10_000;
/** How long a server may take to end after its input has, and again after it was told to. Milliseconds. */
const END_MS_MAX = 5_000;

/** Streams to the client; tests give their own. */
export interface ClientStreams {
  readonly input: Readable;
  readonly output: Writable;
}

export interface StdioOptions {
  /** The server's command and its arguments. */
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly messageBytesMax: number;
  readonly caller: Caller;
  readonly correlation: Correlation;
}

/**
 * Runs the server and stands between it and the client, until one of them ends. Messages keep their order
 * in each direction. Returns the exit code of the server, 1 when a signal ended it. Errors: those of
 * starting it.
 */
export async function guardStdio(
  guard: Guard,
  { input, output }: ClientStreams,
  { command, env, messageBytesMax, caller, correlation }: StdioOptions,
  note: Note,
): Promise<number> {
  const [program = '', ...args] = command;
  const server = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  await once(server, 'spawn');
  const ended = once(server, 'close') as Promise<[number | null]>;
  // A closed pipe shows when the process at its other end exits.
  for (const stream of [server.stdin, output]) stream.on('error', () => server.kill());

  /** Requests of the client without a response, by id, with the list that each asks for. */
  const requests = new Map<RequestId, ListKind | null>();

  const fromClient = inOrder(input, async (line): Promise<() => void> => {
    const text = line.toString();
    const read = tryRead(line);
    if (read instanceof InvalidMessageError) return () => refuseMessage(read);
    const { kind } = read;
    if (kind === 'request') {
      const bad = requestProblem(read.id);
      if (bad !== null) return () => refuseMessage(bad);
      requests.set(read.id, null);
    }
    const admission = await guard.admit(read, caller, correlation);
    return () => settle(read, admission, text);
  });

  function tryRead(line: Buffer): Message | InvalidMessageError {
    try {
      return readMessage(line);
    } catch (error) {
      if (error instanceof InvalidMessageError) return error;
      throw error;
    }
  }

  /** The response to a message that cannot be one; whose request it is may not be told. */
  function refuseMessage({ message, id, code }: InvalidMessageError): void {
    note(`refused: ${message}`);
    write(output, refusedResponse(id, null, { code, text: message }));
  }

  /** A reused id would give the response to one request to another. */
  function requestProblem(id: RequestId): InvalidMessageError | null {
    if (requests.has(id)) return new InvalidMessageError('`id` is that of a request without a response yet');
    return requests.size < REQUESTS_MAX
      ? null
      : new InvalidMessageError(`more than ${REQUESTS_MAX} requests have no response yet`, id);
  }

  function settle(message: Message, admission: Admission, text: string): void {
    if (admission.passed) {
      if (message.kind === 'request') requests.set(message.id, admission.list);
      write(server.stdin, asOneLine(text));
      return;
    }
    if (message.kind === 'request') requests.delete(message.id);
    if (admission.response !== null) write(output, admission.response);
  }

  const fromServer = inOrder(server.stdout, async (line): Promise<() => void> => {
    const text = line.toString();
    const read = tryRead(line);
    if (read instanceof InvalidMessageError) return () => drop(read.message, text);
    const id = read.kind === 'response' ? read.id : null;
    const list = id === null ? null : requests.get(id);
    if (list === undefined) return () => drop('no request waits for this response', text);
    const kept = await guard.filter(text, read, list, caller, correlation);
    if (id !== null) requests.delete(id);
    return () => {
      if (kept !== null) write(output, kept);
    };
  });

  /** Tells who waits for the message that it does not come; of one that is too long, it gets the ends. */
  function drop(why: string, start: string, end = start): void {
    const { responses, call } = lostWith(start, end, [...requests.keys()]);
    const told = responses.length > 0 ? `; the request ${responses.join(', ')} ends with an error` : '';
    note(`dropped a message of the server: ${why}${told}`);
    const text = `the response of the MCP server was not passed on: ${why}`;
    for (const id of responses) {
      requests.delete(id);
      write(output, refusedResponse(id, null, { code: 'unavailable', text }));
    }
    if (call !== null) write(server.stdin, refusedResponse(call, null, { code: 'invalid', text: why }));
  }

  /**
   * Handles the lines of a stream at the same time, and does what follows from them in order: a cancellation
   * does not overtake its request.
   */
  function inOrder(stream: Readable, handle: (line: Buffer) => Promise<() => void>): Promise<void> {
    let inFlight = 0;
    let last: Promise<void> = Promise.resolve();
    const split = createLineSplitter(
      messageBytesMax,
      (line) => {
        if (++inFlight >= IN_FLIGHT_MAX) stream.pause();
        const handled = handle(line);
        last = last.then(async () => {
          (await handled)();
          if (--inFlight < IN_FLIGHT_MAX && !isFull()) stream.resume();
        });
      },
      (start, end) => {
        const why = `a message is longer than ${messageBytesMax} bytes`;
        last = last.then(() =>
          stream === input
            ? refuseMessage(new InvalidMessageError(why, lostWith(start.toString(), end.toString(), []).call))
            : drop(why, start.toString(), end.toString()),
        );
      },
      END_BYTES,
    );
    const target = () => (stream === input ? server.stdin : output);
    const isFull = () => target().writableNeedDrain;
    stream.on('data', split);
    // The server's last message may have no line feed; a client's may be cut off in the middle.
    if (stream !== input) stream.on('end', () => split(Buffer.from('\n')));
    queueMicrotask(() => target().on('drain', () => stream.resume()));
    return new Promise((resolve) => {
      stream.once('close', () => resolve(last));
      stream.once('end', () => resolve(last));
    });
  }

  function write(stream: Writable, text: string): void {
    if (stream.writable && !stream.write(`${text}\n`)) (stream === output ? server.stdout : input).pause();
  }

  const stop = (signal: NodeJS.Signals) => server.kill(signal);
  process.on('SIGTERM', stop).on('SIGINT', stop);
  void fromClient.then(() => {
    server.stdin.end();
    return endServer();
  });

  async function endServer(): Promise<void> {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const timer = setTimeout(() => server.kill(signal), signal === 'SIGTERM' ? END_MS_MAX : 2 * END_MS_MAX);
      void ended.then(() => clearTimeout(timer));
    }
    await ended;
  }

  const [code] = await ended;
  await fromServer;
  process.off('SIGTERM', stop).off('SIGINT', stop);
  input.destroy();
  return code ?? 1;
}
