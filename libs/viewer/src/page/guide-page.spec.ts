import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { renderGuidePage } from './guide-page.tsx';

describe('the page that says how the program judges', () => {
  const markdown = readFileSync(new URL('../../../../docs/how-it-judges.md', import.meta.url), 'utf8');
  const page = renderGuidePage(markdown, { styles: '/styles.css' });

  it('the guide has every heading and paragraph of its document and no trace of its markup', () => {
    covers('RM-11.24');
    for (const [, heading] of markdown.matchAll(/^## (.+)$/gm))
      expect(page).toContain(`<h2>${heading!}</h2>`);
    expect(page.match(/<li>/g)).toHaveLength(markdown.match(/^- /gm)!.length);
    expect(page).toContain('<strong>Uncertainty</strong> is the room that is left');
    expect(page).not.toMatch(/\*\*|\]\(|<p>#|<p>\||<p>```/);
  });

  it('the guide loads nothing but its styles and links nowhere', () => {
    covers('RM-11.24');
    expect(page).toContain('<link rel="stylesheet" href="/styles.css"/>');
    expect(page).not.toMatch(/<script|<img|<a |https?:/);
  });
});
