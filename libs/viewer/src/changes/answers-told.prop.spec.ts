import { describe, expect, it } from '@jest/globals';
import {
  compareJudgements,
  type ClaimInput,
  type InvestigationInput,
  type InvestigationResult,
  type RivalValue,
  textOf,
} from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import { createModel } from '../model.ts';
import { answerOf } from '../panes/overview/answer.ts';
import { togetherOf } from '../format/words.ts';
import { renderChangesPage } from '../page/changes-page.tsx';
import { snapshotOf } from '../snapshot.fixture.ts';
import type { PublishedChanges } from '../snapshot.ts';

fc.configureGlobal({ seed: SEED });

type Said = readonly [source: string, value: string, place: Partial<ClaimInput>];
const asked = (claims: readonly Said[]): InvestigationInput => ({
  research_question: 'What is it?',
  actors: ['A', 'B', 'C'].map((id) => ({ id, name: id, source_type: 'Regulator' })),
  subjects: [{ id: 's', name: 'Hulm', subject_type: 'town' }],
  claims: claims.map(([actor_id, value, place], index) => ({
    id: `c${index}`,
    actor_id,
    subject_id: 's',
    predicate: 'mayor',
    value,
    content: value,
    ...place,
  })),
});

/** The judgement of each, and the text of the page that shows what changed between them. */
function pageOf(before: readonly Said[], after: readonly Said[]) {
  const [was, is] = [snapshotOf(asked(before)), snapshotOf(asked(after))];
  const [old, now] = [was, is].map(({ input, result, judgement }) => ({
    input,
    result: result as InvestigationResult,
    judgedAt: new Date(judgement.judged_at),
  }));
  const { items, settings, verdicts, unchanged_verdicts } = compareJudgements(old!, now!);
  const changes: PublishedChanges = {
    since: '2026-03-14T09:12:45.000Z',
    changes: items,
    change_count: items.length,
    settings,
    verdicts: verdicts.map(({ parts, ...move }) => ({
      ...move,
      parts: parts.map((part) => ({ ...part, item_count: part.items.length })),
    })),
    changed_verdicts: verdicts.length,
    unchanged_verdicts,
  };
  const html = renderChangesPage({ ...is, changes }, { styles: '' })!;
  const table = html.includes('<table') ? html.slice(html.indexOf('<table'), html.indexOf('</table>')) : '';
  const text = (part: string) => part.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
  const verdictOf = ({ result }: typeof old & object) => result.subject_results[0]!;
  const [headWas, headIs] = [was, is].map((one) => textOf(answerOf(createModel(one))!.headline));
  return {
    page: text(html),
    table: text(table),
    was: verdictOf(old!),
    is: verdictOf(now!),
    headlines: [headWas!, headIs!] as const,
  };
}

const FIRST = { event_start_time: '1915', event_end_time: '1925' };
const SINCE = { event_start_time: '1925' };

describe('the page of changes of answers in several scopes and times', () => {
  it.each([
    ['Keller', 'holder', FIRST, SINCE, 'from 1925 on'],
    ['Moser', 'time', FIRST, { ...SINCE, event_end_time: '1930' }, 'from 1925 to 1930'],
  ])('the present holder who becomes %s by another %s is told', (value, _, first, place, where) => {
    covers('INV-V.283');
    const huber: readonly Said[] = [
      ['A', 'Huber', first],
      ['B', 'Huber', first],
    ];
    const { page, table } = pageOf([...huber, ['A', 'Moser', SINCE]], [...huber, ['A', value, place]]);
    expect(page).not.toContain('No verdict moved.');
    expect(page).toContain('1 of 2 verdicts moved.');
    expect(table).toContain(`The mayor of Hulm is ${value}`);
    expect(table).toContain(where);
    expect(table).not.toContain('Huber');
    if (value === 'Moser') expect(table).toContain('chance unchanged, time changed');
  });

  const place = fc.constantFrom<Partial<ClaimInput>>(
    FIRST,
    SINCE,
    { scope: 'north' },
    { ...SINCE, scope: 'north' },
    {},
  );
  const claim = fc.tuple(fc.constantFrom('A', 'B', 'C'), fc.constantFrom('Huber', 'Moser', 'Keller'), place);
  const claims = fc.array(claim, { minLength: 1, maxLength: 6 });

  it('whatever line one tells as likely in a scope, and the other judgement has not, is in the table', () => {
    covers('INV-V.283');
    const isLikely = ({ denied, calibrated_probability: chance }: RivalValue) => !denied && chance > 0.55;
    fc.assert(
      fc.property(claims, claims, fc.nat(5), (before, other, kept) => {
        const { page, table, was, is } = pageOf(before, [...before.slice(0, kept), ...other.slice(0, 2)]);
        for (const [one, another] of [
          [was, is],
          [is, was],
        ] as const)
          for (const { value, scope } of togetherOf(one) ?? []) {
            if (
              another.rival_values.some(
                (each) => isLikely(each) && each.value === value && each.scope === scope,
              )
            )
              continue;
            expect(page).not.toContain('No verdict moved.');
            expect(table).toContain(value);
          }
      }),
      { numRuns: soak(150, 40) },
    );
  });

  const anyPlace = fc.record(
    {
      scope: fc.constantFrom('north', 'south'),
      event_start_time: fc.constantFrom('1900', '1910'),
      event_end_time: fc.constantFrom('1930', '1940'),
      valence: fc.constant('Refutes' as const),
    },
    { requiredKeys: [] },
  );
  const some = (values: readonly string[]) =>
    fc.array(fc.tuple(fc.constantFrom('A', 'B', 'C'), fc.constantFrom(...values), anyPlace), {
      minLength: 1,
      maxLength: 4,
    });
  const sets = fc.oneof(some(['Huber', 'Moser']), some(['true', 'false']));

  it('whatever line one tells otherwise of an answer, but for less than a percent, is told as a move', () => {
    covers('INV-V.287');
    // Of several values of which none leads, comparisons place the one alone that they follow.
    const leadsNone = /^(?:Sources|It is undecided|It depends|What holds)/;
    const withoutChances = (headline: string) => headline.replace(/ \(\d+ %\)/g, '');
    fc.assert(
      fc.property(
        sets.chain((before) =>
          fc.tuple(fc.constant(before), fc.constantFrom(...before), anyPlace, fc.boolean()),
        ),
        ([before, edited, place, isReplaced]) => {
          const others = before.filter((one) => one !== edited);
          const changed: Said = [edited[0], edited[1], place];
          const after = isReplaced || others.length === 0 ? [...others, changed] : others;
          const { page, headlines } = pageOf(before, after);
          const [was, is] = headlines.map(withoutChances);
          if (was !== is && !headlines.some((headline) => leadsNone.test(headline)))
            expect({ was, is, page }).toEqual({
              was,
              is,
              page: expect.not.stringContaining('No verdict moved.') as unknown,
            });
        },
      ),
      { numRuns: soak(400, 100) },
    );
  });
});
