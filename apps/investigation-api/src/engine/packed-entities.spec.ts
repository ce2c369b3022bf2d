import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SEED } from '@platform/testing/seed';
import { ENTITY_KINDS } from '@platform/opinion-fusion';
import { packEntities, unpackEntities } from './packed-entities.ts';

fc.configureGlobal({ seed: SEED });

const kind = fc.constantFrom(...ENTITY_KINDS);
const text = fc.string({ unit: 'binary' });

describe('packed items', () => {
  it('packed items are unpacked as they were, with bodies and without', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(fc.record({ kind, id: text, body: text })),
          fc.array(fc.record({ kind, id: text })),
        ),
        (entities) => {
          const plain = entities.map((entity) => ({ ...entity }));
          expect(unpackEntities(structuredClone(packEntities(plain)))).toEqual(plain);
        },
      ),
    );
  });
});
