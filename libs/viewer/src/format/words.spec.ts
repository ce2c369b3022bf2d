import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import fc from 'fast-check';
import { SEED } from '@platform/testing/seed';
import {
  answerWord,
  disputeOf,
  disputeWords,
  evidenceSentence,
  likelihoodLabel,
  likelihoodSentence,
  otherwise,
  readable,
  shownStatus,
  shownValue,
  TRUTH_STATUS_MEANING,
  verdictValue,
} from './words.ts';
import { daysOf } from '../panes/timeline/timeline-words.ts';

fc.configureGlobal({ seed: SEED });

const said = (truth_status: 'True' | 'False' | 'Both' | 'Neither', expected_probability: number) =>
  likelihoodSentence({ truth_status, expected_probability }).replaceAll('\u00a0', ' ');

describe('sentences of a verdict', () => {
  it.each([
    [0.03, 'Almost no chance (3 %).'],
    [0.05, 'Very unlikely (5 %).'],
    [0.2, 'Unlikely (20 %).'],
    [0.72, 'Likely (72 %).'],
    [0.8, 'Very likely (80 %).'],
    [0.95, 'Almost certain (95 %).'],
    [0.998, 'Almost certain (> 99 %).'],
  ])('a verdict is stated as %p in the words of ICD 203', (probability, sentence) => {
    covers('INV-V.3');
    expect(said(probability < 0.5 ? 'False' : 'True', probability)).toBe(sentence);
  });

  it('a contradicted verdict is stated to have two sides, without the strength of evidence', () => {
    covers('INV-V.70');
    expect(said('Both', 0.53)).toBe('Contested (53 %), with evidence on both sides.');
  });

  it('a verdict without evidence has no likelihood word', () => {
    expect(said('Neither', 0.58)).toBe('Not enough evidence either way (58 %).');
  });

  it('likelihood and evidence stand in sentences of their own', () => {
    covers('INV-V.3');
    expect(evidenceSentence(0.31)).toBe('Evidence: strong.');
    expect(evidenceSentence(0.5)).toBe('Evidence: moderate.');
    expect(said('True', 0.72)).not.toMatch(/evidence|uncertainty/i);
  });

  it('an empty value is stated to be empty, and an absent one is named', () => {
    const confidence = { support: 0, opposition: 0, uncertainty: 1, base_rate: 0.5 };
    expect(['', ' \t', ' 7 km'].map(shownValue)).toEqual(['(empty)', '(empty)', ' 7 km']);
    expect(verdictValue({ leading_value: '', confidence })).toBe('(empty)');
    expect(verdictValue({ leading_value: null, confidence })).toBe('no weight');
    expect(verdictValue({ leading_value: null, confidence: { ...confidence, uncertainty: 0.8 } })).toBe(
      'inferred',
    );
  });

  it('a value is told as an answer, without the words of a program', () => {
    covers('INV-V.63');
    expect(['false', 'TRUE', '2025-03-01T18:30:00Z', 'The 2020 jury', 'a cat'].map(answerWord)).toEqual([
      'no',
      'yes',
      '1 March 2025 at 18:30 UTC',
      'the 2020 jury',
      'a cat',
    ]);
  });

  it('a span of one day names it once', () => {
    covers('INV-V.63');
    const [from, to] = [Date.UTC(2025, 4, 12, 8), Date.UTC(2025, 4, 12, 20)];
    expect(daysOf({ from, to })).toBe('12\u00a0May\u00a02025');
    expect(daysOf({ from, to: to + 86_400_000 })).toBe('12\u00a0May\u00a02025 to 13\u00a0May\u00a02025');
  });

  it('machine names read as words', () => {
    expect(readable('flew_under_power')).toBe('flew under power');
    expect(readable('_')).toBe('_');
  });
});

describe('the status that a reader is shown', () => {
  covers('INV-V.14');
  const STATUSES = ['True', 'False', 'Both', 'Neither'] as const;
  const opinions = fc
    .tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([share, certainty]) => ({ support: share * certainty, opposition: (1 - share) * certainty }));

  it('the status is True or False only outside the even band and where the other side holds a quarter at most', () => {
    covers('INV-V.193');
    fc.assert(
      fc.property(
        opinions,
        fc.constantFrom(...STATUSES),
        fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
        (confidence, truth_status, calibrated) => {
          const expected_probability = (1 + confidence.support - confidence.opposition) / 2;
          const verdict = {
            truth_status,
            expected_probability,
            confidence,
            ...(calibrated !== undefined && { calibrated_probability: calibrated }),
          };
          const status = shownStatus(verdict);
          const isFar = (calibrated ?? expected_probability) >= 0.8;
          if (isFar) expect(`${status} ${likelihoodLabel(verdict)}`).not.toMatch(/Neither|too little/);
          if (status !== 'True' && status !== 'False') return;
          const { support, opposition } = confidence;
          if (isFar && status === 'True') return;
          expect(Math.min(support, opposition)).toBeLessThanOrEqual((support + opposition) * 0.25);
          expect(likelihoodSentence(verdict)).not.toMatch(/even chance/i);
          const chances = [expected_probability, calibrated ?? expected_probability];
          expect(chances.every((chance) => (status === 'True' ? chance > 0.5 : chance < 0.5))).toBe(true);
        },
      ),
    );
  });

  it('the status is contested where a council says open and a newspaper says closed', () => {
    const verdict = {
      truth_status: 'True',
      expected_probability: 0.52,
      confidence: { support: 0.24, opposition: 0.19 },
    } as const;
    expect(shownStatus(verdict)).toBe('Both');
    expect(likelihoodLabel(verdict)).toBe('contested');
    expect(likelihoodLabel({ ...verdict, truth_status: 'Neither' })).toBe('too little evidence');
    expect(likelihoodLabel({ ...verdict, expected_probability: 0.7 })).toBe('likely, though contested');
  });

  it('the status of even chance is too little evidence, and not contested, where one side alone speaks', () => {
    const verdict = {
      truth_status: 'True',
      expected_probability: 0.65,
      calibrated_probability: 0.52,
      confidence: { support: 0.3, opposition: 0 },
    } as const;
    expect(shownStatus(verdict)).toBe('Neither');
    expect(likelihoodLabel(verdict)).toBe('too little evidence');
    expect(shownStatus({ ...verdict, confidence: { support: 0.3, opposition: 0.01 } })).toBe('Both');
  });

  it('the words for a status contradict neither the numbers of the evidence nor the words for the dispute', () => {
    covers('INV-V.131');
    fc.assert(
      fc.property(
        opinions,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (confidence, calibrated_probability) => {
          const { support, opposition } = confidence;
          const isHeld = (share: number) => share >= 0.2;
          const one = isHeld(support) ? 'True' : isHeld(opposition) ? 'False' : 'Neither';
          const truth_status = isHeld(Math.min(support, opposition)) ? 'Both' : one;
          const expected_probability = (1 + support - opposition) / 2;
          const verdict = { truth_status, expected_probability, calibrated_probability, confidence } as const;
          const status = shownStatus(verdict);
          const dispute = disputeWords(disputeOf({ confidence }));
          const words = `${TRUTH_STATUS_MEANING[status]} ${likelihoodLabel(verdict)}`;
          if (/^(hardly|un)disputed$/.test(dispute))
            expect(words).not.toMatch(/contested|speaks for it and against it/);
          else expect(words).not.toContain('hardly');
        },
      ),
    );
  });

  it('the status is open where one weak source alone says something that is less likely than not', () => {
    covers('RM-11.179');
    const verdict = {
      truth_status: 'True',
      expected_probability: 0.64,
      calibrated_probability: 0.27,
      confidence: { support: 0.288, opposition: 0.02 },
    } as const;
    expect(shownStatus(verdict)).toBe('Neither');
    expect(likelihoodLabel(verdict)).toBe('too little evidence');
  });

  it('the status states the calibrated chance where the result has one', () => {
    const verdict = {
      truth_status: 'True',
      expected_probability: 0.7,
      calibrated_probability: 0.91,
    } as const;
    expect(likelihoodSentence(verdict).replaceAll('\u00a0', ' ')).toBe('Very likely (91 %).');
  });

  it('the word of a chance is its own where a value of another scope is told with it', () => {
    covers('INV-V.266');
    const verdict = {
      truth_status: 'True',
      expected_probability: 0.88,
      calibrated_probability: 0.88,
      leading_value: '80 km/h',
      rival_values: [
        { value: '80 km/h', expected_probability: 0.88 },
        { value: '60 km/h', expected_probability: 0.74, apart: true },
      ],
    } as const;
    expect(likelihoodSentence(verdict).replaceAll('\u00a0', ' ')).toBe('Very likely (88 %).');
    expect(likelihoodLabel(verdict)).toBe('likely');
  });

  it.each([
    ['Both', 'True', 0.8, 'it would be contested'],
    ['True', 'Both', 0.6, 'it would no longer be contested'],
    ['False', 'Both', 0.6, 'it would probably be false'],
    ['False', 'True', 0.8, 'it would probably be false'],
    ['Neither', 'True', 0.8, 'there would be too little evidence to say'],
  ] as const)(
    'a verdict that would be %s where it is shown as %s says what changes in those words',
    (status, truth_status, expected_probability, sentence) => {
      expect(otherwise(status, { truth_status, expected_probability })).toBe(sentence);
    },
  );

  it('the status states in words how disputed it is, undisputed alone where nothing is against it', () => {
    covers('INV-V.70');
    const of = (support: number, opposition: number) =>
      disputeWords(disputeOf({ confidence: { support, opposition } }));
    expect([of(0.5, 0.5), of(0.6, 0.3), of(0.7, 0.1), of(0.9, 0.01), of(0.7, 0), of(0, 0)]).toEqual([
      'strongly disputed',
      'strongly disputed',
      'somewhat disputed',
      'hardly disputed',
      'undisputed',
      'undisputed',
    ]);
  });
});
