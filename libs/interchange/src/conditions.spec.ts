import { describe, expect, it } from '@jest/globals';
import { textOf, type ClaimInput, type InvestigationInput } from '@platform/opinion-fusion';
import { answerText, rankedClaimsCsv } from '@platform/viewer';
import { withWords } from '@platform/viewer/browser';
import { covers } from '@platform/testing/covers';
import { writeAif } from './aif/write-aif.ts';
import { writeClaimReview } from './claim-review/write-claim-review.ts';
import { writeInvestigation } from './investigation-json.ts';
import type { Judged } from './judged.ts';
import { judge } from './judged.fixture.ts';
import { writeMisp } from './misp/write-misp.ts';
import { writeStix } from './stix/write-stix.ts';
import { writeArgdown } from './write-argdown.ts';
import { writeProv } from './write-prov.ts';

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** The claims of a file, without its verdicts. */
const FORMATS: Readonly<Record<string, (judged: Judged) => string>> = {
  json: (judged) => text(writeInvestigation(judged)),
  aif: (judged) => text(writeAif(judged)),
  argdown: (judged) => text(writeArgdown(judged)),
  prov: (judged) => text(writeProv(judged)),
  stix: (judged) =>
    JSON.stringify(
      (
        JSON.parse(text(writeStix(judged))) as { objects: { type: string; labels?: object }[] }
      ).objects.filter(({ type, labels }) => type === 'note' && labels === undefined),
    ),
  misp: (judged) =>
    JSON.stringify(
      (
        JSON.parse(text(writeMisp(judged))) as { Event: { Attribute: { category: string; type: string }[] } }
      ).Event.Attribute.filter(({ type }) => type === 'text'),
    ),
  'csv of the zip': (judged) => rankedClaimsCsv(judged),
  'page and PDF': (judged) => textOf(withWords(judged).words!.claims[0]!),
};

const claim = (id: string, more: Partial<ClaimInput> = {}): ClaimInput => ({
  id,
  actor_id: id,
  subject_id: 's',
  predicate: 'city',
  value: 'Paris',
  content: `statement ${id}`,
  ...more,
});
const on = (...claims: ClaimInput[]): InvestigationInput => ({
  research_question: 'Where?',
  actors: claims.map(({ id }) => ({ id, name: `Source ${id}`, source_type: 'Expert' })),
  subjects: [{ id: 's', name: 'The summit', subject_type: 'event' }],
  claims,
});
const YEARS = { event_start_time: '1990', event_end_time: '2000' };

describe.each(Object.entries(FORMATS))('claims in an export as %s', (format, said) => {
  it('a denial is told from an affirmation', () => {
    covers('INV-EXPORT.30');
    const file = said(judge(on(claim('a', { valence: 'Refutes' }))));
    expect(file).toMatch(/is not .*Paris|Refutes/);
    expect(said(judge(on(claim('a'))))).not.toMatch(/is not .*Paris|Refutes/);
  });

  it('the scope of a claim is told', () => {
    covers('INV-EXPORT.30');
    expect(said(judge(on(claim('a', { scope: 'in winter' }))))).toContain('in winter');
  });

  it('the time that a claim is about is told', () => {
    covers('INV-EXPORT.30');
    expect(said(judge(on(claim('a', YEARS))))).toMatch(/1990[^]*2000/);
  });

  // A page says next to such a claim that it refutes another one.
  if (format === 'page and PDF') return;

  it('the side of a claim about a claim is told', () => {
    covers('INV-EXPORT.30');
    const about = { subject_id: null, target_claim_id: 'a', predicate: 'reliable', value: 'true' };
    const against = said(judge(on(claim('a'), claim('b', { ...about, valence: 'Refutes' }))));
    expect(against).toMatch(/Refutes|Against the claim a/);
  });
});

const VERDICTS: Readonly<Record<string, (judged: Judged) => string>> = {
  claimreview: (judged) => text(writeClaimReview(judged)),
  stix: (judged) =>
    JSON.stringify(
      (
        JSON.parse(text(writeStix(judged))) as { objects: { type: string; labels?: object }[] }
      ).objects.filter(({ type, labels }) => type === 'note' && labels !== undefined),
    ),
  misp: (judged) =>
    JSON.stringify(
      (
        JSON.parse(text(writeMisp(judged))) as { Event: { Attribute: { type: string }[] } }
      ).Event.Attribute.filter(({ type }) => type === 'comment'),
    ),
};

describe.each(Object.entries(VERDICTS))('verdicts in an export as %s', (_, said) => {
  it.each([
    ['which all claims share', []],
    ['of one of several', [claim('c', { value: 'Rome', scope: 'in summer' })]],
  ])('the scope and time %s stand in the statement', (_case, others) => {
    covers('INV-EXPORT.31');
    const scoped = { scope: 'in winter', ...YEARS };
    const file = said(judge(on(claim('a', scoped), claim('b', scoped), ...others)));
    expect(file).toContain('The city of the summit is Paris (in winter, from 1990 to 2000)');
  });
});

const BY_SEASON = {
  id: 'd',
  argument_a: 'a',
  argument_b: 'b',
  feature: 'season',
  condition_a: 'in winter',
  condition_b: 'in summer',
};
const against = (id: string) => ({
  id,
  claim_id: 'a',
  content: `Laboratory ${id}`,
  valence: 'Refutes',
  weight: 5,
});

describe('sides of a distinction in a ClaimReview', () => {
  const explanationOf = (input: InvestigationInput) => {
    const judged = judge({ ...input, distinctions: [BY_SEASON] });
    const [review] = (
      JSON.parse(text(writeClaimReview(judged))) as {
        '@graph': { reviewRating: { ratingExplanation: string } }[];
      }
    )['@graph'];
    return review!.reviewRating.ratingExplanation;
  };

  it.each([
    [
      'a yes that is refuted',
      'true',
      'false',
      'almost no chance',
      /if in winter, there is almost no chance that the summit is open;/,
    ],
    [
      'a value that is refuted',
      '90 m',
      '10 m',
      'no chance',
      /if in winter, there is almost no chance that .*90 m;/,
    ],
  ])('%s is said with the likelihood that the page has for it', (_case, a, b, word, side) => {
    covers('INV-EXPORT.52');
    const predicate = a === 'true' ? 'open' : 'height';
    const input = on(claim('a', { predicate, value: a }), claim('b', { predicate, value: b }));
    const refuted = { ...input, evidence: [against('1'), against('2')] };
    const explanation = explanationOf(refuted);
    expect(answerText(judge({ ...refuted, distinctions: [BY_SEASON] })).answer.join(' ')).toContain(word);
    expect(explanation).toMatch(side);
    expect(explanation).not.toMatch(/\.\.|in winter: /);
  });

  it('both sides have one form, and no full stop stands twice where claims end in one', () => {
    covers('INV-EXPORT.52');
    const open = { predicate: 'open', content: 'b says it.' };
    for (const [a, b] of [
      ['false', 'true'],
      ['no', 'yes'],
    ])
      expect(
        explanationOf(on(claim('a', { ...open, value: a! }), claim('b', { ...open, value: b! }))),
      ).toMatch(
        /By season: if in winter, it is unlikely that the summit is open; if in summer, it is likely that the summit is open\.$/,
      );
  });

  it('a side that is a denial has the chance of what it denies', () => {
    covers('INV-EXPORT.30');
    const denied = explanationOf(on(claim('a'), claim('b', { valence: 'Refutes' })));
    const winter = 'if in winter, it is likely that the city of the summit is Paris';
    expect(denied).toContain(
      `${winter}; if in summer, it is very unlikely that the city of the summit is Paris.`,
    );
  });

  it('a summary, which has no chance of a side, has no side', () => {
    covers('INV-EXPORT.52');
    const input = on(claim('a'), claim('b', { value: 'Rome' }));
    expect(explanationOf({ ...input, summary_mode: true })).not.toContain('season');
  });

  it.each([
    ['STIX', writeStix],
    ['MISP', writeMisp],
  ])('%s says the same of them', (_format, write) => {
    covers('INV-EXPORT.52', 'INV-EXPORT.54');
    const input = on(
      claim('a', { predicate: 'open', value: 'yes' }),
      claim('b', { predicate: 'open', value: 'no' }),
    );
    const judged = judge({ ...input, distinctions: [BY_SEASON] });
    expect(text(write(judged))).toContain(explanationOf(input).replace(/^.*(?=By season)/, ''));
  });

  it.each([
    ['is retracted', [claim('a', { epistemic_status: 'retracted' })]],
    [
      'its source corrected',
      [claim('a'), claim('c', { actor_id: 'a', supersedes_claim_id: 'a', value: 'Rome' })],
    ],
  ])('no export of verdicts has a distinction of a claim that %s', (_, claims) => {
    covers('INV-EXPORT.51');
    const distinction = { id: 'd', argument_a: 'a', argument_b: 'b', feature: 'what counts as host' };
    const sides = { ...distinction, condition_a: 'first day', condition_b: 'last day' };
    for (const summary_mode of [false, true]) {
      const input = { ...on(...claims, claim('b', { value: 'Rome' })), summary_mode, distinctions: [sides] };
      const judged = judge(input);
      for (const write of [writeClaimReview, writeProv])
        expect(text(write(judged))).not.toContain('first day');
      expect(text(writeAif(judged))).toContain('first day');
    }
  });
});

describe('a scope in which sources disagree', () => {
  it.each([
    ['of those who say another value there', 'Rome', {}],
    ['of those who deny its value there', 'Oslo', { valence: 'Refutes' }],
  ])('its review tells how many %s', (_case, value, more) => {
    covers('INV-EXPORT.53');
    const [south, north] = [{ scope: 'in the south' }, { scope: 'in the north' }];
    const claims = [
      ...['a', 'b', 'c'].map((id) => claim(id, south)),
      claim('d', { ...north, value: 'Oslo' }),
      claim('e', { ...north, value, ...more }),
    ];
    const reviews = text(writeClaimReview(judge(on(...claims))));
    const { '@graph': graph } = JSON.parse(reviews) as {
      '@graph': { claimReviewed: string; reviewRating: { ratingExplanation: string } }[];
    };
    const apart = graph.find(({ claimReviewed }) => claimReviewed.endsWith('(in the north)'))!;
    expect(apart.reviewRating.ratingExplanation).toBe('1 source. 1 of 2 does not say so.');
  });

  it('each value of a tie tells how many do not say so', () => {
    covers('INV-EXPORT.53');
    const file = text(writeClaimReview(judge(on(claim('a'), claim('b', { value: 'Rome' })))));
    expect(file.split('1 of 2 does not say so.')).toHaveLength(3);
  });
});

describe('sources in an export of a verdict', () => {
  it.each(['claimreview', 'stix'] as const)('%s says that the sources of a denial deny it', (format) => {
    covers('INV-EXPORT.32');
    const denied = ['a', 'b', 'd'].map((id) => claim(id, { valence: 'Refutes' }));
    const file = VERDICTS[format]!(judge(on(...denied)));
    expect(file).toContain('No source says so. 3 of 3 do not say so.');
  });
});

describe('authors and reviews of a ClaimReview', () => {
  interface Review {
    readonly claimReviewed: string;
    readonly reviewRating: { readonly alternateName: string };
    readonly itemReviewed: {
      readonly author?: readonly { readonly name: string }[];
      readonly appearance?: readonly { readonly url: string }[];
    };
  }
  const reviewsOf = (...claims: ClaimInput[]) => {
    const linked = claims.map((one) => ({ ...one, url: `https://example.org/${one.id}` }));
    const graph = JSON.parse(text(writeClaimReview(judge(on(...linked))))) as { '@graph': Review[] };
    return graph['@graph'].map(({ claimReviewed, reviewRating, itemReviewed }) => ({
      claimReviewed,
      likelihood: reviewRating.alternateName,
      authors: (itemReviewed.author ?? []).map(({ name }) => name),
      links: (itemReviewed.appearance ?? []).map(({ url }) => url),
    }));
  };

  it.each([
    ['1,250,000 €', '1.25 million EUR', '1,200,000 €'],
    ['2016', '2016', 'c. 2016'],
    ['2016-05-03', '3 May 2016', '2016-05'],
    ['90 kg', '90.0 kg', '91 kg'],
    ['Paris', 'paris', 'Paris, France'],
  ])(
    'who says %s or %s is an author of the value that leads, and who says %s, which is near, is none',
    (value, same, near) => {
      covers('INV-EXPORT.39');
      const [review] = reviewsOf(
        claim('a', { value }),
        claim('b', { value: same }),
        claim('c', { value: near }),
      );
      expect(review!.authors).toEqual(['Source a', 'Source b']);
      expect(review!.links).toEqual(['https://example.org/a', 'https://example.org/b']);
    },
  );

  it('who denies another value is no author of the one that leads', () => {
    covers('INV-EXPORT.39');
    const [review] = reviewsOf(claim('a'), claim('b', { value: 'Rome', valence: 'Refutes' }));
    expect(review!.authors).toEqual(['Source a']);
  });

  it('a question has a review for each scope and time in which a value is said, with those who say it there', () => {
    covers('INV-EXPORT.40');
    const [summer, winter] = [{ scope: 'in summer' }, { scope: 'in winter' }];
    const reviews = reviewsOf(
      claim('a', { ...summer }),
      claim('b', { ...summer }),
      claim('c', { ...winter, value: 'Rome' }),
      claim('f', { ...winter, value: 'Rome' }),
      claim('d', { ...winter, value: 'Oslo' }),
      claim('e', { value: 'Bonn', ...YEARS }),
    );
    const likely = expect.stringMatching(/^\w.*\(\d+ %\)$/);
    expect(reviews[0]!.claimReviewed).toBe('The city of the summit is Paris (in summer)');
    expect(Object.fromEntries(reviews.map((one) => [one.claimReviewed, one.authors]))).toEqual({
      'The city of the summit is Paris (in summer)': ['Source a', 'Source b'],
      'The city of the summit is Rome (in winter)': ['Source c', 'Source f'],
      'The city of the summit is Bonn (from 1990 to 2000)': ['Source e'],
    });
    expect(reviews.map(({ likelihood }) => likelihood)).toEqual([likely, likely, likely]);
    expect(reviewsOf(claim('a'), claim('b', { value: 'Bern' }), claim('c'))).toHaveLength(1);
  });

  it.each([
    ['Paris', 'Rome'],
    ['Rome', 'Paris'],
  ])('each value of a tie is exported with its own chance, whichever claim comes first', (one, other) => {
    covers('INV-EXPORT.45');
    const claims = [claim('a', { value: one }), claim('b', { value: other })];
    expect(
      reviewsOf(...claims).map((review) => [review.claimReviewed, review.likelihood, review.authors]),
    ).toEqual([
      ['The city of the summit is Paris', 'Unlikely (42 %)', [one === 'Paris' ? 'Source a' : 'Source b']],
      ['The city of the summit is Rome', 'Unlikely (42 %)', [one === 'Rome' ? 'Source a' : 'Source b']],
    ]);
    const judged = judge(on(...claims));
    const stix = JSON.parse(text(writeStix(judged))) as {
      objects: { id: string; abstract?: string; labels?: object }[];
    };
    const misp = JSON.parse(text(writeMisp(judged))) as {
      Event: { Attribute: { uuid: string; value: string }[] };
    };
    const notes = stix.objects.filter(
      ({ abstract, labels }) => abstract?.startsWith('The city of the summit is ') && labels !== undefined,
    );
    const comments = misp.Event.Attribute.filter(({ value }) => value.startsWith('Unlikely (42 %): '));
    for (const ids of [notes.map(({ id }) => id), comments.map(({ uuid }) => uuid)])
      expect(new Set(ids).size).toBe(2);
  });

  it('one review of a tie of yes and no says how likely yes is', () => {
    covers('INV-EXPORT.45');
    const reviews = reviewsOf(
      claim('a', { predicate: 'open', value: 'yes' }),
      claim('b', { predicate: 'open', value: 'no' }),
    );
    expect(reviews.map(({ claimReviewed, likelihood }) => [claimReviewed, likelihood])).toEqual([
      ['The summit is open', 'Roughly even chance (50 %)'],
    ]);
  });

  it('a question of yes or no has a review for each scope, also where the answers differ', () => {
    covers('INV-EXPORT.40');
    const open = { predicate: 'open', value: 'yes' };
    const reviews = reviewsOf(
      claim('a', { ...open, scope: 'in summer' }),
      claim('b', { ...open, scope: 'in summer' }),
      claim('c', { ...open, scope: 'in winter', valence: 'Refutes' }),
      claim('d', { ...open, scope: 'in winter', value: 'no' }),
    );
    const authorsOf = Object.fromEntries(reviews.map((one) => [one.claimReviewed, one.authors]));
    expect(authorsOf).toEqual({
      'The summit is open (in summer)': ['Source a', 'Source b'],
      'The summit is not open (in winter)': ['Source c', 'Source d'],
    });
  });
});
