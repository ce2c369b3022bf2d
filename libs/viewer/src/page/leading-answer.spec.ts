import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { percent } from '../format/numbers.ts';
import { exampleInput, snapshotOf } from '../snapshot.fixture.ts';
import { answerText } from './answer-text.ts';
import { leadingAnswer } from './leading-answer.ts';

describe('the answer of a judgement in a list', () => {
  it.each(['first-flight', 'chernobyl-deaths', 'lk-99'])(
    'the line of %s says what the page says first, with its chance',
    (example) => {
      covers('INV-S.40');
      const snapshot = snapshotOf(exampleInput(example));
      const { text, calibrated_probability } = leadingAnswer(snapshot)!;
      const [headline, chance] = text.split('… (chance ');
      const [said] = answerText(snapshot).answer;
      expect(said!.startsWith(chance === undefined ? `${text}.` : headline!)).toBe(true);
      expect(text).toContain(`(chance ${percent(calibrated_probability!)}`);
    },
  );

  it('the line says the finding that its author marked, in the author’s sentence', () => {
    covers('INV-S.40');
    const answer_finding = { subject_id: 'flyer-1903', predicate: 'flew_under_power' };
    const patterns = { flew_under_power: '{subject} left the ground by its own engine' };
    const answer = leadingAnswer({
      ...snapshotOf(exampleInput('first-flight')),
      presentation: { answer_finding, patterns },
    });
    expect(answer).toMatchObject(answer_finding);
    expect(answer!.text).toMatch(/left the ground by its own engine \(chance/);
  });

  it('the line of a value that all sources deny names no likelier value, as the page does', () => {
    const input = exampleInput('first-flight');
    const denied = {
      ...input,
      claims: input.claims.map((claim) => ({ ...claim, valence: 'refutes' as const })),
    };
    const snapshot = snapshotOf(denied);
    expect(answerText(snapshot).answer[0]!.startsWith(leadingAnswer(snapshot)!.text)).toBe(true);
  });

  it('an investigation without claims has no answer', () => {
    covers('INV-S.40');
    const none = { research_question: 'Nothing yet?', actors: [], subjects: [], claims: [] };
    expect(leadingAnswer(snapshotOf(none))).toBeNull();
  });
});
