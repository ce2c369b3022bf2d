import { FilterTest, type Filter as FilterMessage } from '@platform/proto/authz/v1/search';
import type { Filter, FilterMatch } from './filter.ts';

/**
 * The filter of a PlanResourcesResponse. Throws TypeError for one that this version does not know, so that no
 * part of a condition is left out.
 */
export function readFilter(message: FilterMessage | undefined): Filter {
  const kind = message?.kind;
  switch (kind?.$case) {
    case 'constant':
      return { kind: 'constant', value: kind.value };
    case 'all':
    case 'any':
      return { kind: kind.$case, of: kind.value.of.map(readFilter) };
    case 'not':
      return { kind: 'not', of: readFilter(kind.value) };
    case 'single':
      return { kind: 'single', key: kind.value };
    case 'match': {
      const { key, parts } = kind.value;
      const test = TESTS.get(kind.value.test);
      if (test === undefined) throw unknown();
      return {
        kind: 'match',
        test,
        key,
        parts: parts.map(({ part }) => {
          if (part === undefined) throw unknown();
          return part.$case === 'text' ? part.value : { attribute: part.value };
        }),
      };
    }
    default:
      throw unknown();
  }
}

function unknown(): TypeError {
  return new TypeError('the filter has a part that this client does not know');
}

const TESTS: ReadonlyMap<FilterTest, FilterMatch['test']> = new Map([
  [FilterTest.EQUALS, 'equals'],
  [FilterTest.STARTS_WITH, 'starts_with'],
  [FilterTest.ENDS_WITH, 'ends_with'],
  [FilterTest.CONTAINS, 'contains'],
  [FilterTest.GLOB, 'glob'],
  [FilterTest.REGEX, 'regex'],
]);
