import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { renderSharePage } from '../page/render-share-page.tsx';
import { ASSETS, exampleInput, snapshotOf } from '../snapshot.fixture.ts';
import type { QuoteCheck, ShareSnapshot } from '../snapshot.ts';
import { renderDocumentPage } from '../page/document-page.tsx';

const DOCUMENT = 'file_1';
const TEXT = 'Minutes. <b>The 𝔟ridge</b> is open.';

/** A share whose first two claims quote one document, of which one quote is verified and one is gone. */
function quoting(): ShareSnapshot {
  const input = exampleInput('chernobyl-deaths');
  const source = (exact: string) => ({ document: DOCUMENT, version: 1, selector: { exact } });
  const [one, other] = [input.claims[0]!, input.claims[1]!];
  one.source = source('<b>The 𝔟ridge</b>');
  other.source = source('never said');
  const check = { kind: 'claims', document: DOCUMENT, version: 1 } as const;
  const items: QuoteCheck[] = [
    { ...check, id: one.id, state: 'verified', start: 9, end: 26 },
    { ...check, id: other.id, state: 'gone' },
  ];
  return {
    ...snapshotOf(input),
    quotes: { checked_at: '2026-01-01T00:00:00Z', items },
    documents: [
      {
        document: DOCUMENT,
        version: 1,
        sha256: 'a'.repeat(64),
        filename: 'minutes.txt',
        url: 'https://example.org/minutes',
        added_at: '2026-01-01T00:00:00Z',
        length: 900,
        stretches: [{ start: 0, text: TEXT }],
        marks: [{ kind: 'claims', id: one.id, start: 9, end: 26, isCandidate: false }],
      },
    ],
  };
}

describe('pinned quotes on the page of a share', () => {
  it('each row says in a word what became of its quote, and links to the passage that the share has', () => {
    covers('INV-Q.14');
    const snapshot = quoting();
    const page = renderSharePage(snapshot, { assets: ASSETS, pane: 'audit' });
    const path = `${snapshot.share.slug}/documents/${DOCUMENT}/1#at-9-26`;
    expect(page).toContain(`href="${path}">verified`);
    expect(page).toMatch(/quote-state-gone[^>]*><span class="visually-hidden">Quote: <\/span>not found</);
    expect(page).toContain('id="quotes-unverified"');
    expect(page).toContain('quote-row quote-row-verified');
    expect(page).toContain('quote-row quote-row-gone');
  });

  it('a quote that is cut from a word or number says so', () => {
    covers('INV-Q.70');
    const share = quoting();
    const items = share.quotes!.items.map((item) =>
      item.state === 'gone' ? { ...item, cut: true as const } : item,
    );
    const page = renderSharePage({ ...share, quotes: { ...share.quotes!, items } }, { assets: ASSETS });
    expect(page).toContain('does not hold these words by themselves.');
  });

  it('a quote that is gone is among the warnings, and their number on the overview counts it', () => {
    covers('INV-Q.23');
    const snapshot = quoting();
    const warning = `The quote of claim \`${snapshot.input.claims[1]!.id}\` is not in document \`${DOCUMENT}\`.`;
    const warned = {
      ...snapshot,
      result: { ...snapshot.result, warnings: [] },
      quotes: { ...snapshot.quotes!, warnings: [warning] },
    };
    const overview = renderSharePage(warned, { assets: ASSETS, pane: 'overview' });
    expect(overview).toContain('>1\u00a0warning<');
    expect(overview).not.toContain('No warnings.');
    const audit = renderSharePage(warned, { assets: ASSETS, pane: 'audit' });
    const section = /<h3 id="audit-warnings">.*?<\/section>/s.exec(audit)![0];
    expect(section).toContain('The quote of claim ');
    expect(section).not.toContain('None:');
  });

  it('a row says that the version which was quoted is not kept, and which was read instead', () => {
    covers('INV-Q.22');
    const snapshot = quoting();
    const items = snapshot.quotes!.items.map((check) => ({ ...check, version: 3, missing_version: 1 }));
    const page = renderSharePage(
      { ...snapshot, quotes: { ...snapshot.quotes!, items } },
      { assets: ASSETS, pane: 'audit' },
    );
    const instead = 'Version 1, which was quoted, is not kept; version 3 was read instead.';
    expect(page).toContain(`The document does not hold these words. ${instead}`);
  });

  it('a share that was frozen without the passages of its quotes says that they are missing', () => {
    covers('INV-Q.14');
    const missing = 'it could not be read when the page was published';
    const snapshot = { ...quoting(), documents: [] };
    const page = renderSharePage(snapshot, { assets: ASSETS, pane: 'audit' });
    expect(page).toMatch(new RegExp(`quote-row-verified[^]*</a> [^<]*${missing}`));
    expect(renderSharePage(quoting(), { assets: ASSETS, pane: 'audit' })).not.toContain(missing);
  });

  it('a share without pinned quotes says nothing of them', () => {
    covers('INV-Q.14');
    const page = renderSharePage(snapshotOf(exampleInput('chernobyl-deaths')), {
      assets: ASSETS,
      pane: 'audit',
    });
    expect(page).not.toContain('quote-state');
    expect(page).not.toContain('quotes-unverified');
  });

  it('the page of a document marks the passage as text, without scripts, and says what it leaves out', () => {
    covers('INV-Q.13', 'INV-Q.14');
    const page = renderDocumentPage(quoting(), { assets: ASSETS, document: DOCUMENT, version: 1 })!;
    expect(page).toMatch(
      /id="at-9-26"[^>]*><\/span><mark class="passage">&lt;b>The 𝔟ridge&lt;\/b><\/mark> is open\./,
    );
    expect(page).not.toContain('<script');
    expect(page).toContain('characters are not shown');
    expect(page).toContain('a'.repeat(64));
    expect(renderDocumentPage(quoting(), { assets: ASSETS, document: DOCUMENT, version: 2 })).toBeNull();
  });
});
