import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { compileDomain } from '../policy/compile.ts';
import type { CompiledDomain, Policy } from '../policy/types.ts';
import type { ShadowDelta } from '../store/shadow-store.ts';
import { createShadowSets, SHADOW_EXAMPLES_MAX, type ShadowedCheck } from './shadow-sets.ts';

const allow = (subject: string): Policy => ({
  name: `${subject} may`,
  description: '',
  invert: false,
  deny: false,
  engine: 'fixed',
  statements: [{ rules: { subject } }],
});

const real = compileDomain({ domainId: 'd', version: 5, policies: [allow('alice')] });

/** Shadow sets where bob may, with what is told to their store. */
function openShadows(
  options: {
    load?: () => Promise<boolean>;
    isUnavailable?: () => boolean;
    regexTurns?: () => number;
  } = {},
) {
  const compiled = compileDomain({ domainId: 'd', version: 1, policies: [allow('bob')] });
  const added: ShadowDelta[] = [];
  const outcomes: Record<string, number> = {};
  const warned: string[] = [];
  let held: CompiledDomain | undefined;
  let [loads, writes] = [0, 0];
  const shadows = createShadowSets({
    policies: {
      find: () => held,
      async load() {
        loads += 1;
        if (options.load !== undefined) return options.load();
        held = compiled;
        return true;
      },
    },
    regexTurns: options.regexTurns ?? (() => 0),
    store: {
      async add(deltas) {
        if (options.isUnavailable?.() === true) throw new Error('away');
        added.push(...deltas);
        writes += 1;
      },
    },
    logger: { warn: ((_facts: object, text: string) => void warned.push(text)) as never },
    onDecided: (outcome, checks) => {
      outcomes[outcome] = (outcomes[outcome] ?? 0) + checks;
    },
  });
  return { shadows, added, outcomes, warned, compiled, loads: () => loads, writes: () => writes };
}

function checkOf(subject: string, more: Partial<ShadowedCheck> = {}): ShadowedCheck {
  const context = new Map([
    ['subject', subject],
    ['action', 'read'],
    ['object', 'svc://d/x'],
  ]);
  const { allowed, matched } = real.evaluate(context);
  return {
    checkId: subject,
    subject,
    action: 'read',
    object: 'svc://d/x',
    allowed,
    policy: matched?.policy ?? '',
    context,
    compiled: [real],
    shadows: [{ domainId: 'd', version: 1 }],
    ...more,
  };
}

describe('shadow sets', () => {
  it('a check is decided after the turn it was observed in, and counted against the version of the real set', async () => {
    covers('AUTHZ-SH.2');
    const { shadows, added, loads } = openShadows();
    for (const subject of ['alice', 'bob', 'carol']) shadows.observe(checkOf(subject));
    expect([loads(), added]).toEqual([0, []]);
    await shadows.settle();
    expect(added).toEqual([
      {
        domainId: 'd',
        version: 1,
        comparedVersion: 5,
        counts: { agree: 1, wouldGain: 1, wouldLose: 1, notDecided: 0 },
        examples: [
          expect.objectContaining({
            kind: 'lose',
            checkId: 'alice',
            policyReal: 'alice may',
            policyShadow: null,
          }),
          expect.objectContaining({
            kind: 'gain',
            checkId: 'bob',
            policyReal: null,
            policyShadow: 'bob may',
          }),
        ],
      },
    ]);
    await shadows.close();
  });

  it('checks and characters that wait are bounded, and what is beyond counts as not decided', async () => {
    covers('AUTHZ-SH.3');
    const { shadows, added, outcomes } = openShadows();
    for (let index = 0; index < 20_050; index += 1) shadows.observe(checkOf('bob'));
    await shadows.settle();
    expect(added[0]?.counts).toEqual({ agree: 0, wouldGain: 20_000, wouldLose: 0, notDecided: 50 });
    expect(added[0]?.examples).toHaveLength(SHADOW_EXAMPLES_MAX);
    const heavy = checkOf('carol', { context: new Map([['subject', 'c'.repeat(9 * 1024 * 1024)]]) });
    shadows.observe(heavy);
    shadows.observe(heavy);
    await shadows.settle();
    expect(added[1]?.counts).toMatchObject({ agree: 1, notDecided: 1 });
    shadows.observe(heavy);
    await shadows.settle();
    expect(added[2]?.counts).toMatchObject({ agree: 1, notDecided: 0 });
    expect(outcomes).toMatchObject({ wouldGain: 20_000, notDecided: 51 });
    await shadows.close();
  });

  it('a set that is compiled anew for each of three checks decides no more of them', async () => {
    covers('AUTHZ-SH.3');
    let turns = 0;
    const { shadows, outcomes } = openShadows({ regexTurns: () => (turns += 1) });
    for (let round = 0; round < 2; round += 1) {
      for (let index = 0; index < 10; index += 1) shadows.observe(checkOf('bob'));
      await shadows.settle();
    }
    expect(outcomes).toMatchObject({ wouldGain: 3, notDecided: 17 });
    await shadows.close();
  });

  it('a set that cannot be loaded leaves its checks not decided, and is not asked for again at once', async () => {
    covers('AUTHZ-SH.3');
    const { shadows, added, warned, loads } = openShadows({ load: () => Promise.reject(new Error('away')) });
    for (let round = 0; round < 2; round += 1) {
      shadows.observe(checkOf('bob'));
      await shadows.settle();
    }
    expect(added.map(({ counts }) => counts.notDecided)).toEqual([1, 1]);
    expect([loads(), warned]).toEqual([1, ['shadow policies not decided']]);
    await shadows.close();
  });

  it('checks of a set that is no more are dropped, and a freed set decides nothing', async () => {
    covers('AUTHZ-SH.3');
    const gone = openShadows({ load: async () => false });
    gone.shadows.observe(checkOf('bob'));
    await gone.shadows.close();
    expect(gone.added).toEqual([]);
    const freed = openShadows();
    freed.compiled.free();
    freed.shadows.observe(checkOf('bob'));
    await freed.shadows.close();
    expect(freed.added[0]?.counts).toMatchObject({ wouldGain: 0, notDecided: 1 });
  });

  it('shadow sets add the counts of a hundred sets in one write', async () => {
    covers('AUTHZ-SH.3');
    const { shadows, added, writes } = openShadows();
    for (let version = 1; version <= 101; version += 1)
      shadows.observe(checkOf('carol', { shadows: [{ domainId: 'd', version }] }));
    await shadows.settle();
    expect([added.length, writes()]).toEqual([101, 2]);
    await shadows.close();
  });

  it('shadow sets add counts that the store did not take with the next ones', async () => {
    covers('AUTHZ-SH.3');
    let isUnavailable = true;
    const { shadows, added, outcomes } = openShadows({ isUnavailable: () => isUnavailable });
    shadows.observe(checkOf('bob'));
    await shadows.settle();
    shadows.observe(checkOf('bob'));
    isUnavailable = false;
    await shadows.close();
    expect(added.map(({ counts }) => counts.wouldGain)).toEqual([2]);
    expect(added[0]?.examples).toHaveLength(2);
    expect(outcomes['wouldGain']).toBe(2);
  });
});
