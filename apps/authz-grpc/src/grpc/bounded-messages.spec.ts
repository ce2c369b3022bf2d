import { describe, expect, it } from '@jest/globals';
import { DomainServiceService } from '@platform/proto/authz/v1/domain';
import { TenantServiceService } from '@platform/proto/authz/v1/tenant';
import { bounded, MESSAGE_BYTES_MAX, MESSAGE_FIELDS_MAX, UnreadMessage } from './bounded-messages.ts';

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

/** Bytes of one field that holds what is inside. */
function field(number: number, inside: Buffer): Buffer {
  const varint = (value: number): number[] =>
    value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...varint(inside.length)]), inside]);
}

const empty = (number: number, times: number) => Buffer.alloc(2 * times, Buffer.from([(number << 3) | 2, 0]));

describe('a request to read', () => {
  it('a request with one subject is refused above 1 MiB', () => {
    expect(readTenant(Buffer.alloc(MESSAGE_BYTES_MAX))).toBe('read');
    expect(readTenant(Buffer.alloc(MESSAGE_BYTES_MAX + 1))).toEqual(refused);
  });

  it('a request with policies may be longer, while its number of fields is bounded', () => {
    expect(readPut(field(3, field(2, Buffer.alloc(8 * MESSAGE_BYTES_MAX, 0x1a))))).toBe('read');
    expect(readPut(empty(3, MESSAGE_FIELDS_MAX))).toBe('read');
    expect(readPut(empty(3, MESSAGE_FIELDS_MAX + 1))).toEqual(refused);
  });

  it('the bounds on a request reach down to the rules of a statement', () => {
    for (const [below, inside] of [
      [1, (times: number) => field(3, empty(6, times))],
      [2, (times: number) => field(3, field(6, empty(1, times)))],
    ] as const) {
      expect(readPut(inside(MESSAGE_FIELDS_MAX - below))).toBe('read');
      expect(readPut(inside(MESSAGE_FIELDS_MAX - below + 1))).toEqual(refused);
    }
  });

  it('a request that an encoder writes stays within the bounds', () => {
    const long = field(3, Buffer.alloc(MESSAGE_BYTES_MAX));
    for (const bytes of [
      long.subarray(0, -1),
      Buffer.concat([Buffer.from([0x0b]), long]),
      Buffer.concat([long, Buffer.alloc(11, 0xff)]),
    ]) {
      expect(readPut(bytes)).toEqual(refused);
    }
  });
});
