import {
  ServerInterceptingCall,
  status,
  type ServerInterceptingCallInterface,
  type ServerInterceptor,
} from '@grpc/grpc-js';
import { AuthzError, DomainError, toDomainError, RETRY_AFTER_SECONDS } from '@platform/error-contracts';
import { bearerOf } from '../identity/bearer.ts';
import { isLong, LONG_BYTES_MAX, MESSAGE_BYTES_MAX, UnreadMessage } from './bounded-messages.ts';

/**
 * What messages take while they are being sent, which may be for as long as a sender likes. A long one begins
 * to be read once its credential is verified, as over REST; one of any other method is refused at the first
 * bytes too many; and all that are half sent share a budget, whose overrun ends the one that has been sending
 * longest. A message that comes in one piece, as nearly all do, touches no budget.
 */
export interface ReadingBudgets {
  /** Bytes of all half-sent messages of long methods. At least `LONG_BYTES_MAX`. */
  readonly long: number;
  /** The same of all other methods, whose callers may have no credential. */
  readonly short: number;
}

export const READING_BUDGETS: ReadingBudgets = { long: 2 * LONG_BYTES_MAX, short: 32 * MESSAGE_BYTES_MAX };

/**
 * The cost of one piece of a message besides its bytes, because a sender may send them one at a time. Bytes.
 */
const PIECE_BYTES = 256;
/** Methods whose requests may be replaced by an `UnreadMessage`. */
const OWN_METHODS = '/authz.v1.';

type Listener = Parameters<ServerInterceptingCallInterface['start']>[0];
type Metadata = Parameters<Listener['onReceiveMetadata']>[0];

/** The part of grpc-js's own call that takes bytes in; it has no public place where they could be counted. */
interface ByteReader {
  decoder: { write(piece: Buffer): Buffer[] };
  maxReceiveMessageSize: number;
}

/** Holds calls to the budgets. `authenticate` rejects with the error of a credential that is none. */
export function readingWithin(
  budgets: ReadingBudgets,
  authenticate: (token: string | null) => Promise<unknown>,
): ServerInterceptor {
  const long = new ReadingBudget(budgets.long);
  const short = new ReadingBudget(budgets.short);
  return ({ path }, call) => {
    const isOwn = path.startsWith(OWN_METHODS);
    if (!isLong(path)) return new ReadingCall(call, { budget: short, bytesMax: MESSAGE_BYTES_MAX, isOwn });
    return new ReadingCall(call, { budget: long, bytesMax: LONG_BYTES_MAX, isOwn, authenticate });
  };
}

/** The bytes that half-sent messages hold. */
class ReadingBudget {
  #left: number;
  /** Calls that hold bytes, the oldest first. */
  readonly #held = new Map<ReadingCall, number>();

  constructor(bytesMax: number) {
    this.#left = bytesMax;
  }

  take(call: ReadingCall, bytes: number): void {
    this.#left -= bytes;
    this.#held.set(call, (this.#held.get(call) ?? 0) + bytes);
    for (const [longest] of this.#held) {
      if (this.#left >= 0) return;
      longest.refuse(
        new AuthzError('RATE_LIMITED', 'too many large messages are being sent at once', {
          retryAfterSeconds: RETRY_AFTER_SECONDS.queue,
        }),
      );
    }
  }

  giveBack(call: ReadingCall): void {
    this.#left += this.#held.get(call) ?? 0;
    this.#held.delete(call);
  }
}

interface Reading {
  readonly budget: ReadingBudget;
  /** Of the message, once it is whole. */
  readonly bytesMax: number;
  /** Whether the method is one of this service, and not health's or reflection's. */
  readonly isOwn: boolean;
  /** What the credential has to pass before anything is read. */
  readonly authenticate?: (token: string | null) => Promise<unknown>;
}

class ReadingCall extends ServerInterceptingCall {
  readonly #reading: Reading;
  /** Holds the pieces that came; null once the call is refused, however long its sender stays. */
  #pieces: ByteReader['decoder'] | null;
  #listener: Listener | undefined;
  #token: string | null = null;
  #isAdmitted: boolean;
  #sent = 0;

  constructor(call: ServerInterceptingCallInterface, reading: Reading) {
    super(call);
    this.#reading = reading;
    this.#isAdmitted = reading.authenticate === undefined;
    const reader = call as unknown as ByteReader;
    reader.maxReceiveMessageSize = Math.min(reader.maxReceiveMessageSize, 2 * reading.bytesMax);
    this.#pieces = reader.decoder;
    reader.decoder = { write: (piece) => this.#write(piece) };
  }

  override start(listener: Listener): void {
    this.#listener = listener;
    super.start({
      onReceiveMetadata: (metadata: Metadata) => {
        this.#token = bearerOf(metadata.get('authorization'));
        listener.onReceiveMetadata(metadata);
      },
      onReceiveMessage: (message: unknown) => {
        this.#reading.budget.giveBack(this);
        if (!this.#isRefused) listener.onReceiveMessage(message);
      },
      onReceiveHalfClose: () => {
        if (!this.#isRefused) listener.onReceiveHalfClose();
      },
      onCancel: () => {
        this.#reading.budget.giveBack(this);
        listener.onCancel();
      },
    });
  }

  override startRead(): void {
    if (this.#isRefused) return;
    if (this.#isAdmitted) return super.startRead();
    this.#isAdmitted = true;
    this.#reading.authenticate?.(this.#token).then(
      () => super.startRead(),
      (error: unknown) => this.refuse(toDomainError(error)),
    );
  }

  /** Ends the call with the error and lets go of what came. */
  refuse(error: DomainError): void {
    this.#reading.budget.giveBack(this);
    if (this.#isRefused) return;
    this.#pieces = null;
    if (this.#reading.isOwn) {
      this.#listener?.onReceiveMessage(new UnreadMessage(error));
      this.#listener?.onReceiveHalfClose();
    } else this.sendStatus({ code: status.RESOURCE_EXHAUSTED, details: error.message });
  }

  get #isRefused(): boolean {
    return this.#pieces === null;
  }

  #write(piece: Buffer): Buffer[] {
    const whole = this.#pieces?.write(piece) ?? [];
    const { budget, bytesMax } = this.#reading;
    if (whole.length > 0) {
      this.#sent = 0;
      budget.giveBack(this);
      // A compressed one grows on its way to the handler, nobody knows how far.
      if (whole.some((message) => message[0] === 1)) budget.take(this, bytesMax);
    } else if (!this.#isRefused) {
      const bytes = piece.length + PIECE_BYTES;
      this.#sent += bytes;
      // Twice, since pieces count more than their bytes: what is just too much is told so once it is whole.
      if (this.#sent <= 2 * bytesMax) budget.take(this, bytes);
      else this.refuse(new DomainError('payload_too_large', `the message is larger than ${bytesMax} bytes`));
    }
    return whole;
  }
}
