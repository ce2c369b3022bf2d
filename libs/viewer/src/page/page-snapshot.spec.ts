import { describe, expect, it } from '@jest/globals';
import { analyze, leadsOther, textOf, type InvestigationResult } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { toldByOrigin } from '../components/told-by-origin.ts';
import { disputeOf } from '../format/words.ts';
import { createModel } from '../model.ts';
import { exampleInput, largeInput, snapshotOf } from '../snapshot.fixture.ts';
import type { Compared, ShareSnapshot } from '../snapshot.ts';
import { withComparisons } from './with-comparisons.ts';
import { withWords } from './with-words.ts';
import { pageSnapshot } from './page-snapshot.ts';
import { renderSharePage } from './render-share-page.tsx';

describe('what of a snapshot a page holds', () => {
  it('a page holds all of an ordinary investigation, and of the judgement before what moved since', () => {
    const snapshot = snapshotOf(exampleInput('lk-99'));
    const page = pageSnapshot(snapshot);
    const whole = withWords(withComparisons(snapshot));
    const explanations = whole.explanations.map((one) => ({
      ...one,
      contributions: toldByOrigin(one.contributions, createModel(snapshot)),
    }));
    expect({ ...page, previous: null }).toEqual({ ...whole, explanations, previous: null });
    expect(page.previous).toEqual({ ...whole.previous, changes: expect.anything() as unknown });
    expect(page.previous).not.toHaveProperty('result');
    expect(pageSnapshot(page).previous).toEqual(page.previous);
  });

  it('a page tells the verdicts in which another value leads, and no other spelling of the one that leads', () => {
    covers('INV-V.10');
    const { input, ...others } = snapshotOf(exampleInput('lk-99'));
    const page = pageSnapshot({ ...others, input });
    const rows = others.explanations.flatMap((now, index) =>
      now.without_source.map((row) => {
        const told = page.explanations[index]!.without_source.find(({ actor_id: id }) => id === row.actor_id);
        return [
          leadsOther(row, now),
          / would lead$|would probably (not )?be “/.test(
            textOf((told as Compared | undefined)?.otherwise ?? []),
          ),
        ];
      }),
    );
    expect(rows.map(([other]) => other)).toEqual(expect.arrayContaining([true, false]));
    for (const [other, isTold] of rows) expect(isTold).toBe(other);
  });

  it('a page of a very large investigation holds the most disputed verdicts and the strongest claims, and says how many there are', () => {
    covers('INV-V.11');
    const input = largeInput(3000, 700);
    const result = analyze(input, { now: new Date('2026-03-14T09:12:45Z') }) as InvestigationResult;
    const snapshot: ShareSnapshot = {
      ...snapshotOf(exampleInput('lk-99')),
      input,
      result,
      explanations: [],
      claim_audits: [],
    };
    const page = pageSnapshot(snapshot);
    const model = createModel(page);
    expect(model.claims).toHaveLength(1000);
    expect(model.verdicts).toHaveLength(500);
    expect(model.verdicts.every(({ claims }) => claims.length > 0)).toBe(true);
    const least = Math.min(...model.verdicts.map((verdict) => disputeOf(verdict.result)));
    const shown = new Set(model.verdicts.map(({ result: { subject_id } }) => subject_id));
    for (const verdict of result.subject_results)
      if (!shown.has(verdict.subject_id)) expect(disputeOf(verdict)).toBeLessThanOrEqual(least);
    const top = result.ranked_claims.slice(0, 100).map(({ claim_id }) => claim_id);
    expect(top.filter((id) => model.claimById.has(id))).toEqual(top);
    expect(page.totals).toMatchObject({ claims: 3000, sources: 60, actors: 60, verdicts: 700 });
    expect(JSON.stringify(page).length).toBeLessThan(JSON.stringify(snapshot).length / 2);
  });

  it('a page of a very large investigation holds a claim of each side of every verdict', () => {
    covers('INV-V.11');
    const snapshot = snapshotOf(largeInput(3000, 500));
    const { input } = pageSnapshot(snapshot);
    const shown = new Set(input.claims.map(({ id }) => id));
    for (const { contributions } of snapshot.explanations) {
      const voices = contributions.filter(({ route, counted }) => route === 'voice' && counted > 0);
      for (const side of ['support', 'opposition']) {
        const claims = voices.filter((voice) => voice.side === side).map(({ claim_id }) => claim_id);
        if (claims.length > 0) expect(claims.some((id) => shown.has(id!))).toBe(true);
      }
    }
  });

  it('the answer of a very large investigation counts every source that disagrees, on the page or not', () => {
    covers('INV-V.11');
    const input = largeInput(1500, 1, 1500);
    const claims = input.claims.map((claim, index) => ({ ...claim, actor_id: `actor-${index}` }));
    const snapshot = snapshotOf({ ...input, claims });
    const { contributions } = snapshot.explanations[0]!;
    const against = new Set(
      contributions.filter(({ side }) => side === 'opposition').map(({ claim_id }) => claim_id),
    );
    const values = claims.filter(({ id }) => against.has(id)).map(({ value }) => value);
    const text = textOf(pageSnapshot(snapshot).words!.answer!.sources);
    const [, others, named, rest] =
      /; Actor \d+ and (\d+) others say (\w+), and (\d+) others disagree\.(?: Age decides: .*)?$/.exec(
        text,
      ) ?? [];
    const alike = values.filter((value) => value === named).length;
    expect([others, rest]).toEqual([`${alike - 1}`, `${values.length - alike}`]);
  });

  it('a page names no inference where a claim that speaks is not on it', () => {
    const snapshot = snapshotOf(largeInput(1500, 3));
    const assets = { styles: '', early: '', main: '', embed: '' };
    const html = renderSharePage(snapshot, { assets });
    expect(html).not.toContain('Inferred by');
    expect(html).toContain('a claim that only the downloads hold');
  });

  it('a page that holds all verdicts and not all claims says whose claims it shows', () => {
    covers('INV-V.113');
    const assets = { styles: '', early: '', main: '', embed: '' };
    const noticeOf = (subjects: number) =>
      /The page shows .*? The downloads hold all\./.exec(
        renderSharePage(snapshotOf(largeInput(1500, subjects)), { assets })
          .replace(/<[^>]+>/g, '')
          .replace(/\s/g, ' '),
      )?.[0];
    expect(noticeOf(3)).toBe(
      'The page shows the strongest claims on each verdict, 1000 out of 1500. The downloads hold all.',
    );
    expect(noticeOf(600)).toBe(
      'The page shows the 500 most disputed verdicts out of 600 and their strongest claims, 1000 out of 1500. The downloads hold all.',
    );
  });

  it('a page of very much evidence holds some of each claim, and says how much there is', () => {
    covers('INV-V.11');
    const input = largeInput(3, 1);
    const evidence = Array.from({ length: 20_000 }, (_, i) => ({
      id: `e${i}`,
      claim_id: i === 7 ? 'claim-1' : 'claim-0',
      content: 'x',
      valence: 'Supports',
    }));
    const snapshot = snapshotOf({ ...input, evidence }, { explanations: [], claim_audits: [] });
    const page = pageSnapshot(snapshot);
    expect(page.input.evidence!.length).toBeLessThanOrEqual(5000);
    expect(page.input.evidence!.filter(({ claim_id }) => claim_id === 'claim-1')).toHaveLength(1);
    expect(page.evidence_total).toBe(20_000);
    const html = renderSharePage(snapshot, { assets: { styles: '', early: '', main: '', embed: '' } });
    expect(/items\sof\sevidence\sout\sof\s20\s000,/.test(html)).toBe(true);
  });
});
