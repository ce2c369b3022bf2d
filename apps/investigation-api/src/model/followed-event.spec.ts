import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import {
  followedEvent,
  inEvents,
  pathsOf,
  type ChangedDocument,
  type ChangedPolicies,
} from './followed-event.ts';

const changed = (index: number): ChangedDocument => ({
  document: `d${index}`,
  filename: `f/${index}`,
  type: 'written',
  version: 2,
  at: new Date(index * 1_000).toISOString(),
  sequence: index,
});

const NAMED = { id: 'e', subscription_id: 'w', session_id: 's', session_name: 'n' };

describe('changes as events', () => {
  it('an event lists documents and sets of policies oldest first, and has the time of the last', () => {
    covers('INV-WATCH.16', 'INV-WATCH.19');
    const sets = [3, 1, 2].map((version): ChangedPolicies => ({
      domain_id: 'd',
      version,
      author_id: 'u',
      message: '',
      digest: '',
      at: new Date(Math.min(version, 2) * 1_000).toISOString(),
    }));
    const policies = followedEvent(NAMED, 'policies_changed', sets);
    const { data } = JSON.parse(policies.body) as { data: { policy_sets: ChangedPolicies[] } };
    expect(data.policy_sets.map(({ version }) => version)).toEqual([1, 2, 3]);
    expect(policies.at.getTime()).toBe(2_000);
    const documents = followedEvent(NAMED, 'document_changed', [changed(2), changed(1)]);
    expect(pathsOf({ rule: 'document_changed', body: documents.body })).toEqual([
      'documents/f/1',
      'documents/f/2',
    ]);
    expect(documents.body).not.toContain('sequence');
  });

  it('every one of many changes that were read together is named by one event, in their order', () => {
    covers('INV-WATCH.16');
    const items = Array.from({ length: 120 }, (_, index) => changed(index));
    const events = inEvents(items).map((part) => followedEvent(NAMED, 'document_changed', part));
    const paths = events.map(({ body }) => pathsOf({ rule: 'document_changed', body }));
    expect(paths.map(({ length }) => length)).toEqual([50, 50, 20]);
    expect(new Set(paths.flat())).toEqual(new Set(items.map(({ filename }) => `documents/${filename}`)));
    expect(events.map(({ at }) => at.getTime())).toEqual([49_000, 99_000, 119_000]);
  });
});
