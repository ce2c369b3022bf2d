import { describe, expect, it } from '@jest/globals';
import { OBJECTS } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { helpOf } from './field-help.ts';

/** Words that a programmer reads at a glance and an analyst does not. */
const OF_THE_API =
  /RFC|[a-z]_[a-z]|\bids?\b|[<>]|clamp|meta-claim|\d\.\.\d|\(0|code point|docstore|SHA-|\bnull\b/i;
/** Filled by the picker of stored documents, not typed. */
const PICKED = ['PinnedSource', 'TextSelector', 'ReliabilityRecord'];

describe('help below the fields of the desk', () => {
  const fields = Object.entries(OBJECTS)
    .filter(([object]) => !PICKED.includes(object))
    .flatMap(([object, table]) =>
      Object.entries(table).map(([name, field]) => [object, name, field] as const),
    );

  it.each(fields.filter(([, , { kind }]) => kind !== 'list'))(
    'the help of %s.%s is in the words of an analyst',
    (_object, name, field) => {
      covers('INV-B.41');
      expect(helpOf(name, field)).toMatch(/^\p{Lu}.*\.$/u);
      expect(helpOf(name, field)).not.toMatch(OF_THE_API);
    },
  );
});
