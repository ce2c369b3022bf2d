import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import {
  averagingFusion,
  beliefConstraintFusion,
  consensusCompromiseFusion,
  cumulativeFusion,
  epistemicCumulativeFusion,
  TotalConflict,
  trustDiscount,
  uncertaintyMaximize,
  weightedFusion,
} from './index.ts';
import type { Opinion } from './index.ts';

const opinion = (belief: number, disbelief: number, uncertainty: number, baseRate = 0.5): Opinion => ({
  belief,
  disbelief,
  uncertainty,
  baseRate,
});

/** The parts as a paper prints them, to three digits. */
const printed = ({ belief, disbelief, uncertainty }: Opinion) =>
  [belief, disbelief, uncertainty].map((mass) => mass.toFixed(3)).join(' ');

const OPERATORS = {
  cumulativeFusion,
  epistemicCumulativeFusion,
  averagingFusion,
  weightedFusion,
  consensusCompromiseFusion,
  beliefConstraintFusion,
} as const;

describe('van der Heijden, Kopp, Kargl 2018, Table I: three sources over a binary domain', () => {
  covers('RM-0.7', 'RM-0.8', 'RM-0.9', 'RM-0.10', 'RM-0.11', 'RM-0.12');
  const sources = [opinion(0.1, 0.3, 0.6), opinion(0.4, 0.2, 0.4), opinion(0.7, 0.1, 0.2)];
  it.each([
    ['beliefConstraintFusion', '0.738 0.184 0.078'],
    ['cumulativeFusion', '0.651 0.209 0.140'],
    ['epistemicCumulativeFusion', '0.442 0.000 0.558'],
    ['averagingFusion', '0.509 0.164 0.327'],
    ['weightedFusion', '0.562 0.146 0.292'],
    ['consensusCompromiseFusion', '0.629 0.182 0.189'],
  ] as const)('%s gives %s', (name, row) => {
    expect(printed(OPERATORS[name](sources))).toBe(row);
  });
});

describe('trust discounting, Jøsang 2016, Section 14.3', () => {
  covers('RM-0.13');
  it('trust discounting turns full uncertainty about an adviser with base rate 0.9 into probability 0.9 of honesty (Jøsang 2016, §14.3)', () => {
    const advice = trustDiscount(opinion(0, 0, 1, 0.9), opinion(0.95, 0, 0.05, 0.2));
    expect(printed(advice)).toBe('0.855 0.000 0.145');
    expect(advice.baseRate).toBe(0.2);
  });

  it('trust discounting reproduces the two-edge path of trust (0.20, 0.40, 0.40, 0.75)', () => {
    const advice = trustDiscount(opinion(0.2, 0.4, 0.4, 0.75), opinion(0.45, 0.35, 0.2, 0.25));
    expect(printed(advice)).toBe('0.225 0.175 0.600');
  });

  it('trust discounting reproduces the referral chain of page 261, edge by edge', () => {
    const referral = opinion(0.2, 0.1, 0.7, 0.8);
    const one = trustDiscount(referral, opinion(0.8, 0.2, 0, 0.1));
    const two = trustDiscount(referral, one);
    const three = trustDiscount(referral, two);
    expect([one, two, three].map(printed)).toEqual([
      '0.608 0.152 0.240',
      '0.462 0.116 0.422',
      '0.351 0.088 0.561',
    ]);
  });
});

describe('uncertaintyMaximize, Jøsang 2016, Section 3.5.6', () => {
  covers('RM-0.14');
  it.each([
    [opinion(0.5, 0.5, 0), '0.000 0.000 1.000'],
    [opinion(0.7, 0.3, 0), '0.400 0.000 0.600'],
    [opinion(0.3, 0.7, 0), '0.000 0.400 0.600'],
    [opinion(0.3, 0.5, 0.2, 0), '0.300 0.000 0.700'],
    [opinion(0.3, 0.5, 0.2, 1), '0.000 0.500 0.500'],
    [opinion(0, 0.5, 0.5, 0), '0.000 0.000 1.000'],
    [opinion(0.5, 0, 0.5, 1), '0.000 0.000 1.000'],
  ])('uncertaintyMaximize of %j is %s (Jøsang 2016, §3.5.6)', (given, row) => {
    expect(printed(uncertaintyMaximize(given))).toBe(row);
  });
});

describe('dogmatic opinions (u = 0)', () => {
  const yes = opinion(1, 0, 0);
  const no = opinion(0, 1, 0);
  const soft = opinion(0.2, 0.1, 0.7, 0.9);

  it.each(['cumulativeFusion', 'averagingFusion', 'weightedFusion'] as const)(
    '%s lets them outweigh the others and count equally among themselves',
    (name) => {
      covers('RM-0.7', 'RM-0.9', 'RM-0.10');
      const fused = OPERATORS[name]([yes, soft, no, yes]);
      expect(fused.belief).toBeCloseTo(2 / 3, 15);
      expect(fused.disbelief).toBeCloseTo(1 / 3, 15);
      expect(fused.uncertainty).toBe(0);
      expect(fused.baseRate).toBeCloseTo(0.5, 15);
    },
  );

  it('beliefConstraintFusion refuses total conflict', () => {
    covers('RM-0.12');
    expect(() => beliefConstraintFusion([yes, soft, no])).toThrow(TotalConflict);
    expect(printed(beliefConstraintFusion([yes, soft]))).toBe('1.000 0.000 0.000');
  });

  it('consensusCompromiseFusion turns a flat contradiction into uncertainty', () => {
    expect(printed(consensusCompromiseFusion([yes, no]))).toBe('0.000 0.000 1.000');
  });
});

describe('base rates', () => {
  const sure = opinion(0.4, 0.4, 0.2, 0.9);
  const unsure = opinion(0.1, 0.1, 0.8, 0.1);

  it('cumulative fusion weights base rates by evidence: 4 to 0.25 units of confidence over uncertainty', () => {
    covers('RM-0.7');
    expect(cumulativeFusion([sure, unsure]).baseRate).toBeCloseTo((4 * 0.9 + 0.25 * 0.1) / 4.25, 12);
  });

  it('weighted and constraint fusion weight base rates by confidence, averaging weights them equally', () => {
    covers('RM-0.9', 'RM-0.10');
    expect(weightedFusion([sure, unsure]).baseRate).toBeCloseTo(0.8 * 0.9 + 0.2 * 0.1, 12);
    expect(beliefConstraintFusion([sure, unsure]).baseRate).toBeCloseTo(0.8 * 0.9 + 0.2 * 0.1, 12);
    expect(averagingFusion([sure, unsure]).baseRate).toBeCloseTo(0.5, 12);
  });

  it('base rates of vacuous opinions are averaged', () => {
    covers('RM-0.7', 'RM-0.9', 'RM-0.10');
    for (const fuse of Object.values(OPERATORS)) {
      const fused = fuse([opinion(0, 0, 1, 0.2), opinion(0, 0, 1, 0.6)]);
      expect(fused.baseRate).toBeCloseTo(0.4, 12);
      expect(fused.uncertainty).toBe(1);
    }
  });
});

describe.each(Object.entries(OPERATORS))('hostile input to %s', (name, fuse) => {
  it(`${name} refuses an empty list`, () => {
    expect(() => fuse([])).toThrow(RangeError);
  });

  it.each([
    ['a sum off 1', opinion(0.5, 0.5, 0.5), /opinions\[1\].*sum to 1/],
    ['a negative part', opinion(-0.1, 0.6, 0.5), /opinions\[1\]: belief/],
    ['NaN', opinion(0.5, Number.NaN, 0.5), /opinions\[1\]: disbelief/],
    ['a base rate above 1', opinion(0.5, 0.5, 0, 1.5), /opinions\[1\]: baseRate/],
  ])(`${name} refuses %s`, (_what, bad, message) => {
    expect(() => fuse([opinion(0, 0, 1), bad])).toThrow(RangeError);
    expect(() => fuse([opinion(0, 0, 1), bad])).toThrow(message);
  });
});

describe('the number of opinions', () => {
  covers('RM-0.16');
  const first = opinion(0.6, 0.1, 0.3);
  const second = opinion(0.1, 0.5, 0.4);
  const third = opinion(0.2, 0.2, 0.6);

  it.each(['averagingFusion', 'weightedFusion', 'consensusCompromiseFusion'] as const)(
    '%s of three is not the fusion of two with the third',
    (name) => {
      const fuse = OPERATORS[name];
      expect(printed(fuse([first, second, third]))).not.toBe(printed(fuse([fuse([first, second]), third])));
    },
  );

  it('fusion of one opinion leaves it as it is, or maximizes its uncertainty', () => {
    for (const [name, fuse] of Object.entries(OPERATORS)) {
      expect(printed(fuse([first]))).toBe(
        printed(name === 'epistemicCumulativeFusion' ? uncertaintyMaximize(first) : first),
      );
    }
  });
});

it('a thousand weak opinions neither underflow nor lose mass', () => {
  const many = Array.from({ length: 1000 }, (_, i) => opinion(0.2, 0.3, 0.5, i % 2));
  for (const fuse of Object.values(OPERATORS)) {
    const { belief, disbelief, uncertainty } = fuse(many);
    expect(belief + disbelief + uncertainty).toBeCloseTo(1, 12);
  }
  expect(printed(averagingFusion(many))).toBe('0.200 0.300 0.500');
  expect(printed(weightedFusion(many))).toBe('0.200 0.300 0.500');
});

it('nearly certain opinions that disagree never make a number that is none', () => {
  const opinions = [
    opinion(0, 1, 0),
    opinion(0, 0, 1),
    opinion(0.9, 0.1, 2.8e-311),
    opinion(0.125, 0.375, 0.5),
  ];
  for (const fuse of Object.values(OPERATORS)) {
    const { belief, disbelief, uncertainty } = fuse(opinions);
    expect(belief + disbelief + uncertainty).toBeCloseTo(1, 12);
  }
});
