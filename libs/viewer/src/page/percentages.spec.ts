import { describe, expect, it } from '@jest/globals';
import type { InvestigationInput } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { DAM_INPUT } from '../dam-failure.fixture.ts';
import { percent } from '../format/numbers.ts';
import { PANE_IDS } from '../snapshot.ts';
import { ASSETS, exampleInput, snapshotOf } from '../snapshot.fixture.ts';
import { boxes } from '../suspected.fixture.ts';
import { renderSharePage } from './render-share-page.tsx';

/** Words that say what a percentage is of, where it is no chance of an answer. */
const GLOSSARY = [
  /here \d+ %/,
  /chance of \d+ %/,
  /\d+ % sure/,
  /(?:(?:less|more) than )?\d+ % (?:of the weight )?left/,
  /\d+ % of (?:the|their) weight/,
  /right in \d+ % of what it says/,
  /between \d+ % and \d+ %/,
];
const DEATHS: InvestigationInput = {
  research_question: 'How many people died?',
  actors: ['a', 'b', 'c'].map((id, index) => ({
    id,
    name: `Source ${id}`,
    source_type: ['Regulator', 'Journalist', 'Insider'][index]!,
  })),
  subjects: [{ id: 's', name: 'Dam', subject_type: 'structure' }],
  claims: ['14', '31', '100'].map((value, index) => ({
    id: `c${index}`,
    actor_id: 'abc'[index]!,
    subject_id: 's',
    predicate: 'deaths',
    value,
    content: `It was ${value}.`,
  })),
};

/** The words of each pane; the words of users, who may write any percentage, are left out. */
const panesOf = (input: InvestigationInput) =>
  PANE_IDS.map(
    (pane) =>
      [
        pane,
        renderSharePage(snapshotOf(input), { assets: ASSETS, pane, page: 1 })
          .replace(/<(style|script)[^>]*>.*?<\/\1>/gs, ' ')
          .replace(/<bdi[^>]*>.*?<\/bdi>/gs, ' ')
          .replace(/<[^>]*?\b(?:aria-label|title)="([^"]*)"[^>]*>/g, ' $1 ')
          .replace(/<[^>]*>/g, ' ')
          .replaceAll('\u00a0', ' ')
          .replace(/\s+/g, ' '),
      ] as const,
  );

/** The chance of every answer in the result, and in what it is without a distinction, as percentages. */
function chancesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(chancesOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === 'calibrated_probability' && typeof member === 'number' ? [percent(member)] : chancesOf(member),
  );
}

describe('percentages of a share', () => {
  it.each([
    ['three rival numbers', DEATHS],
    ['the dam', DAM_INPUT],
    ['the first flight', exampleInput('first-flight')],
    ['suspected copies', boxes('detected')],
  ])(
    'every percentage on every pane of %s is the chance of an answer or has a word of the glossary',
    (_, input) => {
      covers('INV-V.69');
      const { result, without_distinctions, previous } = snapshotOf(input);
      const chances = new Set(
        chancesOf([result, without_distinctions, previous]).map((text) => text.replaceAll('\u00a0', ' ')),
      );
      const strange = panesOf(input).flatMap(([pane, words]) => {
        const rest = GLOSSARY.reduce((left, word) => left.replace(new RegExp(word, 'g'), ''), words);
        return [...rest.matchAll(/\d+ %/g)]
          .filter(([share]) => !chances.has(share))
          .map(({ index, 0: share }) => `${pane}: ${rest.slice(Math.max(0, index - 60), index)}${share}`);
      });
      expect(strange).toEqual([]);
    },
  );

  it('the claims of a finding show a strength from 0 to 1, explained where it stands, and no percentage', () => {
    covers('INV-V.69');
    const panes = new Map<string, string>(panesOf(DEATHS));
    const claims = panes.get('overview')!.replace(/^.*Claims by strength/, '');
    expect(claims).toMatch(/Strength, from 0 to 1, is .*strength 0\.\d\d/);
    expect(claims.replace(/How it judges.*$/, '')).not.toMatch(/\d %/);
    expect(panes.get('mesh')).toMatch(/Strength, from 0 to 1, is/);
    expect(panes.get('mesh')).toMatch(/strength 0\.\d\d/);
  });
});
