import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { itemClash, updateClash } from './changed-elsewhere.ts';
import { KINDS } from './kinds.ts';

const CLAIMS = KINDS.find(({ kind }) => kind === 'claims')!;
const claim = (value: string) => ({ id: 'c1', value });

describe('an item that is written', () => {
  covers('INV-B.7');
  it('a save goes through where it overwrites no change of another user', () => {
    for (const [seen, stored, next] of [
      [claim('1'), claim('1'), claim('2')],
      // The response to the first try was lost on its way.
      [claim('1'), claim('2'), claim('2')],
      [claim('1'), null, null],
    ] as const)
      expect(itemClash(CLAIMS, { seen, stored, next })).toBeNull();
  });

  it('a save names the fields that others changed, and their values', () => {
    const error = itemClash(CLAIMS, { seen: claim('1'), stored: claim('2'), next: claim('3') })!;
    expect(error.status).toBe(412);
    expect(error.message).toContain('Save again');
    expect(error.problems).toEqual([{ path: 'value', message: 'was changed elsewhere, to "2"' }]);
    expect(itemClash(CLAIMS, { seen: claim('1'), stored: claim('2'), next: null })!.message).toContain(
      'Delete again',
    );
    expect(itemClash(CLAIMS, { seen: claim('1'), stored: null, next: claim('2') })!.message).toContain(
      'was deleted elsewhere',
    );
  });
});

describe('an update that is sent', () => {
  covers('INV-B.7');
  const contents = (question: string, ...values: string[]) => ({
    name: 'n',
    payload: {
      research_question: question,
      claims: values.map((value, at) => ({ id: `c${at + 1}`, value })),
    },
  });

  it('an update goes through next to changes of others to other fields', () => {
    const seen = contents('q', '1', '2');
    const stored = contents('other', '1', 'other', 'added');
    const change = { name: 'm', claims: [claim('3')], remove_claim_ids: ['c9'] };
    expect(updateClash(change, seen, stored)).toBeNull();
  });

  it('an update names what others added, changed or deleted under it', () => {
    const seen = contents('q', '1', '2', '3');
    const stored = { name: 'theirs', payload: { ...contents('r', '1', 'x').payload } };
    const change = {
      name: 'mine',
      research_question: 'mine',
      claims: [
        { id: 'c2', value: 'mine' },
        { id: 'c3', value: 'mine' },
      ],
      remove_claim_ids: ['c2'],
    };
    const error = updateClash(change, seen, stored)!;
    expect(error.status).toBe(412);
    expect(error.problems.map(({ path, message }) => `${path} ${message}`)).toEqual([
      'claims c2 was changed elsewhere',
      'claims c3 was deleted elsewhere',
      'claims c2 was changed elsewhere',
      'name was changed elsewhere, to "theirs"',
      'research_question was changed elsewhere, to "r"',
    ]);
    const added = updateClash({ claims: [claim('mine')] }, contents('q'), contents('q', 'theirs'))!;
    expect(added.problems[0]!.message).toBe('was added elsewhere');
  });
});
