import { describe, expect, it } from '@jest/globals';
import { Filter as FilterMessage, FilterTest } from '@platform/proto/authz/v1/search';
import { covers } from '@platform/testing/covers';
import { filterPrisma } from './filter-prisma.ts';
import { filterSql } from './filter-sql.ts';
import { filterPredicate, type Filter, type ResourceValues } from './filter.ts';
import { readFilter, type FilterJson } from './plan.ts';

/** What the messages below say. */
const FILTER: Filter = {
  kind: 'all',
  of: [
    { kind: 'match', key: 'object', test: 'starts_with', parts: ['svc://d/', { attribute: 'owner' }, ''] },
    { kind: 'not', of: { kind: 'any', of: [{ kind: 'constant', value: false }] } },
    { kind: 'single', key: 'owner' },
    { kind: 'compared', test: 'starts_with', text: 'bob', parts: [{ attribute: 'owner' }] },
    { kind: 'any', of: [] },
  ],
};

const JSON_OF_IT: FilterJson = {
  all: {
    of: [
      {
        match: {
          test: 'FILTER_TEST_STARTS_WITH',
          key: 'object',
          parts: [{ text: 'svc://d/' }, { attribute: 'owner' }, { text: '' }],
        },
      },
      { not: { any: { of: [{ constant: false }] } } },
      { single: 'owner' },
      { compared: { test: 'FILTER_TEST_STARTS_WITH', text: 'bob', parts: [{ attribute: 'owner' }] } },
      { any: {} },
    ],
  },
};

const list = (...of: FilterMessage[]) => ({ of });
const TYPED = FilterMessage.fromPartial({
  kind: {
    $case: 'all',
    value: list(
      {
        kind: {
          $case: 'match',
          value: {
            test: FilterTest.STARTS_WITH,
            key: 'object',
            parts: [
              { part: { $case: 'text', value: 'svc://d/' } },
              { part: { $case: 'attribute', value: 'owner' } },
              { part: { $case: 'text', value: '' } },
            ],
          },
        },
      },
      {
        kind: {
          $case: 'not',
          value: { kind: { $case: 'any', value: list({ kind: { $case: 'constant', value: false } }) } },
        },
      },
      { kind: { $case: 'single', value: 'owner' } },
      {
        kind: {
          $case: 'compared',
          value: {
            test: FilterTest.STARTS_WITH,
            text: 'bob',
            parts: [{ part: { $case: 'attribute', value: 'owner' } }],
          },
        },
      },
      { kind: { $case: 'any', value: list() } },
    ),
  },
});

describe('readFilter', () => {
  it('readFilter reads the message of the typed client and its JSON alike', () => {
    covers('AUTHZ-V.11');
    expect(readFilter(TYPED)).toEqual(FILTER);
    expect(readFilter(JSON_OF_IT)).toEqual(FILTER);
  });

  it('readFilter reads what @grpc/proto-loader makes of the message, with enums as numbers', () => {
    covers('AUTHZ-V.11');
    const loaded = {
      kind: 'match',
      match: { test: 1, key: 'owner', parts: [{ part: 'text', text: 'bob' }] },
    };
    expect(readFilter(loaded)).toEqual({ kind: 'match', key: 'owner', test: 'equals', parts: ['bob'] });
  });

  it.each([
    undefined,
    {},
    { between: { key: 'owner' } },
    { all: { of: [{}] } },
    { constant: true, single: 'owner' },
    { match: { test: 'FILTER_TEST_LIKE', key: 'owner' } },
    { match: { test: 'FILTER_TEST_toString', key: 'owner' } },
    { match: { key: 'owner' } },
    { match: { test: 'FILTER_TEST_EQUALS' } },
    { match: { test: 'FILTER_TEST_EQUALS', key: 'owner', parts: [{ number: 3 }] } },
    { kind: { $case: 'between', value: {} } },
    { compared: { text: 'bob' } },
    { compared: { test: 'FILTER_TEST_EQUALS', text: 3 } },
  ])('readFilter refuses %j instead of leaving a part out', (message) => {
    covers('AUTHZ-V.11');
    expect(() => readFilter(message as FilterJson)).toThrow(TypeError);
  });

  it.each([3, new Date(0), true, Buffer.from('bob'), ['bob', 3], { name: 'bob' }])(
    'a predicate refuses a resource whose value is no text, as %p, and names its key',
    (owner) => {
      covers('AUTHZ-V.11');
      const holds = filterPredicate({ kind: 'match', test: 'equals', key: 'owner', parts: ['bob'] });
      expect(() => holds({ owner } as unknown as ResourceValues)).toThrow(
        new TypeError('`owner` of the resource must be a text or a list of texts'),
      );
    },
  );

  it.each<Filter>([
    { kind: 'match', test: 'equals', key: 'subject', parts: ['bob'] },
    { kind: 'match', test: 'equals', key: 'object', parts: [{ attribute: 'action' }] },
    { kind: 'compared', test: 'equals', text: 'bob', parts: [{ attribute: 'user.team' }] },
    { kind: 'single', key: '' },
  ])(
    'a filter that asks a resource for a key which no resource has is refused by every reader: %j',
    (part) => {
      covers('AUTHZ-V.12');
      const { kind, ...value } = part as Extract<Filter, { kind: 'compared' }>;
      const json = { not: { [kind]: part.kind === 'single' ? part.key : asJson(value) } };
      const filter: Filter = { kind: 'all', of: [{ kind: 'not', of: part }] };
      const refusal = /^the filter asks a resource for `/;
      expect(() => readFilter(json as FilterJson)).toThrow(refusal);
      expect(() => filterPredicate(filter)).toThrow(refusal);
      expect(() => filterSql(filter, { subject: { sql: 'subject' } })).toThrow(refusal);
      expect(() => filterPrisma(filter, { subject: { field: 'subject' } })).toThrow(refusal);
    },
  );
});

function asJson({ parts, ...rest }: Pick<Extract<Filter, { kind: 'compared' }>, 'test' | 'text' | 'parts'>) {
  return {
    ...rest,
    test: 'FILTER_TEST_EQUALS',
    parts: parts.map((part) => (typeof part === 'string' ? { text: part } : part)),
  };
}
