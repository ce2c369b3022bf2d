import { describe, expect, it } from '@jest/globals';
import {
  summarizeResult,
  textOf,
  type InvestigationInput,
  type InvestigationResult,
} from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import { cardOf } from '../../card/card.ts';
import { answerWord, chanceOf } from '../../format/words.ts';
import { percent } from '../../format/numbers.ts';
import { answerText } from '../../page/answer-text.ts';
import { renderEmbedPage } from '../../page/embed-page.tsx';
import { leadingAnswer } from '../../page/leading-answer.ts';
import { renderSharePage } from '../../page/render-share-page.tsx';
import { snapshotOf } from '../../snapshot.fixture.ts';

fc.configureGlobal({ seed: SEED });

interface Said {
  readonly type: string;
  readonly value: string;
  readonly denies?: boolean;
  /** Weights of the evidence against the claim. */
  readonly refuted?: readonly number[];
}

function asked(said: readonly Said[], question = 'Is it so?', predicate = 'source'): InvestigationInput {
  return {
    research_question: question,
    actors: said.map(({ type }, i) => ({ id: `a${i}`, name: `Source ${i}`, source_type: type })),
    subjects: [{ id: 's', name: 'The leak', subject_type: 'event' }],
    claims: said.map(({ value, denies }, i) => ({
      id: `c${i}`,
      actor_id: `a${i}`,
      subject_id: 's',
      predicate,
      value,
      content: `statement ${i}`,
      valence: denies ? 'Refutes' : 'Supports',
    })),
    evidence: said.flatMap(({ refuted = [] }, i) =>
      refuted.map((weight, j) => ({
        id: `e${i}-${j}`,
        claim_id: `c${i}`,
        content: 'a document',
        valence: 'Refutes' as const,
        weight,
      })),
    ),
  };
}

const assets = { styles: '', early: '', main: '', embed: '' };
const plain = (text: string) => text.replace(/\s+/g, ' ');
const wordsOf = (html: string) => plain(html.replace(/<[^>]+>/g, ' ')).replace(/ ([,.;)])/g, '$1');

function placesOf(input: InvestigationInput): Record<string, string> {
  const shown = snapshotOf(input);
  const page = renderSharePage(shown, { assets });
  return {
    page: wordsOf(page),
    description: plain(/<meta name="description" content="([^"]*)"/.exec(page)?.[1] ?? ''),
    embed: wordsOf(renderEmbedPage(shown, assets)),
    card: plain(textOf(cardOf(shown).answer)),
    list: plain(leadingAnswer(shown)!.text),
    text: plain(answerText(shown).answer[0]!),
  };
}
const verdictOf = (input: InvestigationInput) =>
  (snapshotOf(input).result as InvestigationResult).subject_results[0]!;

const denied: Said = { type: 'Institutional', value: 'Ms Smith', denies: true, refuted: [3, 3] };
const says = (type: string, value: string): Said => ({ type, value });

describe('a value that is likelier than the one that leads by weight', () => {
  it.each([
    [[denied, says('Journalist', 'Mr Jones')]],
    [[denied, says('Journalist', 'Mr Jones'), says('Journalist', 'Mr Jones')]],
    [[{ ...denied, refuted: [1, 1] }, says('Journalist', 'Mr Jones')]],
  ])('a likelier value that is only denied is named in line one, description and embed, case %#', (said) => {
    covers('INV-V.241');
    for (const question of ['Is it so?', 'Who is the source of the leak?'])
      for (const [place, text] of Object.entries(placesOf(asked(said, question))))
        expect([place, text]).toEqual([
          place,
          expect.stringMatching(/Ms Smith \(\d\d %\) is more likely than Mr Jones, which leads by weight/),
        ]);
  });

  it('a likelier value is told with those who deny it and what refutes them', () => {
    covers('INV-V.241');
    const { text } = placesOf(
      asked([denied, says('Journalist', 'Mr Jones'), says('Journalist', 'Mr Jones')]),
    );
    expect(text).toMatch(
      / Two independent sources say Mr Jones\. One source denies Ms Smith, which two items of evidence refute\.$/,
    );
  });

  it('a likelier value is named beside values that are tied', () => {
    covers('INV-V.241');
    const said = [denied, says('Journalist', 'Mr Jones'), says('Journalist', 'Mr Kay')];
    for (const [place, text] of Object.entries(placesOf(asked(said))))
      expect([place, text]).toEqual([
        place,
        expect.stringMatching(/Mr Jones or Mr Kay; Ms Smith \(\d\d %\) is more likely/),
      ]);
    const { synthesis } = summarizeResult(snapshotOf(asked(said)).result as InvestigationResult);
    expect(synthesis).toMatch(/are tied, less likely than Ms Smith \(\d\d %\)\./);
  });

  it('a likelier value of any small investigation is named in every place', () => {
    covers('INV-V.241');
    const one = (values: readonly string[]) =>
      fc.record({
        type: fc.constantFrom('Regulator', 'Expert', 'Journalist', 'Institutional', 'Insider', 'Anonymous'),
        value: fc.constantFrom(...values),
        denies: fc.constantFrom(false, false, true),
        refuted: fc.array(fc.constantFrom(1, 3), { maxLength: 2 }),
      });
    const lists = fc
      .constantFrom(['Smith', 'Jones', 'Kay'], ['Smith', 'Jones'], ['yes', 'no', 'partly'])
      .chain((values) => fc.tuple(fc.boolean(), fc.array(one(values), { minLength: 2, maxLength: 6 })))
      .map(([isDenied, [first, ...rest]]): Said[] =>
        isDenied ? [{ ...first!, denies: true, refuted: [3] }, ...rest] : [first!, ...rest],
      );
    let count = 0;
    fc.assert(
      fc.property(lists, (said) => {
        const input = asked(said);
        const verdict = verdictOf(input);
        const [leading, ...others] = verdict.rival_values.filter(({ apart }) => !apart);
        if (!leading || leading.denied) return;
        const shared = others.filter(({ tied }) => tied).map(chanceOf);
        const own = Math.max(chanceOf(verdict), ...shared);
        const most = Math.max(0, ...others.filter(({ tied }) => !tied).map(chanceOf));
        if (most <= own || percent(most) === percent(own)) return;
        const likeliest = others.filter((other) => !other.tied && percent(chanceOf(other)) === percent(most));
        // Of yes and no, the chance of the one tells that of the other.
        if (leading.value === 'true' && likeliest.some(({ value }) => value === 'false')) return;
        count++;
        const places = placesOf(input);
        const named = likeliest.map(({ value }) => answerWord(value)).join('|');
        const pattern = new RegExp(`(${named}) \\(${plain(percent(most))}( each)?\\) (is|are) more likely`);
        for (const [place, text] of Object.entries(places))
          expect([place, text]).toEqual([place, expect.stringMatching(pattern)]);
      }),
      { numRuns: soak(1500) },
    );
    expect(count).toBeGreaterThan(0);
  });
});
