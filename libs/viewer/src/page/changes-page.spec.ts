import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { exampleInput, snapshotOf } from '../snapshot.fixture.ts';
import type { PublishedChanges, VerdictMove } from '../snapshot.ts';
import { renderChangesPage } from './changes-page.tsx';

const part = (cause: 'time' | 'settings' | 'engine', move: number): VerdictMove['parts'][number] => ({
  cause,
  items: [],
  item_count: 0,
  settings: ['credence_floor'],
  move,
});
const side = (leading_value: string, chance: number) => ({
  truth_status: 'Both' as const,
  leading_value,
  chance,
});
const move = (more: Partial<VerdictMove>): VerdictMove => ({
  subject_id: 's',
  subject_name: 'Bridge',
  predicate: 'state',
  value: 'open',
  before: side('shut', 0.5),
  after: side('open', 0.5),
  move: 0,
  parts: [],
  ...more,
});

function tableOf(verdicts: readonly VerdictMove[]): string {
  const changes: PublishedChanges = {
    since: '2026-05-03T10:00:00Z',
    changes: [],
    change_count: 0,
    settings: [],
    verdicts,
    changed_verdicts: verdicts.length,
    unchanged_verdicts: 1,
  };
  return renderChangesPage(snapshotOf(exampleInput('lk-99'), { changes }), { styles: '' })!;
}

describe('the page of changes', () => {
  it('a chance that did not move is named as unchanged, and parts that moved nothing are left out', () => {
    covers('INV-B.81');
    const still = tableOf([move({ parts: [part('time', 0.0001), part('settings', -0.0001)] })]);
    expect(still).toContain('unchanged');
    expect(still).not.toContain('0\u00a0points');
    expect(still).not.toContain('as time passed');
    const evened = tableOf([
      move({ parts: [part('time', -0.2), part('settings', 0.2), part('engine', 1e-5)] }),
    ]);
    expect(evened).toContain('unchanged');
    expect(evened).toContain('−20.0\u00a0points: age, as time passed');
    expect(evened).toContain('+20.0\u00a0points: setting: credence floor');
    expect(evened).not.toContain('another version of the engine');
  });

  it('a verdict whose status alone changed is not told as unchanged', () => {
    covers('INV-V.230');
    const still = tableOf([move({ after: { ...side('shut', 0.5), truth_status: 'False' } })]);
    expect(still).toContain('>chance unchanged, status changed<');
    expect(still).not.toContain('>unchanged<');
  });

  it('a share that shows no changes has no such page', () => {
    covers('INV-V.86');
    expect(renderChangesPage(snapshotOf(exampleInput('lk-99')), { styles: '' })).toBeNull();
  });
});
