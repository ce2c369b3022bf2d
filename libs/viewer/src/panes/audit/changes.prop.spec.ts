import { describe, expect, it } from '@jest/globals';
import {
  compareJudgements,
  isTurned,
  type ClaimInput,
  type InvestigationInput,
  type InvestigationResult,
} from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { createModel } from '../../model.ts';
import { pageSnapshot } from '../../page/page-snapshot.ts';
import { renderSharePage } from '../../page/render-share-page.tsx';
import { ASSETS, snapshotOf } from '../../snapshot.fixture.ts';
import type { ShareSnapshot } from '../../snapshot.ts';
import { Finding } from '../overview/finding.tsx';
import { Changes } from './changes.tsx';

fc.configureGlobal({ seed: SEED });

type Said = readonly [source: string, value: string, place: Partial<ClaimInput>];
const asked = (claims: readonly Said[], predicate = 'mayor'): InvestigationInput => ({
  research_question: 'What is it?',
  actors: ['A', 'B', 'C'].map((id) => ({ id, name: id, source_type: 'Regulator' })),
  subjects: [{ id: 's', name: 'Hulm', subject_type: 'town' }],
  claims: claims.map(([actor_id, value, place], index) => ({
    id: `c${index}`,
    actor_id,
    subject_id: 's',
    predicate,
    value,
    content: value,
    ...place,
  })),
});

/** The second judged after the first. */
function judgedAfter(before: InvestigationInput, after: InvestigationInput): ShareSnapshot {
  const { input, result } = snapshotOf(before);
  const now = snapshotOf(after);
  const previous = { ...now.previous!, input, result: result as InvestigationResult };
  return { ...now, previous };
}

const textOf = (html: string) =>
  html
    .replace(/<\/?bdi[^>]*>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&lt;', '<')
    .replace(/&nbsp;|\u00a0/g, ' ')
    .replace(/\s+/g, ' ');

/** The pane's list of changes, and the finding on the overview. */
function drawn(snapshot: ShareSnapshot) {
  const model = createModel(pageSnapshot(snapshot));
  const pane = textOf(renderToString(h(Changes, { model })));
  const [verdict] = model.verdicts;
  const finding = verdict && textOf(renderToString(h(Finding, { verdict, model })));
  return { pane, facts: finding ?? '' };
}

const NOTHING = 'No verdict has moved by a percent or more';
const FIRST = { event_start_time: '1915', event_end_time: '1925' };
const SINCE = { event_start_time: '1925' };

describe('what changed since the judgement before', () => {
  it('a rate that moves in one scope alone is listed, though another one leads the question', () => {
    covers('INV-V.310');
    const rates = (reduced: string) =>
      asked(
        [
          ['A', '19 %', { scope: 'the standard rate' }],
          ['B', '19 %', { scope: 'the standard rate' }],
          ['A', reduced, { scope: 'the reduced rate' }],
        ],
        'vat',
      );
    const { pane, facts } = drawn(judgedAfter(rates('7 %'), rates('8 %')));
    expect(pane).not.toContain(NOTHING);
    expect(pane).toContain('1 of 2 verdicts differ');
    expect(pane).toMatch(/The vat of Hulm is 8 % 0 %; “The vat of Hulm is 7 % \(.*reduced rate\)” leads/);
    expect(facts).toMatch(/“7 %” \(.*reduced rate\) led \(\d+ %\) on 2 Nov 2025/);
    expect(facts).not.toContain('“19 %” led');
  });

  it('the present holder who becomes another one is listed, though an earlier one leads by weight', () => {
    covers('INV-V.310');
    const holders = (last: string) =>
      asked([
        ['A', 'Huber', FIRST],
        ['B', 'Huber', FIRST],
        ['A', last, SINCE],
      ]);
    const { pane, facts } = drawn(judgedAfter(holders('Moser'), holders('Keller')));
    expect(pane).toContain('The mayor of Hulm is Keller');
    expect(pane).toContain('“The mayor of Hulm is Moser (from 1925 on)” leads');
    expect(pane).not.toContain('Huber');
    expect(facts).toMatch(/“Moser” \(from 1925 on\) led \(\d+ %\)/);
    expect(facts).not.toContain('“Huber” led');
  });

  it('an answer that leads the question since, and held before, has not moved', () => {
    covers('INV-V.311');
    const before: readonly Said[] = [
      ['A', 'Huber', FIRST],
      ['B', 'Huber', FIRST],
      ['C', 'Huber', FIRST],
      ['A', 'Moser', SINCE],
      ['B', 'Moser', SINCE],
    ];
    const after: readonly Said[] = [...before.slice(1), ['C', 'Moser', SINCE]];
    const { facts } = drawn(judgedAfter(asked(before), asked(after)));
    expect(facts).not.toMatch(/”[^”]* led/);
  });

  it('a question that comes or goes is listed as none on one side', () => {
    covers('INV-V.310');
    const [one, two] = [asked([['A', 'Huber', {}]]), asked([['A', 'red', {}]], 'color')];
    const { pane } = drawn(judgedAfter(one, two));
    expect(pane).toMatch(/The color of Hulm is red none \d+ %/);
    expect(pane).toMatch(/The mayor of Hulm is Huber \d+ % none/);
  });

  const place = fc.constantFrom<Partial<ClaimInput>>(FIRST, SINCE, { scope: 'north' }, {});
  const valence = fc.constantFrom('Supports' as const, 'Supports' as const, 'Refutes' as const);
  const claim = fc
    .tuple(
      fc.constantFrom('A', 'B', 'C'),
      fc.constantFrom('Huber', 'Moser', 'Keller', 'yes', 'no'),
      place,
      valence,
    )
    .map(([source, value, where, sides]): Said => [source, value, { ...where, valence: sides }]);
  const claims = fc.array(claim, { minLength: 1, maxLength: 6 });
  const edits = fc
    .tuple(claims, claims, fc.nat(6))
    .map(([one, other, kept]) => [asked(one), asked([...one.slice(0, kept), ...other.slice(0, 2)])] as const);

  it('nothing has moved if and only if the comparison of both lists no move of a percent or more', () => {
    covers('INV-V.312');
    fc.assert(
      fc.property(edits, ([before, after]) => {
        const snapshot = judgedAfter(before, after);
        const now = new Date(snapshot.judgement.judged_at);
        const judged = (input: InvestigationInput, { result }: Pick<ShareSnapshot, 'result'>) => ({
          input,
          result: result as InvestigationResult,
          judgedAt: now,
        });
        const { verdicts, unchanged_verdicts } = compareJudgements(
          judged(before, snapshotOf(before)),
          judged(after, snapshot),
        );
        const { pane } = drawn(snapshot);
        const moved = verdicts.filter((move) => isTurned(move) || Math.abs(move.move) >= 0.005);
        const all = verdicts.length + unchanged_verdicts;
        expect(pane).toContain(moved.length === 0 ? NOTHING : `${moved.length} of ${all} verdicts differ`);
        for (const { statement } of moved) expect(pane).toContain(statement);
      }),
      { numRuns: soak(300, 60) },
    );
  });

  it('a share that an earlier version froze with the judgement before opens, and tells what led', () => {
    covers('INV-V.313');
    const frozen = judgedAfter(asked([['A', 'Huber', {}]]), asked([['A', 'Moser', {}]]));
    const { input: _, ...previous } = frozen.previous!;
    const html = renderSharePage({ ...frozen, previous }, { assets: ASSETS });
    expect(textOf(html)).toMatch(/“Huber” led \(\d+ %\) on 2 Nov 2025/);
    expect(html).not.toContain(
      '"subject_results":[{"subject_id":"s","predicate":"mayor","leading_value":"Huber"',
    );
    const bare = createModel(pageSnapshot(pageSnapshot({ ...frozen, previous })));
    expect(textOf(renderToString(h(Changes, { model: bare })))).toContain('The mayor of Hulm is Moser');
  });
});
