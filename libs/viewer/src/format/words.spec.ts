import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { evidenceSentence, likelihoodSentence, readable, shownValue, verdictValue } from './words.ts';

const said = (truth_status: 'True' | 'False' | 'Both' | 'Neither', expected_probability: number) =>
  likelihoodSentence({ truth_status, expected_probability }).replaceAll('\u00a0', ' ');

describe('sentences of a verdict', () => {
  it.each([
    [0.03, 'Almost no chance (3 %).'],
    [0.05, 'Very unlikely (5 %).'],
    [0.2, 'Unlikely (20 %).'],
    [0.45, 'Roughly even chance (45 %).'],
    [0.72, 'Likely (72 %).'],
    [0.8, 'Very likely (80 %).'],
    [0.95, 'Almost certain (95 %).'],
    [0.998, 'Almost certain (> 99 %).'],
  ])('says %p in the words of ICD 203', (probability, sentence) => {
    covers('INV-V.3');
    expect(said('True', probability)).toBe(sentence);
  });

  it('says of a contradicted verdict that there are two sides, and not how strong they are', () => {
    expect(said('Both', 0.53)).toBe('Roughly even chance (53 %), with evidence on both sides.');
  });

  it('gives no likelihood word to a verdict without evidence', () => {
    expect(said('Neither', 0.58)).toBe('Not enough evidence either way (58 %).');
  });

  it('keeps likelihood and evidence in sentences of their own', () => {
    covers('INV-V.3');
    expect(evidenceSentence(0.31)).toBe('Evidence: strong, uncertainty 0.31.');
    expect(evidenceSentence(0.5)).toBe('Evidence: moderate, uncertainty 0.50.');
    expect(said('True', 0.72)).not.toMatch(/evidence|uncertainty/i);
  });

  it('says of an empty value that it is empty, and what stands where there is none', () => {
    const confidence = { support: 0, opposition: 0, uncertainty: 1, base_rate: 0.5 };
    expect(['', ' \t', ' 7 km'].map(shownValue)).toEqual(['(empty)', '(empty)', ' 7 km']);
    expect(verdictValue({ leading_value: '', confidence })).toBe('(empty)');
    expect(verdictValue({ leading_value: null, confidence })).toBe('no weight');
    expect(verdictValue({ leading_value: null, confidence: { ...confidence, uncertainty: 0.8 } })).toBe(
      'inferred',
    );
  });

  it('reads machine names', () => {
    expect(readable('flew_under_power')).toBe('flew under power');
    expect(readable('_')).toBe('_');
  });
});
