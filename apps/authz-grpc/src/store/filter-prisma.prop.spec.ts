import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { filterPredicate, filterPrisma, type Filter, type ResourceValues } from '@platform/authz-client';
import { suiteDatabase } from '@platform/database/migrated';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import { PrismaClient, type Prisma } from '../generated/client.ts';

fc.configureGlobal({ seed: SEED });

const MIGRATIONS = fileURLToPath(new URL('../../../../prisma/authz/migrations/', import.meta.url));
const PREFIX = 'svc://d_/';
const ID = '00000000-0000-4000-8000-000000000001';

/** Texts that overlap with each other and with the prefix, and hold what LIKE reads as signs. */
const text = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    'a/b',
    '/',
    'd_/',
    '_/a',
    'svc:',
    PREFIX,
    `${PREFIX}a`,
    `${PREFIX}a%`,
    'svc://dx/a',
  ),
  fc.string({ unit: fc.constantFrom('a', 'b', '/', '%', '_', '\\', 'é', '😀'), maxLength: 4 }),
);
const key = fc.constantFrom('object', 'owner', 'resource.status', 'resource.unknown');
const part = fc.oneof({ weight: 9, arbitrary: text }, fc.constant({ attribute: 'owner' }));
const filters = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3 },
    fc.record({
      kind: fc.constant('match' as const),
      test: fc.constantFrom('equals', 'starts_with', 'ends_with', 'contains'),
      key,
      parts: fc.array(part, { minLength: 1, maxLength: 2 }),
    }),
    fc.record({
      kind: fc.constant('match' as const),
      test: fc.constant('glob' as const),
      key,
      parts: fc.constantFrom([`${PREFIX}a*`], ['**'], ['[a]?'], ['a']),
    }),
    fc.record({
      kind: fc.constant('compared' as const),
      test: fc.constantFrom('equals', 'starts_with', 'ends_with', 'contains', 'glob'),
      text,
      parts: fc.array(part, { minLength: 1, maxLength: 2 }),
    }),
    fc.record({ kind: fc.constant('single' as const), key }),
    fc.record({ kind: fc.constant('constant' as const), value: fc.boolean() }),
    fc.record({ kind: fc.constant('not' as const), of: tie('filter') }),
    fc.record({ kind: fc.constantFrom('all', 'any'), of: fc.array(tie('filter'), { maxLength: 3 }) }),
  ) as fc.Arbitrary<Filter>,
})).filter;

const PATHS = ['', 'a', 'a/b', 'ab', 'b', '%', '_', '\\', 'a%b', 'a_b', 'a\\b', 'é/a', '😀', 'x/a/b', '/a'];
const VALUES = [null, '', 'a', 'b', 'a/b', '%', 'a_', '\\'];
/** The rows of the table, as a predicate sees them. */
const rows: readonly ResourceValues[] = PATHS.flatMap((path, n) =>
  [0, 3].map((more) => ({
    object: PREFIX + path,
    owner: VALUES[(n + more) % VALUES.length],
    'resource.status': VALUES[(n * 3 + more) % VALUES.length],
  })),
);

describe.each(['Postgres', 'PGlite'] as const)('the `where` of a filter on %s', (kind) => {
  const database = suiteDatabase(kind, MIGRATIONS);
  let client: PrismaClient;
  beforeAll(async () => {
    client = new PrismaClient({ adapter: database.adapter });
    // Rows of the audit have texts that are never null beside ones that may be.
    for (const [n, each] of rows.entries()) {
      await database.query(
        `INSERT INTO audit_events (id, time, tenant_id, sequence, domain_id, subject, action, object, decision,
           matched_policy, caller_id, latency_micros, policy_version, hash, outcome, operation)
         VALUES (gen_random_uuid(), now(), $1, $2, $1, '', '', $3, true, '', $1, 0, 0, '', $4, $5)`,
        [ID, n, (each['object'] as string).slice(PREFIX.length), each['owner'], each['resource.status']],
      );
    }
  });
  afterAll(() => client?.$disconnect());

  it('the `where` of a filter finds the rows that its predicate holds for, and more only where it says so', async () => {
    covers('AUTHZ-V.9');
    const seen = { exact: 0, wide: 0, some: 0 };
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => {
        const { where, isExact } = filterPrisma<Prisma.AuditEventWhereInput>(filter, {
          object: { field: 'object', prefix: PREFIX, required: true },
          owner: { field: 'outcome' },
          'resource.status': { field: 'operation' },
        });
        const found = await client.auditEvent.findMany({
          where,
          select: { sequence: true },
          orderBy: { sequence: 'asc' },
        });
        const selected = found.map(({ sequence }) => Number(sequence));
        const holds = filterPredicate(filter);
        const expected = rows.flatMap((row, n) => (holds(row) ? [n] : []));
        if (isExact) expect(selected).toEqual(expected);
        else expect(expected.filter((n) => !selected.includes(n))).toEqual([]);
        seen[isExact ? 'exact' : 'wide'] += 1;
        if (expected.length > 0 && expected.length < rows.length) seen.some += 1;
      }),
      { numRuns: soak(2_000, 200), endOnFailure: true },
    );
    expect(seen.exact).toBeGreaterThan(seen.wide);
    // A sixth in the mean; by a seed it can be less.
    expect(seen.some * 10).toBeGreaterThan(seen.exact + seen.wide);
  });

  it('the `where` of a filter keeps its meaning under AND, OR and NOT, beside a condition of the application', async () => {
    covers('AUTHZ-V.20');
    const own = { sequence: { lt: rows.length / 2 } };
    const constant = fc.record({ kind: fc.constant('constant' as const), value: fc.boolean() });
    const fields = {
      required: { object: { field: 'object', prefix: PREFIX, required: true } },
      nullable: { owner: { field: 'outcome' } },
    } as const;
    const select = async (where: Prisma.AuditEventWhereInput) =>
      (await client.auditEvent.findMany({ where, select: { sequence: true } }))
        .map(({ sequence }) => Number(sequence))
        .sort((a, b) => a - b);
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(filters, constant),
        fc.constantFrom('required' as const, 'nullable' as const),
        async (filter, kept) => {
          const { where } = filterPrisma<Prisma.AuditEventWhereInput>(filter, fields[kept]);
          const alone = new Set(await select(where));
          const both = rows.flatMap((_, n) => (alone.has(n) && n < rows.length / 2 ? [n] : []));
          const either = rows.flatMap((_, n) => (alone.has(n) || n < rows.length / 2 ? [n] : []));
          expect(await select({ AND: [where, own] })).toEqual(both);
          expect(await select({ AND: where, ...own })).toEqual(both);
          expect(await select({ OR: [where, own] })).toEqual(either);
          const neither = rows.flatMap((_, n) => (alone.has(n) ? [] : [n]));
          expect(await select({ NOT: where })).toEqual(neither);
        },
      ),
      {
        numRuns: soak(1_000, 100),
        endOnFailure: true,
        examples: [[{ kind: 'match', key: 'owner', test: 'equals', parts: ['a'] }, 'nullable']],
      },
    );
  });
});
