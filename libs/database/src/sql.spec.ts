import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { forDistributedTables, isUnavailable, isUniqueViolation, isUnreachable } from './sql.ts';

describe('a statement for distributed tables', () => {
  it('a statement for distributed tables takes what its marked comments hold in place of what they mark', () => {
    const text = 'SELECT FROM /*-*/a, /*+ +*/b WHERE id = $1 /*+ AND tenant = $2 +*/ /* kept */';
    expect(forDistributedTables(text)).toBe('SELECT FROM  b WHERE id = $1  AND tenant = $2  /* kept */');
  });
});

describe('a violated name on another node', () => {
  it('a unique violation on another node is recognized in its message, whose constraint ends with a shard number', () => {
    const message = 'duplicate key value violates unique constraint "notes_title_key_102009"';
    expect(isUniqueViolation({ code: '23505', message }, 'notes_title_key')).toBe(true);
    expect(isUniqueViolation({ code: '23505', message }, 'title_key')).toBe(false);
    expect(isUniqueViolation({ code: '23503', message }, 'notes_title_key')).toBe(false);
  });
});

describe('a server that cannot be reached', () => {
  it.each(['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout'])(
    'a raw statement of Prisma that ends as %s says that the server cannot be reached',
    (kind) => {
      covers('PLAT-W.8');
      expect(isUnreachable(driverError({ kind }))).toBe(true);
    },
  );
});

describe('a server that gives no session', () => {
  it.each([
    ['a database that was dropped', { code: '3D000', severity: 'FATAL' }],
    ['a disk too full for a connection', { code: 'XX000', severity: 'FATAL' }],
    ['a password that was changed, as Prisma says it', driverError({ originalCode: '28P01' })],
    ['a database that takes no connections, as Prisma says it', driverError({ severity: 'FATAL' })],
  ])('%s is unavailable to callers, and not waited for at a start', (_, error) => {
    covers('PLAT-W.2');
    expect([isUnavailable(error), isUnreachable(error)]).toEqual([true, false]);
  });

  it('an error of one statement is not taken for a server that gives no session', () => {
    for (const code of ['42601', '55000', 'XX000'])
      expect(isUnavailable({ code, severity: 'ERROR' })).toBe(false);
  });
});

function driverError(cause: object) {
  return { code: 'P2010', meta: { driverAdapterError: { cause } } };
}
