import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SEED } from '@platform/testing/seed';
import { covers } from '@platform/testing/covers';
import {
  averagingFusion,
  beliefConstraintFusion,
  consensusCompromiseFusion,
  cumulativeFusion,
  epistemicCumulativeFusion,
  expectedProbability,
  opinionFromEvidence,
  trustDiscount,
  uncertaintyMaximize,
  weightedFusion,
} from './index.ts';
import type { Opinion } from './index.ts';

fc.configureGlobal({ seed: SEED });

const unit = fc.double({ min: 0, max: 1, noNaN: true });

/** Any opinion; dogmatic and vacuous ones included. */
const anyOpinion: fc.Arbitrary<Opinion> = fc.oneof(
  fc.tuple(unit, unit, unit).map(([x, y, baseRate]) => {
    const [low, high] = x < y ? [x, y] : [y, x];
    return { belief: low, disbelief: high - low, uncertainty: 1 - high, baseRate };
  }),
  unit.map((x) => ({ belief: x, disbelief: 1 - x, uncertainty: 0, baseRate: 0.5 })),
  unit.map((baseRate) => ({ belief: 0, disbelief: 0, uncertainty: 1, baseRate })),
);

/** An opinion with no extreme part, where operators are smooth. */
const mildOpinion = fc
  .record({
    b: fc.integer({ min: 1, max: 50 }),
    d: fc.integer({ min: 1, max: 50 }),
    u: fc.integer({ min: 1, max: 50 }),
    a: unit,
  })
  .map(({ b, d, u, a }) => ({
    belief: b / (b + d + u),
    disbelief: d / (b + d + u),
    uncertainty: u / (b + d + u),
    baseRate: a,
  }));

function expectValid({ belief, disbelief, uncertainty, baseRate }: Opinion) {
  expect(Math.abs(belief + disbelief + uncertainty - 1)).toBeLessThanOrEqual(1e-12);
  for (const part of [belief, disbelief, uncertainty, baseRate]) {
    expect(part).toBeGreaterThanOrEqual(0);
    expect(part).toBeLessThanOrEqual(1);
  }
}

function expectClose(actual: Opinion, expected: Opinion, within = 1e-9, baseRates = true) {
  for (const part of ['belief', 'disbelief', 'uncertainty', 'baseRate'] as const) {
    if (part === 'baseRate' && !baseRates) continue;
    expect(Math.abs(actual[part] - expected[part])).toBeLessThanOrEqual(within);
  }
}

const FUSIONS = {
  cumulativeFusion,
  epistemicCumulativeFusion,
  averagingFusion,
  weightedFusion,
  consensusCompromiseFusion,
};

describe.each(Object.entries(FUSIONS))('%s', (_name, fuse) => {
  it('fused opinions sum to 1', () => {
    fc.assert(
      fc.property(fc.array(anyOpinion, { minLength: 1, maxLength: 8 }), (all) => expectValid(fuse(all))),
    );
  });

  it('fusion does not depend on the order of the opinions', () => {
    fc.assert(
      fc.property(fc.array(mildOpinion, { minLength: 2, maxLength: 6 }), (all) =>
        expectClose(fuse([...all].reverse()), fuse(all)),
      ),
    );
  });
});

describe('beliefConstraintFusion', () => {
  it('beliefConstraintFusion gives an opinion that sums to 1, whatever the order', () => {
    fc.assert(
      fc.property(fc.array(mildOpinion, { minLength: 1, maxLength: 8 }), (all) => {
        expectValid(beliefConstraintFusion(all));
        expectClose(beliefConstraintFusion([...all].reverse()), beliefConstraintFusion(all));
      }),
    );
  });
});

describe.each(Object.entries({ cumulativeFusion, beliefConstraintFusion }))('%s', (_name, fuse) => {
  it('fusion is associative in its masses', () => {
    fc.assert(
      fc.property(mildOpinion, mildOpinion, mildOpinion, (x, y, z) => {
        expectClose(fuse([fuse([x, y]), z]), fuse([x, y, z]), 1e-9, fuse === cumulativeFusion);
        expectClose(fuse([x, fuse([y, z])]), fuse([x, y, z]), 1e-9, fuse === cumulativeFusion);
      }),
    );
  });
});

describe.each(Object.entries({ cumulativeFusion, weightedFusion, beliefConstraintFusion }))(
  '%s',
  (_name, fuse) => {
    it('fusion ignores a vacuous opinion', () => {
      fc.assert(
        fc.property(fc.array(mildOpinion, { minLength: 1, maxLength: 5 }), unit, (all, baseRate) => {
          expectClose(fuse([...all, { belief: 0, disbelief: 0, uncertainty: 1, baseRate }]), fuse(all));
        }),
      );
    });
  },
);

describe.each(Object.entries({ averagingFusion, weightedFusion, consensusCompromiseFusion }))(
  '%s',
  (_name, fuse) => {
    it('fusion is idempotent', () => {
      fc.assert(
        fc.property(mildOpinion, fc.integer({ min: 1, max: 6 }), (one, times) => {
          expectClose(fuse(new Array<Opinion>(times).fill(one)), one);
        }),
      );
    });
  },
);

it('consensusCompromiseFusion leaves one opinion unmoved beside a vacuous one', () => {
  fc.assert(
    fc.property(mildOpinion, (one) => {
      const vacuous = { belief: 0, disbelief: 0, uncertainty: 1, baseRate: one.baseRate };
      expectClose(consensusCompromiseFusion([one, vacuous]), one);
    }),
  );
});

describe.each(Object.entries({ cumulativeFusion, averagingFusion, weightedFusion }))('%s', (_name, fuse) => {
  it('reaches its dogmatic limit without a jump as u goes to 0', () => {
    fc.assert(
      fc.property(unit, unit, mildOpinion, (x, y, soft) => {
        const near = (belief: number, u: number): Opinion => ({
          belief: belief * (1 - u),
          disbelief: (1 - belief) * (1 - u),
          uncertainty: u,
          baseRate: 0.5,
        });
        const limit = fuse([near(x, 0), near(y, 0), soft]);
        expectClose(fuse([near(x, 1e-9), near(y, 1e-9), soft]), limit, 1e-6, false);
      }),
    );
  });
});

it('cumulativeFusion adds independent evidence', () => {
  covers('RM-1.5');
  const amount = fc.double({ min: 0, max: 1e3, noNaN: true });
  fc.assert(
    fc.property(fc.array(fc.tuple(amount, amount), { minLength: 1, maxLength: 6 }), (evidence) => {
      const sum = (side: 0 | 1) => evidence.reduce((total, pair) => total + pair[side], 0);
      expectClose(
        cumulativeFusion(evidence.map(([r, s]) => opinionFromEvidence(r, s))),
        opinionFromEvidence(sum(0), sum(1)),
      );
    }),
  );
});

it('uncertaintyMaximize keeps the probability, never lowers uncertainty and leaves one side empty', () => {
  covers('RM-0.14');
  fc.assert(
    fc.property(anyOpinion, (one) => {
      const most = uncertaintyMaximize(one);
      expectValid(most);
      expect(expectedProbability(most)).toBeCloseTo(expectedProbability(one), 9);
      expect(most.uncertainty).toBeGreaterThanOrEqual(one.uncertainty - 1e-9);
      expect(Math.min(most.belief, most.disbelief)).toBe(0);
    }),
  );
});

it('trustDiscount never adds belief and becomes vacuous without trust', () => {
  covers('RM-0.13');
  fc.assert(
    fc.property(anyOpinion, anyOpinion, (trust, one) => {
      const discounted = trustDiscount(trust, one);
      expectValid(discounted);
      expect(discounted.belief).toBeLessThanOrEqual(one.belief);
      expect(discounted.disbelief).toBeLessThanOrEqual(one.disbelief);
      const none = { belief: 0, disbelief: 1, uncertainty: 0, baseRate: 0.5 };
      expect(trustDiscount(none, one).uncertainty).toBe(1);
    }),
  );
});
