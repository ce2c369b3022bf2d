import type { ServiceDefinition, UntypedServiceImplementation } from '@grpc/grpc-js';
import { DomainError } from '@platform/error-contracts';

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
/** The same of a message that says one thing, with room for as many ids as it can hold. */
export const SHORT_FIELDS_MAX = 30_000;
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
 * The service, with an `UnreadMessage` in the place of requests that are too much to read, or cannot be read.
 */
export function bounded<S extends ServiceDefinition<UntypedServiceImplementation>>(service: S): S {
  const methods = Object.entries(service).map(([name, method]) => {
    const requestDeserialize = (bytes: Buffer): unknown => {
      const tooMuch = refusalOf(bytes, method.path);
      if (tooMuch !== null) return new UnreadMessage(new DomainError('payload_too_large', tooMuch));
      try {
        return method.requestDeserialize(bytes);
      } catch (cause) {
        const message = `the message is not one that \`${method.path.split('/')[2]}\` takes`;
        return new UnreadMessage(new DomainError('invalid_argument', message, { cause }));
      }
    };
    return [name, { ...method, requestDeserialize }];
  });
  return Object.fromEntries(methods) as S;
}

/** Why the message is too much to read, or null. */
function refusalOf(bytes: Buffer, path: string): string | null {
  const long = LONG[path];
  if (bytes.length > MESSAGE_BYTES_MAX && long === undefined)
    return `the message is larger than ${MESSAGE_BYTES_MAX} bytes`;
  if (bytes.length <= UNCOUNTED_BYTES_MAX) return null;
  const fieldsMax = long === undefined ? SHORT_FIELDS_MAX : MESSAGE_FIELDS_MAX;
  if (new FieldCounter(bytes, fieldsMax).count(0, bytes.length, long ?? SHORT[path] ?? {})) return null;
  return `the message has more than ${fieldsMax} fields, ${POLICIES_MAX} policies, ${STATEMENTS_MAX} statements or ${CHECKS_MAX} checks`;
}

/** Walks over the fields of a message (protobuf, "Encoding") without reading what they hold. */
class FieldCounter {
  #left: number;
  readonly #itemsLeft = new Map(ITEMS_MAX);
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
          if (below !== undefined && !(this.#mayBeOneMore(below) && this.count(this.#at, end, below)))
            return false;
          this.#at = end;
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
