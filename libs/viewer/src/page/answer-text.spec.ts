import { describe, expect, it } from '@jest/globals';
import { exampleInput, snapshotOf } from '../snapshot.fixture.ts';
import { answerText } from './answer-text.ts';

describe('the answer as plain text', () => {
  it.each(['first-flight', 'chernobyl-deaths', 'lk-99'])(
    'the answer of %s and its findings are sentences without a name of a predicate',
    (example) => {
      const { answer, findings } = answerText(snapshotOf(exampleInput(example)));
      expect(answer.length).toBeGreaterThan(0);
      expect(findings.length).toBeGreaterThan(1);
      for (const sentence of [...answer, ...findings]) {
        expect(sentence).toMatch(/\.$/);
        expect(sentence).not.toMatch(/[a-z]_[a-z]/);
      }
    },
  );

  it('the answer is not repeated among the findings, whichever finding its author marked', () => {
    const snapshot = snapshotOf(exampleInput('first-flight'));
    const marked = { subject_id: 'flyer-1903', predicate: 'flew_under_power' };
    const { answer, findings } = answerText({
      ...snapshot,
      share: { ...snapshot.share, answer_finding: marked },
    });
    expect(answer[0]).toMatch(/^It is very likely that Wright Flyer.* flew under power \(chance/);
    expect(findings.filter((finding) => /1903 flew under power/.test(finding))).toEqual([]);
    expect(findings[0]).toMatch(
      /was achieved by Wilbur and Orville Wright: almost certain \(\d\d\u00a0%\)\.$/,
    );
  });

  it('the answer of an investigation without claims has no sentence', () => {
    const none = { research_question: 'Nothing yet?', actors: [], subjects: [], claims: [] };
    expect(answerText(snapshotOf(none))).toEqual({ answer: [], findings: [] });
  });
});
