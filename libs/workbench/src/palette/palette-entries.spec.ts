import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { paletteEntries } from './palette-entries.ts';

const PAYLOAD = {
  actors: [{ id: 'herald', name: 'The Herald' }],
  subjects: [{ id: 's1', name: 'North bridge' }],
  claims: Array.from({ length: 100 }, (_, index) => ({
    id: `c${index}`,
    actor_id: 'herald',
    subject_id: 's1',
    predicate: 'is_open',
    value: String(index),
    content: 'It says so.',
  })),
};

const HISTORY = { undoes: 'Deleted “Herald”', redoes: null };

describe('the command palette', () => {
  it('the command palette finds actions, subjects, sources and claims that have every word', () => {
    covers('INV-B.35', 'INV-B.77');
    const found = (text: string) =>
      paletteEntries(PAYLOAD, text).entries.map(({ kind, text: shown }) => `${kind} ${shown}`);
    expect(found('')).toContain('Action Judge');
    expect(found('undo')).toEqual([]);
    expect(found('go claims')).toEqual(['Action Go to Claims']);
    expect(found('NORTH')[0]).toBe('Subject North bridge');
    expect(found('herald')[0]).toBe('Source The Herald');
    expect(found('bridge 42')).toEqual(['Claim North bridge, is open: 42 (The Herald)']);
    expect(paletteEntries(PAYLOAD, 'c42 herald').entries[0]!.goal).toEqual({ to: 'claim', id: 'c42' });
    expect(found('says so')).toHaveLength(8);
    expect(paletteEntries(PAYLOAD, 'says so').total).toBe(100);
    expect(found('nowhere')).toEqual([]);
  });

  it('the command palette names the edit that Undo takes back', () => {
    covers('INV-B.77');
    expect(paletteEntries(PAYLOAD, 'undo', true, HISTORY).entries.map(({ text }) => text)).toEqual([
      'Undo: Deleted “Herald”',
    ]);
  });

  it('the command palette offers an invitation to users who may invite', () => {
    const invites = (mayInvite: boolean) =>
      paletteEntries(PAYLOAD, 'invite', true, HISTORY, mayInvite).entries;
    expect(invites(true).map(({ goal }) => goal)).toEqual([{ to: 'invite' }]);
    expect(invites(false)).toEqual([]);
  });

  it('the command palette offers a reader nothing that changes the investigation', () => {
    covers('INV-MEMBER.9');
    const texts = paletteEntries(PAYLOAD, '', false).entries.map(({ text }) => text);
    expect(texts).toEqual(expect.arrayContaining(['Go to Overview', 'Go to History', 'All investigations']));
    for (const gone of ['Judge', 'Add a claim', 'Undo', 'Go to Edit', 'Go to Claims'])
      expect(texts).not.toContain(gone);
    expect(paletteEntries(PAYLOAD, 'north', false)).toEqual({ entries: [], total: 0 });
  });
});
