import { describe, expect, it } from '@jest/globals';
import { textOf, type InvestigationInput, type InvestigationResult } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import { cardOf } from '../../card/card.ts';
import { renderEmbedPage } from '../../page/embed-page.tsx';
import { createModel } from '../../model.ts';
import { percent } from '../../format/numbers.ts';
import { answerText } from '../../page/answer-text.ts';
import { leadingAnswer } from '../../page/leading-answer.ts';
import { renderSharePage } from '../../page/render-share-page.tsx';
import { snapshotOf } from '../../snapshot.fixture.ts';
import { answerOf } from './answer.ts';

fc.configureGlobal({ seed: SEED });

const VALUES = ['Smith', 'Jones', 'Brown'] as const;
interface Said {
  readonly value: string;
  readonly denies?: boolean;
  readonly scope?: string;
}

function leak(said: readonly Said[], question = 'Who leaked the memo?'): InvestigationInput {
  return {
    research_question: question,
    actors: said.map((_, i) => ({ id: `a${i}`, name: `Paper ${i}`, source_type: 'Journalist' })),
    subjects: [{ id: 's', name: 'The leak', subject_type: 'event' }],
    claims: said.map(({ value, denies, scope }, i) => ({
      id: `c${i}`,
      actor_id: `a${i}`,
      subject_id: 's',
      predicate: 'source',
      value,
      content: `statement ${i}`,
      valence: denies ? 'Refutes' : 'Supports',
      ...(scope && { scope }),
    })),
  };
}
const denied = (...values: readonly string[]) => values.map((value) => ({ value, denies: true }));

const assets = { styles: '', early: '', main: '', embed: '' };
const wordsOf = (html: string) =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ([,.;)])/g, '$1');
const metasOf = (html: string) => [...html.matchAll(/<meta[^>]+content="([^"]*)"/g)].map(([, text]) => text!);

/** Everything that is said of a judgement in public, by place. */
function placesOf(input: InvestigationInput, presentation = {}): Record<string, string> {
  const snapshot = snapshotOf(input);
  const shown = { ...snapshot, share: { ...snapshot.share, ...presentation } };
  const page = renderSharePage(shown, { assets });
  const { answer, findings } = answerText(shown);
  return {
    page: wordsOf(page),
    metas: metasOf(page).join(' '),
    embed: wordsOf(renderEmbedPage(shown, assets)),
    card: textOf(cardOf(shown).answer),
    list: leadingAnswer({ ...shown, presentation })!.text,
    text: [...answer, ...findings].join(' '),
  };
}

/** Sentences that name a value as one that leads, or that someone gives. */
const asAnswer = (value: string) =>
  new RegExp(
    `${value}( \\([^)]*\\))? (would lead|leads|led)|” led|Other answers: [^.]*${value}|(say|says|said) ${value}|robably ${value}|divided on whether [^.]*${value}|uncertain whether [^.]*${value}|undecided whether [^.]*${value}`,
  );

describe('values that sources only deny', () => {
  it.each([
    [denied('Smith', 'Smith', 'Jones'), 'Jones or Smith', '7 % and 3 %'],
    [denied('Smith', 'Jones'), 'Jones or Smith', '7 % each'],
    [denied('Smith', 'Jones', 'Brown'), 'Brown, Jones or Smith', '7 % each'],
  ])('several are named as denied in every place, case %#', (said, values, chances) => {
    covers('INV-V.116');
    const sentence = `Sources only deny that the source of the leak is ${values}`;
    const places = placesOf(leak(said));
    for (const [place, text] of Object.entries(places))
      expect([place, text]).toEqual([place, expect.stringContaining(sentence)]);
    expect(places['list']).toBe(`${sentence} (chance ${chances.replaceAll(' %', '\u00a0%')})`);
    expect(places['page']).toContain('Denied answers: ');
    expect(places['page']).not.toMatch(/tied/i);
  });

  it('the sources of several are told as those that deny them', () => {
    covers('INV-V.117');
    const snapshot = snapshotOf(leak(denied('Smith', 'Smith', 'Jones')));
    expect(textOf(answerOf(createModel(snapshot))!.sources)).toBe(
      'One source denies Jones; two sources deny Smith.',
    );
    expect(wordsOf(renderSharePage(snapshot, { assets }))).toMatch(
      /Denied answers: Jones \(7 %, denied by 1 source\), Smith \(3 %, denied by 2 sources\)/,
    );
  });

  const about = (i: number, on: number, valence: 'Supports' | 'Refutes') => ({
    id: `m${i}`,
    actor_id: `a${i}`,
    predicate: 'accuracy',
    value: 'x',
    content: 'x',
    target_claim_id: `c${on}`,
    valence,
  });
  const evidence = [{ id: 'e', claim_id: 'c1', content: 'A record', valence: 'Refutes' as const, weight: 3 }];
  const refuted = { ...leak(denied('Smith', 'Jones')), evidence };
  const disputed = leak(denied('Smith', 'Jones', 'Brown'));
  it.each([
    [
      'evidence',
      refuted,
      'One source denies Jones, which one item of evidence refutes; one source denies Smith.',
    ],
    [
      'a claim about it',
      { ...disputed, claims: [...disputed.claims.slice(0, 2), about(2, 1, 'Refutes')] },
      'One source denies Jones, which Paper 2 disputes; one source denies Smith.',
    ],
  ])(
    'whose denial is disputed by %s are not told as only denied, and who disputes it is',
    (_, input, line) => {
      covers('INV-V.138');
      const snapshot = snapshotOf(input);
      expect(textOf(answerOf(createModel(snapshot))!.sources)).toBe(line);
      for (const [place, text] of Object.entries(placesOf(input)))
        expect([place, text]).toEqual([
          place,
          expect.stringContaining('Sources deny that the source of the leak is Jones or Smith'),
        ]);
      expect(Object.values(placesOf(input)).join()).not.toMatch(/only den/i);
    },
  );

  it('what supports a denial leaves its value only denied, and what counts against it does not', () => {
    covers('RM-11.196');
    const marked = (input: InvestigationInput) =>
      (snapshotOf(input).result as InvestigationResult).subject_results[0]!.rival_values.map((one) => [
        one.value,
        one.disputed ?? false,
      ]);
    expect(marked(refuted).toSorted()).toEqual([
      ['Jones', true],
      ['Smith', false],
    ]);
    for (const valence of ['Supports', 'Refutes'] as const) {
      const claims = [...disputed.claims.slice(0, 2), about(2, 0, valence)];
      expect(marked({ ...disputed, claims }).toSorted()).toEqual([
        ['Jones', false],
        ['Smith', valence === 'Refutes'],
      ]);
    }
  });

  it('a question that the author marked gets no answer from values that are only denied', () => {
    covers('INV-V.116');
    const { list } = placesOf(leak(denied('Smith', 'Jones')), {
      answer_finding: { subject_id: 's', predicate: 'source' },
    });
    expect(list).toMatch(/^No answer leads; Jones and Smith are only denied \(chance/);
  });

  it('one denied value keeps its sentence, and one denied beside an asserted one does not become an answer', () => {
    covers('INV-V.116');
    expect(placesOf(leak(denied('Smith')))['list']).toMatch(
      /^It is very unlikely that the source of the leak is Smith/,
    );
    const both = placesOf(leak([...denied('Smith', 'Smith'), { value: 'Jones' }]));
    expect(both['list']).toMatch(/^The source of the leak is probably Jones/);
  });

  it('no sentence in any place names a value as leading, or as said, that no source asserts', () => {
    covers('INV-V.116', 'RM-11.195');
    const said = fc.record({
      value: fc.constantFrom(...VALUES),
      denies: fc.boolean(),
      scope: fc.constantFrom('', '', '', 'in Oslo'),
    });
    fc.assert(
      fc.property(fc.array(said, { minLength: 1, maxLength: 6 }), fc.boolean(), (any, isAllDenied) => {
        const list = isAllDenied ? any.map((one) => ({ ...one, denies: true })) : any;
        const input = leak(list);
        const unsaid = VALUES.filter((value) => list.every((one) => one.value !== value || one.denies));
        const places = placesOf(input);
        for (const value of unsaid)
          for (const [place, text] of Object.entries(places))
            expect([place, text]).toEqual([place, expect.not.stringMatching(asAnswer(value))]);
        const [verdict] = (snapshotOf(input).result as InvestigationResult).subject_results;
        for (const { value, denied: isDenied } of verdict!.rival_values)
          expect([value, isDenied ?? false]).toEqual([value, unsaid.includes(value as never)]);
        expect(verdict!.denied ?? false).toBe(unsaid.includes(verdict!.leading_value as never));
      }),
      { numRuns: soak(400) },
    );
  });
});

describe('a denial that documents refute', () => {
  const documents = (count: number) =>
    Array.from({ length: count }, (_, i) => ({
      id: `e${i}`,
      claim_id: 'c0',
      content: `Log ${i}`,
      valence: 'Refutes' as const,
      weight: 2,
    }));
  const inEurope = { value: 'Smith', denies: true, scope: 'in Europe' };
  const smithOf = (input: InvestigationInput) =>
    (snapshotOf(input).result as InvestigationResult).subject_results[0]!.rival_values.find(
      ({ value, scope }) => value === 'Smith' && scope === 'in Europe',
    );

  it('a value whose denial is refuted keeps its chance and documents everywhere, whatever another scope says', () => {
    covers('INV-V.273', 'RM-11.195');
    const elsewhere = fc.record({
      value: fc.constantFrom(...VALUES),
      denies: fc.boolean(),
      scope: fc.constant('in Asia'),
    });
    fc.assert(
      fc.property(
        fc.array(elsewhere, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 3 }),
        (list, count) => {
          const evidence = documents(count);
          const alone = smithOf({ ...leak([inEurope]), evidence })!;
          const input = { ...leak([inEurope, ...list]), evidence };
          const told = smithOf(input);
          expect([list, told?.denied, told?.disputed]).toEqual([list, true, true]);
          expect(told!.calibrated_probability).toBeCloseTo(alone.calibrated_probability, 12);
          const { page = '', embed = '', metas = '' } = placesOf(input);
          const chance = percent(alone.calibrated_probability).replaceAll('\u00a0', ' ');
          const items = [
            'one item of evidence refutes',
            'two items of evidence refute',
            'three items of evidence refute',
          ][count - 1]!;
          const { headline, sources } = answerOf(createModel(snapshotOf(input)))!;
          const line = `${textOf(headline)} ${textOf(sources)}`;
          expect(line).toContain(items);
          expect(line).toMatch(/Smith \(in Europe\)/);
          for (const [place, text] of Object.entries({ page, embed, metas, line }))
            expect([place, text.replaceAll(/\s|&gt;/g, (one) => (one === '&gt;' ? '>' : ' '))]).toEqual([
              place,
              expect.stringContaining(chance),
            ]);
        },
      ),
      { numRuns: soak(60) },
    );
  });
});

it('the page calls values of different scopes of which none leads tied nowhere', () => {
  covers('INV-V.142');
  const { page } = placesOf(
    leak([
      { value: 'Smith', scope: 'Europe' },
      { value: 'Jones', scope: 'Asia' },
    ]),
  );
  expect(page).toContain('Answers in different scopes or of different times: ');
  expect(page).not.toMatch(/\btied\b/i);
});
