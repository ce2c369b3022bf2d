import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { analyze } from '../analyze.ts';
import { InvalidInvestigation } from './invalid-investigation.ts';
import type { Problem } from './invalid-investigation.ts';
import {
  actor,
  analysisOf,
  claim,
  investigation,
  judge,
  meta,
  NOW,
} from '../fixtures/investigation.fixture.ts';
import type { InvestigationInput } from './types.ts';
import { validateShape } from './validate.ts';

function problemsOf(input: unknown): readonly Problem[] {
  try {
    analyze(input, { now: NOW });
  } catch (err) {
    if (err instanceof InvalidInvestigation) return err.problems;
    throw err;
  }
  return [];
}

describe('fields under another name', () => {
  it('one field is named for one required field alone, the one that it is nearest to', () => {
    covers('INV-V.190');
    const { claims, ...rest } = investigation([claim('c', 'a', 'true')]);
    const evidence = [{ id: 'e', claim: 'c', text: 'A photo.', valence: 'Supports' }];
    expect(problemsOf({ ...rest, claims, evidence }).map(({ path, message }) => [path, message])).toEqual([
      ['evidence[0].claim_id', 'is required: name `claim` `claim_id`'],
      ['evidence[0].content', 'is required: name `text` `content`'],
    ]);
  });
});

describe('inputs with very many unknown fields', () => {
  const unknown = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));

  it('the fields of an object are listed once more for each problem that is told, and for no other', () => {
    covers('PLAT-S.7');
    let lists = 0;
    const claims = Array.from(
      { length: 1_000 },
      () =>
        new Proxy(unknown(50), {
          ownKeys(claim) {
            lists += 1;
            return Reflect.ownKeys(claim);
          },
        }),
    );
    expect(problemsOf({ ...investigation([]), claims })).toHaveLength(50);
    expect(lists).toBeLessThan(3 * claims.length);
  });

  it('another name of a required field is looked for among the first 50 unknown fields', () => {
    covers('PLAT-S.7');
    const messageFor = (before: number) => {
      const claim = { id: 'c', ...unknown(before), actorId: 'a' };
      const problems = problemsOf({ ...investigation([]), claims: [claim] });
      return problems.find(({ path }) => path === 'claims[0].actor_id')!.message;
    };
    expect([messageFor(0), messageFor(100_000)]).toEqual([
      expect.stringContaining('name `actorId` `actor_id`'),
      expect.stringContaining('give a string'),
    ]);
  });
});

/** Expects exactly one problem, at a path, whose message holds a text. */
function expectProblem(input: unknown, path: string, text: string): void {
  const problems = problemsOf(input);
  expect(problems.map((problem) => problem.path)).toEqual([path]);
  expect(problems[0]!.message).toContain(text);
}

describe('input that cannot be judged', () => {
  it.each([null, undefined, 7, 'text', [], true])(
    'an input that cannot be judged is refused as a whole: %p',
    (input) => {
      covers('RM-0.2');
      expectProblem(input, '$', 'must be an object');
    },
  );

  it('a problem of the input names path, offending value and remedy', () => {
    covers('RM-0.2', 'RM-2.5');
    expectProblem(
      investigation([claim('c1', 'nobody', 'red')]),
      'claims[0].actor_id',
      'names no actor: `nobody` is not among the ids of actors, in `c1`',
    );
  });

  it('empty and duplicate ids are refused', () => {
    covers('RM-2.3', 'RM-2.4');
    expectProblem(investigation([], { actors: [actor('')] }), 'actors[0].id', 'not empty');
    expectProblem(
      investigation([claim('c1', 'a', 'red'), claim('c1', 'b', 'red')]),
      'claims[1].id',
      'claims[0]',
    );
    const nobody = { ...claim('c1', 'a', 'red'), corroboration_events: [{ time: '2026', actor_id: '' }] };
    expectProblem(investigation([nobody]), 'claims[0].corroboration_events[0].actor_id', 'not empty');
  });

  it('references that name nothing are refused', () => {
    covers('RM-2.6', 'RM-2.7', 'RM-2.8', 'RM-2.9');
    expectProblem(
      investigation([claim('c1', 'a', 'red', { subject_id: 's9' })]),
      'claims[0].subject_id',
      '`s9`',
    );
    expectProblem(
      investigation([], { evidence: [{ id: 'e', claim_id: 'c9', content: '', valence: 'Supports' }] }),
      'evidence[0].claim_id',
      '`c9`',
    );
    expectProblem(investigation([meta('m', 'a', 'c9', 'Refutes')]), 'claims[0].target_claim_id', '`c9`');
    expectProblem(
      investigation([], { actors: [actor('a', { depends_on: ['z'] })] }),
      'actors[0].depends_on[0]',
      '`z`',
    );
    expectProblem(
      investigation([], {
        inferences: [
          { id: 'i', subject_id: 's9', predicate: 'p', premise_claim_ids: [], rule_type: 'default' },
        ],
      }),
      'inferences[0].subject_id',
      '`s9`',
    );
  });

  it('evidence needs exactly one of subject and target; an empty one is absent', () => {
    covers('RM-2.10');
    expectProblem(
      investigation([claim('c1', 'a', 'red', { subject_id: '' })]),
      'claims[0].subject_id',
      'target_claim_id',
    );
    const both = [claim('c1', 'a', 'red'), claim('c2', 'a', 'red', { target_claim_id: 'c1' })];
    expectProblem(investigation(both), 'claims[1].target_claim_id', 'exclude each other');
    expect(problemsOf(investigation([claim('c1', 'a', 'red', { target_claim_id: '' })]))).toEqual([]);
  });

  it('unknown words are refused with the nearest word and the list', () => {
    covers('RM-2.11', 'RM-2.24', 'RM-2.27');
    const troll = investigation([], { actors: [actor('a', { source_type: 'Jurnalist' })] });
    expectProblem(troll, 'actors[0].source_type', 'the nearest is Journalist, all are: Regulator, Expert');
    const blog = investigation([], { actors: [actor('a', { source_type: 'Blog' })] });
    expectProblem(blog, 'actors[0].source_type', 'the nearest is ');
    expectProblem(investigation([], { domain: 'Sports' }), 'domain', 'is not known; all are: Finance, News');
    expectProblem(investigation([], { domain: 'Medical' }), 'domain', 'the nearest is Medicine, all are: ');
    const valence = (word: string) => investigation([claim('c1', 'a', 'red', { valence: word })]);
    expectProblem(
      valence('positive'),
      'claims[0].valence',
      'is not known; all are: Supports, Refutes, Neutral',
    );
    expectProblem(valence('support'), 'claims[0].valence', 'the nearest is Supports, all are: ');
    expectProblem(investigation([], { dependence: 'guessed' }), 'dependence', 'detected, declared');
  });

  it.each([
    ['2024-02-30T00:00:00Z', 'a day that does not exist'],
    ['2024-13', 'a month that does not exist'],
    ['2024-01-01T00:00:00', 'no offset'],
    ['2024-01-01T24:00:00Z', 'hour 24'],
    ['2024-01-01T10:00:60Z', 'a leap second away from midnight'],
    ['2024-01-01T00:00:00+0100', 'an offset without colon'],
    ['', 'nothing'],
  ])('the assertion_time %p is refused: %s', (time) => {
    covers('RM-2.12');
    expectProblem(
      investigation([claim('c1', 'a', 'red', { assertion_time: time })]),
      'claims[0].assertion_time',
      'RFC 3339',
    );
  });

  it.each([
    '2024-01-01T00:00:00Z',
    '2024-01-01t00:00:00z',
    '2024-02-29T23:59:59.123456+05:30',
    '2016-12-31T23:59:60Z',
  ])('the assertion_time %p is accepted', (time) => {
    covers('RM-2.12');
    expect(problemsOf(investigation([claim('c1', 'a', 'red', { assertion_time: time })]))).toEqual([]);
  });

  it('an event that ends before it starts is refused', () => {
    covers('INV-R7.1', 'RM-2.13');
    const at = (start: string, end: string) =>
      investigation([claim('c1', 'a', 'red', { event_start_time: start, event_end_time: end })]);
    expectProblem(
      at('2024-05-01', '2024-05-01T00:00:00Z'),
      'claims[0].event_start_time',
      'before event_end_time',
    );
    expect(problemsOf(at('2024-05', '2024-05-02'))).toEqual([]);
  });

  it('meta-claims in a cycle are refused, once per cycle', () => {
    covers('RM-2.14');
    const cycle = [
      meta('m1', 'a', 'm2', 'Refutes'),
      meta('m2', 'a', 'm1', 'Refutes'),
      meta('m3', 'a', 'm1', 'Refutes'),
    ];
    expectProblem(investigation([...cycle, claim('c1', 'a', 'red')]), 'claims[0].target_claim_id', 'cycle');
    expectProblem(investigation([meta('m1', 'a', 'm1', 'Refutes')]), 'claims[0].target_claim_id', 'cycle');
  });

  it.each([NaN, Infinity, -Infinity, '1e999'])('the number %p is refused', (value) => {
    covers('RM-2.15');
    const input = investigation([], { actors: [actor('a', { base_reliability: value as number })] });
    expectProblem(input, 'actors[0].base_reliability', 'finite number');
  });

  it('a number too large is reported as too large, not as null', () => {
    covers('RM-2.15');
    const { actors, ...rest } = investigation([], { actors: [actor('a')] });
    const text = JSON.stringify({ ...rest, actors: [{ ...actors[0], base_reliability: 0.5 }] });
    const input = JSON.parse(text.replace('0.5', '1e400')) as InvestigationInput;
    expectProblem(input, 'actors[0].base_reliability', 'not one beyond ±1.8e308');
  });

  // Reading that tries each split of the digits would take days and never end this test.
  it('millions of digits that form no number are refused in one pass', () => {
    covers('RM-2.15');
    const digits = `${'1'.repeat(5_000_000)}x`;
    const input = investigation([], { actors: [actor('a', { base_reliability: digits as never })] });
    expectProblem(input, 'actors[0].base_reliability', 'finite number');
  });

  it('every problem is listed at once, at most 50, and the rest are counted', () => {
    covers('RM-2.16');
    const two = { ...investigation([claim('c1', 'x', 'red')]), research_question: 7 };
    expect(problemsOf(two).map((problem) => problem.path)).toEqual([
      'research_question',
      'claims[0].actor_id',
    ]);
    const many = investigation(Array.from({ length: 60 }, (_, i) => claim(`c${i}`, 'x', 'red')));
    try {
      analyze(many, { now: NOW });
      throw new Error('accepted');
    } catch (err) {
      expect(err).toBeInstanceOf(InvalidInvestigation);
      expect((err as InvalidInvestigation).problems).toHaveLength(50);
      expect((err as InvalidInvestigation).total).toBe(60);
      expect((err as InvalidInvestigation).message).toContain('and 10 more');
    }
  });

  it('hostile text in a problem is shortened, with control characters visible', () => {
    const [problem] = problemsOf(investigation([claim('c1', `\u202e\u0000${'x'.repeat(5000)}`, 'red')]));
    expect(problem!.message.length).toBeLessThan(200);
    expect(problem!.message).toContain('\\u202e\\u0000xxx');
  });
});

describe('input that is taken with a warning', () => {
  const warningsOf = (input: InvestigationInput) => judge(input).warnings;

  it.each(['', ' ', '0x10', '0B1', '0o7', 'Infinity', '1_000', '1n', '1,5', '5 %', '--1', '.', 'e5'])(
    'the text %j, which is not a decimal number, is refused',
    (text) => {
      covers('RM-2.15');
      const input = investigation([], { actors: [actor('a', { base_reliability: text as never })] });
      expectProblem(input, 'actors[0].base_reliability', 'finite number');
    },
  );

  it.each(['1', '+1', '1.', '.5', '5e-1', ' 0.5\u00a0', '+.05E+1'])(
    'the text %j, which is a decimal number, is read with a warning',
    (text) => {
      covers('RM-2.31');
      const input = investigation([], { actors: [actor('a', { base_reliability: text as never })] });
      expect(warningsOf(input)).toContainEqual(
        expect.stringContaining('came as text and was read as a number'),
      );
    },
  );

  it('a number of millions of digits is read', () => {
    covers('RM-2.31');
    const digits = `0.5${'0'.repeat(5_000_000)}`;
    const input = investigation([], { actors: [actor('a', { base_reliability: digits as never })] });
    expect(warningsOf(input)).toContainEqual(
      expect.stringContaining('came as text and was read as a number'),
    );
  });

  it('numbers sent as text are read with a warning', () => {
    covers('RM-2.31');
    const input = investigation([claim('c1', 'a', 'red')], {
      actors: [actor('a', { base_reliability: '0.9' as never })],
    });
    const result = judge(input);
    expect(result.warnings).toEqual([expect.stringMatching(/^Number `0\.9` .*`a`.*\.$/)]);
    expect(analysisOf(result, 'c1')).toEqual(
      analysisOf(
        judge(investigation([claim('c1', 'a', 'red')], { actors: [actor('a', { base_reliability: 0.9 })] })),
        'c1',
      ),
    );
  });

  it('scalars out of range are clamped, with a warning that names the id', () => {
    covers('RM-2.18', 'RM-2.19', 'RM-2.20', 'INV-R1.1', 'INV-R13.7');
    const input = investigation([claim('c1', 'a', 'red')], {
      actors: [
        actor('a', { base_reliability: 1.5, competence: { colour: -1, size: 2 }, default_competence: 7 }),
      ],
      evidence: [{ id: 'e1', claim_id: 'c1', content: '', valence: 'Supports', weight: 1000 }],
      dependent_refresh_factor: -0.1,
    });
    const clamped = warningsOf(input).filter((warning) => warning.includes('moved to'));
    expect(clamped).toHaveLength(6);
    for (const warning of clamped) expect(warning).toMatch(/^[A-Z].*\.$/);
    expect(clamped.filter((warning) => warning.includes('`a`'))).toHaveLength(4);
    expect(clamped.filter((warning) => warning.includes('`e1`'))).toHaveLength(1);
  });

  it('a reliability that does not suit the source_type is warned about, whatever its spelling', () => {
    covers('INV-R1.2', 'RM-2.26', 'RM-2.28');
    const with_ = (source_type: string, base_reliability: number) =>
      warningsOf(investigation([], { actors: [actor('x', { source_type, base_reliability })] }));
    expect(with_('social media', 0.9)).toEqual([expect.stringContaining('`x`')]);
    expect(with_('SOCIAL-MEDIA', 0.3)).toEqual([]);
    expect(with_('social_media', 0.1)).toEqual([]);
    const ranges = {
      Regulator: [0.8, 0.95],
      Expert: [0.75, 0.95],
      Analyst: [0.5, 0.85],
      Journalist: [0.5, 0.8],
      Insider: [0.3, 0.7],
      Institutional: [0.2, 0.7],
      Anonymous: [0.1, 0.3],
      SocialMedia: [0.1, 0.3],
      Troll: [0.01, 0.15],
    };
    for (const [type, [low, high]] of Object.entries(ranges)) {
      expect(with_(type, low!)).toEqual([]);
      expect(with_(type, high!)).toEqual([]);
      if (low! > 0.01) expect(with_(type, low! - 0.005)).toHaveLength(1);
      expect(with_(type, high! + 0.005)).toHaveLength(1);
    }
  });

  it('unknown targets of relationships, supersession, premises and distinctions are ignored with a warning', () => {
    covers('RM-2.17');
    const input = investigation(
      [
        claim('c1', 'a', 'red', {
          supersedes_claim_id: 'x1',
          relationships: [{ relationship_type: 'refines', target_claim_id: 'x2' }],
        }),
      ],
      {
        inferences: [
          {
            id: 'i1',
            subject_id: 's1',
            predicate: 'p',
            premise_claim_ids: ['x3'],
            rule_type: 'default',
            rule_param: 'd',
          },
        ],
        distinctions: [
          { id: 'd1', argument_a: 'c1', argument_b: 'x4', feature: '', condition_a: '', condition_b: '' },
        ],
      },
    );
    const warnings = warningsOf(input);
    for (const id of ['x1', 'x2', 'x3', 'x4'])
      expect(warnings.filter((text) => text.includes(`\`${id}\``))).toHaveLength(1);
  });

  it('unknown fields are named in a warning, once each', () => {
    const claims = [
      claim('c1', 'a', 'red', { assertion_tme: 'x' } as never),
      claim('c2', 'b', 'red', { assertion_tme: 'x' } as never),
    ];
    expect(warningsOf(investigation(claims))).toEqual([
      'Field `ClaimInput.assertion_tme` is not part of the interface and counts for nothing when judging (2 times); check its spelling.',
    ]);
  });

  it('any non-empty subject_type is accepted, and null where the contract allows it', () => {
    covers('RM-2.25');
    const subjects = [{ id: 's1', name: '', subject_type: '???' }];
    expect(
      warningsOf(investigation([claim('c1', 'a', 'red', { scope: null, valence: null })], { subjects })),
    ).toEqual([]);
  });

  it('properties named like those of prototypes do not affect the input', () => {
    const raw = `{"research_question":"q","__proto__":{"claims":[]},"actors":[{"id":"__proto__","name":"","source_type":"Expert","competence":{"__proto__":0.5,"constructor":0.5}}],"subjects":[{"id":"toString","name":"","subject_type":"x"}],"claims":[{"id":"hasOwnProperty","actor_id":"__proto__","subject_id":"toString","predicate":"__proto__","value":"constructor","content":""}]}`;
    const result = judge(JSON.parse(raw) as InvestigationInput);
    expect(analysisOf(result, 'hasOwnProperty').support).toBeCloseTo(0.425 / 2.425, 12);
    expect(({} as { claims?: unknown }).claims).toBeUndefined();
  });
});

describe('as_of', () => {
  const later = (id: string, actorId: string, value: string, month: string) =>
    claim(id, actorId, value, { assertion_time: `2025-${month}-01T00:00:00Z` });

  it('as_of leaves out what was asserted later and what depends on it', () => {
    covers('RM-2.21', 'RM-2.22', 'RM-2.23');
    const claims = [
      later('c1', 'a', 'red', '01'),
      later('c2', 'b', 'blue', '06'),
      meta('m1', 'c', 'c2', 'Supports'),
      meta('m2', 'd', 'm1', 'Refutes'),
    ];
    const evidence = [{ id: 'e1', claim_id: 'c2', content: '', valence: 'Supports' }];
    const then = judge(investigation(claims, { evidence, as_of: '2025-03-01T00:00:00Z' }));
    expect(then.claim_analyses.map((analysis) => analysis.claim_id)).toEqual(['c1']);
    expect(then.warnings).toHaveLength(3);
    const alone = judge(investigation([claims[0]!]), new Date('2025-03-01T00:00:00Z'));
    expect(then.claim_analyses).toEqual(alone.claim_analyses);
    expect(then.evaluated_at).toBe(NOW.toISOString());
  });

  it('as_of warns about nothing else in what it leaves out', () => {
    covers('RM-2.22', 'RM-2.23');
    const late = { ...later('c2', 'b', 'blue', '06'), decay_half_life_days: -1 };
    const evidence = [{ id: 'e1', claim_id: 'c2', content: '', valence: 'Supports', weight: 200 }];
    const then = judge(investigation([late], { evidence, as_of: '2025-03-01T00:00:00Z' }));
    expect(then.warnings).toEqual([expect.stringContaining('`c2` was asserted after')]);
  });

  it('as_of never lies after now', () => {
    covers('RM-2.21');
    const input = investigation([later('c1', 'a', 'red', '01')]);
    expect(judge({ ...input, as_of: '2030-01-01T00:00:00Z' }).claim_analyses).toEqual(
      judge(input).claim_analyses,
    );
  });

  it('as_of is compared with times after future ones were moved to now', () => {
    covers('RM-11.17', 'RM-11.167');
    const soon = claim('c1', 'a', 'red', { assertion_time: '2026-01-01T20:00:00Z' });
    const far = claim('c2', 'b', 'red', { assertion_time: '2999' });
    const kept = (as_of: string) =>
      judge(investigation([soon, far], { as_of })).claim_analyses.map(({ claim_id }) => claim_id);
    expect(kept('2025-12-31')).toEqual([]);
    expect(kept(NOW.toISOString())).toEqual(['c2']);
    expect(kept('2026-01-01T20:00:00Z')).toEqual(['c1', 'c2']);
  });

  it('a claim from tomorrow counts as fresh without as_of', () => {
    const result = judge(investigation([later('c1', 'a', 'red', '06')]), new Date('2025-01-01T00:00:00Z'));
    expect(analysisOf(result, 'c1').temporal_decay_factor).toBe(1);
  });
});

describe('the shape of one object', () => {
  it('one object is checked without its references, every problem with its path', () => {
    expect(() => validateShape('ClaimInput', claim('c1', 'nobody', 'red'), 'claim')).not.toThrow();
    const attempt = () =>
      validateShape('ClaimInput', { id: '', actor_id: 7, valence: 'perhaps', extra: 1 }, 'claim');
    expect(attempt).toThrow(InvalidInvestigation);
    expect(attempt).toThrow(
      /^claim\.id: .*\nclaim\.actor_id: .*\nclaim\.predicate: .*\nclaim\.value: .*\nclaim\.content: .*\nclaim\.valence: [^\n]*$/,
    );
    expect(() => validateShape('ActorInput', [], '')).toThrow('$: must be an object');
  });
});

describe('the run', () => {
  it('the result states when the analysis ran and on what', () => {
    covers('RM-0.3', 'INV-F.InvestigationResult.research_question', 'INV-R0.1');
    const result = judge(investigation([claim('c1', 'a', 'red')]));
    expect(result.evaluated_at).toBe('2026-01-01T00:00:00.000Z');
    expect(result.research_question).toBe('What is so?');
  });

  it('the analysis reports its phases and stops on request', () => {
    covers('RM-0.20');
    const phases: string[] = [];
    analyze(investigation([claim('c1', 'a', 'red')]), {
      now: NOW,
      onProgress: ({ phase }) => phases.push(phase),
    });
    expect(phases).toEqual(['read', 'weigh', 'judge', 'interpret', 'report']);
    const reason = new Error('enough');
    const signal = { aborted: false, reason };
    const stopAt = (phase: string) => () =>
      analyze(investigation([claim('c1', 'a', 'red')]), {
        now: NOW,
        signal,
        onProgress: (progress) => (signal.aborted = progress.phase === phase),
      });
    expect(stopAt('weigh')).toThrow(reason);
    signal.aborted = false;
    expect(stopAt('report')).toThrow(reason);
  });
});
