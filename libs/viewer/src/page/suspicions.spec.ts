import { describe, expect, it } from '@jest/globals';
import { analyze, explainAll, type InvestigationInput } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { renderEmbedPage } from './embed-page.tsx';
import { shareImage } from '../card/share-image.tsx';
import { PANE_IDS } from '../snapshot.ts';
import { ASSETS, snapshotOf } from '../snapshot.fixture.ts';
import { boxes } from '../suspected.fixture.ts';
import { answerText } from './answer-text.ts';
import { renderSharePage } from './render-share-page.tsx';

const NOW = new Date('2026-03-14T09:12:45.000Z');
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

/** The boxes, of which source g takes back what it said about the first and corrects the second. */
function withdrawn(dependence: 'declared' | 'detected'): InvestigationInput {
  const input = boxes(dependence);
  const claims = input.claims.map((claim) => ({
    ...claim,
    assertion_time: claim.actor_id === 'h' ? '2026-01-09' : '2026-01-05',
    ...(claim.id === 's0-g' && { epistemic_status: 'retracted' }),
  }));
  const correction = { ...claims.find(({ id }) => id === 's1-g')!, id: 's1-g2', value: 'thing 1' };
  return { ...input, claims: [...claims, { ...correction, supersedes_claim_id: 's1-g' }] };
}

describe('what is like a claim that its source withdrew', () => {
  const stories = { detected: withdrawn('detected'), declared: withdrawn('declared') };
  const NOTES = {
    detected:
      /not counted: says the same as a claim of Source g that was withdrawn, and may not be independent of it \((> )?\d\d % sure\)/,
    declared:
      /not counted: repeats a claim of Source g that was withdrawn; the author says that it depends on it/,
  };

  it.each(['detected', 'declared'] as const)(
    'a claim like a withdrawn one, of dependence that is %s, is told as such, and not as withdrawn itself',
    (dependence) => {
      covers('INV-V.144');
      const texts = shown(stories[dependence]);
      for (const pane of ['overview', 'timeline']) expect(texts.get(pane)).toMatch(NOTES[dependence]);
      // The correction of source g is the only claim that a source replaced.
      expect(texts.get('overview')!.match(/its own source replaced it/g)).toHaveLength(1);
      if (dependence === 'declared') return;
      const stated = [...texts].flatMap(([where, text]) =>
        (text.replace(ALLOWED, '').match(STATED_AS_FACT) ?? []).map((words) => `${where}: ${words}`),
      );
      expect(stated).toEqual([]);
    },
  );

  it.each([
    [
      'detected',
      { claim_id: 's0-g', suspected: true },
      'Claim `s0-h` says the same as `s0-g`, which is retracted, and its source may not be independent of the source of that claim, which is a suspicion and no proof; it is weighed like it.',
    ],
    [
      'declared',
      { claim_id: 's0-g' },
      'Claim `s0-h` repeats `s0-g`, which is retracted, and its source depends on the source of that claim, according to the author; it is weighed like it.',
    ],
  ] as const)(
    'explanations and warnings name the original of a claim, of dependence that is %s',
    (dependence, original, warning) => {
      covers('INV-V.145', 'RM-11.211');
      const { warnings } = analyze(stories[dependence], { now: NOW });
      expect(warnings).toContain(warning);
      const of = (id: string) =>
        explainAll(stories[dependence], { now: NOW })
          .flatMap(({ contributions }) => contributions)
          .find(({ claim_id }) => claim_id === id);
      expect(of('s0-h')).toMatchObject({ outcome: 'withdrawn_original', counted: 0, original });
      expect(of('s1-h')).toMatchObject({ outcome: 'withdrawn_original', counted: 0 });
      expect(of('s1-g')).toMatchObject({ outcome: 'corrected' });
      expect(of('s1-g')).not.toHaveProperty('original');
      expect(of('s0-g')).toMatchObject({ outcome: 'retracted' });
    },
  );
});
