import { describe, expect, it } from '@jest/globals';
import type { InvestigationInput } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { DAM_INPUT } from '../../dam-failure.fixture.ts';
import { createModel } from '../../model.ts';
import { exampleInput, snapshotOf } from '../../snapshot.fixture.ts';
import { distinctionCards } from './distinction-cards.ts';

const cardsOf = (input: InvestigationInput) => distinctionCards(createModel(snapshotOf(input)));
const cards = cardsOf(DAM_INPUT);
const [active, inert, dropped] = cards;

describe('distinctions', () => {
  it('distinctions are listed active, inert, dropped', () => {
    expect(cards.map(({ distinction, status }) => [distinction.id, status])).toEqual([
      ['dist-season', 'active'],
      ['dist-across', 'inert'],
      ['dist-self', 'dropped'],
    ]);
  });

  it('distinctions of one question have a conclusion under each condition, for its own claim', () => {
    covers('INV-R10.2', 'INV-R10.3');
    expect(active!.a.conclusion).toMatchObject({ favored_claim_id: 'gauge-flow-high' });
    expect(active!.b.conclusion).toMatchObject({ favored_claim_id: 'gauge-flow-low' });
    expect(active!.wouldAttack).toBe(true);
  });

  it('sentences of a distinction begin with “if”, so its condition has none', () => {
    expect(active!.a.condition).toBe('the reading at the weir counts');
  });

  it('distinctions end without their full stop, read in one pass also over a long run of spaces', () => {
    const inside = `dry${' '.repeat(5_000_000)}season`;
    const distinctions = DAM_INPUT.distinctions!.map((distinction) => ({
      ...distinction,
      condition_a: `${inside} . .. `,
      condition_b: ' ... ',
    }));
    const [card] = cardsOf({ ...DAM_INPUT, distinctions });
    expect(card!.a.condition === inside).toBe(true);
    expect(card!.b.condition).toBe('');
  });

  it('distinctions across questions change nothing', () => {
    covers('INV-R10.4');
    expect([inert!.a.conclusion, inert!.b.conclusion, inert!.wouldAttack]).toEqual([null, null, false]);
  });

  it('between a claim and itself come with the warning that dropped them', () => {
    covers('INV-R10.5');
    expect(dropped!.warnings).toEqual([expect.stringContaining('its two arguments are the same claim')]);
  });

  const low = DAM_INPUT.claims.find(({ id }) => id === 'gauge-flow-low')!;
  const others = DAM_INPUT.claims.filter((claim) => claim !== low);
  const correction = { ...low, id: 'corrected', value: '1', supersedes_claim_id: low.id };
  it.each([
    ['a retracted claim', [...others, { ...low, epistemic_status: 'retracted' }], false],
    ['a claim that its source corrected', [...others, low, correction], false],
    ['a claim that its source corrected, in summary mode', [...others, low, correction], true],
  ])('distinctions over %s are dropped', (_, claims, summary_mode) => {
    covers('INV-V.207');
    const card = cardsOf({ ...DAM_INPUT, claims, summary_mode }).find(
      ({ distinction }) => distinction.id === 'dist-season',
    )!;
    expect(card.status).toBe('dropped');
    expect(card.warnings).toHaveLength(1);
  });

  it('distinctions stay active in summary mode, without conclusions', () => {
    covers('INV-R15.2');
    const card = cardsOf({ ...DAM_INPUT, summary_mode: true })[0]!;
    expect([card.status, card.a.conclusion]).toEqual(['active', null]);
  });

  it('distinctions of the examples all take part or state why not', () => {
    for (const name of ['first-flight', 'chernobyl-deaths', 'lk-99'])
      for (const card of cardsOf(exampleInput(name)))
        if (card.status === 'active') expect([card.a.conclusion, card.b.conclusion]).not.toContain(null);
        else expect(card.status).toBe('inert');
  });

  it('no distinctions are listed where none were given', () => {
    expect(cardsOf({ ...DAM_INPUT, distinctions: [] })).toEqual([]);
  });
});
