import { describe, expect, it } from '@jest/globals';
import {
  analyze,
  explainAll,
  leadingOf,
  type ClaimInput,
  type InvestigationInput,
  type InvestigationResult,
} from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import { toldExplanation } from '../engine/told-explanation.ts';
import { compactExplanation } from './compact-response.ts';
import { explanationPart, FIRST_PART, type Explained } from './explanation-part.ts';
import { explanationText } from './explanation-text.ts';

fc.configureGlobal({ seed: SEED });

const NOW = new Date('2026-03-14T09:12:45.000Z');
const VALUES = [
  ['deaths', '14', '31', '100'],
  ['open', 'true', 'false'],
  ['color', 'red', 'blue'],
] as const;

const investigations: fc.Arbitrary<InvestigationInput> = fc
  .constantFrom(...VALUES)
  .chain(([predicate, ...values]) =>
    fc
      .array(fc.tuple(fc.constantFrom(...values), fc.constantFrom(0.16, 0.2, 0.22, 0.7)), {
        minLength: 1,
        maxLength: 6,
      })
      .map((said) => investigation(predicate, said)),
  );

function investigation(predicate: string, said: readonly (readonly [string, number])[]): InvestigationInput {
  return {
    research_question: 'What is it?',
    actors: said.map(([, base_reliability], index) => ({
      id: `a${index}`,
      name: `Source ${index}`,
      source_type: 'Expert',
      base_reliability,
    })),
    subjects: [{ id: 's', name: 'Dam', subject_type: 'structure' }],
    claims: said.map(([value], index) => ({
      id: `c${index}`,
      actor_id: `a${index}`,
      subject_id: 's',
      predicate,
      value,
      content: '',
    })),
  };
}

/** The two halves of what explain_verdict returns on the one verdict. */
function answered(input: InvestigationInput) {
  const [explanation] = explainAll(input, { now: NOW });
  const result = analyze(input, { now: NOW }) as InvestigationResult;
  const told = {
    session_id: 's',
    judgement_id: 'j',
    judged_at: NOW.toISOString(),
    explanation: toldExplanation(explanation!, input, result),
  } as unknown as Explained;
  const data = compactExplanation(explanationPart(told, FIRST_PART)) as unknown as {
    explanation: Pick<Explained['explanation'], 'without_source' | 'smallest_change'> & {
      omitted: { sources_that_change_nothing: number };
    };
  };
  return { text: explanationText(told), data: data.explanation, now: explanation! };
}

describe('text and data of an explained verdict', () => {
  it('explain_verdict says in text and data that another value leads without a source where the status stays', () => {
    covers('INV-X.9');
    const { text, data } = answered(
      investigation('deaths', [
        ['14', 0.22],
        ['31', 0.2],
      ]),
    );
    expect(text).toContain('Without Source 0: deaths = 31 would lead, truth status Neither.');
    expect(text).toContain('Without c0: deaths = 31 would lead, truth status Neither.');
    expect(data.without_source).toMatchObject([
      { actor_id: 'a0', leading_value: '31', truth_status: 'Neither' },
    ]);
    expect(data.omitted.sources_that_change_nothing).toBe(1);
  });

  it('explain_verdict tells in text and data the scope that a verdict without a source is of', () => {
    covers('INV-V.317', 'RM-11.364');
    const values = ['red', 'blue', 'blue'].map((value) => [value, 0.7] as const);
    const { claims, ...others } = investigation('color', values);
    const scopes = ['Berlin', 'Hamburg', 'Hamburg'];
    const placed = claims.map((claim, index) => ({ ...claim, scope: scopes[index]! }));
    const { text, data } = answered({ ...others, claims: placed });
    expect(text).not.toContain('would lead');
    expect(data).toMatchObject({
      scope: 'Hamburg',
      smallest_change: { scope: 'Hamburg', leading_value: null },
    });
    expect(text).toContain('Without c1, c2: truth status Neither (in Hamburg).');
    const one = answered({ ...others, claims: placed.slice(0, 2) });
    expect(one.text).toContain('Without Source 0: truth status Neither (in Berlin).');
    expect(one.data.without_source).toMatchObject([{ actor_id: 'a0', scope: 'Berlin', leading_value: null }]);
  });

  it('explain_verdict tells a value that documents make true against its denial as the answer without another', () => {
    covers('RM-11.410');
    const { claims, ...others } = investigation('leaked_by', [
      ['Smith', 0.7],
      ['Jones', 0.7],
    ]);
    const [smith, jones] = claims as [ClaimInput, ClaimInput];
    const evidence = [{ id: 'e', claim_id: 'c1', content: '', valence: 'Refutes', weight: 6 }];
    const { text, data } = answered({
      ...others,
      evidence,
      claims: [smith, { ...jones, valence: 'Refutes' }],
    });
    expect(text).toContain(
      'Without Source 0: leaked_by = Jones (denied) would be the answer, truth status True.',
    );
    expect(data.without_source).toMatchObject([{ actor_id: 'a0', flips: true }]);
    expect(data.smallest_change).toMatchObject({ claim_ids: ['c0'] });
  });

  it('explain_verdict says why a verdict changes without a source whose claim is retracted', () => {
    covers('INV-V.316');
    const { claims, actors, ...others } = investigation('color', [
      ['red', 0.7],
      ['red', 0.9],
      ['blue', 0.7],
    ]);
    const { text } = answered({
      ...others,
      actors: actors.map((one, index) => ({ ...one, depends_on: index === 1 ? ['a0'] : [] })),
      claims: claims.map((one, index) => (index === 0 ? { ...one, epistemic_status: 'retracted' } : one)),
    });
    expect(text).toMatch(
      /^Without Source 0, which adds nothing itself but decides whether others count: color = red would lead/m,
    );
  });

  it('explain_verdict names in text and data the same sources, and judging the rest gives what both say', () => {
    covers('INV-X.9');
    fc.assert(
      fc.property(investigations, (input) => {
        const { text, data, now } = answered(input);
        const said = [
          ...text.matchAll(
            /^Without (Source \d): (?:.* = (.*) would lead, |(no value would lead), )?truth status (\w+)\.$/gm,
          ),
        ];
        expect(said.map(([, name]) => name)).toEqual(
          data.without_source.map(({ actor_id: id }) => `Source ${id.slice(1)}`),
        );
        said.forEach(([, name, leads, tie, status]) => {
          const rest = input.claims.filter(({ actor_id }) => `Source ${actor_id.slice(1)}` !== name);
          const result = analyze({ ...input, claims: rest }, { now: NOW }) as InvestigationResult;
          const found = result.subject_results[0];
          expect(status).toBe(found?.truth_status ?? 'Neither');
          expect(tie !== undefined).toBe(found?.tied === true && !now.tied);
          if (leads !== undefined)
            expect([leads, found?.tied]).toEqual([found && leadingOf(found), undefined]);
        });
        const isFirm = /^No removal of claims/m.test(text);
        expect(isFirm).toBe(data.smallest_change === null);
        if (isFirm) expect(said).toEqual([]);
        expect(said.length + data.omitted.sources_that_change_nothing).toBe(now.without_source.length);
      }),
      { numRuns: soak(300, 60) },
    );
  });
});
