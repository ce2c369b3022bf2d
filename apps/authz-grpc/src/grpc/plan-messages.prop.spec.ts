import { describe, expect, it } from '@jest/globals';
import { readFilter } from '@platform/authz-client';
import type { Filter, FilterPart, FilterTest } from '@platform/authz-client/filter';
import { PlanResourcesResponse } from '@platform/proto/authz/v1/search';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import { toEnd } from '../policy/to-end.ts';
import { searchingService, writePlan } from './plan-messages.ts';

fc.configureGlobal({ seed: SEED });

const text = fc.string({ unit: 'grapheme', maxLength: 300 });
const test = fc.constantFrom<FilterTest[]>('equals', 'starts_with', 'ends_with', 'contains', 'regex');
const part: fc.Arbitrary<FilterPart> = fc.oneof(text, fc.record({ attribute: fc.constant('owner') }));
const parts = fc.array(part, { maxLength: 3 });
const key = fc.constantFrom('object', 'owner', 'resource.k');
const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4 },
    fc.record({ kind: fc.constant('constant' as const), value: fc.boolean() }),
    fc.record({ kind: fc.constant('single' as const), key }),
    fc.record({ kind: fc.constant('match' as const), test, key, parts }),
    fc.record({ kind: fc.constant('compared' as const), test, text, parts }),
    fc.record({ kind: fc.constant('not' as const), of: tie('filter') }),
    fc.record({ kind: fc.constantFrom('all' as const, 'any' as const), of: fc.array(tie('filter')) }),
  ),
}));

describe('the response of a plan', () => {
  it('the bytes that are written are those of the generated code, and read back to the filter', () => {
    covers('AUTHZ-V.25');
    fc.assert(
      fc.property(filter, (planned) => {
        const written = toEnd(writePlan(planned));
        const read = PlanResourcesResponse.decode(written);
        expect(readFilter(read.filter)).toEqual(planned);
        expect(Buffer.from(PlanResourcesResponse.encode(read).finish())).toEqual(written);
        expect(searchingService.planResources.responseSerialize(written)).toBe(written);
      }),
    );
  });
});
