import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SEED } from '@platform/testing/seed';
import { covers } from '@platform/testing/covers';
import { soak } from '@platform/testing/soak';
import { investigations } from '../fixtures/investigation.arbitrary.fixture.ts';
import { withEventTimes } from '../fixtures/sequences.arbitrary.fixture.ts';
import { actor, claim, investigation, meta, NOW } from '../fixtures/investigation.fixture.ts';
import { withMetas } from '../verdict/investigation-parts.ts';
import { judgeInvestigation } from '../verdict/judge-investigation.ts';
import type { InvestigationInput } from '../contract/types.ts';
import type { Claim } from '../model/model.ts';
import { Warnings } from '../contract/warnings.ts';
import { Alternatives } from './alternatives.ts';
import { IncrementalRemoval } from './incremental-removal.ts';

fc.configureGlobal({ seed: SEED });

const RUNS = { numRuns: soak(200, 50) };
const ACTORS = [...'abcdefgh'];
const word = (words: readonly string[]) => fc.constantFrom(...words);

/**
 * One pair on which much is said and little is tied: values, denials, evidence, meta-claims on each other,
 * joined sources.
 */
const plainInvestigation: fc.Arbitrary<InvestigationInput> = fc
  .tuple(
    fc.array(
      fc.record({
        by: word(ACTORS),
        value: word(['red', 'blue', '100', '98', '94', 'yes', 'no']),
        valence: word(['Supports', 'Refutes', 'Neutral', 'Neutral']),
        assertion_time: word(['2025-12-01T00:00:00Z', '2025-06-01T00:00:00Z', '2024-01-01T00:00:00Z']),
        scope: word(['', '', '', 'north']),
      }),
      { minLength: 3, maxLength: 14 },
    ),
    fc.array(fc.record({ by: word(ACTORS), on: fc.nat(20), valence: word(['Supports', 'Refutes']) }), {
      maxLength: 5,
    }),
    fc.array(fc.record({ on: fc.nat(13), valence: word(['Supports', 'Refutes']), weight: fc.nat(3) }), {
      maxLength: 4,
    }),
    fc.array(fc.record({ base: fc.integer({ min: 10, max: 95 }), joins: fc.option(word(ACTORS)) }), {
      minLength: ACTORS.length,
      maxLength: ACTORS.length,
    }),
  )
  .map(([said, metas, evidence, sources]) => {
    const claims = said.map(({ by, value, ...more }, i) => claim(`c${i}`, by, value, more));
    metas.forEach(({ by, on, valence }, i) =>
      claims.push(meta(`m${i}`, by, claims[on % claims.length]!.id, valence)),
    );
    return investigation(claims, {
      dependence: 'declared',
      actors: ACTORS.map((id, i) => {
        const { base, joins } = sources[i]!;
        return actor(id, { base_reliability: base / 100, depends_on: joins && i % 3 === 0 ? [joins] : [] });
      }),
      evidence: evidence.map(({ on, ...item }, i) => ({
        ...item,
        id: `e${i}`,
        claim_id: `c${on % said.length}`,
        content: '',
      })),
    });
  });

/** The same where few sources state few values one after another. */
const handovers = withEventTimes(
  plainInvestigation.map((input) => ({
    ...input,
    claims: input.claims.map((one, i) => ({
      ...one,
      actor_id: one.target_claim_id ? one.actor_id : 'abc'[i % 3]!,
      value: one.value < 'c' ? 'red' : 'blue',
      scope: null,
    })),
  })),
);

describe('removals answered from sums', () => {
  it('a removal computed from sums equals a fresh analysis of the rest', () => {
    covers('INV-X.3', 'INV-X.4');
    let answered = 0;
    let led = 0;
    let eased = 0;
    fc.assert(
      fc.property(
        fc.oneof(
          { weight: 4, arbitrary: plainInvestigation },
          { weight: 4, arbitrary: handovers },
          { weight: 1, arbitrary: investigations({ claimsMax: 12 }) },
        ),
        fc.array(fc.array(fc.nat(30), { minLength: 1, maxLength: 6 }), { minLength: 6, maxLength: 6 }),
        (input, sets) => {
          const judged = judgeInvestigation(input, NOW, new Warnings(), () => {});
          const all = new Alternatives(judged, undefined);
          for (const verdict of judged.verdicts) {
            const alternatives = all.to(verdict);
            const plain = IncrementalRemoval.of(alternatives);
            if (!plain) continue;
            for (const set of sets) {
              const claims = set.map((i) => alternatives.deciding[i % alternatives.deciding.length]!);
              const sums = plain.without([...withMetas(claims)]);
              if (!sums) continue;
              const full = alternatives.without(claims, true);
              answered += 1;
              if (full.leading_value !== verdict.leadingValue) led += 1;
              const isEased = ({ actor, subject, index }: Claim) =>
                subject === verdict.subject &&
                judged.weighed.contradictions[index]! > 0 &&
                claims.some((one) => one.actor === actor);
              if (judged.weighed.model.claims.some((one) => !claims.includes(one) && isEased(one)))
                eased += 1;
              expect(sums.truth_status).toBe(full.truth_status);
              expect(sums.leading_value).toBe(full.leading_value);
              expect(Math.abs(sums.expected_probability - full.expected_probability)).toBeLessThan(1e-12);
            }
          }
        },
      ),
      { ...RUNS, numRuns: 2 * RUNS.numRuns },
    );
    expect(answered).toBeGreaterThan(RUNS.numRuns);
    expect(led).toBeGreaterThan(0);
    // Others of the same actors that contradicted what is gone weigh more without it.
    expect(eased).toBeGreaterThan(0);
  });

  it('claims taken out one by one leave what they leave when taken out together', () => {
    covers('INV-X.3');
    let answered = 0;
    let eased = 0;
    fc.assert(
      fc.property(plainInvestigation, fc.infiniteStream(fc.nat(30)), (input, places) => {
        const judged = judgeInvestigation(input, NOW, new Warnings(), () => {});
        const all = new Alternatives(judged, undefined);
        for (const verdict of judged.verdicts) {
          const alternatives = all.to(verdict);
          const plain = IncrementalRemoval.of(alternatives);
          const left = [...alternatives.deciding];
          const order: Claim[] = [];
          while (left.length > 0) order.push(...left.splice(places.next().value! % left.length, 1));
          const lists = order.map((one) => [...withMetas([one])]);
          const answers = [...(plain?.withoutEver(lists) ?? [])];
          answers.forEach((sums, i) => {
            if (!sums) return;
            const full = alternatives.without(order.slice(0, i + 1), true);
            answered += 1;
            if (judged.weighed.contradictions[order[i]!.index]! > 0) eased += 1;
            expect(sums.truth_status).toBe(full.truth_status);
            expect(sums.leading_value).toBe(full.leading_value);
            expect(Math.abs(sums.expected_probability - full.expected_probability)).toBeLessThan(1e-12);
          });
        }
      }),
      RUNS,
    );
    expect(answered).toBeGreaterThan(RUNS.numRuns);
    expect(eased).toBeGreaterThan(0);
  });
});
