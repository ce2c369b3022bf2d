import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import { analyze, isSameValue, saysTheSame, type ClaimInput } from '@platform/opinion-fusion';
import { investigations } from '@platform/opinion-fusion/fixtures';
import { contestedInvestigations } from '@platform/opinion-fusion/fixtures/contested';
import { correctedInvestigations } from '@platform/opinion-fusion/fixtures/corrected';
import fc from 'fast-check';
import jsonld from 'jsonld';
import { verdictsOf, type Judged } from '../judged.ts';
import { BRIDGE, judge, NOW } from '../judged.fixture.ts';
import { UnreadableFile } from '../imported.ts';
import { verdictLines } from '../verdict-lines.ts';
import { readClaimReview } from './read-claim-review.ts';
import { writeClaimReview } from './write-claim-review.ts';

fc.configureGlobal({ seed: SEED });

const bytes = (value: unknown) =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));

const REVIEW = {
  '@context': 'https://schema.org',
  '@type': 'ClaimReview',
  url: 'https://checks.example.org/2025/tower',
  claimReviewed: 'The tower is taller than the cathedral.',
  datePublished: '2025-03-04',
  author: { '@type': 'Organization', name: 'Example Fact Desk' },
  reviewRating: {
    '@type': 'Rating',
    ratingValue: '1',
    bestRating: '5',
    worstRating: '1',
    alternateName: 'False',
  },
  itemReviewed: {
    '@type': 'Claim',
    author: { '@type': 'Person', name: 'Mayor Adams' },
    datePublished: '2025-03-01T09:00',
    firstAppearance: { '@type': 'CreativeWork', url: 'https://video.example.org/1' },
    appearance: ['https://blog.example.org/2'],
  },
};

describe('ClaimReview', () => {
  it('every name of an author with several is read as one, or named as left out', () => {
    covers('INV-IMPORT.32');
    const author = { '@type': 'Organization', name: ['Reuters', 'AFP'] };
    const said = { '@type': 'Person', name: ['Ann', 'Ann B.'] };
    const { leftOut, payload } = readClaimReview(
      bytes({ ...REVIEW, author, itemReviewed: { ...REVIEW.itemReviewed, author: said } }),
    );
    expect(payload.actors.map(({ name }) => name)).toEqual(['Ann', 'Reuters']);
    const reasons = leftOut.map(({ path, reason }) => `${path}: ${reason}`);
    expect(reasons).toContainEqual(expect.stringMatching(/author.*one name, "Reuters", and not also "AFP"/));
    expect(reasons).toContainEqual(expect.stringMatching(/itemReviewed.*"Ann", and not also "Ann B\."/));
  });

  it('a fact check becomes the claim of its speaker and the claim of its reviewer', () => {
    covers('INV-IMPORT.2');
    const { payload, leftOut } = readClaimReview(bytes(REVIEW));
    expect(payload.subjects.map(({ name }) => name)).toEqual(['The tower is taller than the cathedral.']);
    expect(payload.actors.map(({ name }) => name)).toEqual(['Mayor Adams', 'Example Fact Desk']);
    expect(payload.claims).toEqual([
      expect.objectContaining({
        predicate: 'is_true',
        value: 'true',
        assertion_time: '2025-03-01T09:00:00Z',
        url: 'https://video.example.org/1',
      }),
      expect.objectContaining({
        value: 'false',
        content: 'False',
        assertion_time: '2025-03-04',
        url: 'https://checks.example.org/2025/tower',
      }),
    ]);
    expect(leftOut).toEqual([
      {
        path: '$.itemReviewed.appearance',
        reason: 'a claim keeps one address, not also https://blog.example.org/2',
      },
      {
        path: '$.itemReviewed.author',
        reason: 'Insider was guessed for "Mayor Adams": change it if it is another',
      },
    ]);
    expect(analyze(payload, { now: NOW })).toHaveProperty('subject_results.length', 1);
  });

  it('characters that a page wrote as entities of HTML are read as themselves, once, in texts, names, addresses and ratings', () => {
    covers('INV-IMPORT.46');
    const { payload } = readClaimReview(
      bytes({
        ...REVIEW,
        url: 'https://checks.example.org/?a=1&amp;b=2',
        claimReviewed:
          'Smith &amp; Sons said &quot;it&#39;s &#x201c;safe&#8221;&quot;, &lt;b&gt;&nbsp;&amp;quot; &copy &#0; &#xFFFFFFF;',
        author: { '@type': 'Organization', name: 'Fact &amp; Check' },
        reviewRating: { '@type': 'Rating', alternateName: 'It&#039;s false' },
      }),
    );
    expect(payload.subjects[0]!.name).toBe(
      'Smith & Sons said "it\'s \u201csafe\u201d", <b>\u00a0&quot; &copy &#0; &#xFFFFFFF;',
    );
    expect(payload.actors.map(({ name }) => name)).toContain('Fact & Check');
    expect(payload.claims.map(({ url }) => url)).toContain('https://checks.example.org/?a=1&b=2');
    expect(payload.claims.map(({ content }) => content)).toContain("It's false");
  });

  it.each([
    ['a list', [REVIEW]],
    ['a graph', { '@context': 'http://schema.org', '@graph': [{ '@type': 'WebPage' }, REVIEW] }],
    ['a data feed', { '@type': 'DataFeed', dataFeedElement: [{ '@type': 'DataFeedItem', item: [REVIEW] }] }],
    ['a list of types', { ...REVIEW, '@type': ['Review', 'ClaimReview'] }],
    [
      'the script blocks of a page',
      `<html><script type="application/ld+json">{broken</script><script type='application/ld+json'>${JSON.stringify(REVIEW)}</script>`,
    ],
    [
      'a graph with references',
      {
        '@graph': [
          { ...REVIEW, author: { '@id': '#desk' } },
          { '@id': '#desk', '@type': 'Organization', name: 'Example Fact Desk' },
        ],
      },
    ],
  ])('a fact check in %s is found', (_name, value) => {
    covers('INV-IMPORT.2');
    expect(readClaimReview(bytes(value)).payload.claims).toEqual(
      readClaimReview(bytes(REVIEW)).payload.claims,
    );
  });

  it('the response of the Fact Check Tools API is read as the ClaimReviews that it lists', () => {
    covers('INV-IMPORT.107');
    const found = {
      claims: [
        {
          text: REVIEW.claimReviewed,
          claimant: 'Mayor Adams',
          claimDate: '2025-03-01T09:00:00Z',
          claimReview: [
            {
              publisher: { name: 'Example Fact Desk', site: 'checks.example.org' },
              url: REVIEW.url,
              title: 'No, it is not',
              reviewDate: '2025-03-04T00:00:00Z',
              textualRating: 'False',
              languageCode: 'en',
            },
            { url: 'https://other.example.org/7', textualRating: 'Falsch' },
          ],
        },
        { text: 'Nobody checked this.', claimant: 'Ann' },
      ],
      nextPageToken: 'CAU',
    };
    const { payload, leftOut } = readClaimReview(bytes(found));
    const said = payload.claims.map((claim) => ({
      by: payload.actors.find(({ id }) => id === claim.actor_id)!.name,
      value: claim.value,
      at: claim.assertion_time,
      url: claim.url,
    }));
    expect(said).toEqual([
      { by: 'Mayor Adams', value: 'true', at: '2025-03-01T09:00:00Z', url: undefined },
      { by: 'Example Fact Desk', value: 'false', at: '2025-03-04T00:00:00Z', url: REVIEW.url },
      { by: 'other.example.org', value: 'false', at: undefined, url: 'https://other.example.org/7' },
    ]);
    expect(leftOut.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        '$.claims[1]',
        '$.claims[0].claimReview[0].title',
        '$.claims[0].claimReview[0].languageCode',
        '$.claims[0].claimReview[0].publisher.site',
      ]),
    );
  });

  it.each([
    ['its address', REVIEW.url, { url: 'https://desk.example.org/about' }, 'checks.example.org', true],
    ['the address of its author', undefined, { url: 'https://desk.example.org/' }, 'desk.example.org', false],
  ])('a review whose author has no name is by the host of %s, which is named', (...args) => {
    covers('INV-IMPORT.108');
    const [, url, author, host, isUnread] = args;
    const { payload, leftOut } = readClaimReview(bytes({ ...REVIEW, url, author }));
    expect(payload.actors.map(({ name }) => name)).toEqual(['Mayor Adams', host]);
    const notes = leftOut.filter(({ path }) => path.startsWith('$.author'));
    expect(notes).toContainEqual({
      path: '$.author',
      reason: `has no name: ${host}, the host of an address, was taken, name who reviewed it`,
    });
    expect(notes.some(({ path }) => path === '$.author.url')).toBe(isUnread);
  });

  it('a fact check in expanded JSON-LD is found', async () => {
    covers('INV-IMPORT.2');
    const expanded = await jsonld.expand({
      ...REVIEW,
      '@context': { '@vocab': 'https://schema.org/' },
    });
    expect(readClaimReview(bytes(expanded)).payload.claims).toHaveLength(2);
  });

  it('what a rating became is named where it is no plain verdict, each rating once with its count', () => {
    covers('INV-IMPORT.21');
    const rated = (reviewRating: object, claimReviewed: string) => ({
      ...REVIEW,
      claimReviewed,
      reviewRating,
    });
    const { payload, leftOut } = readClaimReview(
      bytes([
        rated({ alternateName: 'Half true' }, 'One.'),
        rated({ alternateName: 'Verified: false', ratingValue: 1 }, 'Two.'),
        rated({ alternateName: 'HALF TRUE' }, 'Three.'),
        rated({ alternateName: 'No verdict yet' }, 'Four.'),
        rated({ alternateName: 'True', ratingValue: 1, bestRating: 5, worstRating: 1 }, 'Five.'),
        rated({ alternateName: ['True', 'Misleading'], name: 'Accurate' }, 'Six.'),
      ]),
    );
    const reviews = payload.claims.filter(({ value }) => value !== 'true');
    expect(reviews.map(({ value }) => value)).toEqual([
      'Half true',
      'Verified: false',
      'HALF TRUE',
      'True / Misleading',
    ]);
    const own = 'is neither plainly true nor plainly false: it is a value of its own';
    expect(leftOut.filter(({ path }) => !/(appearance|author)$/.test(path))).toEqual([
      { path: '$[3]', reason: 'the rating "No verdict yet" says neither true nor false' },
      {
        path: '$[4]',
        reason: 'the rating "True" is the contrary of its number, 1 on a scale of 1 to 5: it is not read',
      },
      {
        path: '$[0].reviewRating',
        reason: `the rating "Half true" ${own}, here and in 1 more of its kind`,
      },
      { path: '$[1].reviewRating', reason: `the rating "Verified: false" ${own}` },
      { path: '$[5].reviewRating.name', reason: 'is not read: alternateName is taken' },
      { path: '$[5].reviewRating', reason: `the rating "True / Misleading" ${own}` },
    ]);
  });

  it('what cannot be taken is named with place and reason', () => {
    covers('INV-IMPORT.1');
    const { leftOut, payload } = readClaimReview(
      bytes([
        REVIEW,
        { ...REVIEW, claimReviewed: 7 },
        { ...REVIEW, claimReviewed: '' },
        { ...REVIEW, url: 'javascript:x' },
      ]),
    );
    expect(payload.claims).toHaveLength(5);
    expect(leftOut.map(({ path }) => path)).toEqual(expect.arrayContaining(['$[2]', '$[3]: url']));
  });

  it.each([
    ['no JSON and no page', 'hello', 'neither JSON nor a page'],
    ['another type', { '@type': 'Recipe' }, 'holds no ClaimReview'],
    ['broken JSON', '{"a":', 'not JSON'],
    ['deep nesting', `${'['.repeat(5000)}${']'.repeat(5000)}`, 'deeper than 64'],
  ])('a file with %s is refused by name', (_name, value, message) => {
    covers('INV-IMPORT.1');
    expect(() => readClaimReview(bytes(value))).toThrow(UnreadableFile);
    expect(() => readClaimReview(bytes(value))).toThrow(message);
  });

  it('a claim that is reviewed has the sources that say so as its authors, and no others', () => {
    covers('INV-EXPORT.3');
    const claim = (id: string, value: string, valence?: 'Refutes') => ({
      id,
      actor_id: id,
      subject_id: 's',
      predicate: 'built_in_year',
      value,
      content: `built: ${value}`,
      url: `https://${id}.example/`,
      ...(valence !== undefined && { valence }),
    });
    const written = writeClaimReview(
      judge({
        research_question: 'When was the bridge built?',
        actors: ['first', 'second', 'other', 'denier'].map((id) => ({ id, name: id, source_type: 'Expert' })),
        subjects: [{ id: 's', name: 'Bridge', subject_type: 'structure' }],
        claims: [
          claim('first', '1850'),
          claim('other', '1731'),
          claim('second', '1850'),
          claim('denier', '1850', 'Refutes'),
        ],
      }),
    );
    const { '@graph': reviews } = JSON.parse(new TextDecoder().decode(written)) as {
      '@graph': { reviewRating: { ratingExplanation: string }; itemReviewed: object }[];
    };
    expect(reviews[0]!.itemReviewed).toMatchObject({
      author: [{ name: 'first' }, { name: 'second' }],
      appearance: [{ url: 'https://first.example/' }, { url: 'https://second.example/' }],
    });
    expect(reviews[0]!.reviewRating.ratingExplanation).toContain('2 of 4 do not say so.');
  });

  it.each<[string, Partial<ClaimInput>]>([
    ['another scope', { scope: 'in 1950' }],
    ['another time', { event_start_time: '1950', event_end_time: '1951' }],
    ['a statement that was taken back', { epistemic_status: 'retracted' }],
  ])('a source that says the leading value in %s is no author of the reviewed claim', (_, more) => {
    covers('INV-EXPORT.20');
    const claim = (id: string, rest: Partial<ClaimInput> = {}) => ({
      id,
      actor_id: id,
      subject_id: 's',
      predicate: 'limit',
      value: '50',
      content: '',
      url: `https://${id}.example/`,
      ...rest,
    });
    const [review] = reviewsOf(
      judge({
        research_question: '?',
        actors: ['first', 'other'].map((id) => ({
          id,
          name: id,
          source_type: id === 'first' ? 'Expert' : 'SocialMedia',
        })),
        subjects: [{ id: 's', name: 'Bridge', subject_type: 'structure' }],
        claims: [
          claim(
            'first',
            'event_end_time' in more ? { event_start_time: '1960', event_end_time: '1990' } : {},
          ),
          claim('other', { ...more, actor_id: 'other' }),
          { ...claim('third'), actor_id: 'first', predicate: 'other' },
        ],
      }),
    );
    expect(review!.itemReviewed.author).toEqual([{ '@type': 'Organization', name: 'first' }]);
    expect(review!.itemReviewed.appearance).toHaveLength(1);
    expect(review!.reviewRating.ratingExplanation).toBe('1 source.');
  });

  it('a source whose number without a unit the verdict lists beside a value is no author of it', () => {
    covers('INV-EXPORT.20');
    const claim = (id: string, value: string, more: object = {}) => ({
      id,
      actor_id: id,
      subject_id: 's',
      predicate: 'size',
      value,
      content: value,
      ...more,
    });
    // The Regulator's unit is that of the number without one, as it has more weight than the Expert's.
    const written = reviewsOf(
      judge({
        research_question: '?',
        actors: ['Regulator', 'Journalist', 'Expert'].map((type) => ({
          id: type,
          name: type,
          source_type: type,
        })),
        subjects: [{ id: 's', name: 'Site', subject_type: 'place' }],
        claims: [
          claim('Regulator', '59 s', { scope: 'north' }),
          claim('Journalist', '12'),
          claim('Expert', '12 km'),
        ],
      }),
    );
    expect(written.map(({ itemReviewed }) => itemReviewed.author!.map(({ name }) => name))).toEqual([
      ['Regulator'],
      ['Expert'],
    ]);
  });

  it.each([
    ['any kind', investigations],
    ['corrections and repetitions', correctedInvestigations],
    ['near values, denials, copies and units', contestedInvestigations],
  ])('a reviewed claim has as many authors as the verdict of %s counts sources', (_, inputs) => {
    covers('INV-EXPORT.20', 'INV-EXPORT.24');
    fc.assert(
      fc.property(inputs(), (input) => {
        const judged = judge({
          ...input,
          actors: input.actors.map((actor) => ({ ...actor, name: actor.id })),
        });
        const lines = verdictLines(judged, { apart: true });
        const denied = new Set(input.claims.flatMap((claim) => (isDenial(claim) ? [claim.id] : [])));
        for (const [index, { itemReviewed, reviewRating }] of reviewsOf(judged).entries()) {
          const { verdict, value } = lines[index]!;
          // What is said elsewhere than the leading value has a review of its own.
          if (lines[index - 1]?.verdict === verdict) continue;
          const { subject_id: id, predicate, rival_values: rivals } = verdict;
          const { leading_claim_id: leading } = judged.explanations.find(
            (one) => one.subject_id === id && one.predicate === predicate,
          )!;
          // Where a denial leads, the sources of the verdict are those that do not say so.
          if (denied.has(leading!)) continue;
          // Of a tie the first value by its words comes first, which need not be the first that is listed.
          const own = (verdict.tied && rivals.find((one) => one.value === value)) || rivals[0]!;
          const { source_count: all, independent_source_count: independent } = own;
          const authors = itemReviewed.author?.length ?? 0;
          // Sources of near values count for the verdict, and are no authors.
          const hasNear = lines[index]!.claims.some(
            (claim) => saysTheSame(claim.value, value) && !isSameValue(claim.value, value),
          );
          // Who says several values of overlapping times is certain to speak for none of them.
          const times = lines[index]!.claims.map((one) => [one.event_start_time, one.event_end_time]);
          const isAtMost = hasNear || new Set(times.map((time) => time.join())).size > 1;
          expect([id, predicate, isAtMost ? authors <= all : authors]).toEqual([
            id,
            predicate,
            isAtMost ? true : all,
          ]);
          if (all > 1)
            expect(reviewRating.ratingExplanation).toContain(`${all} sources, ${independent} of them`);
        }
      }),
      { numRuns: soak(1000, 200) },
    );
  });

  it.each<[string, string, Partial<ClaimInput>[], string]>([
    [
      'a source that corrected itself since',
      '50',
      [
        { actor_id: 'first', value: '50' },
        { actor_id: 'other', value: '50' },
        { actor_id: 'other', value: '70', supersedes_claim_id: 'c1' },
      ],
      '1 source. 1 of 2 does not say so.',
    ],
    [
      'a source whose claim another one superseded, which weighs a quarter',
      '50',
      [
        { actor_id: 'first', value: '50' },
        { actor_id: 'other', value: '50' },
        { actor_id: 'third', value: '50', supersedes_claim_id: 'c1' },
      ],
      '3 sources, 3 of them independent.',
    ],
    [
      'a source that denies in lower case',
      '50',
      [
        { actor_id: 'first', value: '50' },
        { actor_id: 'other', value: '50', valence: 'refutes' },
      ],
      '1 source. 1 of 2 does not say so.',
    ],
    [
      'a source that denies the contrary',
      'true',
      [
        { actor_id: 'first', value: 'yes' },
        { actor_id: 'other', value: 'no', valence: 'Refutes' },
      ],
      '2 sources, 2 of them independent.',
    ],
    [
      'a source that denies what nobody says',
      '50',
      [{ actor_id: 'first', value: '50', valence: 'Refutes' }],
      'No source says so. 1 of 1 does not say so.',
    ],
  ])('a review counts %s as its verdict does', (_, value, claims, explanation) => {
    covers('INV-EXPORT.24');
    const judged = judge({
      research_question: '?',
      actors: ['first', 'other', 'third'].map((id) => ({ id, name: id, source_type: 'Expert' })),
      subjects: [{ id: 's', name: 'Bridge', subject_type: 'structure' }],
      claims: claims.map((claim, index) => ({
        id: `c${index}`,
        actor_id: '',
        subject_id: 's',
        predicate: 'limit',
        value: '',
        content: '',
        ...claim,
      })),
    });
    expect(verdictsOf(judged)[0]!.leading_value).toBe(value);
    expect(reviewsOf(judged)[0]!.reviewRating.ratingExplanation).toBe(explanation);
  });

  it('verdicts are written as ClaimReview with their distinctions, and are read back', () => {
    covers('INV-EXPORT.3');
    const written = writeClaimReview(judge(BRIDGE));
    const { '@graph': reviews } = JSON.parse(new TextDecoder().decode(written)) as {
      '@graph': { reviewRating: { ratingExplanation: string; ratingValue: number } }[];
    };
    expect(reviews).toHaveLength(1);
    expect(reviews[0]!.reviewRating.ratingExplanation).toContain(
      'By what counts as built: if first opening, it is likely that the old bridge was built in 1731; if present shape, it is very unlikely that the old bridge was built in 1850.',
    );
    const { payload, leftOut } = readClaimReview(written);
    expect(payload.claims.at(-1)).toMatchObject({
      content: expect.stringContaining('if first opening, it is likely'),
    });
    expect(payload.actors.at(-1)).toMatchObject({ name: 'Unnamed reviewer', source_type: 'Anonymous' });
    expect(leftOut.map(({ path }) => path)).toEqual([
      '$.@graph[0].author',
      '$.@graph[0].itemReviewed.author',
      '$.@graph[0].reviewRating',
    ]);
  });
});

const isDenial = ({ valence }: ClaimInput) => valence?.toLowerCase() === 'refutes';

/** The reviews of an export. */
function reviewsOf(judged: Judged) {
  const written = JSON.parse(new TextDecoder().decode(writeClaimReview(judged))) as {
    '@graph': {
      reviewRating: { ratingExplanation: string };
      itemReviewed: { author?: { name: string }[]; appearance?: unknown[] };
    }[];
  };
  return written['@graph'];
}
