import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { exampleInput, snapshotOf } from '../snapshot.fixture.ts';
import { renderShareFeed } from './share-feed.ts';

const snapshot = snapshotOf(exampleInput('first-flight'));
const ID = '0b8f3c5e-4a57-4c7e-9a3d-2f6d8e1c7b90';

describe('the feed of a share', () => {
  it('an entry of a feed says that values are tied, and that none of them leads', () => {
    covers('INV-WATCH.44');
    const at = '2026-02-01T00:00:00.000Z';
    expect(renderShareFeed(snapshot, [{ id: ID, at, changes: { became_tied: 1 } }])).toContain(
      '<title>Values are tied and none leads on one question</title>',
    );
  });

  it('an entry of a feed says that another value is likelier than the one that leads', () => {
    covers('INV-WATCH.61');
    const at = '2026-02-01T00:00:00.000Z';
    expect(renderShareFeed(snapshot, [{ id: ID, at, changes: { became_likelier: 2 } }])).toContain(
      '<title>Another value is likelier than what leads by weight on 2 questions</title>',
    );
  });

  it('a feed has what RFC 4287 requires, and is as old as its latest entry', () => {
    covers('INV-WATCH.9');
    const entries = [
      { id: ID, at: '2026-02-01T00:00:00.000Z', changes: { became_contested: 2, questions_added: 1 } },
      { id: ID.replace('0', '1'), at: '2026-01-01T00:00:00.000Z', changes: {} },
    ];
    const xml = renderShareFeed(snapshot, entries);
    const { share } = snapshot;
    for (const part of [
      `<id>urn:uuid:${share.share_uuid}</id>`,
      '<updated>2026-02-01T00:00:00.000Z</updated>\n<link rel="self"',
      `href="${share.url}/feed.atom"`,
      '<author><name>',
      `<entry><id>urn:uuid:${ID}</id><title>2 questions became contested; one question came up</title>`,
      '<title>Published</title>',
    ])
      expect(xml).toContain(part);
    expect(renderShareFeed(snapshot, [])).toContain(`<updated>${share.snapshot_taken_at}</updated>`);
  });

  it('a feed writes names that are markup or no text as text', () => {
    covers('INV-WATCH.9');
    const byline = `<b>&"\0${String.fromCharCode(0xd800)}\u{1f600}`;
    const xml = renderShareFeed({ ...snapshot, share: { ...snapshot.share, byline } }, []);
    expect(xml).toContain('<name>&lt;b&gt;&amp;&quot;');
    // oxlint-disable-next-line no-control-regex -- what must not be there
    expect(xml).not.toMatch(/[\0-\x08]|\p{Surrogate}|<b>/u);
    expect(xml).toContain('\u{1f600}');
  });
});
