import { expect, it } from '@jest/globals';
import {
  PlannedKind,
  PlannedOutcome,
  ReplayPoliciesResponse,
  type PlannedChange,
} from '@platform/proto/authz/v1/policy_set';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import {
  mayDecideOtherwise,
  mayReplayOtherwise,
  planLines,
  planSummary,
  unlistedChanges,
} from './policy-changes.ts';

fc.configureGlobal({ seed: SEED });

const { WITNESSED, NO_EFFECT, NOT_DECIDED } = PlannedOutcome;

const change = (outcome: PlannedOutcome): PlannedChange => ({
  kind: PlannedKind.ADDED,
  policyName: 'p',
  words: 'allows requests whose `subject` is `bob`',
  outcome,
  reason: '',
  witness: undefined,
});

/** A plan of changes with these outcomes, of which it lists the first. */
function planOf(outcomes: readonly PlannedOutcome[], listed: number) {
  const count = (outcome: PlannedOutcome) => outcomes.filter((one) => one === outcome).length;
  return {
    changes: outcomes.slice(0, listed).map(change),
    witnessed: count(WITNESSED),
    noEffect: count(NO_EFFECT),
    notDecided: count(NOT_DECIDED),
    version: 1n,
    domains: 1,
    domainsCompared: 1,
  };
}

it('verdict and counts of a plan are those of all its changes, and it counts what it does not list', () => {
  covers('AUTHZ-CLI.74');
  const outcomes = fc.array(fc.constantFrom(WITNESSED, NO_EFFECT, NO_EFFECT, NOT_DECIDED), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(outcomes, fc.nat(13), (all, listed) => {
      const [plan, whole] = [planOf(all, listed), planOf(all, Infinity)];
      expect(mayDecideOtherwise(plan)).toBe(all.some((one) => one !== NO_EFFECT));
      expect(planSummary(plan)).toBe(planSummary(whole));
      expect(planSummary(plan) === 'no difference').toBe(all.length === 0);
      const left = all.slice(listed);
      const count = (outcome: PlannedOutcome) => left.filter((one) => one === outcome).length;
      const statements = count(WITNESSED) === 1 ? 'statement changes' : 'statements change';
      const words = `not listed: ${count(WITNESSED)} ${statements} decisions, ${count(NO_EFFECT)} without effect, ${count(NOT_DECIDED)} not decided`;
      expect(unlistedChanges(plan)).toEqual({ count: left.length, words });
      expect(planLines(plan).includes(words)).toBe(left.length > 0);
    }),
  );
});

it('a plan that left domains out may decide otherwise where any statement changes', () => {
  covers('AUTHZ-CLI.79');
  const left = { domains: 2, domainsCompared: 1 };
  expect(mayDecideOtherwise({ ...planOf([NO_EFFECT], 1), ...left })).toBe(true);
  expect(mayDecideOtherwise({ ...planOf([], 1), ...left })).toBe(false);
});

it('a replay may decide otherwise where a check is lost or gained, or was not reached', () => {
  covers('AUTHZ-CLI.79');
  const one = { subjects: 1n, objects: 1n, checks: 1n, first: [] };
  const replayed = ReplayPoliciesResponse.fromPartial({ checks: 5n, complete: true });
  expect(mayReplayOtherwise(replayed)).toBe(false);
  expect(mayReplayOtherwise({ ...replayed, lost: one })).toBe(true);
  expect(mayReplayOtherwise({ ...replayed, gained: one })).toBe(true);
  expect(mayReplayOtherwise({ ...replayed, complete: false })).toBe(true);
});

it('the line of a plan tells names and values from the words around them', () => {
  covers('AUTHZ-CLI.76');
  const single = (value: string) => ({ value: { $case: 'single' as const, value } });
  const context = new Map(
    Object.entries({ subject: 'bob read', action: 'read', object: 'svc://d/x', 'a key': 'b` c' }).map(
      ([key, value]) => [key, single(value)],
    ),
  );
  const witness = { context, authorizedBefore: true, authorizedAfter: false, policyBefore: 'a` b' };
  const plan = {
    ...planOf([WITNESSED], 1),
    changes: [{ ...change(WITNESSED), policyName: 'a` b', witness }],
  };
  expect(planLines(plan).slice(0, 2)).toEqual([
    '+ "a\\u0060 b" allows requests whose `subject` is `bob`',
    '    "bob read" read svc://d/x "a key"="b\\u0060 c": allowed by `"a\\u0060 b"`, then denied, as no policy allows it',
  ]);
});
