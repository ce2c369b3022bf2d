import { describe, expect, it } from '@jest/globals';
import type { InvestigationInput } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { ApiError } from '../api/api-error.ts';
import type { Session } from '../api/wire.ts';
import type { Entity } from '../edit/kinds.ts';
import { payloadChange } from '../edit/payload-change.ts';
import { createDesk } from './desk.ts';
import { applied, itemOf } from './edits.ts';

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

/** A session as the service keeps it, which other people write to as well. */
function service(...claims: readonly object[]) {
  let payload = { ...EMPTY, claims } as unknown as InvestigationInput;
  let version = 1;
  let failure: ApiError | null = null;
  const session = () => ({ session_id: 's', name: 'n', payload, version: String(version) }) as Session;
  const write = (kind: 'claims', id: string, after: object | null) => {
    payload = applied(payload, [{ kind, id, before: null, after: after as Entity | null }]);
    version += 1;
  };
  const desk = createDesk(session(), {
    async send(change) {
      if (failure !== null) {
        const thrown = failure;
        failure = null;
        throw thrown;
      }
      if (change['expected_version'] !== String(version)) throw new ApiError(409, 'changed');
      for (const item of (change['claims'] ?? []) as Entity[]) write('claims', item.id, item);
      for (const id of (change['remove_claim_ids'] ?? []) as string[]) write('claims', id, null);
      version += 1;
      return { version: String(version) };
    },
    read: async () => session(),
    stored: () => {},
    setTimer: () => undefined,
    clearTimer: () => {},
  });
  return {
    desk,
    values: () => payload.claims.map(({ id, value }) => `${id}=${String(value)}`),
    elsewhere: (id: string, after: object | null) => write('claims', id, after),
    fail: (next: ApiError) => (failure = next),
  };
}

const set = (id: string, after: object | null) => [
  { kind: 'claims' as const, id, after: after as Entity | null },
];
const shown = (desk: ReturnType<typeof createDesk>) =>
  desk.state().payload.claims.map(({ id, value }) => `${id}=${String(value)}`);

describe('the desk of an investigation', () => {
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
    expect(values().toSorted()).toEqual(['c1=1', 'c2=2', 'c3=3']);
    desk.redo();
    desk.redo();
    desk.redo();
    expect(shown(desk)).toEqual(['c3=3', 'c4=4']);
    await desk.flush();
    expect(values()).toEqual(['c3=3', 'c4=4']);
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
    expect(desk.state().last?.note).toContain('changed or deleted by somebody else');
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
});
