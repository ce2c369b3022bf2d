import { describe, expect, it } from '@jest/globals';
import type { InvestigationInput } from '@platform/opinion-fusion';
import fc from 'fast-check';
import { SEED } from '@platform/testing/seed';
import { covers } from '@platform/testing/covers';
import { ApiError } from '../api/api-error.ts';
import type { Entity } from '../edit/kinds.ts';
import { payloadChange } from '../edit/payload-change.ts';
import { itemOf, recorded } from '../edit/edits.ts';
import { serviceOf } from './desk.fixture.ts';
import { judgeable, type Desk } from './desk.ts';

fc.configureGlobal({ seed: SEED });

const claim = (id: string, value: string, more: object = {}) => ({
  id,
  actor_id: 'a1',
  subject_id: 's1',
  predicate: 'p',
  value,
  content: `p: ${value}`,
  ...more,
});

const EMPTY = {
  research_question: 'q',
  actors: [{ id: 'a1', name: 'A', source_type: 'Expert' }],
  subjects: [{ id: 's1', name: 'S', subject_type: 't' }],
  claims: [],
} as unknown as InvestigationInput;

/** A session as the service keeps it, with a desk, which other people write to as well. */
function service(...claims: readonly object[]) {
  const there = serviceOf({ ...EMPTY, claims });
  const { desk, fails } = there.desk();
  return {
    desk,
    bytes: () => JSON.stringify(there.session().payload),
    values: () => there.session().payload.claims.map(({ id, value }) => `${id}=${value}`),
    elsewhere: (id: string, after: object | null) => there.write(set(id, after)),
    fail: (next: ApiError) => fails(next),
  };
}

const set = (id: string, after: object | null) => [
  { kind: 'claims' as const, id, after: after as Entity | null },
];
const shown = (desk: Desk) => desk.state().payload.claims.map(({ id, value }) => `${id}=${value}`);

describe('the desk of an investigation', () => {
  it('what is stored already is in the history of the desk, in its turn, unless it was taken back otherwise', async () => {
    covers('INV-B.56');
    const { desk, values } = service(claim('c1', '1'), claim('c2', '2'), claim('c3', '3'));
    const edits = ['c1', 'c2'].map((id) => {
      const edit = recorded(`deleted ${id}`, set(id, null), desk.state().payload);
      desk.edit(edit.label, edit.items);
      return edit;
    });
    await desk.flush();
    for (const edit of edits) desk.record(edit);
    expect(desk.state().undoes).toBe('deleted c2');
    desk.undo();
    expect(desk.state()).toMatchObject({ undoes: 'deleted c1', redoes: 'deleted c2' });
    await desk.flush();
    expect(values()).toEqual(['c2=2', 'c3=3']);
    expect(edits.map(desk.holds)).toEqual([true, false]);
    desk.forget(edits[0]!);
    expect(desk.state().undoes).toBe('deleted c2');
  });

  it('the desk takes back edits and deletions one by one, in their places, and does them again', async () => {
    covers('INV-B.32');
    const { desk, values } = service(claim('c1', '1'), claim('c2', '2'), claim('c3', '3'));
    desk.edit('changed', set('c1', claim('c1', '10')));
    desk.edit('deleted', [...set('c2', null), ...set('c1', null)]);
    desk.edit('added', set('c4', claim('c4', '4')));
    await desk.flush();
    expect(values()).toEqual(['c3=3', 'c4=4']);
    expect(desk.state()).toMatchObject({ unsaved: 0, error: null, isSaving: false });
    desk.undo();
    desk.undo();
    expect(shown(desk)).toEqual(['c1=10', 'c2=2', 'c3=3']);
    desk.undo();
    expect(shown(desk)).toEqual(['c1=1', 'c2=2', 'c3=3']);
    expect(desk.state().canUndo).toBe(false);
    await desk.flush();
    expect(values()).toEqual(['c1=1', 'c2=2', 'c3=3']);
    desk.redo();
    desk.redo();
    desk.redo();
    expect(shown(desk)).toEqual(['c3=3', 'c4=4']);
    await desk.flush();
    expect(values()).toEqual(['c3=3', 'c4=4']);
  });

  it('edits, additions and deletions taken back in turn leave the stored bytes as they were before each', async () => {
    covers('INV-B.32');
    const id = fc.constantFrom('c1', 'c2', 'c3', 'c4', 'c5', 'c6');
    const step = fc.oneof(
      fc.uniqueArray(id, { minLength: 1, maxLength: 4 }).map((ids) => ids.flatMap((one) => set(one, null))),
      fc
        .uniqueArray(fc.tuple(id, fc.nat(9)), { minLength: 1, maxLength: 3, selector: ([one]) => one })
        .map((items) => items.flatMap(([one, value]) => set(one, claim(one, String(value))))),
      fc
        .tuple(id, id, fc.nat(9))
        .filter(([one, other]) => one !== other)
        .map(([one, other, value]) => [...set(one, null), ...set(other, claim(other, String(value)))]),
      fc
        .constantFrom('a1', 's1')
        .map((one) => [
          { kind: one === 'a1' ? ('actors' as const) : ('subjects' as const), id: one, after: null },
        ]),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(step, fc.boolean(), fc.boolean()), { minLength: 1, maxLength: 8 }),
        async (steps) => {
          const { desk, bytes } = service(
            claim('c1', '1'),
            claim('c2', '2'),
            claim('c3', '3'),
            claim('c4', '4'),
          );
          const before = [bytes()];
          const seen = () => JSON.stringify(desk.state().payload);
          for (const [items, isStored] of steps) {
            const was = seen();
            desk.edit('edited', items);
            if (seen() !== was) before.push(seen());
            if (isStored) {
              await desk.flush();
              expect(bytes()).toBe(seen());
            }
          }
          const last = before.pop();
          for (const [index, was] of before.toReversed().entries()) {
            desk.undo();
            expect(seen()).toBe(was);
            if (steps[index]![2]) {
              await desk.flush();
              expect(bytes()).toBe(was);
            }
          }
          expect(desk.state().canUndo).toBe(false);
          await desk.flush();
          expect(bytes()).toBe(before[0] ?? last);
          while (desk.state().canRedo) desk.redo();
          await desk.flush();
          expect(bytes()).toBe(last);
          while (desk.state().canUndo) desk.undo();
          await desk.flush();
          expect(bytes()).toBe(before[0] ?? last);
        },
      ),
    );
  });

  it('a deletion taken back while somebody else adds, deletes and changes stands where it stood', async () => {
    covers('INV-B.33');
    const { desk, values, elsewhere } = service(...['1', '2', '3', '4'].map((n) => claim(`c${n}`, n)));
    desk.edit('deleted', [...set('c1', null), ...set('c3', null)]);
    await desk.flush();
    desk.undo();
    elsewhere('c2', null);
    elsewhere('c5', claim('c5', '5'));
    await desk.flush();
    expect(values()).toEqual(['c1=1', 'c3=3', 'c4=4', 'c5=5']);
    expect(shown(desk)).toEqual(values());
  });

  it('the desk takes over what others change, field by field, and keeps its own edits', async () => {
    covers('INV-B.33');
    const { desk, values, elsewhere } = service(claim('c1', '1'), claim('c2', '2'));
    desk.edit('changed', set('c1', claim('c1', '10')));
    elsewhere('c1', claim('c1', '1', { scope: 'city' }));
    elsewhere('c2', claim('c2', '20'));
    elsewhere('c9', claim('c9', '9'));
    await desk.flush();
    expect(values()).toEqual(['c1=10', 'c2=20', 'c9=9']);
    expect(itemOf(desk.state().payload, { kind: 'claims', id: 'c1' })).toMatchObject({ scope: 'city' });
    expect(desk.state()).toMatchObject({ unsaved: 0, conflicts: [] });
    // Taking the edit back leaves what the other user changed in the same claim.
    desk.undo();
    await desk.flush();
    expect(itemOf(desk.state().payload, { kind: 'claims', id: 'c1' })).toMatchObject({
      value: '1',
      scope: 'city',
    });
  });

  it('a field that both changed is stored as neither has it before the user chose', async () => {
    covers('INV-B.33');
    const { desk, values, elsewhere } = service(claim('c1', '1'), claim('c2', '2'), claim('c3', '3'));
    desk.edit('changed', [
      ...set('c1', claim('c1', '10')),
      ...set('c2', null),
      ...set('c3', claim('c3', '30')),
    ]);
    elsewhere('c1', claim('c1', '11'));
    elsewhere('c2', claim('c2', '21'));
    await desk.flush();
    expect(values()).toEqual(['c1=11', 'c2=21', 'c3=30']);
    expect(shown(desk)).toEqual(['c1=10', 'c3=30']);
    const [first, second] = desk.state().conflicts;
    desk.resolve(first!, 'mine');
    desk.resolve(second!, 'theirs');
    await desk.flush();
    expect(values()).toEqual(['c1=10', 'c2=21', 'c3=30']);
    expect(shown(desk).toSorted()).toEqual(['c1=10', 'c2=21', 'c3=30']);
    expect(desk.state()).toMatchObject({ unsaved: 0, conflicts: [] });
  });

  it('a source that two people add is one, of the type that somebody chose for it', async () => {
    covers('INV-S.67');
    const source = (type: string, more: object = {}) => [
      {
        kind: 'actors' as const,
        id: 'daily',
        after: { id: 'daily', name: 'Daily', source_type: type, ...more },
      },
    ];
    for (const isChosen of [false, true]) {
      const there = serviceOf(EMPTY);
      const { desk } = there.desk();
      desk.edit('typed', [...source('Anonymous'), ...set('c1', claim('c1', '1', { actor_id: 'daily' }))]);
      if (isChosen) desk.edit('chosen', source('Expert'));
      there.write(source('Journalist'));
      await desk.flush();
      expect(desk.state().conflicts.map(({ mine }) => mine.id)).toEqual(isChosen ? ['daily'] : []);
      expect(there.session().payload).toMatchObject({
        actors: [{ id: 'a1' }, { id: 'daily', source_type: 'Journalist' }],
        claims: [{ id: 'c1', actor_id: 'daily' }],
      });
    }
  });

  it('a row that got another id keeps its row key, and what took its id has another one', async () => {
    covers('INV-S.71');
    const { desk, values, elsewhere } = service();
    const keyOfRow = (id: string) => desk.rowKey({ kind: 'claims', id });
    desk.edit('typed', set('c1', claim('c1', 'mine')));
    const key = keyOfRow('c1');
    elsewhere('c1', claim('c1', 'theirs'));
    await desk.flush();
    expect(values()).toEqual(['c1=theirs', 'c1-2=mine']);
    expect(keyOfRow('c1-2')).toBe(key);
    expect(keyOfRow('c1')).not.toBe(key);
  });

  it('an edit is not taken back from a field that somebody else changed since', async () => {
    covers('INV-B.33');
    const { desk, elsewhere } = service(claim('c1', '1'), claim('c2', '2'));
    desk.edit('changed', [...set('c1', claim('c1', '10')), ...set('c2', claim('c2', '20'))]);
    await desk.flush();
    elsewhere('c1', claim('c1', '11'));
    desk.edit('more', set('c3', claim('c3', '3')));
    await desk.flush();
    desk.undo();
    desk.undo();
    expect(shown(desk)).toEqual(['c1=11', 'c2=2']);
    expect(desk.state().last?.note).toContain('“p: 10” was changed');
  });

  it('what an edit added stays with all that it refers to where somebody else changed or refers to it since', async () => {
    covers('INV-B.46');
    const added = [
      { kind: 'actors' as const, id: 'a2', after: { id: 'a2', name: 'B', source_type: 'Expert' } },
      { kind: 'actors' as const, id: 'a3', after: { id: 'a3', name: 'C', source_type: 'Expert' } },
      ...set('c2', claim('c2', '2', { actor_id: 'a2' })),
      ...set('c3', claim('c3', '3', { actor_id: 'a3' })),
      ...set('c4', claim('c4', '4')),
    ];
    for (const isKnown of [true, false]) {
      const { desk, values, elsewhere } = service(claim('c1', '1'));
      desk.edit('pasted', added);
      await desk.flush();
      elsewhere('c2', claim('c2', '20', { actor_id: 'a2' }));
      elsewhere('c5', claim('c5', '5', { supersedes_claim_id: 'c3' }));
      if (isKnown) {
        desk.edit('more', set('c1', claim('c1', '10')));
        await desk.flush();
        desk.undo();
      }
      desk.undo();
      await desk.flush();
      expect(values()).toEqual(['c1=1', 'c2=20', 'c3=3', 'c5=5']);
      if (isKnown)
        expect(desk.state().last?.note).toBe(
          'Not all of it was taken back: “B”, “C”, “p: 2” and 1 more were changed, deleted or referred to since.',
        );
      const asked = desk.state().conflicts.map(({ mine }) => mine.id);
      expect(asked.toSorted()).toEqual(isKnown ? [] : ['a2', 'a3', 'c2', 'c3']);
      for (const conflict of desk.state().conflicts) desk.resolve(conflict, 'theirs');
      await desk.flush();
      expect(desk.state()).toMatchObject({ unsaved: 0, conflicts: [] });
      expect(
        desk
          .state()
          .payload.actors.map(({ id }) => id)
          .toSorted(),
      ).toEqual(['a1', 'a2', 'a3']);
    }
  });

  it('what is incomplete stays on the desk, and what failed is sent again', async () => {
    covers('INV-B.32');
    const { desk, values, fail } = service();
    desk.edit('added', [...set('c1', { id: 'c1', value: '1' }), ...set('c2', claim('c2', '2'))]);
    fail(new ApiError(503, 'busy'));
    await desk.flush();
    expect(desk.state()).toMatchObject({ unsaved: 2, incomplete: 1, error: { status: 503 } });
    await desk.flush();
    expect(values()).toEqual(['c2=2']);
    expect(desk.state()).toMatchObject({ unsaved: 1, incomplete: 1, error: null });
    expect(payloadChange(EMPTY as never, desk.state().payload as never)['claims']).toHaveLength(2);
  });

  it('a claim whose quote is not the passage that it pins is judged without the pin, and not left out', () => {
    covers('INV-B.65');
    const source = { document: 'd', selector: { exact: 'pinned words' } };
    const claims = [
      claim('c1', 'v', { quote: 'other words', source }),
      claim('c2', 'v', { quote: 'pinned words', source }),
      claim('c3', 'v', { quote: 'other words', source, url: 'javascript:1' }),
    ];
    const input = { ...EMPTY, claims } as unknown as InvestigationInput;
    expect(judgeable(input).claims).toEqual([claim('c1', 'v', { quote: 'other words' }), claims[1]]);
  });
});
