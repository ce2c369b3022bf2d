import { describe, expect, it } from '@jest/globals';
import { ApiKeyServiceService } from '@platform/proto/authz/v1/api_key';
import { DomainServiceService } from '@platform/proto/authz/v1/domain';
import { TenantServiceService } from '@platform/proto/authz/v1/tenant';
import { AuthorizationServiceService } from '@platform/proto/authz/v1/authorization';
import { SearchServiceService } from '@platform/proto/authz/v1/search';
import {
  bounded,
  CHECKS_MAX,
  MESSAGE_BYTES_MAX,
  MESSAGE_FIELDS_MAX,
  POLICIES_MAX,
  POLICY_FIELDS_MAX,
  SHORT_FIELDS_MAX,
  STATEMENTS_MAX,
  UnreadMessage,
} from './bounded-messages.ts';
import { LongMessage } from './long-message.ts';

/** Reads nothing, so that only the bounds are tried. */
function readerOf<M extends { readonly path: string }>(method: M): (bytes: Buffer) => unknown {
  const { one } = bounded({ one: { ...method, requestDeserialize: () => 'read' } } as never) as {
    one: { requestDeserialize: (bytes: Buffer) => unknown };
  };
  return one.requestDeserialize;
}

const readPut = readerOf(DomainServiceService.putDomainPolicies);
const readTenant = readerOf(TenantServiceService.createTenant);
const refused = expect.any(UnreadMessage);
const long = expect.any(LongMessage);

/** Bytes of one field that holds what is inside. */
function field(number: number, inside: Buffer): Buffer {
  const varint = (value: number): number[] =>
    value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...varint(inside.length)]), inside]);
}

const empty = (number: number, times: number) => Buffer.alloc(2 * times, Buffer.from([(number << 3) | 2, 0]));

describe('a request to read', () => {
  it('a request with one subject is refused above 1 MiB', () => {
    const head = field(2, Buffer.alloc(MESSAGE_BYTES_MAX)).length - MESSAGE_BYTES_MAX;
    const largest = field(2, Buffer.alloc(MESSAGE_BYTES_MAX - head));
    expect(largest).toHaveLength(MESSAGE_BYTES_MAX);
    expect(readTenant(largest)).toBe('read');
    expect(readTenant(Buffer.concat([largest, Buffer.alloc(1)]))).toEqual(refused);
  });

  it('a request with policies may be longer, while its number of fields is bounded', () => {
    expect(readPut(field(3, field(2, Buffer.alloc(8 * MESSAGE_BYTES_MAX, 0x1a))))).toEqual(long);
    expect(readPut(empty(9, MESSAGE_FIELDS_MAX))).toBe('read');
    expect(readPut(empty(9, MESSAGE_FIELDS_MAX + 1))).toEqual(refused);
  });

  it('a request of 1 MiB or less is refused for its number of fields, policies or checks, too', () => {
    for (const [read, number, most] of [
      [readPut, 3, POLICIES_MAX],
      [readerOf(AuthorizationServiceService.batchCheckAuthorization), 1, CHECKS_MAX],
      [readerOf(AuthorizationServiceService.testPolicies), 2, CHECKS_MAX],
      [readerOf(SearchServiceService.searchActions), 2, SHORT_FIELDS_MAX],
      [readTenant, 1, SHORT_FIELDS_MAX],
    ] as const) {
      expect(read(empty(number, most))).not.toEqual(refused);
      expect(read(empty(number, most + 10_000))).toEqual(refused);
    }
    const policies = (count: number) =>
      Buffer.concat(Array.from({ length: count }, () => field(3, empty(6, STATEMENTS_MAX / 10))));
    expect(readPut(policies(10))).toEqual(long);
    expect(readPut(Buffer.concat([policies(10), field(3, empty(6, 1))]))).toEqual(refused);
    const readKey = readerOf(ApiKeyServiceService.createApiKey);
    expect(readKey(field(3, empty(1, SHORT_FIELDS_MAX)))).toEqual(refused);
    const readDomain = readerOf(DomainServiceService.updateDomain);
    expect(readDomain(field(2, empty(6, SHORT_FIELDS_MAX)))).toEqual(refused);
  });

  it('the bounds on a request and on each of its policies reach down to the rules of a statement', () => {
    for (const [below, inside] of [
      [0, (times: number) => field(3, empty(7, times))],
      [1, (times: number) => field(3, field(6, empty(1, times)))],
    ] as const) {
      expect(readPut(inside(POLICY_FIELDS_MAX - below))).toEqual(long);
      expect(readPut(inside(POLICY_FIELDS_MAX - below + 1))).toEqual(refused);
      const policies = Array.from({ length: MESSAGE_FIELDS_MAX / 20_000 }, () => inside(20_000 - below - 1));
      expect(readPut(Buffer.concat(policies))).toEqual(long);
      expect(readPut(Buffer.concat([...policies, inside(1)]))).toEqual(refused);
    }
  });

  it('a check of a batch is refused for as many fields as one that is asked alone', () => {
    const readBatch = readerOf(AuthorizationServiceService.batchCheckAuthorization);
    expect(readBatch(field(1, empty(1, SHORT_FIELDS_MAX)))).toEqual(long);
    expect(readBatch(field(1, empty(1, SHORT_FIELDS_MAX + 1)))).toEqual(refused);
  });

  it('a request that an encoder writes stays within the bounds', () => {
    const whole = field(3, Buffer.alloc(MESSAGE_BYTES_MAX));
    for (const bytes of [
      whole.subarray(0, -1),
      Buffer.concat([Buffer.from([0x0b]), whole]),
      Buffer.concat([whole, Buffer.alloc(11, 0xff)]),
    ]) {
      expect(readPut(bytes)).toEqual(refused);
    }
  });
});
