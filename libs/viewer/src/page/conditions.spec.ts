import { describe, expect, it } from '@jest/globals';
import {
  analyze,
  explainAndAudit,
  summarizeResult,
  textOf,
  type ClaimInput,
  type InvestigationInput,
  type InvestigationResult,
} from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import type { JudgedInvestigation } from '../snapshot.ts';
import { withWords } from './with-words.ts';
import { answerText } from './answer-text.ts';
import { leadingAnswer } from './leading-answer.ts';

fc.configureGlobal({ seed: SEED });

const NOW = { now: new Date('2026-11-29T10:00:00Z') };
const WINTER = { scope: 'in winter', event_start_time: '1990', event_end_time: '2000' };
const WORDS = 'in winter, from 1990 to 2000';

const judged = (...said: Said[]) => judgedWith({}, ...said);
type Said = Pick<ClaimInput, 'value'> & Partial<ClaimInput>;

function judgedWith(
  { types = [], ...more }: Pick<InvestigationInput, 'distinctions'> & { readonly types?: readonly string[] },
  ...said: Said[]
) {
  const input = {
    ...more,
    research_question: 'Is the pass open?',
    actors: said.map((_, index) => ({
      id: `a${index}`,
      name: `Source ${index}`,
      source_type: types[index] ?? 'Expert',
    })),
    subjects: [{ id: 's', name: 'The pass', subject_type: 'road' }],
    claims: said.map((more, index) => ({
      id: `c${index}`,
      actor_id: `a${index}`,
      subject_id: 's',
      predicate: 'open',
      content: `statement ${index}`,
      ...more,
    })),
  };
  const result = analyze(input, NOW) as InvestigationResult;
  const { explanations, claimAudits } = explainAndAudit(input, { ...NOW, budget: 0 });
  return {
    session_name: 'Pass',
    interpretation: null,
    interpretation_updated_at: null,
    judgement: {
      id: 'j',
      session_id: 's',
      judged_at: NOW.now.toISOString(),
      duration_ms: 1,
      engine_version: '2',
    },
    input,
    input_sha256: '',
    result,
    result_sha256: '',
    explanations,
    claim_audits: claimAudits,
  };
}
type Judged = ReturnType<typeof judged>;
const worded = (shown: Judged) => withWords<JudgedInvestigation>(shown).words!;

const PLACES: Readonly<Record<string, (shown: Judged) => string>> = {
  'the answer of the page': (shown) => answerText(shown).answer.join(' '),
  'the finding of the page': (shown) => textOf(worded(shown).verdicts[0]!),
  'the list of sessions': (shown) => leadingAnswer(shown)!.text,
  'a claim of the page': (shown) => textOf(worded(shown).claims[0]!),
  'the synthesis of a summary': ({ result }) => summarizeResult(result).synthesis,
};

describe('conditions of a distinction', () => {
  it('a side that is unlikely under its condition is not told as what is so', () => {
    covers('INV-V.120');
    const distinctions = [
      {
        id: 'd',
        argument_a: 'c0',
        argument_b: 'c1',
        feature: 'season',
        condition_a: 'in winter',
        condition_b: 'in summer',
      },
    ];
    const summer = { scope: 'in summer' };
    const no = { value: 'false', ...summer };
    const said: Said[] = [{ value: 'false', scope: 'in winter' }, { value: 'true', ...summer }, no, no, no];
    expect(answerText(judgedWith({ distinctions }, ...said)).answer.join(' ')).toContain(
      'It depends on season: if in winter, it is not so; if in summer, it is very unlikely to be so.',
    );
  });
});

describe('a distinction with a claim that its source corrected', () => {
  it('the page, the summary and the data tell neither of its sides', () => {
    covers('INV-V.207');
    const distinctions = [
      { id: 'd', argument_a: 'c0', argument_b: 'c1', feature: 'season', condition_a: 'w', condition_b: 's' },
    ];
    const corrected = { value: 'true', actor_id: 'a0', supersedes_claim_id: 'c0' };
    const shown = judgedWith({ distinctions }, { value: 'false' }, { value: 'true' }, corrected);
    expect(answerText(shown).answer.join(' ')).not.toContain('depends on');
    expect(shown.result).not.toHaveProperty('accumulative_analysis');
    expect(JSON.stringify(summarizeResult(shown.result))).not.toContain('if w');
    expect(shown.result.warnings.join(' ')).toContain('Distinction `d` was dropped');
  });
});

/** Words that line one may use for a side, by its chance in per cent; null where the words contradict it. */
const SIDES: readonly (readonly [RegExp, number, number])[] = [
  [/^it is (not )?so$/, 55, 100],
  [/^it is uncertain whether it is (not )?so \(roughly even chance\)$/, 45, 55],
  [/^it is unlikely (not )?to be so$/, 20, 45],
  [/^it is very unlikely (not )?to be so$/, 5, 20],
  [/^there is almost no chance that it is (not )?so$/, 0, 5],
];

it('what yes and no are said to be under a condition has the word of their chance', () => {
  covers('INV-V.194');
  const types = ['Expert', 'Institutional', 'Insider', 'Journalist', 'Anonymous'];
  const voice = fc.record({ value: fc.constantFrom('true', 'false'), type: fc.constantFrom(...types) });
  const distinctions = [
    { id: 'd', argument_a: 'c0', argument_b: 'c1', feature: 'x', condition_a: 'A', condition_b: 'B' },
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...types),
      fc.constantFrom(...types),
      fc.array(voice, { maxLength: 3 }),
      (a, b, more) => {
        const said = [{ value: 'true' }, { value: 'false' }, ...more.map(({ value }) => ({ value }))];
        const shown = judgedWith({ distinctions, types: [a, b, ...more.map(({ type }) => type)] }, ...said);
        const line = answerText(shown).answer.join(' ');
        const told = /It depends on x: if A, (.*?); if B, (.*?)\./.exec(line)!.slice(1);
        const { conditional_conclusions: found } = shown.result.accumulative_analysis!;
        for (const [index, words] of told.entries()) {
          const chance = found[index]!.calibrated_probability;
          const share = 100 * (index === 0 ? chance : 1 - chance);
          const [, from, to] = SIDES.find(([pattern]) => pattern.test(words))!;
          expect([words, share, share >= from - 1e-6 && share <= to + 1e-6]).toEqual([words, share, true]);
        }
      },
    ),
    { numRuns: soak(60) },
  );
});

describe.each(Object.entries(PLACES))('conditions in %s', (_, said) => {
  it.each([
    ['the scope and time that all claims share stand', [{ value: 'yes', ...WINTER }]],
    ['the scope and time of the leading value stand', [{ value: 'no', scope: 'in summer' }]],
  ])('%s', (_case, others) => {
    covers('INV-V.83');
    const shown = judged({ value: 'yes', ...WINTER }, { value: 'yes', ...WINTER }, ...others);
    expect(said(shown).split(`(${WORDS})`)).toHaveLength(2);
  });

  it('nothing stands where no claim has a scope or time', () => {
    covers('INV-V.83');
    expect(said(judged({ value: 'yes' }, { value: 'yes' }))).not.toMatch(/winter|1990/);
  });
});
