import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { answerText } from '@platform/viewer';
import { EXPORT_FORMATS } from '../formats.ts';
import { readFile, writeFile } from '../files.ts';
import { judge, partsOf, jsonBytes } from '../judged.fixture.ts';
import { verdictsOf } from '../judged.ts';
import { readPdf } from '../read-pdf.ts';
import { readClaimReview } from './read-claim-review.ts';

const textOf = (file: Uint8Array) => new TextDecoder().decode(file);
const review = (claimReviewed: string, alternateName: string, more: object = {}) => ({
  '@type': 'ClaimReview',
  claimReviewed,
  author: { name: 'Example Fact Desk' },
  reviewRating: { alternateName },
  itemReviewed: { author: { name: 'Mayor Adams' } },
  ...more,
});

const STATEMENTS = [
  'The dam is closed.',
  'The dam is closed',
  '"The dam is closed."',
  'The dam is closed. The mayor closed it.',
  'Did the mayor close the dam?',
  'Vaccines cause autism',
  'Mr. Smith resigned',
  'Ukraine attacked Poland',
];
const RATINGS = ['True', 'False', 'Misleading', 'Half true'];
const CASES = STATEMENTS.flatMap((statement) => RATINGS.map((rating) => [statement, rating] as const));

interface Written {
  readonly claimReviewed: string;
  readonly itemReviewed: {
    readonly name: string;
    readonly author?: readonly { readonly name: string }[];
    readonly appearance?: readonly { readonly url: string }[];
  };
  readonly reviewRating: { readonly alternateName: string; readonly ratingValue?: number };
}
const reviewsOf = (file: Uint8Array) => (JSON.parse(textOf(file)) as { '@graph': Written[] })['@graph'];

describe('statements of a fact check', () => {
  it.each(CASES)(
    '“%s” rated %s is named as it was reviewed, and comes back as the same subject',
    (claimed, rating) => {
      covers('INV-EXPORT.36', 'INV-V.95');
      const { payload } = readClaimReview(jsonBytes(review(claimed, rating)));
      const judged = judge(payload);
      const file = writeFile('claimreview', judged, partsOf(judged));
      const [written] = reviewsOf(file);
      expect([written!.claimReviewed, written!.itemReviewed.name]).toEqual([claimed, claimed]);
      expect(readFile('claimreview', file).payload.subjects).toEqual(payload.subjects);
      // A rating of its own has no place on a scale from false to true.
      const isOwn = verdictsOf(judged)[0]!.leading_value !== 'true';
      expect('ratingValue' in written!.reviewRating).toBe(!isOwn);
    },
  );

  it.each(CASES.slice(2, 4))(
    '“%s” rated %s is published with a rating that is read as the same value',
    (claimed, rating) => {
      covers('INV-EXPORT.46');
      const { payload } = readClaimReview(jsonBytes(review(claimed, rating)));
      const judged = judge({ ...payload, claims: payload.claims.slice(-1) });
      const file = writeFile('claimreview', judged, partsOf(judged));
      const back = readFile('claimreview', file).payload.claims.at(-1)!;
      expect([back.predicate, back.value]).toEqual(['is_true', payload.claims.at(-1)!.value]);
    },
  );

  it.each(CASES)(
    'no export and no answer says “%s” rated %s with its full stop or verb twice',
    async (claimed, rating) => {
      covers('INV-V.94', 'INV-V.95');
      const judged = judge(readClaimReview(jsonBytes(review(claimed, rating))).payload);
      const texts = [Object.values(answerText(judged)).flat().join('\n')];
      for (const format of EXPORT_FORMATS) {
        if (format === 'zip') continue;
        const file = writeFile(format, judged, partsOf(judged));
        texts.push(format.startsWith('pdf') ? (await readPdf(file)).text : textOf(file));
      }
      for (const text of texts)
        expect(text.replace(/\s+/g, ' ')).not.toMatch(
          /[.?] is (true|rated)|closed[.][,:]|(closed|autism|resigned|Poland) is/,
        );
    },
  );

  it.each(['True', 'Misleading', 'Mostly false', 'False'])(
    'who says a statement is its author where others rate it %s, and nobody who rejects it is',
    (rating) => {
      covers('INV-EXPORT.37');
      const reviews = ['A', 'B', 'C'].map((desk) =>
        review('The dam is closed.', rating, {
          url: `https://desk-${desk}.example/`,
          author: { name: `Desk ${desk}` },
          itemReviewed: { author: { name: 'Mayor Adams' }, appearance: 'https://mayor.example/' },
        }),
      );
      const itemOf = (payload: ReturnType<typeof readClaimReview>['payload']) => {
        const judged = judge(payload);
        return reviewsOf(writeFile('claimreview', judged, partsOf(judged)))[0]!.itemReviewed;
      };
      const { payload } = readClaimReview(jsonBytes(reviews));
      const isSaid = rating === 'True';
      const desks = isSaid ? ['Desk A', 'Desk B', 'Desk C'] : [];
      const { author = [], appearance = [] } = itemOf(payload);
      expect(new Set(author.map(({ name }) => name))).toEqual(new Set(['Mayor Adams', ...desks]));
      expect(appearance.map(({ url }) => url)).toContain('https://mayor.example/');
      expect(appearance).toHaveLength(1 + desks.length);
      const unsaid = payload.claims.filter(({ value }) => isSaid || value !== 'true');
      const denial = unsaid.map((claim) => (isSaid ? { ...claim, valence: 'Refutes' } : claim));
      const { author: none, appearance: nowhere } = itemOf({ ...payload, claims: denial });
      expect([none, nowhere]).toEqual([undefined, undefined]);
    },
  );

  it.each(['“The dam is closed.”', '"the dam is closed"', '„The dam is closed“.', '« The dam is closed »'])(
    'the statement %s in quotation marks is one subject with the same without them',
    (quoted) => {
      covers('INV-IMPORT.65');
      const idOf = (claimed: string) =>
        readClaimReview(jsonBytes(review(claimed, 'True'))).payload.subjects[0]!.id;
      expect(idOf(quoted)).toBe(idOf('The dam is closed.'));
      expect(idOf(`${quoted} and ${quoted}`)).not.toBe(idOf('The dam is closed.'));
    },
  );

  it('a statement with and without its full stop is one subject, in one file and by its id', () => {
    covers('INV-IMPORT.68');
    const { payload } = readClaimReview(
      jsonBytes([
        review('The dam is closed.', 'True'),
        review('the dam is  closed', 'False', { author: { name: 'Other Desk' } }),
      ]),
    );
    expect(payload.subjects.map(({ name }) => name)).toEqual(['The dam is closed.']);
    const alone = readClaimReview(jsonBytes(review('The dam is closed', 'False'))).payload;
    expect(alone.subjects[0]!.id).toBe(payload.subjects[0]!.id);
    const question = readClaimReview(jsonBytes(review('The dam is closed?', 'False'))).payload;
    expect(question.subjects[0]!.id).not.toBe(payload.subjects[0]!.id);
  });

  it.each([
    ['the later is second', ['2026-01-03', '2026-02-03'], 1],
    ['the later is first', ['2026-02-03', '2026-01-03'], 0],
    ['one has no date', [undefined, '2026-01-03'], 1],
    ['both are of one day', ['2026-01-03', '2026-01-03'], 0],
  ] as const)('the later of two reviews by one desk at one address stands where %s', (_, dates, standing) => {
    covers('INV-IMPORT.69');
    const url = 'https://desk.example/1';
    const { payload, leftOut } = readClaimReview(
      jsonBytes(
        dates.map((datePublished, index) =>
          review('The dam is closed.', ['True', 'False'][index]!, { url, datePublished }),
        ),
      ),
    );
    const desk = payload.claims.filter((claim) => claim.url === url);
    expect(desk.map(({ value }) => value)).toEqual([['true', 'false'][standing]]);
    expect(leftOut).toContainEqual({
      path: `$[${1 - standing}]`,
      reason: expect.stringContaining(`is the same claim as $[${standing}], whose`),
    });
  });

  it('the types that were guessed for speakers are named with them', () => {
    covers('INV-IMPORT.70');
    const by = (name: string) =>
      review(`The dam is closed, by ${name}.`, 'False', { itemReviewed: { author: { name } } });
    const { leftOut, payload } = readClaimReview(jsonBytes(['X post', 'Mayor Adams', 'Viral posts'].map(by)));
    expect(payload.actors.map(({ name, source_type: type }) => [name, type])).toContainEqual([
      'X post',
      'SocialMedia',
    ]);
    expect(leftOut).toEqual([
      {
        path: '$[0].itemReviewed.author',
        reason: 'SocialMedia was guessed for "X post", "Viral posts": change it if it is another',
      },
      {
        path: '$[1].itemReviewed.author',
        reason: 'Insider was guessed for "Mayor Adams": change it if it is another',
      },
    ]);
  });
});
