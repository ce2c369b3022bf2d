import { describe, expect, it } from '@jest/globals';
import {
  analyze,
  compareJudgements,
  type ClaimInput,
  type InvestigationInput,
  type InvestigationResult,
} from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { listedChanges } from '../engine/listed-changes.ts';
import { JudgementComparison } from '../wire/session-schema.ts';
import { compactComparison } from './compact-response.ts';
import { comparisonText } from './comparison-text.ts';

const part = (cause: 'time' | 'engine', move: number) => ({
  cause,
  items: [],
  item_count: 0,
  settings: [],
  move,
});
const side = (leading_value: string) => ({ truth_status: 'Both' as const, leading_value, chance: 0.5 });
const JUDGED = { id: '6f1c2d3e-1111-4222-8333-444455556666', judged_at: '2026-05-03T10:00:00Z' };

type Move = Parameters<typeof comparisonText>[0]['verdicts'][number];

const textOfMove = (move: Pick<Move, 'before' | 'after' | 'move' | 'parts'>) =>
  comparisonText({
    session_id: 's',
    before: JUDGED,
    after: JUDGED,
    changes: [],
    change_count: 0,
    settings: [],
    verdicts: [{ subject_id: 's', subject_name: 'Bridge', predicate: 'state', value: 'open', ...move }],
    changed_verdicts: 1,
    unchanged_verdicts: 0,
  });

describe('the text of a comparison', () => {
  it('a chance that did not move is named as unchanged, and parts that moved nothing are left out', () => {
    covers('INV-B.81');
    const text = textOfMove({
      before: side('shut'),
      after: side('open'),
      move: -1e-9,
      parts: [part('time', 0.0004), part('engine', -0.0004)],
    });
    expect(text).toContain('50 % to 50 % (unchanged); ');
    expect(text).not.toMatch(/[+−]0/);
  });

  it('a value that is likelier than the one that leads is told with its chance', () => {
    covers('INV-WATCH.55');
    const text = textOfMove({
      before: side('90 metres'),
      after: { ...side('120 metres'), chance: 0.16, likelier: { value: '90 metres', chance: 0.58 } },
      move: 0.16,
      parts: [],
    });
    expect(text).toContain('; 90 metres, Both to 120 metres, 90 metres likelier (58 %), Both');
  });

  it('no that turns to yes in a scope is told as false and true where no status tells it', () => {
    covers('INV-V.288');
    const south = { leading_value: 'true', scope: 'south' };
    const text = textOfMove({
      before: { ...south, denied: true, chance: 0.3 },
      after: { ...south, chance: 0.7 },
      move: 0.4,
      parts: [],
    });
    expect(text).toContain('; false (in south) to true (in south)');
  });

  it('values that are only denied are told as denied and not as tied', () => {
    covers('INV-WATCH.46');
    const text = textOfMove({
      before: side('Smith'),
      after: {
        truth_status: 'False',
        leading_value: 'Smith',
        denied: true,
        chance: 0.13,
      },
      move: -0.37,
      parts: [],
    });
    expect(text).toContain('; Smith, Both to Smith, which is denied, False');
    expect(text).not.toContain('tied');
  });

  it('what moved in another scope or time than that of the leading value is told in text and data', () => {
    covers('INV-V.283');
    const now = new Date('2026-05-03T10:00:00Z');
    type Said = readonly [value: string, place: Partial<ClaimInput>];
    const judged = (...said: readonly Said[]) => {
      const input: InvestigationInput = {
        research_question: 'What is the rate?',
        actors: ['a', 'b'].map((id) => ({ id, name: id, source_type: 'Regulator' })),
        subjects: [{ id: 's', name: 'VAT', subject_type: 'tax' }],
        claims: said.map(([value, place], index) => ({
          id: `c${index}`,
          actor_id: index === 1 ? 'b' : 'a',
          subject_id: 's',
          predicate: 'rate',
          value,
          content: '',
          ...place,
        })),
      };
      return { input, judgedAt: now, result: analyze(input, { now }) as InvestigationResult };
    };
    const standard: Said = ['19 %', { scope: 'standard' }];
    const reduced = { scope: 'reduced' };
    const comparison = JudgementComparison.parse({
      session_id: 's',
      before: JUDGED,
      after: JUDGED,
      ...listedChanges(
        compareJudgements(
          judged(standard, standard, ['7 %', reduced]),
          judged(standard, standard, ['8 %', reduced]),
        ),
        { offset: 0, limit: 5 },
      ),
    });
    const text = comparisonText(comparison).replaceAll('\u00a0', ' ');
    expect(text).toMatch(
      /- The rate of VAT is 8 %: chance 0 % to (\d+) % \(\+\1\); 7 % \(reduced\) to 8 % \(reduced\); because of c2 replaced \+\1/,
    );
    expect(text).toContain('1 verdict did not change.');
    expect(compactComparison(comparison)).toMatchObject({
      changed_verdicts: 1,
      unchanged_verdicts: 1,
      verdicts: [{ value: '8 %', before: { leading_value: '7 %', scope: 'reduced' }, after: reduced }],
    });
  });
});
