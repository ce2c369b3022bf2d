import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { Filter, FilterPart, FilterTest as Test } from '@platform/authz-client/filter';
import { Filter as FilterMessage, FilterTest, SearchServiceService } from '@platform/proto/authz/v1/search';

/** The service, with a PlanResources whose handler writes the response, which may be of a large set. */
export const searchingService = {
  ...SearchServiceService,
  planResources: {
    ...SearchServiceService.planResources,
    responseSerialize: (written: Buffer) => written,
  },
};

/** Numbers of the fields that hold filters (`search.proto`). */
const FILTER_OF_PLAN = 1;
const FILTER_OF_LIST = 1;
const FIELDS = { all: 2, any: 3, not: 4 } as const;

/** The bytes of a PlanResourcesResponse, a condition at each step. */
export function* writePlan(filter: Filter): Generator<void, Buffer> {
  const writer = new BinaryWriter();
  yield* writeFilter(FILTER_OF_PLAN, filter, writer);
  return Buffer.from(writer.finish());
}

function* writeFilter(field: number, filter: Filter, writer: BinaryWriter): Generator<void> {
  writer.tag(field, WireType.LengthDelimited).fork();
  switch (filter.kind) {
    case 'all':
    case 'any':
      writer.tag(FIELDS[filter.kind], WireType.LengthDelimited).fork();
      for (const part of filter.of) yield* writeFilter(FILTER_OF_LIST, part, writer);
      writer.join();
      break;
    case 'not':
      yield* writeFilter(FIELDS.not, filter.of, writer);
      break;
    default:
      FilterMessage.encode({ kind: conditionOf(filter) }, writer);
  }
  writer.join();
  yield;
}

function conditionOf(
  filter: Exclude<Filter, { readonly kind: 'all' | 'any' } | { readonly kind: 'not' }>,
): FilterMessage['kind'] {
  switch (filter.kind) {
    case 'constant':
      return { $case: 'constant', value: filter.value };
    case 'single':
      return { $case: 'single', value: filter.key };
    case 'match':
      return { $case: 'match', value: { key: filter.key, ...comparisonOf(filter) } };
    case 'compared':
      return { $case: 'compared', value: { text: filter.text, ...comparisonOf(filter) } };
  }
}

function comparisonOf({ test, parts }: { readonly test: Test; readonly parts: readonly FilterPart[] }) {
  return {
    test: TESTS[test],
    parts: parts.map((part) =>
      typeof part === 'string'
        ? { part: { $case: 'text' as const, value: part } }
        : { part: { $case: 'attribute' as const, value: part.attribute } },
    ),
  };
}

const TESTS = {
  equals: FilterTest.EQUALS,
  starts_with: FilterTest.STARTS_WITH,
  ends_with: FilterTest.ENDS_WITH,
  contains: FilterTest.CONTAINS,
  glob: FilterTest.GLOB,
  regex: FilterTest.REGEX,
} as const satisfies Record<Test, FilterTest>;
