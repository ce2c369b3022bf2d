import { describe, expect, it } from '@jest/globals';
import {
  analyze,
  compareJudgements,
  explain,
  type ClaimInput,
  type InvestigationInput,
  type InvestigationResult,
} from '@platform/opinion-fusion';
import { renderChangesPage, type ShareSnapshot } from '@platform/viewer';
import { covers } from '@platform/testing/covers';
import { comparisonText } from '../mcp/comparison-text.ts';
import { explanationText } from '../mcp/explanation-text.ts';
import { ExplainedVerdict } from '../wire/explanation-schema.ts';
import { JudgementComparison } from '../wire/session-schema.ts';
import { listedChanges } from './listed-changes.ts';
import { toldExplanation } from './told-explanation.ts';

const NOW = new Date('2026-05-03T10:00:00Z');
const JUDGED = { id: '6f1c2d3e-1111-4222-8333-444455556666', judged_at: NOW.toISOString() };

/** A claim of the source with its own id. */
const said = (id: string, value: string, more: Partial<ClaimInput> = {}): ClaimInput => ({
  id,
  actor_id: id,
  subject_id: 's',
  predicate: 'answer',
  value,
  content: '',
  ...more,
});
const SUMMER = { scope: 'in summer' };
const WINTER = { scope: 'in winter' };
const NINETIES = { event_start_time: '1990-01-01', event_end_time: '2000-01-01' };
const LATER = { event_start_time: '2010-01-01' };
const OPEN = { predicate: 'open' };
const DENIES = { valence: 'Refutes' } as const;

function inputOf(claims: ClaimInput[]): InvestigationInput {
  return {
    research_question: 'What is so?',
    actors: ['a', 'b', 'd'].map((id) => ({ id, name: `Source ${id}`, source_type: 'Expert' as const })),
    subjects: [
      { id: 's', name: 'The pass', subject_type: 'road' },
      { id: 'dam', name: 'The dam is closed.', subject_type: 'statement' },
    ],
    claims,
  };
}

/** The comparison of two inputs as REST, the page of changes (as History at the desk) and MCP have it. */
function surfaces(before: ClaimInput[], after: ClaimInput[]) {
  const judged = (input: InvestigationInput) => ({
    input,
    judgedAt: NOW,
    result: analyze(input, { now: NOW }) as InvestigationResult,
  });
  const [was, is] = [judged(inputOf(before)), judged(inputOf(after))];
  const changes = listedChanges(compareJudgements(was, is), { offset: 0, limit: 20 });
  const rest = JudgementComparison.parse({ session_id: 's', before: JUDGED, after: JUDGED, ...changes });
  const frozen = { since: JUDGED.judged_at, ...changes };
  const snapshot = { share: { url: '/' }, judgement: JUDGED, ...is, changes: frozen };
  const html = renderChangesPage(snapshot as unknown as ShareSnapshot, { styles: '' })!;
  const body = html.slice(html.indexOf('<body>'));
  const text = body.replaceAll(/<\/(li|td|th)>/g, ' | ').replaceAll(/<[^>]*>/g, '');
  return { rest, page: text.replaceAll(/\s+/g, ' '), mcp: comparisonText(rest) };
}

describe('what a comparison shows', () => {
  it.each([
    {
      what: 'a value that two others deny',
      before: [said('a', 'Paris')],
      after: [said('a', 'Paris'), said('b', 'Paris', DENIES), said('d', 'Paris', { valence: 'refutes' })],
      change: { id: 'b', value: 'Paris', valence: 'Refutes' },
      sides: [{ leading_value: 'Paris' }, { leading_value: 'Paris' }],
      page: [
        'Added claim: Source b: The answer of the pass is not Paris',
        'points: 1 changed itemadded: Source d: The answer of the pass is not Paris',
      ],
      mcp: ['added claims b (Source b: The answer of the pass is not Paris)'],
    },
    {
      what: 'a value that became the denial of another',
      before: [said('a', '90 m')],
      after: [said('a', '95 m', DENIES)],
      change: { id: 'a', value: '95 m', valence: 'Refutes', said_before: { value: '90 m' } },
      sides: [{ leading_value: '90 m' }, null],
      page: [
        'The answer of the pass is not 95 m, was 90 m |',
        '%; “The answer of the pass is not 95 m” leads |',
      ],
      mcp: [
        'replaced claims a (Source a: The answer of the pass is not 95 m, was 90 m)',
        '90 m, True to none',
        'none to 95 m, which is denied, ',
      ],
    },
    {
      what: 'a denial that became the value of another',
      before: [said('a', '95 m', DENIES)],
      after: [said('a', '90 m')],
      change: { id: 'a', value: '90 m', said_before: { value: '95 m', valence: 'Refutes' } },
      sides: [null, { leading_value: '90 m' }],
      page: [
        'The answer of the pass is 90 m, was not 95 m |',
        '%; “The answer of the pass is not 95 m” leads | none |',
      ],
      mcp: ['The answer of the pass is 90 m, was not 95 m)', '; 95 m, which is denied, '],
    },
    {
      what: 'no of another scope',
      before: [said('a', 'true', { ...SUMMER, ...OPEN })],
      after: [
        said('a', 'true', { ...SUMMER, ...OPEN }),
        said('b', 'false', { ...WINTER, ...OPEN }),
        said('d', 'false', { ...WINTER, ...OPEN }),
      ],
      change: { id: 'b', value: 'false', ...WINTER },
      sides: [null, { leading_value: 'true', ...WINTER, denied: true }],
      page: [
        'The pass is open | none | 12 % (in winter); “The pass is not open (in winter)” leads |',
        'The pass is not open (in winter)',
      ],
      mcp: ['none to false (in winter), False', 'Source b: The pass is not open (in winter)'],
    },
    {
      what: 'no without a scope',
      before: [said('a', 'true', { ...SUMMER, ...OPEN })],
      after: [said('b', 'false', OPEN), said('d', 'false', OPEN)],
      change: { id: 'b', value: 'false' },
      sides: [{ leading_value: 'true', ...SUMMER }, null],
      page: [
        'The pass is open | 74 % (in summer) | none |',
        'The pass is open | none | 12 %; “The pass is not open” leads |',
      ],
      mcp: ['true (in summer), True to none', 'none to false, False'],
    },
    {
      what: 'another number in another scope',
      before: [said('a', '90 m', SUMMER)],
      after: [said('a', '90 m', SUMMER), said('b', '95 m', WINTER), said('d', '95 m', WINTER)],
      change: { id: 'b', value: '95 m', ...WINTER },
      sides: [null, { leading_value: '95 m', ...WINTER }],
      page: ['1 of 2 verdicts moved.', 'pass is 95 m | none |', '% (in winter) |'],
      mcp: ['none to 95 m (in winter), True', '1 verdict did not change.'],
    },
    {
      what: 'another name for another time',
      before: [said('a', 'Ann', NINETIES)],
      after: [said('b', 'Bob', LATER), said('d', 'Bob', LATER)],
      change: { id: 'b', value: 'Bob', ...LATER },
      sides: [null, { leading_value: 'Bob', ...LATER }],
      page: [
        'pass is Bob | none |',
        '% (from 1 January 2010 on) |',
        'pass is Ann | 74 % (from 1 January 1990 to 1 January 2000) | none |',
      ],
      mcp: [
        'none to Bob (from 1 January 2010 on), True',
        'Ann (from 1 January 1990 to 1 January 2000), True to none',
      ],
    },
    {
      what: 'a denial with scope and time',
      before: [said('a', 'Ann', { ...SUMMER, ...NINETIES })],
      after: [said('a', 'Ann', { ...WINTER, ...LATER, ...DENIES })],
      change: {
        value: 'Ann',
        ...WINTER,
        ...LATER,
        ...DENIES,
        said_before: { value: 'Ann', ...SUMMER, ...NINETIES },
      },
      sides: [{ leading_value: 'Ann', ...SUMMER, ...NINETIES }, null],
      page: [
        'is not Ann (in winter, from 1 January 2010 on), was Ann (in summer, from 1 January 1990 to',
        '74 % (in summer, from 1 January 1990 to 1 January 2000) | none |',
        '% (in winter, from 1 January 2010 on); “The answer of the pass is not Ann (in winter, from 1 January 2010 on)” leads |',
      ],
      mcp: ['none to Ann (in winter, from 1 January 2010 on), which is denied, '],
    },
    {
      what: 'a value that was second elsewhere',
      before: [said('a', 'Ann', SUMMER), said('b', 'Ann', SUMMER), said('d', 'Bob', WINTER)],
      after: [said('a', 'Bob', WINTER), said('b', 'Bob', WINTER), said('d', 'Bob', WINTER)],
      change: { id: 'a', value: 'Bob', ...WINTER, said_before: { value: 'Ann', ...SUMMER } },
      sides: [{ leading_value: 'Ann', ...SUMMER }, null],
      page: [
        'pass is Bob (in winter), was Ann (in summer)',
        'pass is Bob | 74 % (in winter) | 94 % (in winter) |',
      ],
      mcp: ['pass is Bob (in winter), was Ann (in summer))', '; Bob (in winter) to Bob (in winter), True'],
    },
  ])('$what is named on both sides, whatever shows it', ({ before, after, change, sides, page, mcp }) => {
    covers('INV-V.91', 'INV-V.314', 'INV-V.107', 'INV-V.108', 'INV-V.109', 'INV-B.73');
    const shown = surfaces(before, after);
    expect(shown.rest.changes).toContainEqual(expect.objectContaining(change));
    const [verdict] = shown.rest.verdicts;
    expect([verdict!.before, verdict!.after]).toEqual(
      sides.map((side) => side && { ...side, truth_status: expect.any(String), chance: expect.any(Number) }),
    );
    expect(verdict!.parts.reduce((sum, part) => sum + part.move, 0)).toBeCloseTo(verdict!.move, 9);
    for (const words of page) expect(shown.page.replaceAll('\u00a0', ' ')).toContain(words);
    for (const words of mcp) expect(shown.mcp).toContain(words);
  });

  it.each([
    ['is true', 'true', 'The dam is closed', 'Source b: The dam is closed'],
    ['is rated', 'Misleading', '“The dam is closed” is rated Misleading', 'is rated Misleading'],
  ])('a statement that %s is said as on the page of the share', (_, value, heading, item) => {
    covers('INV-V.91');
    const about = { predicate: 'is_true', subject_id: 'dam' };
    const { page, mcp } = surfaces(
      [said('a', value, about)],
      ['a', 'b'].map((id) => said(id, value, about)),
    );
    for (const text of [page, mcp]) {
      expect(text).not.toMatch(/is[_ ]true|closed\./);
      for (const words of [heading, item]) expect(text).toContain(words);
    }
  });

  it('an item that changed says which way, and one that went has its name', () => {
    covers('INV-V.92');
    const { page, mcp } = surfaces(
      [said('a', 'Paris'), said('b', 'Rome')],
      [said('a', 'Paris', { epistemic_status: 'retracted' })],
    );
    for (const text of [page, mcp]) {
      expect(text).toMatch(/Source a: The answer of the pass is Paris(, | \()was withdrawn\)/);
      expect(text).toContain('Source b: The answer of the pass is Rome');
      expect(text).not.toMatch(/epistemic/);
    }
  });

  it('a verdict that age decides is compared with what would be without it, and explained so', () => {
    covers('INV-V.151');
    const since = { predicate: 'answer', assertion_time: '2025-01-01' };
    const { rest, mcp } = surfaces([said('a', '1200')], [said('a', '1200', since), said('b', '900')]);
    const [{ before, after }] = rest.verdicts as [(typeof rest.verdicts)[number]];
    const age = { age_decides: { truth_status: 'Both' }, decay_half_life_days: 180 };
    expect(after).toMatchObject(age);
    expect(before).not.toHaveProperty('age_decides');
    const input = inputOf([said('a', '1200', since), said('b', '900')]);
    const about = { subject_id: 's', predicate: 'answer' };
    const explanation = explain(input, { now: NOW, ...about })!;
    const told = toldExplanation(explanation, input, analyze(input, { now: NOW }));
    expect(told).toMatchObject(age);
    const explained = { session_id: 's', judgement_id: JUDGED.id, judged_at: JUDGED.judged_at };
    const wire = ExplainedVerdict.parse({ ...explained, explanation: told });
    expect(wire.explanation).toMatchObject(age);
    for (const text of [mcp, explanationText(wire)])
      expect(text).toMatch(
        /; age decides: without it .+ \(\d+ % of the weight is lost to age; half-life 180 days, the default\)/,
      );
  });
});
