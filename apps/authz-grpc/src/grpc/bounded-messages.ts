import type { ServiceDefinition } from '@grpc/grpc-js';
import { DomainError, toDomainError } from '@platform/error-contracts';
import { LongMessage, type Item } from './long-message.ts';

/**
 * What a request may take to read. Most messages are read before anybody knows who sent them, and one of
 * empty parts becomes a hundred times its size in memory: sixteen megabytes of them hold the process up for
 * seconds and sixty end it.
 */

/** Bytes of a message that says one thing. */
export const MESSAGE_BYTES_MAX = 1024 * 1024;
/** Bytes of a message that may be longer, with room for a domain of 100,000 policies. */
export const LONG_BYTES_MAX = 64 * 1024 * 1024;
/**
 * Fields of a message that may be longer, those of the messages in it included: a few dozen for every policy
 * there may be.
 */
export const MESSAGE_FIELDS_MAX = 4_000_000;
/**
 * The same of a message that says one thing, with room for as many ids as it can hold, and of each check of a
 * longer one.
 */
export const SHORT_FIELDS_MAX = 30_000;
/** The same of one policy, which is read in one go: as many as 10,000 statements of three rules have. */
export const POLICY_FIELDS_MAX = 100_000;
/** Bytes whose fields need no count: reading them takes a few milliseconds at most. */
const UNCOUNTED_BYTES_MAX = 32 * 1024;
/** Policies of a message: as many as a domain may be set to hold. */
export const POLICIES_MAX = 100_000;
/** Their statements: three for each. */
export const STATEMENTS_MAX = 300_000;
/** Checks of a message: ten times what a method takes, so that lists a little too long get its own error. */
export const CHECKS_MAX = 10_000;

/** The fields of a message that hold messages, and theirs; an entry of a map is a message. */
interface Shape {
  readonly [field: number]: Shape;
}

const STATEMENT: Shape = { 1: {} };
const POLICY: Shape = { 6: STATEMENT };
const CHECK: Shape = { 1: { 2: { 2: {} } } };
const ITEMS_MAX = new Map<Shape, number>([
  [POLICY, POLICIES_MAX],
  [STATEMENT, STATEMENTS_MAX],
  [CHECK, CHECKS_MAX],
]);
/** Requests that may have `LONG_BYTES_MAX`. */
const LONG: Readonly<Record<string, Shape>> = {
  '/authz.v1.DomainService/PutDomainPolicies': { 3: POLICY },
  '/authz.v1.PolicySetService/PlanPolicyChange': { 3: POLICY },
  '/authz.v1.PolicySetService/ReplayPolicies': { 3: POLICY },
  '/authz.v1.PolicySetService/PutShadowPolicies': { 3: POLICY },
  '/authz.v1.AuthorizationService/ValidatePolicies': { 1: POLICY },
  '/authz.v1.AuthorizationService/TestPolicies': { 1: POLICY, 2: CHECK },
  '/authz.v1.AuthorizationService/BatchCheckAuthorization': { 1: CHECK },
};

/** What the other requests hold that could be many. */
const SHORT: Readonly<Record<string, Shape>> = {
  '/authz.v1.ApiKeyService/CreateApiKey': { 3: {} },
  '/authz.v1.DomainService/UpdateDomain': { 2: { 6: POLICY } },
};

/** Whether the method of this path takes long messages. */
export function isLong(path: string): boolean {
  return Object.hasOwn(LONG, path);
}

/** Stands in the place of a request that was not read. */
export class UnreadMessage {
  readonly error: DomainError;

  constructor(error: DomainError) {
    this.error = error;
  }
}

/**
 * The service, with an `UnreadMessage` in the place of requests that are too much to read, or cannot be read,
 * and a `LongMessage` in the place of those that take long to read.
 */
export function bounded<S extends ServiceDefinition>(service: S): S {
  const methods = Object.entries(service).map(([name, method]) => {
    const requestDeserialize = (bytes: Buffer): unknown => {
      const read = (part: Buffer): unknown => {
        try {
          return method.requestDeserialize(part);
        } catch (cause) {
          const message = `the message is not one that \`${method.path.split('/')[2]}\` takes`;
          throw new DomainError('invalid_argument', message, { cause });
        }
      };
      try {
        const items = itemsOf(bytes, method.path);
        return items.length === 0 ? read(bytes) : new LongMessage(bytes, items, read);
      } catch (error) {
        return new UnreadMessage(toDomainError(error));
      }
    };
    return [name, { ...method, requestDeserialize }];
  });
  return Object.fromEntries(methods) as S;
}

/**
 * The policies and checks of a message that takes long to read; none for any other. Errors: DomainError
 * `payload_too_large` for a message that is too much to read.
 */
function itemsOf(bytes: Buffer, path: string): readonly Item[] {
  const long = LONG[path];
  if (bytes.length > MESSAGE_BYTES_MAX && long === undefined)
    throw new DomainError('payload_too_large', `the message is larger than ${MESSAGE_BYTES_MAX} bytes`);
  if (bytes.length <= UNCOUNTED_BYTES_MAX) return [];
  const fieldsMax = long === undefined ? SHORT_FIELDS_MAX : MESSAGE_FIELDS_MAX;
  const counter = new FieldCounter(bytes, fieldsMax);
  if (!counter.count(0, bytes.length, long ?? SHORT[path] ?? {}))
    throw new DomainError(
      'payload_too_large',
      `the message has more than ${fieldsMax} fields, ${POLICIES_MAX} policies, ${STATEMENTS_MAX} statements or ${CHECKS_MAX} checks, or a policy has more than ${POLICY_FIELDS_MAX} fields or a check more than ${SHORT_FIELDS_MAX}`,
    );
  return long === undefined ? [] : counter.items;
}

/** Walks over the fields of a message (protobuf, "Encoding") without reading what they hold. */
class FieldCounter {
  #left: number;
  readonly #itemsLeft = new Map(ITEMS_MAX);
  /** The items of the outermost message that were counted. */
  readonly items: Item[] = [];
  #at = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer, fieldsMax: number) {
    this.#bytes = bytes;
    this.#left = fieldsMax;
  }

  /** False when there are too many, and when it cannot be told: no encoder writes such a message. */
  count(from: number, to: number, shape: Shape): boolean {
    this.#at = from;
    while (this.#at < to) {
      this.#left -= 1;
      const begin = this.#at;
      const tag = this.#varint();
      if (this.#left < 0 || tag < 0) return false;
      switch (tag & 7) {
        case 0:
          if (this.#varint() < 0) return false;
          break;
        case 1:
          this.#at += 8;
          break;
        case 2: {
          const length = this.#varint();
          const end = this.#at + length;
          if (length < 0 || end > to) return false;
          const below = shape[tag >>> 3];
          const before = this.#left;
          if (below !== undefined && !(this.#mayBeOneMore(below) && this.count(this.#at, end, below)))
            return false;
          this.#at = end;
          if (below === undefined || from > 0) break;
          if (before - this.#left > (below === POLICY ? POLICY_FIELDS_MAX : SHORT_FIELDS_MAX)) return false;
          this.items.push({ begin, end });
          break;
        }
        case 5:
          this.#at += 4;
          break;
        default:
          return false;
      }
    }
    return this.#at === to;
  }

  #mayBeOneMore(shape: Shape): boolean {
    const left = this.#itemsLeft.get(shape);
    if (left !== undefined) this.#itemsLeft.set(shape, left - 1);
    return left !== 0;
  }

  /** The number that begins here, its higher bits lost; −1 when it does not end. */
  #varint(): number {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) return -1;
      this.#at += 1;
      if (shift < 28) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    return -1;
  }
}
