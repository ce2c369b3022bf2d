import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import { analyze, analyzeAgain } from '../analyze.ts';
import type { Judgement } from './judgement.ts';
import type { ActorInput, ClaimInput, InvestigationInput, InvestigationResult } from '../contract/types.ts';
import { contestedInvestigations } from '../fixtures/contested.arbitrary.fixture.ts';
import { correctedInvestigations } from '../fixtures/corrected.arbitrary.fixture.ts';
import { editsFrom, mixed } from '../fixtures/edits.arbitrary.fixture.ts';
import { investigations } from '../fixtures/investigation.arbitrary.fixture.ts';
import { NOW } from '../fixtures/investigation.fixture.ts';

fc.configureGlobal({ seed: SEED });

const RUNS = { numRuns: soak(250) };
const LATER = new Date(NOW.getTime() + 86_400_000);

/** Each edit as a cold judgement has it, to the byte, and as the judgement before it leads to it. */
function expectSameBytes(edits: readonly (readonly [InvestigationInput, Date])[]): void {
  let judgement: Judgement | null = null;
  for (const [input, now] of edits) {
    const again = analyzeAgain(structuredClone(input), { now }, judgement);
    expect(JSON.stringify(again.result)).toBe(JSON.stringify(analyze(input, { now })));
    judgement = again.judgement;
  }
}

describe('judging again', () => {
  it('a judgement made from the one before has the bytes of one made from nothing, whatever was edited', () => {
    covers('RM-0.4', 'RM-11.69');
    const settings = fc.record({
      reliability: fc.constantFrom('declared', 'estimated'),
      dependence: fc.constantFrom('declared', 'detected'),
      numeric: fc.constantFrom(null, 'estimate'),
    });
    const worlds = fc.tuple(
      investigations(),
      investigations(),
      fc.array(fc.nat({ max: 9 }), { minLength: 20, maxLength: 20 }),
      settings,
      fc.boolean(),
    );
    fc.assert(
      fc.property(worlds, ([one, two, picks, chosen, isLater]) => {
        const first = { ...one, ...chosen };
        const taken = (few: number) => (place: number) => picks[place % picks.length]! < few;
        const few = mixed(first, two, taken(1));
        const more = mixed(few, two, taken(4));
        const fewer = {
          ...more,
          claims: more.claims.slice(0, -1),
          evidence: [],
          inferences: [],
          distinctions: [],
        };
        const now = isLater ? LATER : NOW;
        expectSameBytes([
          [first, NOW],
          [few, NOW],
          [few, now],
          [more, now],
          [fewer, now],
          [{ ...few, as_of: '2025-01-01' }, now],
          [{ ...more, as_of: '2025-01-01' }, LATER],
        ]);
      }),
      RUNS,
    );
  });

  it('a judgement made from the one before has the same bytes where the edit changes who copies whom', () => {
    covers('RM-0.4', 'RM-11.69');
    const cases = fc.tuple(
      fc.integer({ min: 0, max: 2 ** 31 - 1 }),
      fc.constantFrom('declared', 'estimated'),
      fc.boolean(),
    );
    fc.assert(
      fc.property(cases, ([seed, reliability, isDated]) => {
        const table = copiedTable(seed, isDated);
        const first = { ...table, reliability };
        const others = (drop: (claim: ClaimInput) => boolean) => ({
          ...first,
          claims: first.claims.filter((claim) => !drop(claim)),
        });
        const edited = {
          ...first,
          claims: first.claims.map((claim, i) => (i === seed % 30 ? { ...claim, value: 'edited' } : claim)),
        };
        expectSameBytes([
          [first, NOW],
          [edited, NOW],
          [others(({ actor_id: id }) => id === 'copy1'), NOW],
          [others(({ actor_id: id }) => id.startsWith('copy')), isDated ? NOW : LATER],
          [{ ...edited, actors: withDependence(first.actors) }, NOW],
          [first, NOW],
        ]);
      }),
      { numRuns: soak(25) },
    );
  });

  it('a judgement made from the one before has the same bytes where claims nearly meet and fall together', () => {
    covers('RM-0.4', 'RM-11.69');
    const worlds = fc.tuple(
      contestedInvestigations(),
      contestedInvestigations(),
      fc.array(fc.nat({ max: 9 }), { minLength: 20, maxLength: 20 }),
      fc.constantFrom('declared', 'estimated'),
      fc.boolean(),
    );
    fc.assert(
      fc.property(worlds, ([one, two, picks, reliability, isDated]) => {
        const edited = (few: number) => {
          const input = mixed(one, two, (place) => picks[place % picks.length]! < few);
          const claims = isDated ? input.claims : input.claims.map(undated);
          return { ...input, claims, reliability };
        };
        const first = edited(0);
        const retracted = first.claims.map((claim, i) =>
          i === picks[0]! % first.claims.length ? { ...claim, epistemic_status: 'retracted' } : claim,
        );
        // Without times, a later instant takes over as much as the same one.
        const later = isDated ? NOW : LATER;
        expectSameBytes([
          [first, NOW],
          [{ ...first, claims: retracted }, later],
          [first, later],
          [edited(1), later],
          [edited(5), later],
          [{ ...edited(5), actors: first.actors }, NOW],
        ]);
      }),
      RUNS,
    );
  });

  it('a judgement made from the one before has the same bytes after each of many small edits', () => {
    covers('RM-0.4', 'RM-11.69');
    const worldsOf = (world: fc.Arbitrary<InvestigationInput>) =>
      fc.tuple(world, world).chain(([one, other]) => {
        const edit = fc.tuple(editsFrom(other), fc.constantFrom(NOW, NOW, NOW, LATER));
        return fc.tuple(fc.constant(one), fc.array(edit, { minLength: 1, maxLength: 12 }));
      });
    const histories = fc.oneof(
      worldsOf(investigations()),
      worldsOf(contestedInvestigations()),
      worldsOf(correctedInvestigations()),
    );
    fc.assert(
      fc.property(histories, ([start, edits]) => {
        let input = start;
        expectSameBytes([[start, NOW], ...edits.map(([edit, now]) => [(input = edit(input)), now] as const)]);
      }),
      RUNS,
    );
  });

  it('a judgement takes over what was found on the questions that did not change', () => {
    const first = copiedTable(7, true);
    const before = analyzeAgain(first, { now: NOW }, null);
    const claims = first.claims.map((claim, i) =>
      i === 0 ? { ...claim, content: 'in other words' } : claim,
    );
    const again = analyzeAgain(structuredClone({ ...first, claims }), { now: NOW }, before.judgement);
    const results = ({ result }: typeof before) => (result as InvestigationResult).subject_results;
    const shared = results(again).filter((one, i) => one === results(before)[i]);
    expect(shared).toHaveLength(results(before).length - 1);
    const entries = ({ result }: typeof before) => (result as InvestigationResult).ranked_claims;
    const kept = entries(again).filter((one, i) => one === entries(before)[i]);
    expect(kept).toHaveLength(entries(before).length - 8);
  });

  it('a judgement takes over what was found of copying where sources say the same at the same times', () => {
    const first = copiedTable(7, true);
    const { judgement } = analyzeAgain(first, { now: NOW }, null);
    const searchAfter = (edit: Partial<InvestigationInput>) =>
      analyzeAgain(structuredClone({ ...first, ...edit }), { now: LATER }, judgement).judgement.search;
    const edited = (change: Partial<ClaimInput>) => ({
      claims: first.claims.map((claim, i) => (i === 0 ? { ...claim, ...change } : claim)),
    });
    const evidence = [{ id: 'e', claim_id: first.claims[0]!.id, content: 'seen', valence: 'Refutes' }];
    expect(searchAfter({ ...edited({ content: 'in other words' }), evidence })).toBe(judgement.search);
    const actors = first.actors.map((one, i) => (i === 0 ? { ...one, base_reliability: 0.5 } : one));
    for (const edit of [
      edited({ value: 'edited' }),
      edited({ valence: 'Refutes' }),
      edited({ assertion_time: '2025-06-02T00:00:00Z' }),
      edited({ scope: 'north' }),
      { actors },
    ])
      expect(searchAfter(edit)).not.toBe(judgement.search);
  });
});

/** Eight sources on twelve questions of four values; two repeat the first. */
function copiedTable(seed: number, isDated: boolean): InvestigationInput {
  let state = seed;
  const next = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const actors = ['a', 'b', 'c', 'd', 'e', 'f', 'copy1', 'copy2'];
  const said: Record<string, string> = {};
  const claims = Array.from({ length: 12 }, (_, item) =>
    actors.map((actor): ClaimInput => {
      const own = next(3) > 0 ? `true${item}` : `wrong${next(40)}`;
      said[`${actor} ${item}`] = actor.startsWith('copy') ? said[`a ${item}`]! : own;
      return {
        id: `${actor}-${item}`,
        actor_id: actor,
        subject_id: `s${item}`,
        predicate: 'is',
        value: said[`${actor} ${item}`]!,
        content: 'as said',
        ...(isDated && { assertion_time: '2025-06-01T00:00:00Z' }),
      };
    }),
  ).flat();
  return {
    research_question: 'Who copies?',
    actors: actors.map((id) => ({ id, name: id, source_type: 'Journalist' })),
    subjects: Array.from({ length: 12 }, (_, i) => ({ id: `s${i}`, name: `S${i}`, subject_type: 'thing' })),
    claims,
  };
}

/** A claim that says nothing of when it was made. */
function undated({ assertion_time: _at, corroboration_events: _again, ...claim }: ClaimInput): ClaimInput {
  return claim;
}

function withDependence(actors: readonly ActorInput[]): ActorInput[] {
  return actors.map((actor) => (actor.id === 'b' ? { ...actor, depends_on: ['c'] } : actor));
}
