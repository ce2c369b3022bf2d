import { describe, expect, it } from '@jest/globals';
import { textOf, type InvestigationInput, type InvestigationResult } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { h, type ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { cardOf } from '../card/card.ts';
import { FoldContext } from '../components/fold.tsx';
import { disputeOf } from '../format/words.ts';
import { createModel, type Model } from '../model.ts';
import { AuditedClaims } from '../panes/audit/audited-claims.tsx';
import { Sources } from '../panes/audit/sources.tsx';
import { AnswerBlock } from '../panes/overview/answer.tsx';
import { Findings } from '../panes/overview/findings.tsx';
import { RankedClaims } from '../panes/overview/ranked-claims.tsx';
import { SourcesPane } from '../panes/sources/sources-pane.tsx';
import { largeInput, snapshotOf } from '../snapshot.fixture.ts';
import type { ShareSnapshot } from '../snapshot.ts';
import { withComparisons } from './with-comparisons.ts';
import { withWords } from './with-words.ts';
import { pageSnapshot } from './page-snapshot.ts';
import { renderSharePage } from './render-share-page.tsx';

const ASSETS = { styles: '', early: '', main: '', embed: '' };

const html = (content: ComponentChildren) =>
  renderToString(h(FoldContext.Provider, { value: 'opened', children: content }));

/** What a text says: no mark-up, one space between words. */
const said = (text: string) =>
  text
    .replace(/<\/?bdi[^>]*>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

const drawn = (model: Model) => ({
  answer: html(h(AnswerBlock, { model })),
  findings: html(h(Findings, { model })),
  ranked: html(h(RankedClaims, { model })).replace(/ value="\d+"/g, ''),
});

/** An investigation of more claims than a page holds, with denials, old claims, claims about claims. */
function variedInput(seed: number, claims: number, subjects: number): InvestigationInput {
  const input = largeInput(claims, subjects, 40 + seed * 20);
  return {
    ...input,
    claims: input.claims.map((claim, index) => {
      const roll = (index * 7919 + seed * 104_729) % 97;
      if (roll < 5 && index > subjects * 4)
        return {
          ...claim,
          subject_id: null,
          target_claim_id: `claim-${(index * 31 + seed) % subjects}`,
          predicate: 'is_reliable',
          value: 'true',
        };
      return {
        ...claim,
        predicate: `property_${(roll + index) % 3}`,
        value: roll < 50 ? claim.value : `${roll % 11}`,
        valence: roll % 13 === 0 ? 'Refutes' : 'Supports',
        ...(claim.subject_id === 'subject-0' && roll % 5 > 0 && { assertion_time: '2009-01-01T00:00:00Z' }),
      };
    }),
    distinctions: [
      {
        id: 'd',
        feature: 'what counts',
        argument_a: `claim-${claims - subjects}`,
        argument_b: `claim-${claims - subjects * 4}`,
        condition_a: 'it is broad',
        condition_b: 'it is narrow',
      },
    ],
  };
}

describe('a page that holds a part of the claims', () => {
  covers('INV-V.77');
  it.each([
    [1, 1200, 1],
    [2, 1300, 2],
    [3, 1500, 7],
    [4, 1100, 40],
  ])(
    'its answer, findings, card and preview are those of the whole judgement (input %d)',
    (seed, claims, subjects) => {
      const snapshot = snapshotOf(variedInput(seed, claims, subjects));
      const whole = createModel(withWords(withComparisons(snapshot)));
      const shown = pageSnapshot(snapshot);
      const page = createModel(shown);
      expect(page.claims.length).toBeLessThan(whole.claims.length);
      expect(shown.words!.answer).toEqual(whole.judged.words!.answer);
      expect(drawn(page)).toEqual(drawn(whole));
      const words = new Map(whole.claims.map(({ id, statement }) => [id, statement]));
      for (const { id, statement } of page.claims) expect(statement).toEqual(words.get(id));
      const sources = said(html(h(AnswerBlock, { model: whole })));
      const line = textOf(shown.words!.answer!.sources);
      expect(sources).toContain(line);
      expect(cardOf(snapshot).finding!.sources).toEqual(whole.judged.words!.answer!.sources);
      const document = renderSharePage(snapshot, { assets: ASSETS });
      const preview = /og:description" content="([^"]*)"/.exec(document)![1]!;
      expect(preview).toContain(line.slice(0, 80));
    },
  );

  it('its panes of sources and audit count all claims of a source, and say how many are held', () => {
    const snapshot = snapshotOf(variedInput(3, 1500, 7));
    const page = createModel(pageSnapshot(snapshot));
    const counts = new Map<string, number>();
    for (const { actor_id } of snapshot.input.claims) counts.set(actor_id, (counts.get(actor_id) ?? 0) + 1);
    const rows = [...html(h(Sources, { model: page })).matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row]) =>
      said(row!),
    );
    for (const { id, name } of page.judged.input.actors) {
      const row = rows.find((one) => one.startsWith(`${name} `));
      expect(row).toMatch(new RegExp(`\\s${counts.get(id)}$`));
    }
    expect(said(html(h(AuditedClaims, { model: page })))).toContain('1000 of 1500 claims.');
    expect(said(html(h(SourcesPane, { model: page })))).toMatch(
      /^\d+ of 100 sources, those that say most first/,
    );
    for (const pane of ['timeline', 'mesh'] as const)
      expect(said(renderSharePage(snapshot, { assets: ASSETS, pane }))).toContain(
        'Drawn and counted here are 1000 of 1500 claims',
      );
  });

  it('it begins with the finding that answers, however little of it is disputed', () => {
    const snapshot = snapshotOf(largeInput(3000, 700), { explanations: [], claim_audits: [] });
    const { subject_results } = snapshot.result as InvestigationResult;
    const [least] = subject_results.toSorted((a, b) => disputeOf(a) - disputeOf(b));
    const { subject_id, predicate } = least!;
    const share: ShareSnapshot['share'] = { ...snapshot.share, answer_finding: { subject_id, predicate } };
    const page = createModel(pageSnapshot({ ...snapshot, share }));
    expect(page.judged.words!.answer!.finding).toEqual({ subject_id, predicate });
    expect(page.verdicts).toHaveLength(500);
    expect(html(h(AnswerBlock, { model: page }))).toContain(least!.subject_name);
  });
});
