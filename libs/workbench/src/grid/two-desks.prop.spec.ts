import { describe, expect, it } from '@jest/globals';
import type { EntityKind } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import { ApiError } from '../api/api-error.ts';
import { freeId } from '../edit/draft.ts';
import { itemOf } from '../edit/edits.ts';
import { KINDS, type Entity } from '../edit/kinds.ts';
import { itemsOf, placesOf } from '../edit/payload-change.ts';
import { COLUMNS, typeCells } from './columns.ts';
import { serviceOf } from './desk.fixture.ts';
import type { Desk } from './desk.ts';

fc.configureGlobal({ seed: SEED });

const EMPTY = {
  research_question: 'q',
  actors: [{ id: 'a1', name: 'Herald', source_type: 'Journalist' }],
  subjects: [{ id: 's1', name: 'Cable', subject_type: 'topic' }],
  claims: [],
};
const SAID = { actor_id: 'a1', subject_id: 's1', predicate: 'cut_by' };
/** A name for each user, of which both make the same id. */
const SOURCES = ['Port Authority', 'Port-Authority'];

const ACTS = ['row', 'row', 'rows', 'all kinds', 'half', 'change', 'undo', 'redo', 'flush', 'lost', 'down'];
const steps = fc.array(fc.tuple(fc.constantFrom(0, 1), fc.constantFrom(...ACTS)), { maxLength: 20 });

/** What a user wrote: each item by its words, with the words of the items that it refers to. */
function written(payload: object, who: number): string[] {
  const valueOf = (kind: EntityKind, id: unknown) => {
    const item = typeof id === 'string' ? itemOf(payload, { kind, id }) : null;
    return String(item?.['value'] ?? item?.['name']);
  };
  return KINDS.flatMap(({ kind }) =>
    itemsOf(payload, kind).map((item) =>
      [
        kind,
        item['value'],
        item['content'] ?? item['description'],
        valueOf('actors', item['actor_id']),
        ...[item['supersedes_claim_id'], item['claim_id'], item['argument_a'], item['argument_b']].map((id) =>
          valueOf('claims', id),
        ),
        ...((item['premise_claim_ids'] ?? []) as string[]).map((id) => valueOf('claims', id)),
      ].join(' '),
    ),
  )
    .filter((text) => text.includes(`by ${who}`))
    .toSorted();
}

/** Types rows as into the grid, of a source that is made by it. */
function typeRows(desk: Desk, who: number, values: readonly string[]): void {
  const { payload } = desk.state();
  const first = payload.claims.length;
  const inputs = values.flatMap((value, at) =>
    Object.entries({
      actor_id: SOURCES[who]!,
      subject_id: 'Cable',
      predicate: 'cut_by',
      value,
      content: `by ${who}`,
    }).map(([field, text]) => ({ claim: undefined, row: first + at, field, text })),
  );
  desk.edit('typed', typeCells(payload, inputs, COLUMNS).items);
}

/** Adds an item of each kind that refers to another claim, all under the ids that the forms offer. */
function addAllKinds(desk: Desk, who: number, value: string): void {
  const { payload } = desk.state();
  const offered = (kind: EntityKind) =>
    freeId(KINDS.find((spec) => spec.kind === kind)!.idLetter, placesOf(itemsOf(payload, kind)));
  const id = offered('claims');
  const other = payload.claims.findLast(({ content }) => content === `by ${who}`)?.id;
  const words = { description: `by ${who}` };
  const items: readonly (readonly [EntityKind, object])[] = [
    ['claims', { ...SAID, value, content: `by ${who}`, ...(other && { supersedes_claim_id: other }) }],
    ['evidence', { claim_id: id, valence: 'Supports', content: `${value} by ${who}`, weight: 1 }],
    [
      'inferences',
      { ...words, subject_id: 's1', predicate: 'p', rule_type: 'analogy', premise_claim_ids: [id] },
    ],
    [
      'distinctions',
      { ...words, argument_a: id, argument_b: other ?? id, feature: 'f', condition_a: 'a', condition_b: 'b' },
    ],
  ];
  desk.edit(
    'added',
    items.map(([kind, item]) => ({
      kind,
      id: offered(kind),
      after: { id: offered(kind), ...item } as Entity,
    })),
  );
}

describe('an investigation that two people edit at once', () => {
  it('no item that somebody adds is lost or asked about, whatever id another one has given it meanwhile', async () => {
    covers('INV-S.67', 'INV-S.68', 'INV-S.69');
    await fc.assert(
      fc.asyncProperty(steps, async (given) => {
        const service = serviceOf(EMPTY);
        const users = [0, 1].map((who) => ({
          ...service.desk(),
          who,
          undone: [] as string[][],
          done: [] as string[][],
          deletes: false,
        }));
        let count = 0;
        for (const [who, act] of given) {
          const { desk, fails, undone, done } = users[who]!;
          const seen = () => written(desk.state().payload, who);
          const before = seen();
          const edit = (work: () => void) => {
            const past = desk.state().last;
            work();
            if (desk.state().last === past) return;
            done.push(before);
            undone.length = 0;
          };
          count += 1;
          if (act === 'row') edit(() => typeRows(desk, who, [`v${count}`]));
          else if (act === 'rows') edit(() => typeRows(desk, who, [`v${count}`, `w${count}`]));
          else if (act === 'all kinds') edit(() => addAllKinds(desk, who, `v${count}`));
          else if (act === 'half')
            edit(() => {
              const id = freeId('c', placesOf(itemsOf(desk.state().payload, 'claims')));
              const after = { id, value: `v${count}`, content: `by ${who}` };
              desk.edit('began', [{ kind: 'claims', id, after }]);
            });
          else if (act === 'change') {
            const own = desk.state().payload.claims.findLast(({ content }) => content === `by ${who}`);
            const after = { ...own, value: `v${count}` } as unknown as Entity;
            if (own) edit(() => desk.edit('changed', [{ kind: 'claims', id: own.id, after }]));
          } else if (act === 'undo' && desk.state().canUndo) {
            desk.undo();
            undone.push(before);
            users[who]!.deletes = true;
            expect(seen()).toEqual(done.pop());
          } else if (act === 'redo' && desk.state().canRedo) {
            desk.redo();
            done.push(before);
            expect(seen()).toEqual(undone.pop());
          } else if (['flush', 'lost', 'down'].includes(act)) {
            // After a lost response a deletion that was stored looks as one that others changed.
            if (act !== 'flush') fails(new ApiError(0, 'offline'), act === 'lost' && !users[who]!.deletes);
            else users[who]!.deletes = false;
            await desk.flush();
            fails(null);
            expect(seen()).toEqual(before);
          }
          expect(users.flatMap((user) => user.desk.state().conflicts)).toEqual([]);
        }
        for (const { desk } of users)
          for (const claim of desk.state().payload.claims)
            if (claim.predicate === undefined)
              desk.edit('filled in', [{ kind: 'claims', id: claim.id, after: { ...claim, ...SAID } }]);
        for (const { desk } of [...users, ...users, ...users]) await desk.flush();
        for (const { desk, who } of users) {
          expect(desk.state()).toMatchObject({ unsaved: 0, conflicts: [], error: null });
          expect(written(service.session().payload, who)).toEqual(written(desk.state().payload, who));
        }
      }),
    );
  });
});
