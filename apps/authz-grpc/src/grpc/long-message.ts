import { runInTimeSlices, type Waiting } from '../time-slices.ts';

/** Bytes of a piece, which is read in one go. */
const PIECE_BYTES = 8 * 1024;

/** Where one item of a list lies in a message, with its tag and length: `end` is the byte behind it. */
export interface Item {
  readonly begin: number;
  readonly end: number;
}

/** Stands in the place of a request that takes longer to read than the calls of others should wait. */
export class LongMessage<Request> {
  readonly #bytes: Buffer;
  readonly #items: readonly Item[];
  readonly #read: (bytes: Buffer) => Request;

  /** `items` are those of the lists that make it long, in their order; `read` reads a message. */
  constructor(bytes: Buffer, items: readonly Item[], read: (bytes: Buffer) => Request) {
    this.#bytes = bytes;
    this.#items = items;
    this.#read = read;
  }

  /**
   * The request, read in time slices: a list holds what it holds in the pieces of a message, in their order
   * (protobuf, "Encoding"). Errors: those of `read`, those of `stopIfGone`.
   */
  request(waiting?: Waiting): Promise<Request> {
    return runInTimeSlices(this.#pieceByPiece(), waiting);
  }

  *#pieceByPiece(): Generator<void, Request> {
    const request = this.#read(this.#withoutItems());
    for (const piece of this.#pieces()) {
      yield;
      append(request, this.#read(piece));
    }
    return request;
  }

  #withoutItems(): Buffer {
    const between: Buffer[] = [];
    let at = 0;
    for (const { begin, end } of this.#items) {
      if (begin > at) between.push(this.#bytes.subarray(at, begin));
      at = end;
    }
    between.push(this.#bytes.subarray(at));
    return Buffer.concat(between);
  }

  /** Items that lie side by side, up to `PIECE_BYTES` of them, or a single larger one. */
  *#pieces(): Generator<Buffer> {
    let from = this.#items[0]!.begin;
    let to = from;
    for (const { begin, end } of this.#items) {
      if (begin !== to || end - from > PIECE_BYTES) {
        if (to > from) yield this.#bytes.subarray(from, to);
        from = begin;
      }
      to = end;
    }
    yield this.#bytes.subarray(from, to);
  }
}

/** Adds the lists of a message to those of another; a message that is read to a list is one itself. */
function append(to: unknown, from: unknown): void {
  if (Array.isArray(to)) to.push(...(from as unknown[]));
  else
    for (const [name, value] of Object.entries(from as object))
      if (Array.isArray(value)) append((to as Record<string, unknown>)[name], value);
}
