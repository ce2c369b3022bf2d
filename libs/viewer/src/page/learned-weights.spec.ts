import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { boxes } from '../suspected.fixture.ts';
import { ASSETS, snapshotOf } from '../snapshot.fixture.ts';
import { renderSharePage } from './render-share-page.tsx';

const auditOf = (reliability: 'declared' | 'estimated') =>
  renderSharePage(snapshotOf({ ...boxes('declared'), reliability }), {
    assets: ASSETS,
    pane: 'audit',
    page: 1,
  })
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

describe('numbers of reliability in the audit', () => {
  it('the audit calls a learned weight by its name, and states what was given and what was learned of a source', () => {
    covers('INV-V.58');
    const words = auditOf('estimated');
    expect(words).toMatch(/Source a Journalist by type, learned 0\.\d\d /);
    expect(words).toContain('learned weight × competence');
    expect(words).not.toMatch(/base reliability [×\d]|[\d×] base reliability/);
  });

  it('the audit speaks of base reliability alone where nothing was learned', () => {
    covers('INV-V.58');
    const words = auditOf('declared');
    expect(words).toMatch(/Source a Journalist 0\.70 \(by type\) /);
    expect(words).toContain('base reliability × competence');
    expect(words).not.toContain('learned');
  });
});
