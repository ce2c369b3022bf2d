import { describe, expect, it } from '@jest/globals';
import { explainAll, type InvestigationInput } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { renderEmbedPage } from './embed-page.tsx';
import { shareImage } from '../card/share-image.tsx';
import { PANE_IDS } from '../snapshot.ts';
import { snapshotOf } from '../snapshot.fixture.ts';
import { boxes } from '../suspected.fixture.ts';
import { answerText } from './answer-text.ts';
import { renderSharePage } from './render-share-page.tsx';

const ASSETS = { styles: '/styles.css', early: '/early.js', main: '/main.js', embed: '/embed.css' };
/** What is a fact only where the author declares it. */
const STATED_AS_FACT =
  /\bnot independent|n[’']t independent|none independent|depends on|\bcop(?:ies|ied)\b(?! \d)|repeats/gi;
/** Besides the careful sentences, the heading of a column of what is declared. */
const ALLOWED =
  /perhaps none independent|sure that they are not independent, which is a suspicion|It depends|Claims Depends on/g;

const wordsOf = (html: string) =>
  html
    .replace(/<(style|script)[^>]*>.*?<\/\1>/gs, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

/** All that readers are shown of an investigation, by where. */
function shown(input: InvestigationInput): Map<string, string> {
  const snapshot = snapshotOf(input);
  const texts = new Map(
    PANE_IDS.map((pane) => [
      pane as string,
      wordsOf(renderSharePage(snapshot, { assets: ASSETS, pane, page: 1 })),
    ]),
  );
  const { answer, findings } = answerText(snapshot);
  texts.set('card', wordsOf(renderEmbedPage(snapshot, ASSETS)));
  texts.set('image', wordsOf(shareImage(snapshot)));
  texts.set('text', [...answer, ...findings].join(' '));
  return texts;
}

describe('sources that are suspected of not being independent', () => {
  const suspected = shown(boxes('detected'));

  it('no page, card, image or text states as a fact what is only suspected of sources', () => {
    covers('INV-V.57');
    const stated = [...suspected].flatMap(([where, text]) =>
      [...text.replace(ALLOWED, '').matchAll(STATED_AS_FACT)].map(
        ({ index, 0: words }) => `${where}: ${text.slice(Math.max(0, index - 60), index + 40)} (${words})`,
      ),
    );
    expect(stated).toEqual([]);
  });

  it('the answer, card and image say that a suspected source may not be independent', () => {
    covers('INV-V.57');
    expect(suspected.get('text')).toMatch(/one more that may not be independent of it/);
    for (const where of ['overview', 'card', 'image'])
      expect(suspected.get(where)).toMatch(/1 more may not be independent/);
    expect(suspected.get('overview')).toMatch(
      /1 that says the same unusual things and may not be independent of it \((> )?\d\d % sure\)/,
    );
  });

  it('the answer states dependence as a fact where the author declares it', () => {
    covers('INV-V.57');
    expect(shown(boxes('declared')).get('overview')).toMatch(/1 more not independent/);
  });

  it('an explanation marks as suspected what only the claims show, and nothing that is declared', () => {
    covers('INV-X.2');
    const marks = (input: InvestigationInput) =>
      explainAll(input, { now: new Date('2026-01-01T00:00:00Z') })
        .flatMap(({ contributions }) => contributions)
        .filter(({ outcome }) => outcome === 'dependent')
        .map((one) => one.suspected);
    expect(marks(boxes('detected'))).toEqual(Array.from({ length: 12 }, () => true));
    expect(marks(boxes('declared'))).toEqual(Array.from({ length: 12 }));
  });
});
