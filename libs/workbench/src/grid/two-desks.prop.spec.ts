import { describe, expect, it } from '@jest/globals';
import type { EntityKind } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import { ApiError } from '../api/api-error.ts';
import { randomCode } from '../browser/random-code.ts';
import { countedCodes, newIds, type NewCode } from '../edit/draft.ts';
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

const ACTS = [
  'row',
  'row',
  'rows',
  'all kinds',
  'half',
  'change',
  'undo',
  'redo',
  'flush',
  'lost',
  'down',
  'look',
];
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
function typeRows(desk: Desk, who: number, values: readonly string[], code = countedCodes()): void {
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
  desk.edit('typed', typeCells(payload, inputs, COLUMNS, code).items);
}

/** The id that a form offers, of codes that are the same at every desk. */
const offeredId = (kind: EntityKind, payload: object, code = countedCodes()) =>
  newIds(KINDS.find((spec) => spec.kind === kind)!.idLetter, placesOf(itemsOf(payload, kind)), code)();

/** Adds an item of each kind that refers to another claim, all under the ids that the forms offer. */
function addAllKinds(desk: Desk, who: number, value: string, code?: NewCode): void {
  const { payload } = desk.state();
  const ids = Object.fromEntries(KINDS.map(({ kind }) => [kind, offeredId(kind, payload, code)]));
  const offered = (kind: EntityKind) => ids[kind]!;
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
              const id = offeredId('claims', desk.state().payload);
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
          } else if (act === 'look') {
            await desk.refresh();
            expect(seen()).toEqual(before);
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

/** How programs and people number a new claim of a session of which they read the ids. */
const NUMBERED: readonly ((seen: ReadonlySet<string>) => string)[] = [
  (seen) => `c${seen.size + 1}`,
  (seen) => `c${Math.max(0, ...[...seen].map((id) => Number(/^c(\d+)$/.exec(id)?.[1] ?? 0))) + 1}`,
  (seen) => `claim-${seen.size + 1}`,
  (seen) => `c-${seen.size + 1}`,
];
const besides = fc.array(fc.constantFrom('row', 'rows', 'all kinds', 'flush', 'look', 'read', 'add', 'add'), {
  maxLength: 25,
});

describe('an investigation that a program adds to while somebody edits it', () => {
  it('no item of a desk or of a program that adds claims unseen is lost', async () => {
    covers('INV-Q.95');
    await fc.assert(
      fc.asyncProperty(besides, fc.constantFrom(...NUMBERED), async (acts, number) => {
        const service = serviceOf({ ...EMPTY, claims: [{ ...SAID, id: 'c1', value: '0', content: 'by 1' }] });
        const { desk } = service.desk();
        const idsOf = () => new Set(service.session().payload.claims.map(({ id }) => id));
        let seen = idsOf();
        let count = 0;
        const added: string[] = [];
        for (const act of acts) {
          count += 1;
          if (act === 'row') typeRows(desk, 0, [`v${count}`], randomCode);
          else if (act === 'rows') typeRows(desk, 0, [`v${count}`, `w${count}`], randomCode);
          else if (act === 'all kinds') addAllKinds(desk, 0, `v${count}`, randomCode);
          else if (act === 'flush') await desk.flush();
          else if (act === 'look') await desk.refresh();
          else if (act === 'read') seen = idsOf();
          else {
            const id = number(seen);
            if (seen.has(id)) continue;
            seen.add(id);
            added.push(`v${count}`);
            service.write([
              { kind: 'claims', id, after: { ...SAID, id, value: `v${count}`, content: 'by 1' } },
            ]);
          }
        }
        const mine = written(desk.state().payload, 0);
        await desk.flush();
        await desk.flush();
        const { payload } = service.session();
        expect(desk.state()).toMatchObject({ unsaved: 0, conflicts: [], error: null });
        expect(written(payload, 0)).toEqual(mine);
        const theirs = payload.claims.filter(({ content }) => content === 'by 1').map(({ value }) => value);
        expect(theirs.toSorted()).toEqual(['0', ...added].toSorted());
      }),
    );
  });
});
