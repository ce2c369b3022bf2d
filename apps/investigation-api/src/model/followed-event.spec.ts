import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { followedEvent, inEvents, pathsOf, type ChangedDocument } from './followed-event.ts';

const changed = (index: number): ChangedDocument => ({
  document: `d${index}`,
  filename: `f/${index}`,
  type: 'written',
  version: 2,
  at: new Date(index * 1_000).toISOString(),
});

describe('changes as events', () => {
  it('every one of many changes that were read together is named by one event, in their order', () => {
    covers('INV-WATCH.16');
    const items = Array.from({ length: 120 }, (_, index) => changed(index));
    const named = { id: 'e', subscription_id: 'w', session_id: 's', session_name: 'n' };
    const events = inEvents(items).map((part) => followedEvent(named, 'document_changed', part));
    const paths = events.map(({ body }) => pathsOf({ rule: 'document_changed', body }));
    expect(paths.map(({ length }) => length)).toEqual([50, 50, 20]);
    expect(new Set(paths.flat())).toEqual(new Set(items.map(({ filename }) => `documents/${filename}`)));
    expect(events.map(({ at }) => at.getTime())).toEqual([49_000, 99_000, 119_000]);
  });
});
