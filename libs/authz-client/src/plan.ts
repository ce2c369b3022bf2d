import { FilterTest, type Filter as FilterMessage } from '@platform/proto/authz/v1/search';
import { requireAsked, type Filter, type FilterPart, type FilterTest as Test } from './filter.ts';

/**
 * A filter in the JSON of Protocol Buffers, as grpcurl, gateways and clients of other makers have it, with
 * enums by name or number.
 */
export interface FilterJson {
  readonly constant?: boolean;
  readonly all?: { readonly of?: readonly FilterJson[] };
  readonly any?: { readonly of?: readonly FilterJson[] };
  readonly not?: FilterJson;
  readonly single?: string;
  readonly match?: ComparisonJson & { readonly key?: string };
  readonly compared?: ComparisonJson & { readonly text?: string };
}

interface ComparisonJson {
  readonly test?: string | number;
  readonly parts?: readonly { readonly text?: string; readonly attribute?: string }[];
}

/**
 * The filter of a PlanResourcesResponse, as the typed client returns it or in JSON. Throws TypeError for one
 * that this version does not know, so that no part of a condition is left out.
 */
export function readFilter(message: FilterMessage | FilterJson | undefined): Filter {
  const filter = readKind(message);
  requireAsked(filter);
  return filter;
}

function readKind(message: FilterMessage | FilterJson | undefined): Filter {
  const [kind, value] = onlyOf(
    message,
    ['constant', 'all', 'any', 'not', 'single', 'match', 'compared'],
    'kind',
  );
  switch (kind) {
    case 'constant':
      if (typeof value === 'boolean') return { kind, value };
      break;
    case 'all':
    case 'any': {
      const { of = [] } = value as { of?: readonly FilterJson[] };
      return { kind, of: of.map(readKind) };
    }
    case 'not':
      return { kind, of: readKind(value as FilterJson) };
    case 'single':
      if (typeof value === 'string') return { kind, key: value };
      break;
    case 'match': {
      const { key, ...comparison } = value as NonNullable<FilterJson['match']>;
      if (typeof key === 'string') return { kind, key, ...readComparison(comparison) };
      break;
    }
    case 'compared': {
      const { text = '', ...comparison } = value as NonNullable<FilterJson['compared']>;
      if (typeof text === 'string') return { kind, text, ...readComparison(comparison) };
    }
  }
  throw unknown();
}

function readComparison({ test = 0, parts = [] }: ComparisonJson): {
  readonly test: Test;
  readonly parts: readonly FilterPart[];
} {
  const known = TESTS.get(
    typeof test === 'number' ? test : FilterTest[test.replace(/^FILTER_TEST_/, '') as 'GLOB'],
  );
  if (known === undefined) throw unknown();
  return {
    test: known,
    parts: parts.map((part) => {
      const [kind, value] = onlyOf(part, ['text', 'attribute'], 'part');
      if (typeof value !== 'string') throw unknown();
      return kind === 'text' ? value : { attribute: value };
    }),
  };
}

/**
 * The one member that is set of a `oneof`: the typed client has it by `$case` under the name of the `oneof`,
 * JSON by its own name. Throws TypeError when it is not exactly one.
 */
function onlyOf<K extends string>(
  message: object | undefined,
  kinds: readonly K[],
  oneof: string,
): [K, unknown] {
  const members = (message ?? {}) as Record<string, unknown>;
  const typed = members[oneof] as { $case: K; value: unknown } | string | undefined;
  if (typeof typed === 'object') return [typed.$case, typed.value];
  const [kind, ...others] = kinds.filter((name) => members[name] != null);
  if (kind === undefined || others.length > 0) throw unknown();
  return [kind, members[kind]];
}

function unknown(): TypeError {
  return new TypeError('the filter has a part that this client does not know');
}

const TESTS: ReadonlyMap<number, Test> = new Map<number, Test>([
  [FilterTest.EQUALS, 'equals'],
  [FilterTest.STARTS_WITH, 'starts_with'],
  [FilterTest.ENDS_WITH, 'ends_with'],
  [FilterTest.CONTAINS, 'contains'],
  [FilterTest.GLOB, 'glob'],
  [FilterTest.REGEX, 'regex'],
]);
