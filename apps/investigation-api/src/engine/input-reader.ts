import { DomainError, RETRY_AFTER_SECONDS } from '@platform/error-contracts';
import type { EntityRef } from '../model/entity.ts';
import type { EntityFamily } from '../wire/entity-kinds.ts';
import { RequestBody } from '../wire/request-body.ts';
import type { SessionInputName, SessionInputs } from '../wire/session-input.ts';
import { readSessionInput } from '../wire/session-input.ts';
import { bytesOf, memoryOf, textOf, type TextPieces } from '../model/text-pieces.ts';
import { payloadWarnings } from '../wire/payload-warnings.ts';
import { createWorkerPool, QueueFull, WorkerDied } from '@platform/worker-pool';

/** Reads the input of the operations on sessions. */
export interface InputReader {
  /**
   * `input` as its operation has it; `family` is what an upsert is of, `records` which records of sources it
   * may hold (see `readSessionInput`). Throws DomainError `unprocessable`
   * naming every problem; for large ones also `unavailable` when too many wait, `payload_too_large` when
   * reading needs too much memory.
   */
  read<N extends SessionInputName>(
    name: N,
    input: unknown,
    family?: EntityFamily,
    records?: readonly string[],
  ): Promise<SessionInputs[N]>;
  /**
   * Warnings about a session's payload: see `payloadWarnings`. Never throws; a large payload that finds the
   * reader busy is not checked, and the warning says so. Its bytes may be transferred: empty afterwards.
   */
  checkPayload(payload: TextPieces, now: Date, item?: EntityRef): Promise<string[]>;
  close(): Promise<void>;
}

export type InputTask = ReadTask | CheckTask;

export interface CheckTask {
  readonly payload: TextPieces;
  readonly now: Date;
  readonly item: EntityRef | undefined;
}

export interface ReadTask {
  readonly name: SessionInputName;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly fromUrl: Readonly<Record<string, string>>;
  readonly bodyField: string | null;
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly family: EntityFamily | undefined;
  readonly records: readonly string[];
}
export type InputReply =
  | { readonly warnings: string[] }
  | { readonly read: Readonly<Record<string, unknown>> }
  | { readonly problem: string };

/**
 * Smaller bodies are read where they come in: that takes less than sending them to a thread and back would
 * save. Bytes.
 */
const LARGE_BYTES = 128 * 1024;
const WAITING_MAX = 64;
/** Checks are an extra: they wait only while few do, so that they keep no body from being read. */
const CHECKS_WAITING_MAX = 4;
const NOT_CHECKED = 'The session is too large to be checked just now: validate it before you judge it.';
/** Where the build puts the worker: beside the bundle that this file becomes part of. */
const WORKER_FILE = new URL('./input-worker.js', import.meta.url);

/**
 * Small bodies are read at once, large ones one after the other by a thread that does nothing else: the
 * threads of the engine may be at work for half a minute, and changes to sessions shall not wait for them.
 */
export function createInputReader(options: { memoryMiBMax: number; file?: URL }): InputReader {
  const pool = createWorkerPool<InputTask, InputReply>({
    file: WORKER_FILE,
    threads: 1,
    queueMax: WAITING_MAX,
    ...options,
  });
  return {
    async read<N extends SessionInputName>(
      name: N,
      input: unknown,
      family?: EntityFamily,
      records: readonly string[] = [],
    ) {
      if (!(input instanceof RequestBody) || input.bytes.length < LARGE_BYTES)
        return readSessionInput(name, input, family, records);
      const { bytes, fromUrl, bodyField, defaults } = input;
      let reply: InputReply;
      try {
        const task = { name, bytes, fromUrl, bodyField, defaults, family, records };
        reply = await pool.run(task, { owner: '', transfer: [bytes.buffer] });
      } catch (error) {
        throw toReadingError(error);
      }
      if ('warnings' in reply) throw new DomainError('internal', 'reading the body failed');
      if ('problem' in reply) throw new DomainError('unprocessable', reply.problem);
      return reply.read as unknown as SessionInputs[N];
    },
    async checkPayload(payload, now, item) {
      if (bytesOf(payload) < LARGE_BYTES) return payloadWarnings(textOf(payload), now, item);
      try {
        if (pool.load().waiting >= CHECKS_WAITING_MAX) return [NOT_CHECKED];
        const reply = await pool.run({ payload, now, item }, { owner: '', transfer: memoryOf(payload) });
        return 'warnings' in reply ? reply.warnings : [NOT_CHECKED];
      } catch {
        return [NOT_CHECKED];
      }
    },
    close: () => pool.close(),
  };
}

function toReadingError(error: unknown): unknown {
  if (error instanceof QueueFull) {
    return new DomainError('unavailable', 'too many large requests at once, try again later', {
      retryAfterSeconds: RETRY_AFTER_SECONDS.longQueue,
    });
  }
  if (!(error instanceof WorkerDied)) return error;
  const isMemory = (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isMemory
    ? new DomainError('payload_too_large', 'the body needs more memory than reading one may use', {
        cause: error,
      })
    : new DomainError('internal', 'reading the body failed', { cause: error });
}
