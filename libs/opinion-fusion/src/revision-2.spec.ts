import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { randomFrom } from '@platform/argumentation/investigation-framework.fixture';
import type { InvestigationInput, VerdictExplanation } from './index.ts';
import { auditClaims, explain } from './index.ts';
import { actor, claim, investigation, judge, NOW } from './fixtures/investigation.fixture.ts';

const times = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));

/** What each source says about each item, and when, if it says when. */
function table(
  said: readonly (readonly string[])[],
  more: Partial<InvestigationInput> = {},
  timeOf: (source: number) => string | undefined = () => undefined,
): InvestigationInput {
  return investigation(
    said.flatMap((values, source) =>
      values.map((value, item) =>
        claim(`c${source}-${item}`, `a${source}`, value, {
          subject_id: `s${item}`,
          assertion_time: timeOf(source),
        }),
      ),
    ),
    {
      actors: said.map((_, source) => actor(`a${source}`)),
      subjects: said[0]!.map((_, item) => ({ id: `s${item}`, name: `s${item}`, subject_type: 'thing' })),
      ...more,
    },
  );
}

describe('what a suspicion of copying rests on', () => {
  const random = randomFrom(3);
  const honest = () => times(40, (item) => (random() < 0.8 ? `truth ${item}` : `own ${random()}`));
  const sources = times(8, honest);
  const copied = times(40, (item) => (random() < 0.5 ? `truth ${item}` : `error ${item}`));

  it('the source that speaks later copies the other, where both give times', () => {
    covers('RM-11.105', 'RM-11.107', 'RM-11.210');
    for (const later of [8, 9]) {
      const { source_dependence: groups, warnings } = judge(
        table([...sources, copied, copied], {}, (source) => (source === later ? '2025-12-02' : '2025-12-01')),
      );
      expect(groups).toMatchObject([
        { actor_ids: ['a8', 'a9'], direction: { from: `a${later}`, to: `a${17 - later}` } },
      ]);
      expect(groups[0]!.probability).toBeGreaterThanOrEqual(0.9995);
      expect(warnings.join()).toContain('say the same unusual things: the same on 40 items');
      expect(warnings.join()).toContain(
        'more than 99.9 % sure that they are not independent, which is a suspicion and no proof',
      );
    }
    const [undated] = judge(table([...sources, copied, copied])).source_dependence;
    expect(undated).not.toHaveProperty('direction');
  });

  it('pairs that are not compared for their cost are counted in one warning', () => {
    covers('RM-11.106');
    const many = times(150, () => times(100, (item) => `v${item} ${Math.floor(random() * 4)}`));
    const { warnings } = judge({ ...table(many), summary_mode: true });
    expect(warnings.filter((warning) => /between \d+ pairs of sources/.test(warning))).toHaveLength(1);
    expect(judge({ ...table(many.slice(0, 20)), summary_mode: true }).warnings.join()).not.toContain(
      'pairs of',
    );
  });
});

describe('estimated reliability and the other factors', () => {
  /** Five good sources, and one that says yes wherever yes is right and on half of the other questions. */
  const leaning = (items: number) => {
    const random = randomFrom(7);
    const truth = times(items, (item) => item % 2 === 0);
    const good = times(5, () => truth.map((value) => String(random() < 0.95 ? value : !value)));
    return table([...good, truth.map((value, item) => String(value || item % 4 === 1))], {
      reliability: 'estimated',
      dependence: 'declared',
    });
  };
  const basesOf = (input: InvestigationInput, value: string) =>
    new Set(
      auditClaims(input, { now: NOW })
        .filter(
          ({ claim_id: id }) =>
            id.startsWith('c5-') && input.claims.find((one) => one.id === id)!.value === value,
        )
        .map(({ reliability }) => reliability.base.toFixed(9)),
    );

  it('a source with twenty statements in a closed domain is worth less for the label it leans to', () => {
    covers('RM-11.110');
    const [yes] = basesOf(leaning(40), 'true');
    const [no] = basesOf(leaning(40), 'false');
    expect(Number(no)).toBeGreaterThan(Number(yes) + 0.05);
    expect(basesOf(leaning(18), 'true')).toEqual(basesOf(leaning(18), 'false'));
  });

  it('every explanation shows what was learned as a factor, and competence and evidence as before', () => {
    covers('RM-11.112', 'RM-11.113');
    const plain = leaning(40);
    const explained = (input: InvestigationInput): VerdictExplanation =>
      explain(input, { now: NOW, subject_id: 's0', predicate: 'colour' })!;
    const factorsOf = (input: InvestigationInput) =>
      new Map(
        explained(input)
          .contributions.find(({ claim_id: id }) => id === 'c0-0')!
          .factors.map(({ name, value }) => [name, value]),
      );
    expect(factorsOf(plain).get('estimated_reliability')).toBeGreaterThan(0.15);
    const actors = plain.actors.map((one) => (one.id === 'a0' ? { ...one, default_competence: 0.5 } : one));
    expect(factorsOf({ ...plain, actors }).get('competence')).toBe(0.5);
    const evidence = [{ id: 'e', claim_id: 'c0-0', content: 'a refutation', valence: 'Refutes', weight: 1 }];
    const chanceOf = (input: InvestigationInput) => judge(input).subject_results[0]!.expected_probability;
    expect(chanceOf({ ...plain, evidence })).toBeLessThan(chanceOf(plain));
  });
});

describe('a tie in the summary', () => {
  it('the synthesis says about a tie that no value leads, and names both with their chances', () => {
    covers('RM-11.121');
    const input = investigation([claim('c1', 'a', 'red'), claim('c2', 'b', 'blue')]);
    const { synthesis } = judge({ ...input, summary_mode: true }) as unknown as { synthesis: string };
    expect(synthesis).toMatch(/: no value leads; blue \(42 %\) and red \(42 %\) are tied\. Evidence: /);
  });
});

describe('crowds of unidentified sources, one by one', () => {
  it('one more unidentified voice never lowers its side', () => {
    covers('RM-11.132');
    const weights = times(40, (count) => {
      const actors = times(count + 2, (i) =>
        actor(`a${i}`, { source_type: i === 0 ? 'Regulator' : 'Anonymous', base_reliability: undefined }),
      );
      const claims = actors.map(({ id }, i) => claim(`c${i}`, id, i === 0 ? 'red' : 'blue'));
      const { confidence, leading_value: leading } = judge(investigation(claims, { actors }))
        .subject_results[0]!;
      const against = leading === 'red' ? confidence.opposition : confidence.support;
      return (2 * against) / confidence.uncertainty;
    });
    for (const [i, weight] of weights.slice(1).entries()) expect(weight).toBeGreaterThanOrEqual(weights[i]!);
  });
});
