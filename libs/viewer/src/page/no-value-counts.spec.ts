import { describe, expect, it } from '@jest/globals';
import { analyze, compareJudgements, type InvestigationResult } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { createModel } from '../model.ts';
import { AnswerBlock } from '../panes/overview/answer.tsx';
import { snapshotOf } from '../snapshot.fixture.ts';
import { answerText } from './answer-text.ts';
import { leadingAnswer } from './leading-answer.ts';
import { pageSnapshot } from './page-snapshot.ts';
import { renderSharePage } from './render-share-page.tsx';
import { withWords } from './with-words.ts';

fc.configureGlobal({ seed: SEED });

const SUBJECTS = [{ id: 's', name: 'The mayor', subject_type: 'person' }];
const ACTORS = [
  { id: 'a', name: 'Daily', source_type: 'Journalist' },
  { id: 'b', name: 'A forum', source_type: 'SocialMedia' },
  { id: 'c', name: 'A troll', source_type: 'Troll' },
];
type Fields = { readonly value: string; readonly actor_id?: string; readonly epistemic_status?: string };
const investigation = (predicate: string, claims: readonly Fields[]) => ({
  research_question: 'Who shot the mayor?',
  actors: ACTORS,
  subjects: SUBJECTS,
  claims: claims.map((fields, index) => ({
    id: `c${index}`,
    actor_id: 'a',
    subject_id: 's',
    predicate,
    content: 'They say so.',
    ...fields,
  })),
});
const RETRACTED = { value: 'John Doe', epistemic_status: 'retracted' };

describe('a question with values of which none counts', () => {
  it.each([
    ['one withdrawn claim', [RETRACTED], 'What Daily said was withdrawn.'],
    ['a troll alone', [{ value: 'John Doe', actor_id: 'c' }], 'No source of it counts.'],
    [
      'a withdrawn claim and a troll',
      [RETRACTED, { value: 'Jane Roe', actor_id: 'c' }],
      'What Daily said was withdrawn, and no other source of it counts.',
    ],
  ])('the page of %s names the question and no chance', (_, claims, sources) => {
    covers('INV-V.161', 'INV-V.208', 'INV-V.209');
    const snapshot = snapshotOf(investigation('murderer', claims));
    const headline = 'There is not enough evidence on the murderer of the mayor';
    expect(answerText(snapshot).answer[0]).toBe(`${headline}. ${sources}`);
    expect(leadingAnswer(snapshot)).toMatchObject({ text: headline, calibrated_probability: null });
    const block = renderToString(h(AnswerBlock, { model: createModel(withWords(snapshot)) }));
    expect(block.replace(/<[^>]*>/g, '')).toMatch(`${headline}.${sources}`);
    const page = renderSharePage(pageSnapshot(withWords(snapshot)), {
      assets: { styles: '', early: '', main: '', embed: '' },
    });
    expect(page).toContain(`property="og:description" content="${headline}. ${sources}`);
    expect(page).not.toContain('()');
  });

  it('a withdrawn yes stays a question of yes or no', () => {
    covers('INV-V.161');
    const snapshot = snapshotOf(investigation('corrupt', [{ value: 'true', epistemic_status: 'retracted' }]));
    expect(leadingAnswer(snapshot)!.text).toMatch(/whether the mayor is corrupt \(chance 50\s%\)$/);
  });

  it('no sentence or chance of an investigation without yes and no reads as one of yes or no', () => {
    covers('INV-V.161');
    const claim = fc.record({
      value: fc.constantFrom('John Doe', 'Jane Roe', '12 m', '1999-05-01', 'Misleading'),
      actor_id: fc.constantFrom('a', 'b', 'c'),
      epistemic_status: fc.constantFrom('law', 'retracted', 'superseded', 'theory'),
    });
    const predicate = fc.constantFrom('murderer', 'thief', 'height', 'built in', 'is_true', 'deaths');
    fc.assert(
      fc.property(predicate, fc.array(claim, { minLength: 1, maxLength: 5 }), (of, claims) => {
        const input = investigation(of, claims);
        const judged = analyze(input, { now: new Date('2026-01-01T00:00:00Z') }) as InvestigationResult;
        const [verdict] = judged.subject_results;
        const isOpen = verdict!.leading_value === null;
        expect(verdict!.no_value_counts).toBe(isOpen ? true : undefined);
        const { answer } = answerText(snapshotOf(input));
        const found = leadingAnswer(snapshotOf(input))!;
        expect(answer.join(' ')).not.toMatch(/whether the mayor is an? |is true of|No source says so/);
        expect([...answer, found.text].some((text) => text.includes('chance'))).toBe(!isOpen);
        expect(found.calibrated_probability === null).toBe(isOpen);
      }),
      { numRuns: 60 },
    );
  });
});

describe('a comparison across a withdrawal', () => {
  it('the chance of a value is null where none of its question counts', () => {
    covers('INV-V.162');
    const now = new Date('2026-01-01T00:00:00Z');
    const judged = (claims: readonly Fields[]) => {
      const input = investigation('murderer', claims);
      return { input, result: analyze(input, { now }) as InvestigationResult, judgedAt: now };
    };
    const { verdicts: moves } = compareJudgements(judged([{ value: 'John Doe' }]), judged([RETRACTED]));
    expect(moves[0]!.before!.chance).toBeGreaterThan(0.5);
    expect(moves[0]!.after).toMatchObject({ leading_value: null, chance: null });
  });
});
